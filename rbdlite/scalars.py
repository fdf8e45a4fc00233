"""Kinds of number: the only file that knows what an array holds.

The algorithms are written with ``@ + - .mT`` alone, so that one source runs on

==========  =======================================================
"float"     NumPy float64, with or without leading batch axes
"symbolic"  NumPy object arrays of SymPy or ``rbdlite.expr`` nodes
"foreign"   arrays of another library (JAX), also under jit and vmap
==========  =======================================================
"""

from decimal import Decimal
from fractions import Fraction

import numpy as np


def kind(*arrays):
    """The kind of number that a computation on these arrays runs on."""
    found = "float"
    for x in arrays:
        if not isinstance(x, np.ndarray):
            return "foreign"
        if x.dtype == object:
            found = "symbolic"
    return found


def as_array(x):
    """x as an array: whole numbers become float64, symbols stay what they are, foreign arrays are kept."""
    if type(x) is np.ndarray:
        if x.dtype == np.float64:
            return x
    elif isinstance(x, np.ma.MaskedArray):
        raise TypeError("a masked array has no number where it is masked: fill it, or take the rows that are whole")
    elif hasattr(x, "__array_namespace__") and not isinstance(x, np.ndarray):
        return x
    x = np.asarray(x)
    if x.dtype == object:
        return x
    if x.dtype.kind not in "biuf":
        raise TypeError(f"expected real numbers, got an array of {x.dtype}")
    return x.astype(float)


def plain(x):
    """An object array as float64 if it holds plain numbers only, else unchanged; what is no number is refused."""
    entries = x.reshape(-1).tolist()
    for value in entries:
        if not hasattr(value, "__mul__") or not hasattr(value, "__add__") or isinstance(value, (str, complex, list)):
            raise TypeError(f"{value!r} is not a number")
        if getattr(value, "is_Boolean", False):
            raise TypeError(f"{value!r} is not a number")
        if getattr(value, "is_number", False) is True and getattr(value, "is_real", None) is False:  # SymPy's I and oo
            raise TypeError(f"{value!r} is not a real, finite number")
    plain = (bool, int, float, Decimal)
    return x.astype(float) if all(type(v) in plain or isinstance(v, np.number) for v in entries) else x


def exact(x):
    """x as an object array whose whole numbers are Python ints, so that SymPy prints cos(q2), not 1.0*cos(q2)."""
    x = np.asarray(x)
    out = np.empty(x.shape, dtype=object)
    flat = out.reshape(-1)
    for k, value in enumerate(x.reshape(-1).tolist()):
        whole = isinstance(value, bool) or isinstance(value, float) and value.is_integer()
        flat[k] = int(value) if whole else Fraction(value) if isinstance(value, Decimal) else value
    return out


def is_number(value):
    """Is this entry a plain number (no free symbol in it)?"""
    return hasattr(value, "__float__") and getattr(value, "is_real", True) is not False and not getattr(
        value, "free_symbols", None
    )


def is_zero(value):
    """Is this entry of an object array zero as it stands? A symbol, which may become zero later, is not."""
    return not getattr(value, "unknown", False) and bool(value == 0)


def fit(constants, x):
    """The variant of an integer constant (float, int) that suits the kind of x."""
    return constants[1] if isinstance(x, np.ndarray) and x.dtype == object else constants[0]


def constant(x):
    """An integer tensor in the two variants that `fit` chooses from."""
    x = np.asarray(x, dtype=int)
    pair = x.astype(float), x
    for variant in pair:
        variant.flags.writeable = False
    return pair


def _by_element(name, x):
    def one(value):
        if hasattr(value, name):
            return getattr(value, name)()
        import sympy  # an exact entry without its own sine can only come from a user of SymPy

        return getattr(sympy, name)(value)

    out = np.empty(x.shape, dtype=object)
    out.reshape(-1)[:] = [one(value) for value in x.reshape(-1)]
    return out


def sin(x):
    """Sine of every entry."""
    if isinstance(x, np.ndarray):
        return np.sin(x) if x.dtype != object else _by_element("sin", x)
    return x.__array_namespace__().sin(x)


def cos(x):
    """Cosine of every entry."""
    if isinstance(x, np.ndarray):
        return np.cos(x) if x.dtype != object else _by_element("cos", x)
    return x.__array_namespace__().cos(x)


def inv(D):
    """Inverse of a symmetric positive definite block (..., k, k), k = 1 for most joints; no check (see Model.inv).

    A pivot of a symbolic block that is exactly zero raises ZeroDivisionError.
    """
    if D.shape[-1] == 1:
        return 1 / D
    if not isinstance(D, np.ndarray):
        return D.__array_namespace__().linalg.inv(D)
    if D.dtype != object:
        return np.linalg.inv(D)
    if not D.size:  # of a joint that lets nothing move
        return D
    blocks = [_inv_symbolic(block) for block in D.reshape(-1, *D.shape[-2:])]
    return np.array(blocks, dtype=object).reshape(D.shape)


def _inv_symbolic(left):
    """Gauss-Jordan without pivoting, safe for a positive definite block (k, k)."""
    k = len(left)
    right = exact(np.eye(k))
    for r in range(k):
        if is_zero(left[r, r]):
            raise ZeroDivisionError(f"pivot {r} is zero")
        clear = exact(np.eye(k))
        clear[:, r] = [1 / left[r, r] if i == r else -left[i, r] / left[r, r] for i in range(k)]
        left, right = clear @ left, clear @ right
    return right


def stack_rows(blocks):
    """Blocks (..., n_k, 1) one above the other -> (..., sum n_k); batch axes are broadcast."""
    return _join(blocks, -2)[..., 0]


def stack_columns(blocks):
    """Blocks (..., m, n_k) side by side -> (..., m, sum n_k); batch axes are broadcast."""
    return _join(blocks, -1)


def stack_matrix(rows):
    """Blocks (..., m_k, n) one above the other -> (..., sum m_k, n); batch axes are broadcast."""
    return _join(rows, -2)


def stack_last(entries, like, axes=1):
    """Numbers or batches (...) as one array (..., n), of the kind of `like` (whose own axes follow the batch's)."""
    if not isinstance(like, np.ndarray):
        xp = like.__array_namespace__()
        return xp.stack(entries, axis=-1) if entries else xp.zeros((*like.shape[:-axes], 0), like.dtype)
    if not entries:
        return np.zeros((*like.shape[:-axes], 0), like.dtype)
    return np.stack([np.asarray(x, dtype=like.dtype) for x in entries], axis=-1)


def with_batch(x, like):
    """x (..., m, n) with the batch axes of the columns `like` as well: a constant result of a batch is repeated."""
    if all(c.ndim == 2 for c in like):
        return x
    batch = np.broadcast_shapes(x.shape[:-2], *(c.shape[:-2] for c in like))
    if batch == x.shape[:-2]:
        return x
    xp = np if isinstance(x, np.ndarray) else x.__array_namespace__()
    return xp.array(xp.broadcast_to(x, batch + x.shape[-2:]))


def _join(blocks, axis):
    foreign = [b for b in blocks if not isinstance(b, np.ndarray)]
    xp = foreign[0].__array_namespace__() if foreign else np
    if foreign:
        blocks = [xp.asarray(b) for b in blocks]
    if any(b.ndim > 2 for b in blocks):
        batch = np.broadcast_shapes(*(b.shape[:-2] for b in blocks))
        blocks = [xp.broadcast_to(b, batch + b.shape[-2:]) for b in blocks]
    return xp.concatenate(blocks, axis=axis)
