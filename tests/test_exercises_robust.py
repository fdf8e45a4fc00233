"""Whatever a learner hands in: a verdict in words comes back, no traceback and no warning."""

import functools
import warnings

import numpy as np
import pytest
import sympy

import rbdlite as rbd
from rbdlite import handview
from rbdlite.exercise import EXERCISES, UNJUDGED, check, sheet
from rbdlite.grading.functions import grade_function, grade_lines
from rbdlite.grading.numbers import asked, grade_numbers
from rbdlite.grading.steps import grade_step
from rbdlite.grading.trials import grade_detector, grade_helper
from rbdlite.hand import sheet as hand_sheet
from rbdlite.marking import _run, calculated, mark
from rbdlite.mistakes import Edit, edited
from rbdlite.mistakes.cases import hand_case, own_case

HANDS = [id for id, x in EXERCISES.items() if x.grade is grade_numbers]
FUNCTIONS = [id for id, x in EXERCISES.items()
             if x.grade in (grade_function, grade_lines, grade_helper, grade_detector, grade_step)]  # fmt: skip
NUMBERS = 0, -1, -12.2, 1e-300, 1e300, -1e300, 10**400, sympy.Rational(1, 3), np.float32(2)
NO_NUMBERS = (np.nan, -np.inf, True, "x", "1/4", b"x", None, ..., [], [1, 2], [[1, 2], [3]], {}, {1: 2}, object(), 1j,
              print, np.eye(2), np.array(None), sympy.Symbol("x"), sympy.zoo, [None] * 3, ["a", 1, 2])  # fmt: skip
PIVOT = "a pivot must be positive"


class Rude(Exception):
    def __str__(self):
        raise RuntimeError("no words")


class Shy:
    """Raises whenever it is looked at."""

    def __array__(self, *args, **more):
        raise Rude

    def __len__(self):
        raise Rude

    def __float__(self):
        raise Rude

    def __eq__(self, other):
        raise Rude

    __hash__ = None


def judged(capsys, id, answer, **more):
    """The Result, if all was in order."""
    capsys.readouterr()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = check(id, answer, **more)
    said = capsys.readouterr()
    assert said.err == "" and UNJUDGED not in said.out and said.out.startswith(f"{id}: "), (id, said)
    return result


def own(id):
    return {"own": 4} if EXERCISES[id].more.get("case") is own_case else {}


def right(id):
    """(keys asked, {key: right value as somebody types it}) of all that an exercise's lines calculate."""
    more = EXERCISES[id].more
    case = more["case"](*own(id).values())
    steps = [s for s in rbd.trace(more["fn"], *case.given(more["fn"])).steps if s.kind == "write"]
    dofs = {name for s in steps for name, v in s.at.items() if v == 0}
    known = {(s.line, *(int(v) + (name in dofs) for name, v in s.at.items())): s.value for s in steps}
    keys = [k for k in calculated(more["fn"], case.given(more["fn"])) if k in known]
    return asked(case, more["fn"], more["lines"]), {k: known[k] for k in keys}


# -- numbers -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", HANDS)
def test_any_numbers(id, capsys):
    rng = np.random.default_rng(sum(map(ord, id)))
    keys, known = right(id)
    for share in (0.1, 0.5, 1.0):
        for pool in (NUMBERS, (*NUMBERS, *NO_NUMBERS, Shy())):
            answer = {k: known[k] for k in keys}
            for k in [*keys, *known][:: 1 + int(2 / share)] if share < 1 else known:
                x = pool[rng.integers(len(pool))]
                size = np.size(known[k])
                answer[k] = [x] * size if size in (6, 36) and rng.random() < 0.6 else x
            result = judged(capsys, id, answer, hint=int(rng.integers(1, 4)), **own(id))
            assert result.points <= EXERCISES[id].points


PIVOTS = {"aba-hand": 9, "aba-own": 9, "aba-bent": 9, "minv-hand": 6, "minv-own": 6, "minv-bent": 6, "ltdl-hand": 2,
          "ltdl-own": 2}  # fmt: skip


@pytest.mark.parametrize("id, line", PIVOTS.items())
def test_a_pivot_that_cannot_be_costs_its_own_line_only(id, line, capsys):
    keys, known = right(id)
    answer = {k: known[k] for k in keys}
    for body in [k[1] for k in known if k[0] == line]:
        for D in (0, -4, -12.2, 1e-300):
            result = judged(capsys, id, answer | {(line, body): D}, **own(id))
            assert f"{len(keys) - 1} of {len(keys)} values count" in result.text
            assert ("not asked, but typed and wrong" in result.text) == ((line, body) not in keys)
            assert f"D_{body} = {D:g} was typed, but {PIVOT}" in result.text and "link mass" not in result.text
            blank = judged(capsys, id, {k: ... for k in keys} | {(line, body): D}, **own(id))
            assert "Singular" not in blank.text and blank.points < 1
        for D in (np.nan, 1e300, 10**400):
            assert PIVOT not in judged(capsys, id, answer | {(line, body): D}, **own(id)).text
        assert PIVOT not in judged(capsys, id, answer | {(line, body): ...}, **own(id)).text


def test_a_pivot_that_follows_from_a_slip_counts_and_is_told(capsys):
    _, known = right("ltdl-hand")
    for slip in (0, -1, -12):
        typed = judged(capsys, "ltdl-hand", known | {(9, 3, 2, 2): slip, (2, 2): slip})
        assert f"{12 - (slip == 0)} of 13" in typed.text and f"D_2 = {slip} was typed, but {PIVOT}" in typed.text
        blank = judged(capsys, "ltdl-hand", known | {(9, 3, 2, 2): slip, (2, 2): ...})
        assert "11 of 13" in blank.text and f"D_2 = {slip} follows from your values, but {PIVOT}" in blank.text
        assert "D_1 = " in judged(capsys, "ltdl-hand", known | {(9, 2, 1, 1): slip, (2, 1): ...}).text
    keys, known = right("aba-own")
    result = judged(capsys, "aba-own", {(8, 4): [-4, 0, 4], (20, 1): 0.5}, own=4)
    assert "follows from your values" in result.text


def test_marks_show_no_right_pivot():
    """What is said of a pivot is what was typed or follows from it."""
    case = hand_case()
    marks = mark(rbd.aba, case.given(rbd.aba), {(9, 4): -3}, [(9, 4), (20, 1)])
    assert "D_4 = -3" in marks[0].note and "4 = 4" not in marks[0].note


@pytest.mark.parametrize("number", ["one", -1, 1.5, [1], np.nan])
def test_numbers_of_own_trees_that_are_none(number, capsys):
    result = judged(capsys, "aba-own", {(20, 1): 1}, own=number)
    assert result.points == 0 and "whole number" in result.text
    with pytest.raises(ValueError, match="whole number, 0 or more"):
        sheet("aba-own", own=number)
    assert judged(capsys, "aba-own", {(20, 1): 1}, own=...).points == 0
    assert judged(capsys, "rnea-hand", {}, own=3).points == 0 and judged(capsys, "rnea-code", 3, own=3).points == 0


@pytest.mark.parametrize("id", EXERCISES)
def test_answers_of_any_kind(id, capsys):
    for answer in (*NO_NUMBERS, 0, "", (), {"a": 1}, {(4, 9): 1}, {(1, 1): 1}, {None: 1}, [1e308, 2], ("a", "b", "c"),
                   ([1e200, 1], [1e200, 1], [1, 1])):  # fmt: skip
        assert judged(capsys, id, answer, hint=3, **own(id)).points == 0


# -- nonsense earns nothing, honest slips little less -----------------------------------------------------------------


def share(id, answer, **more):
    return check(id, answer, **own(id), **more).points / EXERCISES[id].points


def full(known, keys, x):
    return {k: np.full(np.shape(known[k]), x) for k in keys}


@pytest.mark.parametrize("id", HANDS)
def test_the_same_number_everywhere(id):
    """In the places asked, in all, or with the values of one line in between as well, or one of them alone."""
    keys, known = right(id)
    for x in (0, 1):
        asked = full(known, keys, x)
        assert share(id, asked) <= 0.25 and share(id, full(known, known, x)) <= 0.25
        for n in {k[0] for k in known} - {k[0] for k in keys}:
            between = [k for k in known if k[0] == n]
            for some in (between, between[:1], between[-1:], between[1:3]):
                assert share(id, asked | full(known, some, x)) <= 0.25, (n, some, x)


@pytest.mark.parametrize("id", HANDS)
def test_numbers_drawn_by_lot(id):
    keys, known = right(id)
    rng = np.random.default_rng(7)
    for some in (keys, known):
        got = [share(id, {k: rng.integers(-9, 10, np.shape(known[k])) for k in some}) for _ in range(6)]
        assert np.mean(got) <= 0.15, got


@pytest.mark.parametrize("id", HANDS)
def test_values_that_follow_from_nonsense(id):
    """What the lines give when one of them is nonsense for every body."""
    more, (keys, known) = EXERCISES[id].more, right(id)
    args = more["case"](*own(id).values()).given(more["fn"])
    for n in {k[0] for k in known}:
        for x in (0, 1):
            nonsense = full(known, [k for k in known if k[0] == n], x)
            if n in more["lines"] or all(np.allclose(known[k], v) for k, v in nonsense.items()):
                continue
            given = _run(more["fn"], args, nonsense, None, known).own
            follows = {k: given[k] for k in keys}
            alike = sum(np.allclose(known[k], follows[k], atol=1e-3) for k in keys)
            wrong = sum(not np.allclose(known[k], v) for k, v in nonsense.items())
            if 1 < wrong and 2 * wrong > alike:  # else most of the work was done
                assert share(id, nonsense | follows) <= alike / len(keys) + 0.125, (n, x)


@pytest.mark.parametrize("id", HANDS)
def test_one_slip_keeps_most(id):
    """Any line, any body: what follows from it is typed as it follows; full marks take all values right."""
    more, (keys, known) = EXERCISES[id].more, right(id)
    args = more["case"](*own(id).values()).given(more["fn"])
    for k in (k for k in known if isinstance(known[k], np.ndarray)):
        slip = known[k] + (1 if np.size(known[k]) == 1 else 0.5)
        given = _run(more["fn"], args, {k: slip}, None, known).own
        result = share(id, {j: given[j] for j in keys} | {k: slip})
        assert 0.6 <= result < 1, (k, result)
    assert share(id, {k: known[k] for k in keys}) == share(id, known) == 1


def test_rounded_values_in_between_are_no_slip():
    keys, known = right("aba-bent")
    some = {k: np.round(x, 3) for k, x in known.items() if k[0] in (8, 9, 10, 11)}
    more = EXERCISES["aba-bent"].more
    given = _run(more["fn"], more["case"]().given(more["fn"]), some, None, known).own
    assert share("aba-bent", {k: given[k] for k in keys} | some) == 1


def test_many_wrong_values_in_between_take_no_right_one_but_one():
    keys, known = right("aba-own")
    wrong = {(10, i): known[9, i] for i in (1, 2, 3, 4)}  # D for its inverse
    assert share("aba-own", {k: known[k] for k in keys} | wrong) == 0.75


# -- functions ---------------------------------------------------------------------------------------------------------


def raises(error):
    def fn(*args, **more):
        raise error

    return fn


def returns(value):
    return lambda *args, **more: value


def odd():
    """Callables that are no functions, or of another kind."""
    yield from (print, len, int, np.linalg.inv, np.sin, dict, Shy, functools.partial(pow, 2), "".join, lambda: 1)
    yield from (lambda *a: (yield), type("C", (), {"__call__": lambda self: 1})())


@pytest.mark.parametrize("id", FUNCTIONS)
def test_functions_of_any_kind(id, capsys):
    for error in (ValueError("x"), Rude(), SystemExit(1), RecursionError(), KeyError(), StopIteration(),
                  AssertionError(), rbd.SingularError("joint 1 has nothing to move")):  # fmt: skip
        result = judged(capsys, id, raises(error), hint=3)
        assert result.points == 0 and "nothing to move" not in result.text
    for value in (*NO_NUMBERS[2:], 10**400, Shy(), [Shy()], (Shy(), Shy()), (1j, 2), np.full(99, np.inf), ([1], "x")):
        assert judged(capsys, id, returns(value), hint=3).points <= EXERCISES[id].points / 2
    for fn in odd():
        assert judged(capsys, id, fn, hint=2).points <= EXERCISES[id].points / 2


@pytest.mark.parametrize("id", [id for id in FUNCTIONS if EXERCISES[id].grade in (grade_function, grade_lines)])
def test_functions_that_stop_now_and_then(id, capsys):
    """Right on most calls: the judge asks again, traces, and runs lines alone."""
    reference = EXERCISES[id].more["reference"]
    good = edited(reference, [], "own copy")
    for k in (1, 2, 5):
        calls = iter(range(10**6))

        def fn(*args, calls=calls, k=k):
            if next(calls) % (k + 1) == k:
                raise Rude
            return good(*args)

        judged(capsys, id, fn, hint=3)


@pytest.mark.parametrize("id", [id for id in FUNCTIONS if EXERCISES[id].grade is grade_lines])
@pytest.mark.parametrize("code", ["1 / 0", "raise Rude", "exit(1)", "x = y", "return 1", "del model", "λ = 3"])
def test_lines_that_stop(id, code, capsys):
    more = EXERCISES[id].more
    for n in list(more["lines"])[1::3]:
        fn = edited(more["reference"], [Edit((code,), n)], "stops", {"Rude": Rude}) if not head(more, n) else None
        if fn is not None:
            assert judged(capsys, id, fn, hint=3).points < EXERCISES[id].points


def head(more, n):
    return next(x for x in rbd.listing(more["reference"]).lines if x.n == n).kind in ("for", "while", "if")


# -- blanks of the chapters ------------------------------------------------------------------------------------------


def sheets():
    tree, (q, qd, _) = rbd.robots.squared_paper_tree(exact=True), rbd.robots.squared_paper_state(exact=True)
    plain, arm = rbd.robots.squared_paper_tree(), rbd.robots.planar_arm()
    x = np.asarray(q, dtype=float)
    yield hand_sheet(rbd.aba, tree, q, qd, np.array([154, 24, 21, 4]))
    yield hand_sheet(rbd.aba, arm, [0.5, 1], [1, 2], [3, 4], digits=3)
    yield hand_sheet(rbd.minv, tree, q)
    yield hand_sheet(rbd.ltdl, tree, rbd.crba(tree, q))
    yield hand_sheet(rbd.ltdl, plain, rbd.crba(plain, x), digits=2, bare=True)
    yield hand_sheet(rbd.ltdl_solve, tree, *rbd.ltdl(tree, rbd.crba(tree, q)), np.array([16, -2, 3, 8], dtype=object))


@pytest.mark.parametrize("which", range(6))
def test_any_value_in_a_blank(which):
    pool, rng = (*NUMBERS, *NO_NUMBERS), np.random.default_rng(which)
    hand = list(sheets())[which]
    steps = [s for s in hand.steps if not isinstance(s.value, list)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for step in hand.steps:
            at = tuple(hand._counted(step).values())
            if step not in steps or rng.random() < 0.5:
                row = hand.given(step.line, body=at)
            else:
                value = pool[rng.integers(len(pool))]
                row = hand.blank(step.line, body=at, **{step.name.split("[")[0]: value})
            assert row._repr_mimebundle_()["text/plain"].startswith(f"[{step.line}]")
    assert {handview.WRONG, handview.GIVEN} <= {r.state for r in hand.rows}
    hand.finish()


@pytest.mark.parametrize("D", [0, -3, sympy.Rational(-1, 2), 0.0])
def test_a_blank_pivot_that_cannot_be(D):
    for hand, n in zip(sheets(), (9, 9, 6, 2, 2), strict=False):
        last = max(s.at[k] for s in hand.steps if s.line == n for k in s.at) + bool(hand.dofs and n == 2)
        row = repr(hand.blank(n, body=last, D=D))
        assert row.count("= ?") == 1 and f", but {PIVOT}" in row and "D = " in row
        assert hand.rows[-1].state == handview.WRONG
        after = repr(hand.given(n + 1, body=last))  # its inverse
        assert "…" in after and hand.rows[-1].state == handview.BLANK


def test_blanks_ask_the_catalogue():
    hand = next(sheets())
    hand.given(2, 3, 4, 5, 6, 8, 9, 10, 11, 13)
    hand.blank(14, body=3, pa=[15, -9, 15])
    assert "This is what you get when c is multiplied by IA instead of by the reduced Ia" in hand.rows[-1].message
    hand.blank(14, body=3, pa=[15, -9, 16])
    assert hand.rows[-1].message == "Put the numbers in once more, one term at a time."
