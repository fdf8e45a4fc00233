"""From a user's arrays to per-body columns (checked, named in errors, never repaired), and back."""

from collections.abc import Mapping

import numpy as np

from . import pivots, scalars
from .errors import StateError
from .spatial import plucker

UNIT_TOLERANCE = 1e-6  # |quaternion| may differ from 1 by this much; it is never normalised


def prepare(model, state):
    """What `Model.prepare` returns: the model in the arguments' kind of number, then each argument by body.

    state: {"q": ..., "qd": ..., "f_ext": ...}; every name but q and f_ext has nv entries. Raises StateError naming the
    argument, the body or joint, and what was expected.
    """
    arrays = {name: array(name, x) for name, x in state.items() if name != "f_ext"}
    forces = _forces(model, state.get("f_ext"))
    kind = scalars.kind(*arrays.values(), *forces.values())
    _check_batch({**arrays, **{f"f_ext[{key!r}]": w for key, w in forces.items()}})
    model = model.in_kind(kind)
    columns = {name: _columns(model, name, x, kind) for name, x in arrays.items()}
    if kind == "float" and model.slides and "q" in arrays:
        model = pivots.stretched(model, columns["q"])
    if "f_ext" in state:
        columns["f_ext"] = _force_columns(model, forces, kind)
    return model, *(columns[name] for name in state)


def _check_batch(arrays):
    """Leading axes must broadcast."""
    if any(x.ndim > 1 for x in arrays.values()):
        check_batch({name: (x, 1) for name, x in arrays.items()})


def check_batch(arrays):
    """{name: (array, number of its own last axes)}: the leading axes must broadcast. Raises StateError naming all."""
    try:
        np.broadcast_shapes(*(x.shape[:-own] for x, own in arrays.values()))
    except ValueError:
        shapes = ", ".join(f"{name} {tuple(x.shape)}" for name, (x, _) in arrays.items())
        raise StateError(f"the batch (leading) axes do not fit together: {shapes}") from None


def array(name, x):
    """x as an array of numbers (or symbols). Raises StateError naming it."""
    try:
        x = scalars.as_array(x)
        return scalars.plain(x) if isinstance(x, np.ndarray) and x.dtype == object else x
    except (TypeError, ValueError) as error:
        raise StateError(f"{name} must be an array of numbers: {error}") from None


def _columns(model, name, x, kind):
    size, slices = (model.nq, model.q_slice) if name == "q" else (model.nv, model.v_slice)
    if x.ndim == 0 or x.shape[-1] != size:
        raise StateError(f"{name} must have n{'q' if name == 'q' else 'v'} = {size} entries on its last axis for this "
                         f"model; got shape {tuple(x.shape)}")  # fmt: skip
    if kind == "float":
        _check_values(model, name, x, slices)
    elif kind == "symbolic":
        values, plain = _numbers(x)
        _check_values(model, name, values, slices, plain)
        x = scalars.exact(x)
    return [x[..., s, None] for s in slices]


def plain_numbers(x):
    """x as floats, NaN where an entry is a symbol or belongs to another library and cannot be checked by looking."""
    kind = scalars.kind(x)
    return x if kind == "float" else _numbers(x)[0] if kind == "symbolic" else np.full(x.shape, np.nan)


def _numbers(x):
    """Symbolic x as floats, NaN where an entry is no plain number; and which entries are plain."""
    plain = np.array([scalars.is_number(v) for v in x.reshape(-1)], dtype=bool).reshape(x.shape)
    values = [float(v) if p else np.nan for v, p in zip(x.reshape(-1), plain.reshape(-1), strict=True)]
    return np.array(values, dtype=float).reshape(x.shape), plain


def _check_values(model, name, x, slices, plain=True):
    """x: floats; plain: which of them to check for being finite (a quaternion with a symbol in it passes)."""
    wrong = ~np.isfinite(x) & plain
    if wrong.any():
        bad = int(np.flatnonzero(wrong.reshape(-1, x.shape[-1]).any(axis=0))[0])
        i = next(i for i in model.outward if slices[i].start <= bad < slices[i].stop)
        raise StateError(f"{name}[{bad}], of joint {i} ({model.joint_names[i]}), is not a finite number")
    if name != "q":
        return
    for i in model.quaternions:
        s = slices[i]
        off = np.abs(np.linalg.norm(x[..., s.stop - 4 : s.stop], axis=-1) - 1)
        if np.any(off > UNIT_TOLERANCE):
            who = f"the quaternion (x, y, z, w) of joint {i} ({model.joint_names[i]}) in q"
            raise StateError(f"{who} must have length 1; it is off by {np.max(off):.3g} (allowed: {UNIT_TOLERANCE:g}) "
                             "and is never normalised for you")  # fmt: skip


def _forces(model, f_ext):
    """{key: wrench array} of a mapping, or of a list with one wrench for each body, the base's first."""
    if f_ext is None:
        return {}
    if not isinstance(f_ext, Mapping):
        if not isinstance(f_ext, (list, tuple, np.ndarray)) or getattr(f_ext, "ndim", 2) != 2:
            got = f"{type(f_ext).__name__} of shape {np.shape(f_ext)}"
            raise StateError("f_ext must be a mapping {name: [n; f]}, or a list with one wrench for each body; for a "
                             f"batch use a mapping with arrays (..., 6). Got {got}")  # fmt: skip
        if len(f_ext) != model.n_bodies + 1:
            raise StateError(f"f_ext as a list needs {model.n_bodies + 1} wrenches, the base's first; "
                             f"got {len(f_ext)}. A mapping {{name: [n; f]}} is the safer way")  # fmt: skip
        f_ext = dict(enumerate(f_ext))
    forces = {}
    for key, w in f_ext.items():
        i, w = model.index(key), array(f"f_ext[{key!r}]", w)
        if w.ndim == 0 or w.shape[-1] != 6:
            raise StateError(f"f_ext[{key!r}] must be [n; f], 6 entries on the last axis; got shape {tuple(w.shape)}")
        forces[key] = finite(f"f_ext[{key!r}], on {model.label(i)},", w)
    return forces


def _force_columns(model, forces, kind):
    number = scalars.exact if kind == "symbolic" else (lambda x: x)
    columns = [number(np.zeros((6, 1)))] * (model.n_bodies + 1)
    for key, w in forces.items():
        i, column = model.index(key), number(w)[..., None]
        if model.is_frame(key):
            column = plucker(*model.frames[key][1:]).mT @ column
        columns[i] = columns[i] + column
    return columns


def matrix(model, name, M, square=True):
    """M as an array (..., nv, nv), or (..., m, nv), of finite numbers (or symbols). Raises StateError naming it."""
    M = array(name, M)
    if M.ndim < 2 or M.shape[-1] != model.nv or (square and M.shape[-2] != model.nv):
        want = f"(..., {model.nv if square else 'm'}, {model.nv})"
        raise StateError(f"{name} must have shape {want} for this model; got {tuple(M.shape)}")
    return finite(name, M)


def vector(model, name, x):
    """x as an array (..., nv) of finite numbers (or symbols). Raises StateError naming it."""
    x = array(name, x)
    if x.ndim == 0 or x.shape[-1] != model.nv:
        raise StateError(f"{name} must have nv = {model.nv} entries on its last axis; got shape {tuple(x.shape)}")
    return finite(name, x)


def finite(name, x):
    """x itself, or StateError if a number in it is not finite."""
    kind = scalars.kind(x)
    values, plain = (x, True) if kind != "symbolic" else _numbers(x)
    if kind != "foreign" and not (np.isfinite(values) | ~np.asarray(plain)).all():
        raise StateError(f"{name} holds a number that is not finite")
    return x


def join(model, blocks, like=()):
    """What `Model.join` returns."""
    if not model.n_bodies:
        return _nothing(like, 1)
    return scalars.stack_rows([scalars.with_batch(x, like) for x in blocks[1:]])


def join_columns(model, blocks, like=()):
    """What `Model.join_columns` returns."""
    columns = [scalars.stack_matrix([blocks[i, k] for i in model.outward]) for k in range(model.nv)]
    return scalars.with_batch(scalars.stack_columns(columns), like) if columns else _nothing(like, 2)


def _nothing(like, axes):
    """The empty result of a model that cannot move, with the batch axes of `like`."""
    return np.zeros(np.broadcast_shapes(*(c.shape[:-2] for c in like)) + (0,) * axes)


def join_matrix(model, blocks, like=()):
    """What `Model.join_matrix` returns."""
    if not model.n_bodies:
        return _nothing(like, 2)
    number = scalars.exact if model.I[0].dtype == object else np.asarray
    size = [s.stop - s.start for s in model.v_slice]
    try:
        rows = [scalars.stack_columns([blocks.get((i, j), number(np.zeros((size[i], size[j])))) for j in model.outward])
                for i in model.outward]  # fmt: skip
        whole = scalars.stack_matrix(rows)
    except (TypeError, ValueError):
        for (i, j), block in blocks.items():
            if block.shape[-2:] != (size[i], size[j]):
                raise StateError(f"join_matrix: block [{i}, {j}] must have shape (..., {size[i]}, {size[j]}), the "
                                 f"freedoms of joints {i} and {j}; got {tuple(block.shape)}") from None  # fmt: skip
        raise
    return scalars.with_batch(whole, like)
