"""What readers give to `explore` and the storyboards, checked by name: joints and rows of numbers."""

import numpy as np

from ..errors import StateError


def joints(model, who, given, name="locked"):
    """Sorted numbers of joints given by name or number: a list of them, or one alone. The base has no joint.

    Raises StateError naming the argument and what was given.
    """
    one = isinstance(given, (str, int, np.integer)) or np.ndim(given) == 0 and not hasattr(given, "__iter__")
    found = {}
    for key in [given] if one else given:
        key = key.item() if isinstance(key, np.generic) else key
        try:
            found[model.index(key)] = key
        except StateError as error:
            raise StateError(f"{who}: {name} takes joints, names or numbers 1..{model.n_bodies}: {error}") from None
    if 0 in found:
        raise StateError(f"{who}: {name} takes joints, names or numbers 1..{model.n_bodies}; "
                         f"{found[0]!r} is the base, or fixed to it, and has none")  # fmt: skip
    return sorted(found)


def row(model, who, name, given):
    """One state's numbers as a new float array, nq for q, else nv; a number alone is repeated.

    Raises TypeError for a batch, StateError for another length, each naming the argument.
    """
    letter, size = ("nq", model.nq) if name == "q" else ("nv", model.nv)
    try:
        x = np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        raise StateError(f"{who}: {name} must be {letter} = {size} numbers; got {given!r}") from None
    if x.ndim > 1:
        raise TypeError(f"{who} shows one state; {name} has shape {x.shape}: pass a single row")
    if x.size != size and x.ndim:
        raise StateError(f"{who}: {name} must have {letter} = {size} numbers for this model; got {x.size}")
    return np.array(np.broadcast_to(x, (size,)))
