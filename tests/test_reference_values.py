"""RNEA of the arms that the hand calculations use, against four other routes (data/reference_rnea.json).

Every intermediate value is read from the trace, so a wrong line is named, not only a wrong torque.
"""

import json
from pathlib import Path

import numpy as np
import pytest

import rbdlite as rbd

DATA = json.loads((Path(__file__).parent / "data" / "reference_rnea.json").read_text(encoding="utf-8"))["cases"]
CASES = [(name, gravity) for name, case in DATA.items() for gravity in ("down", "none") if gravity in case]
NAMES = {"v": "v", "c": "c", "a": "a", "f_body": "fB", "f": "f"}


def model_of(case, gravity, exact=False):
    g = {"down": -9.81, "none": 0}[gravity]
    return rbd.robots.planar_arm(case["lengths"], case["masses"], case["inertia"], gravity=(0, g, 0), exact=exact)


def test_there_are_cases():
    assert len(CASES) == 16
    assert {"sec3.9_ex1_rod", "end_ex1_rod", "sec11.3_phase1_rod", "sec11.3_phase2_rod"} <= set(DATA)


@pytest.mark.parametrize(("name", "gravity"), CASES)
def test_every_intermediate_value(name, gravity):
    case, want = DATA[name], DATA[name][gravity]
    model = model_of(case, gravity)
    run = rbd.trace(rbd.rnea, model, case["q"], case["qd"], case["qdd"])
    np.testing.assert_allclose(model.a0[:, 0], want["a0"], atol=1e-12)
    for theirs, ours in NAMES.items():
        for i in model.outward:
            np.testing.assert_allclose(run[ours, i][:, 0], want[theirs][i - 1], atol=1e-10, err_msg=f"{ours}[{i}]")
    np.testing.assert_allclose(run.result, want["tau"], atol=1e-10)


@pytest.mark.parametrize(("name", "gravity"), CASES)
def test_the_special_calls(name, gravity):
    case, want = DATA[name], DATA[name][gravity]
    model = model_of(case, gravity)
    np.testing.assert_allclose(rbd.gravity_torque(model, case["q"]), want["g"], atol=1e-10)
    np.testing.assert_allclose(rbd.bias(model, case["q"], case["qd"]) - want["g"], want["Cqd"], atol=1e-10)


@pytest.mark.parametrize(("name", "gravity"), [c for c in CASES if DATA[c[0]][c[1]]["tau_exact"]])
def test_closed_forms(name, gravity):
    sympy = pytest.importorskip("sympy")
    case = DATA[name]
    q = [sympy.nsimplify(x, [sympy.pi]) for x in case["q"]]
    if not all(x.has(sympy.pi) or x == 0 for x in q):
        pytest.skip("angles that are no fractions of pi")
    whole = [[sympy.nsimplify(x) for x in case[k]] for k in ("qd", "qdd")]
    tau = rbd.rnea(model_of(case, gravity, exact=True), np.array(q), *map(np.array, whole))
    for ours, theirs in zip(tau, case[gravity]["tau_exact"], strict=True):
        assert sympy.simplify(ours - sympy.sympify(theirs)) == 0


@pytest.mark.parametrize(("name", "gravity"), CASES)
def test_the_independent_road_of_the_chapters(name, gravity):
    case = DATA[name]
    turn = {"rod": 1 / 12, "point": 0}[case["inertia"]]
    g = (0, {"down": -9.81, "none": 0}[gravity])
    tau = rbd.hand.by_points(range(len(case["q"])), case["lengths"], case["masses"], case["q"], case["qd"], case["qdd"],
                             gravity=g, com=0.5, turn=turn)  # fmt: skip
    np.testing.assert_allclose(tau, case[gravity]["tau"], atol=1e-10)
