"""Sparse factorisation of M along the tree: M = Lᵀ D L without fill-in, and its solves."""

import numpy as np

from . import pivots, scalars
from .errors import SingularError, StateError
from .state import array, check_batch, finite, matrix, plain_numbers, vector


def ltdl(model, M):
    """L and D with M = Lᵀ D L: eliminate the degrees of freedom leaf first, touching only ancestors.

    over: k dof, i dof, j dof

    [1]  for k = nv … 1                 | Inward: degree of freedom {k} is eliminated, all its descendants are gone.
    [2]    D_k = H_kk                   | Its pivot: what is left of its own inertia.
    [3]    r = 1 / D_k                  | It must have something to move.
    [4]    i = λ(k)                     | Walk over its ancestors.
    [5]    while i ≠ base               | Is there an ancestor left?
    [6]      L_ki = H_ki r              | How much of {k} moves along with ancestor {i}.
    [7]      j = i                      | From {i} walk on to the base.
    [8]      while j ≠ base             | Is there one left to walk to?
    [9]        H_ij = H_ij − L_ki H_kj  | Removing {k} changes entry {i}, {j} of what is left.
    [10]       j = λ(j)                 | Next ancestor.
    [11]     i = λ(i)                   | Next ancestor.

    M (..., nv, nv) symmetric positive definite with the zeros of the tree. Returns L (..., nv, nv), unit lower
    triangular with entries only at ancestors, and D (..., nv). λ is the parent of a degree of freedom
    (model.dof_parent), so any topological numbering and joints with several freedoms are right. Raises SingularError.
    Cost: O(Σ depth²), n³ on a chain. Source: Featherstone (2005); Rigid Body Dynamics Algorithms (2008), ch. 6.
    """
    λ, M = model.dof_parent, _matrix(model, M)
    model = pivots.weighed(model, M) if model.slides and scalars.kind(M) == "float" else model
    H = [[M[..., k, j] for j in range(model.nv)] for k in range(model.nv)]
    L, D = {}, [None] * model.nv

    for k in reversed(range(model.nv)):                                 # [1]
        D[k] = H[k][k]                                                  # [2]
        r = model.inv_dof(k, D[k])                                      # [3]
        i = λ[k]                                                        # [4]
        while i >= 0:                                                   # [5]
            L[k, i] = H[k][i] * r                                       # [6]
            j = i                                                       # [7]
            while j >= 0:                                               # [8]
                H[i][j] = H[i][j] - L[k, i] * H[k][j]                   # [9]
                j = λ[j]                                                # [10]
            i = λ[i]                                                    # [11]

    return _lower(L, M), scalars.stack_last(D, M, 2)


def ltdl_solve(model, L, D, b):
    """x with Lᵀ D L x = b, by three sweeps along the parent pointers.

    over: k dof, i dof

    [1]  x = b                          | Start from the right-hand side.
    [2]  for k = nv … 1                 | Inward (Lᵀ z = b): {k} hands its part to its ancestors.
    [3]    i = λ(k)                     | Walk over its ancestors.
    [4]    while i ≠ base               | Is there an ancestor left?
    [5]      x_i = x_i − L_ki x_k       | Ancestor {i} loses what moves along with {k}.
    [6]      i = λ(i)                   | Next ancestor.
    [7]  for k = 1 … nv                 | Outward (D y = z, L x = y): {k} gets its answer.
    [8]    x_k = x_k / D_k              | Undo the pivot.
    [9]    i = λ(k)                     | Walk over its ancestors, already final.
    [10]   while i ≠ base               | Is there an ancestor left?
    [11]     x_k = x_k − L_ki x_i       | {k} is dragged along by ancestor {i}.
    [12]     i = λ(i)                   | Next ancestor.

    L (..., nv, nv), D (..., nv) from `ltdl`; b (..., nv). Returns x (..., nv). Cost: O(Σ depth).
    Raises StateError for an L that is not of this form (those of `ldlt` are, on a chain, and give another x), SingularError.
    """
    λ = model.dof_parent
    L, D, b = _factors(model, L, D, b)
    if scalars.kind(L, D, b) == "symbolic":
        b = scalars.exact(b)
    x = [b[..., k] for k in range(model.nv)]                            # [1]

    for k in reversed(range(model.nv)):                                 # [2]
        i = λ[k]                                                        # [3]
        while i >= 0:                                                   # [4]
            x[i] = x[i] - L[..., k, i] * x[k]                           # [5]
            i = λ[i]                                                    # [6]

    for k in range(model.nv):                                           # [7]
        x[k] = x[k] / D[..., k]                                         # [8]
        i = λ[k]                                                        # [9]
        while i >= 0:                                                   # [10]
            x[k] = x[k] - L[..., k, i] * x[i]                           # [11]
            i = λ[i]                                                    # [12]

    return scalars.stack_last(x, b)


def ldlt(M):
    """L and D with M = L D Lᵀ, the textbook order: first degree of freedom first, blind to the tree. Shows fill-in.

    over: k dof, i dof, j dof

    [1]  for k = 1 … n                  | Down the diagonal: {k} is eliminated, its descendants still wait.
    [2]    D_k = H_kk                   | Its pivot.
    [3]    for i = k+1 … n              | Everything after it.
    [4]      L_ik = H_ik / D_k          | How {i} moves along with {k}.
    [5]      for j = k+1 … i            | And every pair of them
    [6]        H_ij = H_ij − L_ik H_jk  | is joined: entry {i}, {j} may fill in.

    M (n, n) or a batch, symmetric; where it is not positive definite, D has entries that are not positive. Returns L
    unit lower triangular, D (..., n). O(n³).
    Raises StateError for an M that is not symmetric, SingularError for a pivot that is exactly zero.
    """
    single, M = _single(M), finite("M", array("M", M))
    if M.ndim < 2 or M.shape[-1] != M.shape[-2]:
        raise StateError(f"M must be square, (..., n, n); got shape {tuple(M.shape)}")
    _symmetric(M, single)
    n = M.shape[-1]
    H = [[M[..., i, j] for j in range(n)] for i in range(n)]
    L, D = {}, [None] * n

    for k in range(n):                                                  # [1]
        D[k] = nonzero(k, H[k][k])                                      # [2]
        for i in range(k + 1, n):                                       # [3]
            L[i, k] = H[i][k] / D[k]                                    # [4]
            for j in range(k + 1, i + 1):                               # [5]
                H[i][j] = H[i][j] - L[i, k] * H[j][k]                   # [6]

    return _lower(L, M), scalars.stack_last(D, M, 2)


def nonzero(k, pivot):
    """The pivot (...) itself, or SingularError if it is exactly zero."""
    if scalars.kind(np.asarray(pivot) if np.isscalar(pivot) or not hasattr(pivot, "shape") else pivot) != "foreign":
        if any(scalars.is_zero(x) for x in np.asarray(pivot).reshape(-1)):
            raise SingularError(f"pivot {k} of M is zero: M is singular")
    return pivot


def _matrix(model, M):
    """M, checked: symmetric, and zero between branches, since the loops never look there. Raises StateError."""
    single, M = _single(M), matrix(model, "M", M)
    _symmetric(M, single)
    V = plain_numbers(M)
    _refuse(V, np.abs(V) * _unrelated(model), "joins two branches of the tree, where M is zero: this is no inertia matrix", single)
    return M


def _single(M):
    """Was M computed in single precision, and rounded there?"""
    return getattr(M, "dtype", None) == np.float32


def _symmetric(M, single=False):
    """StateError unless M (..., n, n) is its own mirror image, as far as its entries are plain numbers."""
    V = plain_numbers(M)
    what = "differs from its mirror image: this is no inertia matrix. If rounding did it, take (M + M.mT) / 2"
    _refuse(V, np.abs(V - V.mT), what, single)


def _factors(model, L, D, b):
    """L, D and b, checked: L has the form that `ltdl` gives it, D has no zero, batches fit. Raises by name."""
    L, D, b = matrix(model, "L", L), vector(model, "D", D), vector(model, "b", b)
    check_batch({"L": (L, 2), "D": (D, 1), "b": (b, 1)})
    unit = plain_numbers(L) - np.eye(model.nv)
    if (wrong := np.abs(unit * ~_below(model)) > 0).any():
        k, i = np.argwhere(wrong)[0][-2:]
        raise StateError(f"L[{k}, {i}] must be {int(k == i)}: L of ltdl is unit lower triangular, with entries only "
                         "where a degree of freedom meets its ancestor")  # fmt: skip
    for k in np.argwhere(plain_numbers(D) == 0)[:1, -1]:
        raise SingularError(f"D[{k}] is zero: that degree of freedom has nothing to move")
    return L, D, b


def _refuse(V, wrong, what, single=False):
    """StateError if an entry of `wrong` is no rounding error: beside its two diagonal entries, and what the largest of
    M (V) leaves in every one. NaN: cannot be looked at. single: M was in single precision."""
    part, rest = (1e-4, 1e-6) if single else (1e-8, 1e-14)
    A = np.nan_to_num(np.abs(V))
    size = np.sqrt(np.diagonal(A, axis1=-2, axis2=-1))
    most = A.max((-1, -2), keepdims=True) if V.size else 0
    if np.any(too_large := wrong > part * size[..., :, None] * size[..., None, :] + rest * most):
        k, j = np.argwhere(too_large)[0][-2:]
        raise StateError(f"M[{k}, {j}] {what}")


def _below(model):
    """Entry (k, i) (nv, nv), bool: does degree of freedom i support k, as its ancestor?"""
    below = np.zeros((model.nv, model.nv), dtype=bool)
    for k, p in enumerate(model.dof_parent):
        if p >= 0:
            below[k] = below[p]
            below[k, p] = True
    return below


def _unrelated(model):
    """Pairs of degrees of freedom on different branches (nv, nv), bool: there M is zero by structure."""
    below = _below(model)
    return ~(below | below.T | np.eye(model.nv, dtype=bool))


def _lower(L, M):
    """{(k, i): entry} as a unit lower triangular matrix (..., n, n)."""
    n = M.shape[-1]
    zero = 0 * M[..., 0, 0] if n else None
    rows = [[L.get((k, i), zero + (k == i)) for i in range(n)] for k in range(n)]
    return scalars.stack_last([scalars.stack_last(column, M) for column in zip(*rows, strict=True)], M) if n else M
