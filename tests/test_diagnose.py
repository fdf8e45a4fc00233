"""From a wrong function or number to what gives the same: signature, laws, lines, catalogue."""

import numpy as np
import pytest

import rbdlite as rbd
from rbdlite.diagnose import Diagnosis, diagnose, diagnose_number, mistakes, signature
from rbdlite.mistakes import Edit, edited, variant, wrong
from rbdlite.mistakes.cases import SWITCHES, hard_case, switched
from rbdlite.mistakes.laws import LAWS, broken
from rbdlite.mistakes.safe import attempt

ROWS = mistakes(rbd.rnea)


def two(*edits):
    return edited(rbd.rnea, [Edit((code,), line) for line, code in edits])


def plain(fn):
    """fn behind a function without tags."""

    def hidden(model, q, qd, qdd, f_ext=None):
        return fn(model, q, qd, qdd, f_ext)

    return hidden


def test_right_is_right():
    d = diagnose(rbd.rnea)
    assert d.right and d == d and str(d) == "Right on every case."
    assert diagnose(plain(rbd.rnea)).right


@pytest.mark.parametrize("id", ROWS)
def test_each_mutant_is_named_and_its_line_found(id):
    row, d = ROWS[id], diagnose(variant(rbd.rnea, id))
    assert not d.right and d.trouble is None and d.changed is None
    assert [m.id for m in d.matches] == [id]
    assert d.laws and d.first is not None
    found = {f.n for f in d.lines}
    assert found and found <= set(row.lines) and all(f.judged for f in d.lines)
    assert row.says in d.hint(1) and row.what not in "\n".join(d.hint(2))
    assert f"This is what you get when {row.what}." in d.hint(3)
    assert d.cures == tuple(n for n in SWITCHES if n in row.agrees)
    if d.cures:
        assert all(name in d.hint(1)[0] for name in d.cures)


def test_only_the_trace_separates_R28_and_R32():
    case = hard_case(3)
    assert np.allclose(variant(rbd.rnea, "R28")(*case.args), variant(rbd.rnea, "R32")(*case.args))
    for id in ("R28", "R32"):
        assert [m.id for m in diagnose(plain(variant(rbd.rnea, id))).matches] == ["R28", "R32"]
        assert [m.id for m in diagnose(variant(rbd.rnea, id)).matches] == [id]


def test_two_mistakes_at_once_match_nothing_but_both_lines_are_found():
    fn = two((5, "c[i] = 0 * vJ[i]"), (10, "tau[i] = S[i].mT @ f[i]"))
    d = diagnose(fn)
    assert d.matches == () and [f.n for f in d.lines] == [5, 10]
    assert [m.id for f in d.lines for m in f.matches] == ["R07", "R33"]
    assert ROWS["R07"].says in d.hint(1) and ROWS["R33"].says in d.hint(1)


def test_every_input_behind_a_mistake_is_named():
    fn = two((5, "c[i] = 0 * vJ[i]"), (7, "fB[i] = I[i] @ a[i] + crf(v[i]) @ (I[i] @ v[i])"),
             (10, "tau[i] = S[i].mT @ f[i]"))  # fmt: skip
    for answer in (fn, plain(fn)):
        d = diagnose(answer)
        assert d.cures == () and d.matches == () and set(d.deaf) == {"external forces", "armature"}
        assert set(d.together) == {"q̇ = 0", "no external force", "no armature"}
        for level in (1, 2, 3):
            said = "\n".join(d.hint(level))
            assert all(name in said for name in (*d.together, *d.deaf))
    worse = two((11, "f[λ[i]] = f[λ[i]] + np.linalg.inv(X[i]) @ f[i] * 0.5"),
                (7, "fB[i] = I[i] @ a[i] + crf(v[i]) @ (I[i] @ v[i])"), (10, "tau[i] = S[i].mT @ f[i]"))  # fmt: skip
    d = diagnose(plain(worse))
    assert "no external force" in d.together or d.together == ()
    assert set(d.deaf) == {"external forces", "armature"}
    assert diagnose(rbd.rnea).deaf == diagnose(variant(rbd.rnea, "R07")).together == ()


def test_line_that_stops_and_line_that_cannot_be_judged():
    d = diagnose(two((7, "fB[i] = I[i] @ a[i] + crf(v[i]) * (I[i] @ v[i]) - f_ext[i]")))
    assert not d.right and [f.n for f in d.lines] == [7]

    def own_names(model, q, qd, qdd, f_ext=None):
        model, q, qd, qdd, f_ext = model.prepare(q=q, qd=qd, qdd=qdd, f_ext=f_ext)
        n = model.n_bodies + 1
        X, vel, acc, force, tau = ([None] * n for _ in range(5))
        vel[0], acc[0], force[0] = 0 * model.a0, model.a0, -f_ext[0]
        for i in range(1, n):  # [1]
            X[i] = model.XJ(i, q[i]) @ model.XT[i]  # [2]
            joint = model.S[i] @ qd[i]  # [3]
            vel[i] = X[i] @ vel[model.parent[i]] + joint  # [4]
            turn = rbd.crm(joint) @ vel[i]  # [5]
            acc[i] = X[i] @ acc[model.parent[i]] + model.S[i] @ qdd[i] + turn  # [6]
            own = model.I[i] @ acc[i] + rbd.crf(vel[i]) @ (model.I[i] @ vel[i]) - f_ext[i]  # [7]
            force[i] = own  # [8]
        for i in range(n - 1, 0, -1):  # [9]
            tau[i] = model.S[i].mT @ force[i] + model.Ir[i] @ qdd[i]  # [10]
            force[model.parent[i]] = force[model.parent[i]] + X[i].mT @ force[i]  # [11]
        return model.join(tau)

    d = diagnose(own_names)
    assert [m.id for m in d.matches] == ["R08"] and d.first.line == 5
    assert not any(f.judged for f in d.lines if f.n == 5)
    assert "line [5]" in str(d)


def test_a_wrong_helper_is_found_on_the_line_that_uses_it():
    scope = dict(vars(rbd.spatial))

    def crm(v):
        return rbd.crm(-v)

    fn = edited(rbd.rnea, [Edit(("c[i] = crm(v[i]) @ vJ[i]",), 5)])
    fn.__globals__["crm"] = crm
    d = diagnose(fn)
    assert [f.n for f in d.lines] == [5] and [m.id for f in d.lines for m in f.matches] == ["R08"]
    assert scope["crm"] is rbd.crm is rbd.rnea.__globals__["crm"]


def raises(*_):
    raise ZeroDivisionError("oops")


@pytest.mark.parametrize("fn, words", [
    (raises, "ZeroDivisionError: oops"),
    (lambda *a: None, "returns nothing"),
    (lambda model, q, qd, qdd, f_ext: np.full(model.nv, np.inf), "not finite"),
    (lambda model, q, qd, qdd, f_ext: np.full(model.nv, np.nan), "not finite"),
    (lambda model, q, qd, qdd, f_ext: rbd.rnea(model, q, qd, qdd)[:, None], r"shape (2, 1); (2,) is expected"),
    (lambda *a: "tau", "no array of numbers"),
    (lambda *a: [[1], [1, 2]], "no array of numbers"),
    (lambda model, q: q, "TypeError"),
    (lambda *a: quit(), "SystemExit"),
    (lambda *a: a[0].nothing, "nothing"),
])  # fmt: skip
def test_trouble_is_reported_not_raised(fn, words):
    d = diagnose(fn)
    assert not d.right and words in d.trouble and words in d.hint(1)[0]
    assert isinstance(str(d), str) and d.matches == ()


def test_trouble_on_larger_trees_only():
    def hinges_only(model, q, qd, qdd, f_ext=None):
        if model.n_bodies > 2:
            raise RuntimeError("too large")
        return rbd.rnea(model, q, qd, qdd, f_ext)

    assert "larger tree" in diagnose(hinges_only).trouble


def test_error_names_the_learners_own_line():
    fn = two((6, "a[i] = X[i] @ a[λ[i]] + S[i] * undefined_name"))
    assert "`a[i] = X[i] @ a[λ[i]] + S[i] * undefined_name" in diagnose(fn).trouble


def test_endless_loop_is_stopped(monkeypatch):
    monkeypatch.setattr("rbdlite.mistakes.safe.SECONDS", 0.2)

    def endless(*_):
        while True:
            pass

    assert "does a loop never end" in attempt(endless, ()).trouble


@pytest.mark.parametrize("spoil, words", [
    (lambda model, q, qd, qdd, f: model.I.__setitem__(1, 2 * model.I[1]), "the model's I"),
    (lambda model, q, qd, qdd, f: model.S.pop(), "the model's S"),
    (lambda model, q, qd, qdd, f: q.__iadd__(1), "an array that was handed in"),
    (lambda model, q, qd, qdd, f: f and f.pop(1), "the external forces"),
])  # fmt: skip
def test_altered_arguments_are_noticed_and_harmless(spoil, words):
    def fn(model, q, qd, qdd, f_ext=None):
        tau = rbd.rnea(model, q, qd, qdd, f_ext)
        spoil(model, q, qd, qdd, f_ext)
        return tau

    before = hard_case(0)
    d = diagnose(fn)
    assert not d.right and d.changed == words and words in d.hint(1)[0]
    assert diagnose(rbd.rnea).right and np.array_equal(hard_case(0).q, before.q)


def test_arrays_of_the_model_stay_read_only():
    def fn(model, q, qd, qdd, f_ext=None):
        model.I[1][0, 0] += 1
        return rbd.rnea(model, q, qd, qdd, f_ext)

    assert "read-only" in diagnose(fn).trouble


def test_whole_numbers_in_are_not_cut():
    def like_q(model, q, qd, qdd, f_ext=None):
        tau = np.zeros(model.nv, dtype=q.dtype)
        tau[:] = rbd.rnea(model, q, qd, qdd, f_ext)
        return tau

    d = diagnose(like_q)
    assert not d.right and [m.id for m in d.matches] == ["N2"] and "whole-number" in d.hint(1)[0]


@pytest.mark.parametrize("fn", [rbd.crba, rbd.aba, rbd.minv, rbd.ltdl_solve, rbd.minv_times])
def test_whole_numbers_in_are_not_cut_by_any_algorithm(fn):
    """The array for the result is made like the argument that comes last, which may hold integers."""

    def like_an_input(model, *given):
        right = fn(model, *given)
        out = np.zeros(right.shape, dtype=next(x for x in reversed(given) if isinstance(x, np.ndarray)).dtype)
        out[:] = right
        return out

    d = diagnose(like_an_input, fn)
    assert not d.right and [m.id for m in d.matches] == ["N2"] and "This is what you get when" in str(d)


def test_a_wrong_setup_is_named_beside_a_wrong_line():
    row = mistakes(rbd.crba)["I3"]
    d = diagnose(edited(rbd.crba, [*row.edits, Edit(("F = F",), 10)], "two", vars(wrong)), rbd.crba)
    assert d.matches == () and [[m.id for m in f.matches] for f in d.lines] == [["I3"], ["C11"]]


def test_columns_with_gravity_on():
    d = diagnose(variant(rbd.mass_matrix_by_rnea, "N3"), rbd.mass_matrix_by_rnea)
    assert [m.id for m in d.matches] == ["N3"] and d.cures == ("no gravity",) and "symmetric" in d.laws[0]
    assert [f.n for f in d.lines] == [3] and "line [3]" in str(d)
    assert diagnose(rbd.mass_matrix_by_rnea, rbd.mass_matrix_by_rnea).right


# -- laws --------------------------------------------------------------------------------------------------------------


def test_laws_hold_for_the_right_function():
    assert len(LAWS["rnea"]) >= 8
    for seed in range(3):
        case = hard_case(seed)
        assert broken(rbd.rnea, (case, switched(case, "one-dof joints"))) == ()


def test_every_law_catches_some_mutant_and_every_mutant_breaks_a_law():
    case = hard_case(0)
    cases = case, switched(case, "one-dof joints")
    seen = {id: broken(variant(rbd.rnea, id), cases) for id in ROWS}
    assert all(seen.values()), [id for id in seen if not seen[id]]
    assert set().union(*map(set, seen.values())) == set(LAWS["rnea"])


def test_a_constant_function_breaks_laws_and_has_no_cure():
    d = diagnose(lambda model, q, qd, qdd, f_ext: np.ones(model.nv))
    assert d.laws and d.cures == () and "one joint, at rest" in d.hint(1)[0]
    assert signature(lambda *a: np.zeros(99)) == ()


# -- numbers -----------------------------------------------------------------------------------------------------------


def test_numbers_on_the_hand_tree():
    assert diagnose_number([154, 24, 21, 4]).right and str(diagnose_number([154, 24, 21, 4])) == "Right."
    assert [m.id for m in diagnose_number([160, 32, 27, -4]).rows] == ["R07", "R10"]
    assert [m.id for m in diagnose_number(-42, "tau", 1).rows] == ["R27"]
    found = diagnose_number(36, "tau", 1)
    assert [m.id for m in found.rows] == ["R24", "R25", "R26"]
    assert str(found).startswith("This is what you get when the force goes back with the inverse")
    nothing = diagnose_number(1234.5, "tau", 1)
    assert not nothing.right and nothing.rows == () and "No known mistake" in str(nothing)


def test_numbers_of_a_line_in_the_plane():
    assert diagnose_number([-1, 11, -1], "a", 2).right
    assert diagnose_number([0, 0, -1, 11, -1, 0], "a", 2).right
    assert "R07" in [m.id for m in diagnose_number([-1, 11, 0], "a", 2).rows]
    assert not diagnose_number([-1, 11], "a", 2).right


def test_every_visible_mutant_is_found_by_its_number():
    for id, row in ROWS.items():
        found = diagnose_number(row.hand)
        assert found.right == (tuple(row.hand) == (154, 24, 21, 4))
        assert found.right or id in [m.id for m in found.rows]


def test_diagnosis_prints_without_findings():
    assert Diagnosis(False).hint(3) == []
