"""What readers give to `explore`, the player and the storyboards, checked by name: arguments, joints, numbers."""

import inspect

import numpy as np

from ..errors import StateError


def bind(fn, args, named, options=(), partial=False):
    """fn's arguments -> inspect.BoundArguments. partial: some may be missing.

    Raises TypeError naming the function, what it takes, and the options (names) that could be given too.
    """
    signature = inspect.signature(fn)
    try:
        signature.bind_partial(**named)  # a name that fn does not have is told before one that is missing
        return (signature.bind_partial if partial else signature.bind)(*args, **named)
    except TypeError as error:
        takes = f"{fn.__name__} takes {', '.join(signature.parameters)}"
        more = f"; options are {', '.join(options)}" if options else ""
        raise TypeError(f"{fn.__name__}: {error}; {takes}{more}") from None


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

    Raises TypeError for a batch, StateError for another length and for what is not finite, naming the argument.
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
    if not np.isfinite(x).all():
        raise StateError(f"{who}: {name} must be {letter} = {size} finite numbers; got {x.tolist()}")
    return np.array(np.broadcast_to(x, (size,)))
