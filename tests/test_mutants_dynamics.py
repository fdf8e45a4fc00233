"""Every wrong variant of CRBA and ABA: it must be caught, and do what its row of the catalogue says."""

import numpy as np
import pytest

import rbdlite as rbd
from rbdlite.diagnose import signature
from rbdlite.errors import SingularError
from rbdlite.mistakes import mistakes, variant
from rbdlite.mistakes.cases import SWITCHES, hand_case, hard_case
from rbdlite.mistakes.safe import attempt, close

SEEDS = range(5)
ROWS = [(fn, id) for fn in (rbd.crba, rbd.aba) for id in mistakes(fn)]
TAU = np.array([154.0, 24, 21, 4])


def on_the_tree(fn, answer):
    """As the rows have it: five entries of M, or the accelerations; None where a joint is singular."""
    case = hand_case()
    if answer.__name__ == "crba":
        return fn(case.model, case.q)[[0, 0, 1, 0, 3], [0, 1, 1, 2, 3]]
    try:
        return fn(case.model, case.q, case.qd, TAU)
    except SingularError:
        return None


def test_all_rows_are_there():
    ids = {id for _, id in ROWS}
    assert ids == {f"C{k:02}" for k in range(1, 27) if k != 25} | {f"A{k:02}" for k in range(1, 41)}
    assert {switch for fn, id in ROWS for switch in mistakes(fn)[id].agrees} <= set(SWITCHES)


def test_the_right_answers_on_the_tree():
    assert np.allclose(on_the_tree(rbd.crba, rbd.crba), [28, 11, 8, 6, 4])
    assert np.allclose(on_the_tree(rbd.aba, rbd.aba), [1, -2, 1, 1])


@pytest.mark.parametrize("right, id", ROWS)
def test_mutant_is_caught_on_every_hard_case(right, id):
    for seed in SEEDS:
        case = hard_case(seed)
        truth = right(*case.given(right))
        given = attempt(variant(right, id), case.given(right), truth.shape).value
        assert given is None or not close(given, truth, 1e-6)


@pytest.mark.parametrize("right, id", ROWS)
def test_mutant_agrees_where_its_row_says_and_nowhere_else(right, id):
    assert signature(variant(right, id), right, SEEDS) == tuple(n for n in SWITCHES if n in mistakes(right)[id].agrees)


@pytest.mark.parametrize("right, id", ROWS)
def test_answer_on_the_hand_tree(right, id):
    answer, hand = on_the_tree(variant(right, id), right), mistakes(right)[id].hand
    assert (answer is None) == (hand is None)
    if hand is not None:
        np.testing.assert_allclose(answer, hand, atol=5.1e-4)


@pytest.mark.parametrize("right, id", ROWS)
def test_mutant_can_be_listed_and_traced(right, id):
    fn, row, case = variant(right, id), mistakes(right)[id], hard_case(0)
    both = zip(rbd.listing(fn).lines, rbd.listing(right).lines, strict=True)
    assert {x.n for x, y in both if x.code != y.code} <= {n for n in row.lines if n}
    try:
        run = rbd.trace(fn, *case.given(right))
    except SingularError:  # that is how it shows
        assert id in ("A10", "A17")
    else:
        assert rbd.compare(rbd.trace(right, *case.given(right)), run) is not None


def test_a_mistake_that_only_related_ball_joints_show():
    """C25 of the list, a block in its mirror place untransposed: no row, since most trees hide it."""
    ball = rbd.robots.random_tree(2, np.random.default_rng(0), kinds=("spherical",), branching=0)
    block = rbd.crba(ball, ball.random(np.random.default_rng(1)))[:3, 3:]
    assert not np.allclose(block, block.T)
