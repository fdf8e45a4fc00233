"""Step player: a recorded trace as a page element that needs no kernel and no network.

`rbd.player(fn, model, ...)` shows any function with `# [n]` tags; `explore` drives the same views with ipywidgets.
The core never imports this package.
"""

from .payload import payload
from .player import Player, player

__all__ = ["Player", "explore", "payload", "player"]


def explore(fn, *args, **options):
    """Sliders of ipywidgets that drive the player from Python (see `rbdlite.widgets.explore`)."""
    from .explore import explore as run

    return run(fn, *args, **options)
