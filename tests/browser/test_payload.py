"""The Python side of the player: what the page is given, pictures for print, sliders of ipywidgets."""

import json
import re
import subprocess
import sys

import numpy as np
import pytest
from hands import with_a_fixed_joint

import rbdlite as rbd
from rbdlite.widgets import composite, explore, factor, order_game, padlocks, payload
from rbdlite.widgets.element import page
from rbdlite.widgets.filmstrip import world

STATE = rbd.robots.squared_paper_state()


def tree():
    return rbd.robots.squared_paper_tree()


def test_the_core_does_not_import_the_player():
    code = "import sys, rbdlite; assert not any('widgets' in m for m in sys.modules); rbdlite.player; " \
           "assert 'rbdlite.widgets' in sys.modules and 'ipywidgets' not in sys.modules"  # fmt: skip
    subprocess.run([sys.executable, "-c", code], check=True)


def test_payload_is_the_trace():
    data = payload(rbd.rnea, tree(), *STATE)
    run = rbd.trace(rbd.rnea, tree(), *STATE)
    assert len(data["steps"]) == len(run.steps) == 44
    for there, step in zip(data["steps"], run.steps, strict=True):
        assert there["l"] == step.line and there["at"] == step.at
        if step.kind == "write":
            assert (there["n"], there["ix"]) == (step.name, step.index)
            np.testing.assert_allclose(np.reshape(there["x"], there["s"]), step.value, atol=1e-6)
    assert data["result"] == [154, 24, 21, 4]
    assert data["model"]["planar"] and data["model"]["parent"] == [-1, 0, 1, 2, 1]
    assert data["env"]["a"]["0"]["x"] == [0, 0, 0, 0, 10, 0]
    assert data["model"]["tip"][3] == [1, 0, 0], "a point mass sits at the tip"
    json.dumps(data, allow_nan=False)


def test_an_argument_made_of_the_state():
    M = rbd.crba(tree(), STATE[0])
    data = payload(rbd.ltdl, tree(), rbd.crba, at={"q": STATE[0]})
    plain = payload(rbd.ltdl, tree(), M)
    assert data["steps"] == plain["steps"] and data["result"] == plain["result"] and data["env"] == plain["env"]
    assert data["kernel"]["args"] == ["q", "m"] and len(data["sliders"]) == 8 and "M" not in data["inputs"]
    assert plain["kernel"] is None and "M=rbd.crba" in plain["still"]
    with pytest.raises(TypeError, match="M is given as a function of q: give at="):
        payload(rbd.ltdl, tree(), rbd.crba)
    with pytest.raises(TypeError, match="at='qd' is for an argument given as a function of it"):
        payload(rbd.ltdl, tree(), rbd.crba, at={"q": STATE[0], "qd": STATE[1]})


def test_functions_of_the_state_keep_their_defaults():
    q, z = STATE[0], np.zeros(4)

    def rows(model, q):
        return rbd.ltdl(model, rbd.crba(model, q))[0]

    def pivots(model, q, *, power=1):
        return rbd.ltdl(model, rbd.crba(model, q))[1] ** power

    data = payload(rbd.ltdl_solve, tree(), rows, pivots, rbd.bias, at={"q": q, "qd": z})
    assert data["kernel"]["args"] == ["q", "qd", "m"]
    falls = rbd.compile(rbd.aba, tree(), tau=rbd.gravity_torque)
    np.testing.assert_allclose(falls(q, z), 0, atol=1e-9)
    data = payload(rbd.delassus, tree(), q, lambda model, q: rbd.jacobian(model, q, 4))
    assert data["kernel"]["args"] == ["q", "m"]
    with pytest.raises(TypeError, match="delassus takes q itself: at='q' must be the same"):
        payload(rbd.delassus, tree(), q, lambda model, q: rbd.jacobian(model, q, 4), at={"q": z})
    with pytest.raises(TypeError, match="at= must be a mapping"):
        payload(rbd.ltdl, tree(), rbd.crba, at=q)


def test_numbers_keep_seven_digits_and_say_what_is_not_finite():
    from rbdlite.widgets.text import numbers

    assert numbers([1 / 3, 2.0, 1e-20, -0.0]) == [0.3333333, 2, 0, 0]
    assert numbers([np.inf, -np.inf, np.nan]) == ["inf", "-inf", "nan"]
    assert numbers("x") is None


def test_a_rod_ends_at_twice_its_centre_of_mass():
    arm = payload(rbd.rnea, rbd.robots.planar_arm((2, 1)), [0, 0], [0, 0], [0, 0])
    assert arm["model"]["tip"] == [None, None, [1, 0, 0]]
    single = payload(rbd.rnea, rbd.robots.planar_arm((2,), (1,)), [0], [0], [0])
    assert single["model"]["tip"][1] == [2, 0, 0]


def test_planar_or_not():
    assert payload(rbd.rnea, rbd.robots.planar_arm(), [0, 0], [0, 0], [0, 0])["model"]["planar"]
    sideways = rbd.robots.planar_arm(gravity=(0, 0, -9.81))
    assert not payload(rbd.rnea, sideways, [0, 0], [0, 0], [0, 0])["model"]["planar"]
    ur5 = rbd.robots.load("ur5")
    assert not payload(rbd.rnea, ur5, *np.zeros((3, 6)))["model"]["planar"]


def test_places_of_the_arm_without_X():
    M = rbd.mass_matrix_by_rnea(tree(), STATE[0])
    from rbdlite.ltdl import ltdl

    data = payload(ltdl, tree(), M, matrix="L")
    assert data["dof"] == ["i", "j", "k"] and data["pick"] == "L" and data["kernel"] is None and data["sliders"] == []
    written = {tuple(s["ix"]) for s in data["steps"] if s.get("n") == "L"}
    assert written == {(1, 0), (2, 0), (2, 1), (3, 0)}
    assert {tuple(s["ix"]) for s in data["steps"] if s.get("n") == "H"} >= {(0, 0), (1, 1)}
    straight = [p[0] for _, p in world(data)]
    np.testing.assert_allclose(straight, [0, 0, 1, 2, 1])


def test_world_poses_agree_with_the_kinematics():
    model = rbd.robots.load("panda")
    q = model.random(np.random.default_rng(3))
    data = payload(rbd.rnea, model, q, 0 * q, 0 * q)
    for (R, p), (R0, p0) in zip(world(data), rbd.poses(model, q), strict=True):
        np.testing.assert_allclose(R, R0, atol=1e-6)
        np.testing.assert_allclose(p, p0, atol=1e-6)


def test_external_forces_reach_the_kernel():
    f = {"link3": [0, 0, 0, 0, -5, 0]}
    data = payload(rbd.rnea, tree(), *STATE, f_ext=f)
    assert data["kernel"]["args"].count("f_ext") == 1 and data["inputs"]["f_ext"] == [0, 0, 0, 0, -5, 0]
    np.testing.assert_allclose(data["result"], rbd.rnea(tree(), *STATE, f_ext=f), rtol=1e-6)


SLIDER = dict(arg="q", ix=1, label="one", min=0, max=1, step=0.1, unit="rad")


def test_sliders_in_full():
    assert payload(rbd.rnea, tree(), *STATE, sliders=[SLIDER, "qd"])["sliders"][0] == SLIDER
    flying = rbd.Model([0], [rbd.free()], [(np.eye(3), np.zeros(3))], [rbd.inertia(1, (0, 0, 0), (1, 1, 1))])
    rest = flying.neutral(), np.zeros(6), np.zeros(6)
    assert payload(rbd.rnea, flying, *rest, sliders=[{**SLIDER, "ix": 2}])["kernel"]
    with pytest.raises(ValueError, match="quaternion"):
        payload(rbd.rnea, flying, *rest, sliders=[{**SLIDER, "ix": 3}])


@pytest.mark.parametrize("fn, state", [(rbd.rnea, ([], [], [])), (rbd.crba, ([],)), (rbd.minv, ([],)),
                                       (rbd.aba, ([], [], []))])  # fmt: skip
def test_a_model_without_bodies_has_nothing_to_show(fn, state):
    with pytest.raises(ValueError, match=f"{fn.__name__}: the model has no bodies"):
        payload(fn, rbd.Model([], [], [], []), *state)


def never(model, q):
    if q[0] > 100:
        q = 2 * q  # [1]
    return q


def test_a_run_that_meets_no_tag_has_nothing_to_show():
    with pytest.raises(ValueError, match="never: this run meets no tagged line"):
        payload(never, tree(), STATE[0])


def test_an_exact_model_with_floats():
    model = rbd.robots.planar_arm(exact=True)
    data = payload(rbd.rnea, model, [0.1, 0.2], [0, 0], [1, 1])
    assert data["model"]["planar"] and data["kernel"] and len(data["sliders"]) == 8
    np.testing.assert_allclose(data["result"], rbd.rnea(model, [0.1, 0.2], [0, 0], [1, 1]), rtol=1e-6)
    json.dumps(data, allow_nan=False)
    sympy = pytest.importorskip("sympy")
    with pytest.raises(TypeError, match="shows numbers; q holds"):
        payload(rbd.rnea, model, np.array(sympy.symbols("a b")), [0, 0], [1, 1])


@pytest.mark.parametrize("locked", [["joint2", 3], [2, 3], {2, 3}])
def test_held_joints_by_name_and_number(locked):
    data = payload(rbd.held, tree(), *STATE, locked)
    assert data["inputs"]["locked"] == [2, 3] and data["kernel"]["args"] == ["q", "qd", "tau", "m"]


def test_external_forces_as_an_array():
    f = np.arange(30.0).reshape(5, 6)
    data = payload(rbd.rnea, tree(), *STATE, f_ext=f)
    assert data["inputs"]["f_ext"] == f.reshape(-1).tolist() and data["kernel"] and not data["still"]
    np.testing.assert_allclose(data["result"], rbd.rnea(tree(), *STATE, f_ext=f), rtol=1e-6)
    assert payload(rbd.rnea, tree(), *STATE, f_ext={})["kernel"]


def touches(model, q):
    y = q * (2 if q.dtype == object and q[0].imag else 1)  # [1]
    return y


def branches(model, q):
    y = q * (1 if q[0] == 0 else 2)  # [1]
    return y


def hides(model, q):
    y = q * (1 if q.dtype == object else 2)  # [1]
    return y


def hides_inside(model, q):
    y = q + (1 if q.dtype == object else 2)  # [1]
    return q + 0 * y


@pytest.mark.parametrize("fn, why", [
    (touches, "touches does not run on symbols .AttributeError"),
    (branches, r"branches does not run on symbols .TypeError: q\[0\] == 0 cannot be decided"),
    (hides, "another result than hides itself"),
    (hides_inside, r"another step 0 \(y\) than hides_inside itself"),
])  # fmt: skip
def test_a_kernel_that_would_be_wrong_is_dropped_with_a_reason(fn, why):
    data = payload(fn, tree(), STATE[0])
    assert data["kernel"] is None and data["sliders"] == [] and re.search(why, data["still"])
    with pytest.raises(ValueError, match=f"no sliders: .*{why}"):
        payload(fn, tree(), STATE[0], sliders=["q"])


def test_a_regrouped_model_has_no_mass_sliders():
    model = rbd.regroup(rbd.robots.planar_arm())
    data = payload(rbd.rnea, model, [0.1, 0.2], [0, 0], [1, 1])
    assert data["kernel"]["args"] == ["q", "qd", "qdd"] and "m" not in data["inputs"]
    with pytest.raises(ValueError, match="regrouped model has no masses"):
        payload(rbd.rnea, model, [0.1, 0.2], [0, 0], [1, 1], sliders=["m"])
    pytest.importorskip("ipywidgets")
    assert len(explore(rbd.rnea, model, [0.1, 0.2], [0, 0], [1, 1]).sliders) == 6
    with pytest.raises(ValueError, match="regrouped model has no masses"):
        explore(rbd.rnea, model, [0.1, 0.2], [0, 0], [1, 1], masses=True)


@pytest.mark.parametrize("wrong, error, says", [
    (dict(open=("arm", "tree", "matrix")), ValueError, "at most two"),
    (dict(open=("legs",)), ValueError, "legs"),
    (dict(step=99), ValueError, "no step 99"),
    (dict(step=(7, 9)), ValueError, r"line \[7\]"),
    (dict(step="x"), ValueError, r"a step is given as its number, as \(line, body\) or .*; got 'x'"),
    (dict(step={"i": 2}), ValueError, "a step is given as its number"),
    (dict(open="legs"), ValueError, r"at most two of arm.*got \('legs',\)"),
    (dict(matrix="ZZ"), ValueError, r"matrix takes the name of a matrix that rnea writes or reads here, of X, I; got"),
    (dict(matrix="tau"), ValueError, "matrix takes the name of a matrix"),
    (dict(lang="en\" onload=\"alert(1)"), ValueError, 'lang must be "en" or "zh"; got '),
    (dict(lang=None), ValueError, 'lang must be "en" or "zh"; got None'),
    (dict(questions=["x"]), ValueError, "questions takes dicts, .*; got 'x'"),
    (dict(questions=[dict(ask="x")]), ValueError, "question 'x': say where it stands: step=, or line= and body="),
    (dict(questions=[dict(ask="x", step="y")]), ValueError, "a step is given as its number"),
    (dict(questions=[dict(ask="x", step=3, choices=["a"])]), ValueError, "step 3: each choice is a dict with text="),
    (dict(questions=[dict(ask="x", step=3, choices=[dict(right=True)])]), ValueError, "step 3: each choice is a dict"),
    (dict(sliders=["speed"]), ValueError, "speed"),
    (dict(sliders=["tau"]), ValueError, "'tau' cannot be moved: it is no argument here"),
    (dict(sliders=["q"], live=False), ValueError, "no sliders: live=False"),
    (dict(sliders=[{**SLIDER, "ix": 99}]), ValueError, r"'one': q has entries 0..3; got ix=99"),
    (dict(sliders=[{**SLIDER, "ix": -1}]), ValueError, "got ix=-1"),
    (dict(sliders=[{**SLIDER, "arg": "speed"}]), ValueError, "'one' moves 'speed'"),
    (dict(sliders=[{**SLIDER, "min": 2}]), ValueError, "min < max"),
    (dict(sliders=[{"arg": "q", "ix": 1}]), ValueError, "lacks label, min, max, step, unit"),
    (dict(questions=[dict(line=10, body=1, ask="?", choices=[dict(text="1", right=True)])]), ValueError, "two choices"),
    (dict(questions=[dict(line=10, body=1, ask="?", choices=[dict(text="1", right=True), dict(text="2")])]),
     ValueError, "says"),
    (dict(questions=[dict(line=10, body=1, ask="?", choices=[dict(text="1", right=True),
                                                             dict(text="2", motion=[1])])]), ValueError, "motion"),
])  # fmt: skip
def test_refusals(wrong, error, says):
    with pytest.raises(error, match=says):
        payload(rbd.rnea, tree(), *STATE, **wrong)


def test_one_view_may_be_given_by_its_name():
    assert payload(rbd.rnea, tree(), *STATE, open="arm")["open"] == ["arm"]


def test_a_page_escapes_what_stands_in_its_attributes():
    assert page("", "x", 'en" onload="alert(1)').count('lang="en&quot; onload=&quot;alert(1)"') == 1


def blocks(model, q):
    M = np.zeros((4, 4))  # [1]
    box = {}
    for i in range(4):  # [2]
        s = slice(i, i + 1)
        M[i, :] = q  # [3]
        M[..., i] = q  # [4]
        M[..., i, i] = 2  # [5]
        M[s, s] = 3  # [6]
        M[::2, i] = 4  # [7]
        M[[0, 1], i] = 5  # [8]
        box["a", i] = M[i]  # [9]
        box["a"] = q[i]  # [10]
    return M  # [11]


def test_any_subscript_is_shown_by_its_text():
    q = [0.1, 0.2, 0.3, 0.4]
    data = payload(blocks, tree(), q)
    at1 = {s["l"]: (s["ix"], s["s"]) for s in data["steps"] if s["k"] == "w" and s["at"].get("i") == 1}
    assert at1 == {3: ("1, :", [4, 1]), 4: ("..., 1", [4, 1]), 5: ([1, 1], [1, 1]), 6: ("1:2, 1:2", [1, 1]),
                   7: ("::2, 1", [2, 1]), 8: ("[0, 1], 1", [2, 1]), 9: ("a, 1", [4, 1]), 10: ("a", [1, 1])}  # fmt: skip
    assert next(s["x"] for s in data["steps"] if s["l"] == 3 and s["at"] == {"i": 1}) == q
    strip = rbd.player(blocks, tree(), q).filmstrip([2])._repr_html_()
    assert "M[0, :] = (0.1, 0.2, 0.3, 0.4)" in strip
    json.dumps(data, allow_nan=False)


def nests(model, q):
    H = [np.zeros((2, 2)), np.ones((2, 2))]
    X = np.zeros((5, 5))
    for i in range(2):  # [1]
        H[i][:, 0] = q[i]  # [2]
        H[i][0, 1] = q[i]  # [3]
        X[i, i] = q[i]  # [4]
    return H[0]


def test_subscripts_of_arrays_in_a_list_and_a_table_called_X():
    data = payload(nests, tree(), STATE[0])
    assert [(s["n"], s["ix"]) for s in data["steps"][:4] if s["k"] == "w"] == [
        ("H", "0][:, 0"), ("H", "0][0, 1"), ("X", [0, 0])]  # fmt: skip
    assert len(data["poses"]) == 5, "X is no placement here"


def moves(model, q, qd):
    y = np.array(q) + qd  # [1]
    return y


def test_a_state_that_is_not_finite_is_refused_by_name():
    with pytest.raises(rbd.StateError, match="the player needs finite numbers; qd holds .*nan"):
        payload(moves, tree(), STATE[0], [0, np.nan, 0, 0])


def test_a_joint_without_freedom_has_empty_values_and_sliders_for_the_rest():
    model = with_a_fixed_joint()
    data = payload(rbd.aba, model, [0.1, 0.2], [0, 0], [1, 1])
    empty = [s for s in data["steps"] if s["k"] == "w" and not s["x"]]
    assert {(s["n"], *s["s"]) for s in empty} == {("U", 6, 0), ("D", 0, 0), ("Dinv", 0, 0), ("u", 0, 1), ("qdd", 0, 1)}
    assert data["kernel"] and {s["label"] for s in data["sliders"]} >= {"q1", "q3"} and data["still"] == ""
    k = data["steps"].index(empty[0])
    strip = rbd.player(rbd.aba, model, [0.1, 0.2], [0, 0], [1, 1]).filmstrip([k])._repr_html_()
    assert "U_2: empty, 6 × 0" in strip
    for storyboard in (composite, padlocks, order_game, factor):
        assert storyboard(model, [0.1, 0.2]).html


def test_a_joint_of_ones_own_has_the_axis_of_its_motion():
    model = payload(rbd.crba, with_a_fixed_joint("own"), [0.1, 0.2, 0.3])["model"]
    assert model["axis"] == [None, [0, 0, 1], [1, 0, 0], [0, 0, 1]]


def test_a_batch_and_a_missing_model_are_refused():
    with pytest.raises(TypeError, match="single row"):
        payload(rbd.rnea, tree(), np.zeros((3, 4)), np.zeros((3, 4)), np.zeros((3, 4)))
    with pytest.raises(TypeError, match="must be a Model"):
        payload(rbd.rnea, *STATE)


def test_html_with_and_without_the_module(monkeypatch, tmp_path):
    player = rbd.player(rbd.rnea, tree(), *STATE, title="</script><b>", live=False)
    assert player.element().count("</script>") == 1 and "<b>" not in player.element().split("</script>")[1]
    monkeypatch.setenv("RBDLITE_PAGE", "1")
    assert player._repr_html_() == player.element()
    monkeypatch.delenv("RBDLITE_PAGE")
    assert player._repr_html_().count("rbdPlayerLoaded = true") == 1
    text = player.save(tmp_path / "x.html").read_text(encoding="utf-8")
    assert "http://" not in text and "https://" not in text


def test_filmstrip():
    strip = rbd.player(rbd.rnea, tree(), *STATE).filmstrip()
    assert len(strip.steps) == 8, "four bodies, two passes"
    html = strip._repr_html_()
    assert html.count("<svg") == 8 and "f_0 = (154; 0, 126)" in html and "<script" not in html
    with pytest.raises(ValueError, match="no step 44"):
        rbd.player(rbd.rnea, tree(), *STATE).filmstrip([44])


def test_a_long_run_is_not_written_as_code_in_vain(monkeypatch):
    """minv with 60 freedoms: no dict is copied at every line, and symbols are given up as soon as they are too many."""
    from rbdlite import codegen
    from rbdlite.widgets import live

    recorder = sys.modules["rbdlite.trace"]
    arm, graphs, dicts = rbd.robots.planar_arm([1.0] * 60, [1.0] * 60), [], []
    graph, snapshot = codegen.Graph, recorder.snapshot
    monkeypatch.setattr(recorder, "snapshot", lambda x, *a: isinstance(x, dict) and dicts.append(x) or snapshot(x, *a))
    monkeypatch.setattr(codegen, "Graph", lambda: graphs.append(graph()) or graphs[-1])
    data = payload(rbd.minv, arm, np.linspace(-1, 1, 60))
    assert data["kernel"] is None and data["still"].endswith("more than 150000 characters")
    most = live.LONGEST // live.SHORTEST
    assert most < len(graphs[0].nodes) < most + 2000
    assert not dicts
