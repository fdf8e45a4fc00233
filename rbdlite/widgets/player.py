"""The step player of a tagged function."""

from .element import Element
from .payload import payload


def player(fn, *args, **options):
    """The step player of fn(model, *args) -> Player, shown by Jupyter and the book. Options: see `payload`."""
    return Player(payload(fn, *args, **options))


class Player(Element):
    """A recorded run as a page element; filmstrip(steps): still pictures for print."""

    kind = "rbd-player"

    @property
    def note(self):
        title = f"{self.payload['title']}: {self.payload['subtitle']}".rstrip(": ")
        return f"{title}, step by step ({len(self.payload['steps'])} steps; needs JavaScript)."

    def __repr__(self):
        return f"<player of {self.payload['fn']}: {len(self.payload['steps'])} steps>"

    def filmstrip(self, steps=None):
        """Still pictures of some steps (default: one for each body and pass), for print -> `Filmstrip`."""
        from .filmstrip import Filmstrip

        return Filmstrip(self.payload, steps)
