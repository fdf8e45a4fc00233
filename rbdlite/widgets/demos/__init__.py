"""Storyboards: small demonstrations that ask first and answer by moving. No kernel, no network.

    composite(model, q)      which inertias an entry of M sees; bodies glued together, M filling cell by cell
    padlocks(model, q)       parabola, apparent mass, two numbers per link, joint by joint, one padlock per joint
    order_game(model, q)     ABA as elimination: choose the order, every new coupling costs a point
    factor(model, q)         LTDL beside the textbook order: pattern, fill-in, updates

Each returns a `Demo`: shown by Jupyter and the book, `.save(path)` writes a page that works offline. All numbers come
from rbdlite: recorded, or computed on the page by the JavaScript that `rbd.compile` wrote for this model.
"""

from .composite import composite
from .factor import factor
from .order import order_game
from .padlocks import padlocks
from .page import Demo

__all__ = ["Demo", "composite", "factor", "order_game", "padlocks"]
