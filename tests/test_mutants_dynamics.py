"""Every wrong variant of CRBA, ABA, Minv and LTDL: it must be caught, and do what its row of the catalogue says."""

import numpy as np
import pytest

import rbdlite as rbd
from rbdlite.diagnose import diagnose
from rbdlite.errors import SingularError
from rbdlite.mistakes import Edit, edited, mistakes, variant, wrong
from rbdlite.mistakes.cases import SWITCHES, hand_case, hard_case, own_case, switched
from rbdlite.mistakes.cost import operations, star
from rbdlite.mistakes.laws import LAWS, broken
from rbdlite.mistakes.safe import attempt, close, packed

SEEDS = range(5)
ALGORITHMS = rbd.crba, rbd.aba, rbd.minv, rbd.minv_times, rbd.ltdl, rbd.ltdl_solve
ALL = [(fn, id) for fn in ALGORITHMS for id in mistakes(fn)]
ROWS = [(fn, id) for fn, id in ALL if not mistakes(fn)[id].cost]
CASES = {s: hard_case(s) for s in SEEDS}
RIGHT = {(fn, s): packed(fn(*CASES[s].given(fn))) for fn in ALGORITHMS for s in SEEDS}
OUTSIDE = {"V14", "V15", "V16", "V17", "V18", "V19", "V20"}  # what is returned is changed, after the last tagged line
SHARED = {*(f"X{k}" for k in range(1, 9)), "X7b", *(f"I{k}" for k in range(1, 6))}  # with RNEA
SINGULAR = (rbd.aba, "A17"), (rbd.aba, "I1"), (rbd.minv, "I1")  # on the squared-paper tree: a joint with no inertia
TIES = [{"C01", "C09", "C18"}, {"V01", "V03", "V08", "V13"}, {"V10", "V11"}, {"L01", "L09"}]


def swept(model, L, D, b):
    """x with Lᵀ D L x = b, read from L at row k, column of the ancestor, whatever else L holds."""
    x = list(b)
    for k in reversed(range(model.nv)):
        for i in above(model, k):
            x[i] = x[i] - L[k, i] * x[k]
    for k in range(model.nv):
        x[k] = x[k] / D[k] - sum(L[k, i] * x[i] for i in above(model, k))
    return x


def above(model, k):
    while (k := model.dof_parent[k]) >= 0:
        yield k


def on_the_tree(fn, answer):
    """As the rows have it: five entries of M, q̈, four entries of 420 M⁻¹, or x. None where a joint is singular."""
    case, name = hand_case(), answer.__name__
    try:
        if name == "crba":
            return fn(case.model, case.q)[[0, 0, 1, 0, 3], [0, 1, 1, 2, 3]]
        if name == "minv":
            return 420 * fn(case.model, case.q)[[0, 0, 1, 1], [0, 1, 1, 0]]
        if name == "minv_times":
            W = np.stack([fn(case.model, case.q, e) for e in np.eye(4)], axis=-1)
            return 420 * W[[0, 0, 1, 1], [0, 1, 1, 0]]
        out = fn(*case.given(answer))
        return swept(case.model, *out, case.b) if name == "ltdl" else out
    except (SingularError, np.linalg.LinAlgError):
        return None


def test_all_rows_are_there():
    ids = {id for _, id in ALL}
    wanted = {"C": 28, "A": 40, "V": 25, "L": 25}
    own = {f"{letter}{k:02}" for letter, count in wanted.items() for k in range(1, count + 1)}
    assert ids == own | SHARED | {"L07b"}
    assert all(SHARED <= set(mistakes(fn)) for fn in (rbd.crba, rbd.aba, rbd.minv))
    assert {switch for fn, id in ALL for switch in mistakes(fn)[id].agrees} <= set(SWITCHES)
    # defects of the sources: IA c, aba with gravity on for M⁻¹ x, no inward sweep, M mirrored twice, the empty
    # triangle read, L D Lᵀ solved from the wrong end, b / D
    assert ids >= {"A01", "V09", "V01", "C21", "L01", "L14", "L25"}


@pytest.mark.parametrize("fn", [rbd.crba, rbd.aba, rbd.minv])
def test_shared_rows_are_those_of_rnea(fn):
    """Same words, same edits; what else is edited is no part of the mistake."""
    for id in SHARED:
        row, first = mistakes(fn)[id], mistakes(rbd.rnea)[id]
        assert (row.fn, row.what) == (fn.__name__, first.what) and (row.says == first.says or id == "I1")
        assert tuple(e for e in row.edits if not e.aside) == first.edits and row.lines == first.lines


def test_the_right_answers_on_the_tree():
    case = hand_case()
    assert case.tau.tolist() == [154, 24, 21, 4] and case.b.tolist() == [16, -2, 3, 8]
    wanted = {rbd.crba: [28, 11, 8, 6, 4], rbd.minv: [60, -60, 144, -60], rbd.minv_times: [60, -60, 144, -60]}
    for fn in ALGORITHMS:
        np.testing.assert_allclose(on_the_tree(fn, fn), wanted.get(fn, [1, -2, 1, 1]), atol=1e-9)


def test_the_hard_cases_hide_nothing():
    for s, case in CASES.items():
        model = case.model
        balls = [i for i in model.outward if model.joints[i].kind == "spherical"]
        assert any(np.abs(case.M[model.v_slice[i], model.v_slice[j]]).max() > 0 for i in balls for j in balls if i < j)
        assert (case.M == 0).any() and not np.allclose(case.b, case.tau), s
        assert rbd.robots.renumbered(model.parent[1:], "depth") != list(model.parent[1:])
        deep = switched(case, "depth-first numbering").model.parent[1:]
        assert rbd.robots.renumbered(deep, "depth") == list(deep)


@pytest.mark.parametrize("right, id", ALL)
def test_answer_on_the_hand_tree(right, id):
    answer, hand = on_the_tree(variant(right, id), right), mistakes(right)[id].hand
    assert (answer is None) == (hand is None) == ((right, id) in SINGULAR)
    if hand is not None:
        np.testing.assert_allclose(answer, hand, atol=5.1e-4)


@pytest.mark.parametrize("right, id", ALL)
def test_mutant_can_be_listed_and_traced(right, id):
    fn, row, case = variant(right, id), mistakes(right)[id], CASES[0]
    both = zip(rbd.listing(fn).lines, rbd.listing(right).lines, strict=True)
    assert {x.n for x, y in both if x.code != y.code} <= {e.line for e in row.edits}, row.id
    try:
        run = rbd.trace(fn, *case.given(right))
    except SingularError:  # that is how it shows
        assert id == "A17"
    else:
        assert rbd.compare(rbd.trace(right, *case.given(right)), run) is not None


@pytest.mark.parametrize("right, id", ROWS)
def test_mutant_is_caught_and_diagnosed(right, id):
    """It differs on every hard case, agrees where its row says and nowhere else, and is named by its numbers and, where
    these are shared, its trace; its lines are found, and a law fails."""
    row, fn = mistakes(right)[id], variant(right, id)
    for seed in SEEDS:
        truth, shape = RIGHT[right, seed]
        given = attempt(fn, CASES[seed].given(right), shape).value
        assert given is None or not close(given, truth, 1e-6)
    d = diagnose(fn, right)
    assert not d.right and row.says in d.hint(1) and row.what not in "\n".join(d.hint(2))
    assert f"This is what you get when {row.what}." in d.hint(3)
    assert d.trouble is None and [m.id for m in d.matches] == [id] and d.laws
    assert d.cures == tuple(n for n in SWITCHES if n in row.agrees)
    found = {f.n for f in d.lines if f.judged}
    assert found and found <= set(row.lines)
    if id in OUTSIDE:
        assert "what is returned in the end goes wrong" in str(d)


@pytest.mark.parametrize("right, id", [(fn, id) for fn, id in ROWS if any(e.aside for e in mistakes(fn)[id].edits)])
def test_named_also_where_a_pivot_stops_it(right, id):
    """Learners write the mistake without what lets its row go on."""
    row = mistakes(right)[id]
    d = diagnose(edited(right, [e for e in row.edits if not e.aside], "stops", vars(wrong)), right)
    if d.trouble:
        assert "SingularError" in d.trouble
    found = d.matches if row.lines == (0,) and d.matches else tuple(m for f in d.lines for m in f.matches)
    assert [m.id for m in found] == [id] and f"This is what you get when {row.what}." in str(d)


@pytest.mark.parametrize("ids", TIES, ids=lambda x: "-".join(sorted(x)))
def test_equal_numbers_are_told_apart_by_the_trace_alone(ids):
    right = next(fn for fn in ALGORITHMS if ids <= set(mistakes(fn)))
    case = CASES[1]
    answers = [packed(variant(right, id)(*case.given(right)))[0] for id in sorted(ids)]
    assert all(close(a, answers[0]) for a in answers)
    one = variant(right, min(ids))
    untagged = {rbd.crba: lambda model, q: one(model, q), rbd.ltdl: lambda model, M: one(model, M)}
    d = diagnose(untagged.get(right, lambda model, q: one(model, q)), right)
    assert {m.id for m in d.matches} == ids and d.lines == ()


# -- cost --------------------------------------------------------------------------------------------------------------


def test_a_dense_factorisation_is_caught_by_counting():
    dense, case = variant(rbd.ltdl, "L24"), star()
    for s in SEEDS:
        assert all(map(np.allclose, dense(CASES[s].model, CASES[s].M), rbd.ltdl(CASES[s].model, CASES[s].M)))

    def updates(fn):
        return sum(s.line in (6, 9) and s.kind == "write" for s in rbd.trace(fn, case.model, case.M).steps)

    assert (updates(dense), updates(rbd.ltdl)) == (2900, 128)
    d = diagnose(dense, rbd.ltdl)
    assert not d.right and [m.id for m in d.matches] == ["L24"] and d.cost == (6151, 859) and "6151" in str(d)
    assert operations(lambda model, M: 1 / 0, rbd.ltdl) is None


def by_numpy(model, M, sparse=False):
    """The factorisation as somebody might write it, without tags."""
    H, L, D = np.array(M), np.eye(model.nv), np.zeros(model.nv)
    for k in reversed(range(model.nv)):
        D[k], above = H[k, k], []
        j = model.dof_parent[k] if sparse else k - 1
        while j >= 0:
            above.append(j)
            j = model.dof_parent[j] if sparse else j - 1
        for i in above:
            L[k, i] = H[k, i] / D[k]
            for j in above:
                H[i, j] = H[i, j] - L[k, i] * H[k, j]
    return L, D


def test_cost_is_counted_in_a_function_without_tags():
    d = diagnose(by_numpy, rbd.ltdl)
    assert [m.id for m in d.matches] == ["L24"] and d.cost[0] > 5 * d.cost[1]
    assert diagnose(lambda model, M: by_numpy(model, M, sparse=True), rbd.ltdl).right


def test_a_pair_is_asked_for():
    assert "2 arrays are expected" in diagnose(lambda model, M: M, rbd.ltdl).trouble
    assert "((2, 2), (2,)) is expected" in diagnose(lambda model, M: (M, M), rbd.ltdl).trouble
    assert diagnose(lambda model, M: list(rbd.ltdl(model, M)), rbd.ltdl).right


# -- laws --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fn", ALGORITHMS)
def test_laws_hold_for_the_right_function_and_each_catches_something(fn):
    for seed in range(3):
        assert broken(fn, (CASES[seed], switched(CASES[seed], "one-dof joints")), fn.__name__) == ()
    cases = CASES[0], switched(CASES[0], "one-dof joints")
    seen = {id: broken(variant(fn, id), cases, fn.__name__) for f, id in ROWS if f is fn}
    if fn is rbd.aba:  # no row has a term that is linear in q̇
        damped = edited(fn, [Edit(("u[i] = tau[i] - S[i].mT @ pA[i] - Ir[i] @ qd[i]",), 11)])
        seen["damped"] = broken(damped, cases, fn.__name__)
    assert all(seen.values()), [id for id in seen if not seen[id]]
    assert set().union(*map(set, seen.values())) == set(LAWS[fn.__name__])


def test_own_trees_have_whole_answers():
    for number in range(20):
        case = own_case(number)
        np.testing.assert_allclose(rbd.aba(*case.given(rbd.aba)), case.qdd, atol=1e-9)
        np.testing.assert_allclose(rbd.ltdl_solve(*case.given(rbd.ltdl_solve)), case.qdd, atol=1e-9)
        np.testing.assert_allclose(case.M, np.round(case.M), atol=1e-9)
