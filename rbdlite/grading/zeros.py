"""Does a factorisation or solver use numbers that it need not look at? Asked where operations cannot be counted."""

import numpy as np

from ..ltdl import ltdl, ltdl_solve
from ..mistakes.cost import operations, star
from ..mistakes.safe import attempt, close
from .small import pattern


def uses_zeros(fn, reference):
    """True if fn's answer changes with the entries of M (of L) between degrees of freedom that are not related, and its
    operations cannot be counted, as with numbers turned into plain floats."""
    if reference not in (ltdl, ltdl_solve):
        return False
    counted, needed = operations(fn, reference), operations(reference, reference)
    if counted is not None and 2 * counted > needed:
        return False
    case, related = star(), pattern(star().model.dof_parent)
    size = 0.01 * np.sqrt(np.outer(np.diag(case.M), np.diag(case.M)))
    if reference is ltdl:
        spoiled, right = (case.model, case.M + np.where(related, 0, size)), (case.L, case.D)
    else:
        spoiled = case.model, case.L + np.tril(np.where(related, 0, 1)), case.D, case.b
        right = (ltdl_solve(case.model, case.L, case.D, case.b),)
    with_them = attempt(fn, spoiled, tuple(x.shape for x in right) if len(right) > 1 else right[0].shape).value
    if with_them is None:
        return False
    seen = np.concatenate([(related if x.ndim > 1 else np.ones(x.shape, bool)).reshape(-1) for x in right])
    return not close(np.ravel(with_them)[seen], np.concatenate([x.reshape(-1) for x in right])[seen], 1e-8)
