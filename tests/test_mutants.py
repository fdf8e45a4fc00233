"""Every row of the catalogue of mistakes, as a mutant: it must be caught, and do what its row says.

That it agrees where its row says, and nowhere else, is tested in test_diagnose.py.
"""

import numpy as np
import pytest

import rbdlite as rbd
from rbdlite.diagnose import signature
from rbdlite.mistakes import Edit, edited, mistakes, table, variant, wrong
from rbdlite.mistakes.cases import COVERED, SWITCHES, hand_case, hard_case, switched
from rbdlite.mistakes.safe import close
from rbdlite.mistakes.small import composite_inertias, mass_matrix_by_columns, torques_in_place

SEEDS = range(5)
ROWS = mistakes(rbd.rnea)
ANSWERS = {s: rbd.rnea(*hard_case(s).args) for s in SEEDS}


def caught(fn):
    """Does fn differ from the right answer on every hard case?"""
    return all(not close(fn(*hard_case(s).args), ANSWERS[s], 1e-6) for s in SEEDS)


def test_there_are_mutants():
    shared = {"X1", "X2", "X3", "X4", "X5", "X6", "X7", "X8", "I1", "I2", "I3", "I4", "I5"}
    assert set(ROWS) >= shared | {f"R{k:02}" for k in range(1, 37)}
    assert {id for _, id in table()} >= {"N1", "N2", "N3", "N4"}


def test_the_hard_cases_are_hard():
    for s in SEEDS:
        case = hard_case(s)
        model = case.model
        assert {j.kind for j in model.joints[1:]} == {"revolute", "prismatic", "spherical"}
        assert max(len(c) for c in model.children[1:]) > 1 and list(model.parent) == sorted(model.parent)
        assert (model.armature > 0).all() and np.abs(model.gravity).min() > 0.01 and len(case.f_ext) == 7


@pytest.mark.parametrize("id", ROWS)
def test_mutant_is_caught(id):
    assert caught(variant(rbd.rnea, id))


@pytest.mark.parametrize("id", ROWS)
def test_answer_on_the_hand_tree(id):
    answer = variant(rbd.rnea, id)(*hand_case().args)
    np.testing.assert_allclose(answer, ROWS[id].hand, atol=5.1e-4)


def test_switches_named_in_the_table_exist():
    named = {switch for row in ROWS.values() for switch in row.agrees}
    assert named <= set(SWITCHES) and len(named) > 8


def test_right_function_is_no_mutant():
    """A harmless edit is not caught: the check above can fail."""
    same = edited(rbd.rnea, [Edit(("v[i] = vJ[i] + X[i] @ v[λ[i]]",), 4)])
    assert not caught(same) and set(signature(same)) == set(SWITCHES) - set(COVERED)
    np.testing.assert_allclose(rbd.rnea(*hand_case().args), [154, 24, 21, 4])


@pytest.mark.parametrize("id", ROWS)
def test_mutant_can_be_listed_and_traced(id):
    fn, row = variant(rbd.rnea, id), ROWS[id]
    listing, right = rbd.listing(fn), rbd.listing(rbd.rnea)
    changed = {x.n for x, y in zip(listing.lines, right.lines, strict=True) if x.code != y.code}
    assert changed == {n for n in row.lines if n}
    trace = rbd.trace(fn, *hand_case().args)
    assert np.array_equal(trace.result, fn(*hand_case().args))
    assert rbd.compare(rbd.trace(rbd.rnea, *hard_case(0).args), rbd.trace(fn, *hard_case(0).args)) is not None


def test_helpers_do_not_change_their_arguments():
    model = hard_case(0).model
    before = [X.copy() for X in model.XT[1:]] + [I.copy() for I in model.I]
    used = [wrong.turned_back, wrong.offset_in_child_axes, wrong.offset_flipped]
    for helper in used:
        [helper(X) for X in model.XT[1:]]
    for helper in [wrong.without_parallel_axis, wrong.with_parallel_axis_twice, wrong.com_mirrored,
                   wrong.without_coupling, wrong.linear_first]:  # fmt: skip
        [helper(I) for I in model.I]
    assert all(map(np.array_equal, before, [*model.XT[1:], *model.I]))


# -- mistakes in the calling code --------------------------------------------------------------------------------------


def test_N1_spoils_the_second_call():
    model = hard_case(0).model
    X = [None] + [model.XJ(i, np.array(hard_case(0).q[model.q_slice[i]])[:, None]) @ model.XT[i] for i in model.outward]
    fn = variant(composite_inertias, "N1")
    given = [np.array(I) for I in model.I]
    right = composite_inertias(given, X, model.parent)
    assert all(map(np.array_equal, given, model.I))
    first = [I.copy() for I in fn(given, X, model.parent)]
    assert all(map(close, first, right))
    assert not all(map(np.array_equal, given, model.I))
    assert not all(map(close, fn(given, X, model.parent), right))
    with pytest.raises(ValueError, match="read-only"):  # a Model does not let it happen
        fn(model.I, X, model.parent)


def test_N2_cuts_to_whole_numbers():
    case = hard_case(1, kinds=("revolute", "prismatic"))
    q = np.arange(case.model.nq)
    right = rbd.rnea(case.model, q, case.qd, case.qdd, case.f_ext)
    fn = variant(torques_in_place, "N2")
    assert np.array_equal(torques_in_place(case.model, q, case.qd, case.qdd, case.f_ext), right)
    assert np.array_equal(fn(case.model, q.astype(float), case.qd, case.qdd, case.f_ext), right)
    assert np.array_equal(fn(case.model, q, case.qd, case.qdd, case.f_ext), np.trunc(right))


@pytest.mark.parametrize("id, cure", [("N3", "no gravity"), ("N4", "q̇ = 0")])
def test_N3_and_N4_by_columns(id, cure):
    fn = variant(mass_matrix_by_columns, id)
    for seed in SEEDS:
        case = hard_case(seed)
        right = rbd.mass_matrix_by_rnea(case.model, case.q)
        assert close(mass_matrix_by_columns(case.model, case.q, case.qd), right)
        assert not close(fn(case.model, case.q, case.qd), right, 1e-6)
        cured = switched(case, cure)
        assert close(fn(cured.model, cured.q, cured.qd), right)


# -- the table ---------------------------------------------------------------------------------------------------------


def test_unknown_rows_and_lines_are_named():
    with pytest.raises(KeyError, match="R99.*R01"):
        variant(rbd.rnea, "R99")
    with pytest.raises(rbd.TraceError, match=r"line \[99\]"):
        edited(rbd.rnea, [Edit(("x = 1",), 99)])
    with pytest.raises(rbd.TraceError, match="untagged line with 'no such'"):
        edited(rbd.rnea, [Edit(("x = 1",), at="no such")])


def test_feedback_asks_and_never_blames():
    for row in table().values():
        for text in (row.what, row.says):
            assert "you did" not in text.lower() and "your mistake" not in text.lower() and "[" not in text, row.id
            assert not any(code in text for edit in row.edits for code in edit.code), row.id
        assert row.says[-1] in ".?" and not row.what.endswith("."), row.id


def test_variant_of_a_function_with_a_closure():
    factor = 2

    def double(x):
        y = x  # [1]
        for _ in range(3):  # [2]
            y = factor * y  # [3]
        return y  # [4]

    made = edited(double, [Edit(("y = factor + y", "y = y + 0"), 3)])
    assert (double(1), made(1)) == (8, 7)
    assert "y = factor + y  # [3]" in made.__rbd_source__
