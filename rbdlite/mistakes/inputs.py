"""Several mistakes at once: which inputs must all be left out, and which are taken no notice of."""

from .cases import INPUTS, PLAIN, switched
from .safe import attempt, close, packed


def _changed(fn, reference, case, names):
    """(fn's Outcome, the right answer) with all these changes of the case."""
    for name in names:
        case = switched(case, name)
    given = case.given(reference)
    truth, shape = packed(reference(*given))
    return attempt(fn, given, shape), truth


def _right(fn, reference, case, names):
    out, truth = _changed(fn, reference, case, names)
    return out.value is not None and close(out.value, truth)


def switched_together(fn, reference, case):
    """The changes in PLAIN that make fn right together, none to spare; () if all of them do not."""
    names = PLAIN
    if not _right(fn, reference, case, names):
        return ()
    for name in PLAIN:
        fewer = tuple(x for x in names if x != name)
        if _right(fn, reference, case, fewer):
            names = fewer
    return names


def deaf_to(fn, reference, case):
    """What of the input fn takes no notice of, as the reference does."""
    (plain, right), out = _changed(fn, reference, case, ()), []
    for name, what in INPUTS.items():
        ours, truth = _changed(fn, reference, case, (name,))
        same = ours.value is not None and plain.value is not None and close(ours.value, plain.value, 1e-12)
        if same and not close(truth, right):
            out.append(what)
    return tuple(out)
