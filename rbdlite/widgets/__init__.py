"""Step player: a recorded trace as a page element that needs no kernel and no network.

`rbd.player(fn, model, ...)` shows any function with `# [n]` tags. `composite`, `padlocks`, `order_game` and `factor`
are storyboards: see `demos`. `explore` drives players and storyboards with ipywidgets, which it imports when called.
The core never imports this package.
"""

from .demos import composite, factor, order_game, padlocks
from .explore import explore
from .payload import payload
from .player import Player, player

__all__ = ["Player", "composite", "explore", "factor", "order_game", "padlocks", "payload", "player"]
