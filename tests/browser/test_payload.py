"""The Python side of the player: what the page is given, pictures for print, sliders of ipywidgets."""

import json
import subprocess
import sys

import numpy as np
import pytest

import rbdlite as rbd
from rbdlite.widgets import explore, payload
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


@pytest.mark.parametrize("wrong, error, says", [
    (dict(open=("arm", "tree", "matrix")), ValueError, "at most two"),
    (dict(open=("legs",)), ValueError, "legs"),
    (dict(step=99), ValueError, "no step 99"),
    (dict(step=(7, 9)), ValueError, r"line \[7\]"),
    (dict(sliders=["speed"]), ValueError, "speed"),
    (dict(questions=[dict(line=10, body=1, ask="?", choices=[dict(text="1", right=True)])]), ValueError, "two choices"),
    (dict(questions=[dict(line=10, body=1, ask="?", choices=[dict(text="1", right=True), dict(text="2")])]),
     ValueError, "says"),
    (dict(questions=[dict(line=10, body=1, ask="?", choices=[dict(text="1", right=True),
                                                             dict(text="2", motion=[1])])]), ValueError, "motion"),
])  # fmt: skip
def test_refusals(wrong, error, says):
    with pytest.raises(error, match=says):
        payload(rbd.rnea, tree(), *STATE, **wrong)


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


def test_explore_runs_python_on_every_move():
    pytest.importorskip("ipywidgets")
    model, (q, qd, qdd) = tree(), STATE
    box = explore(rbd.rnea, model, q, qd, qdd)
    assert len(box.sliders) == 16 and "ipywidgets" not in box.player.html
    np.testing.assert_allclose(box.result, [154, 24, 21, 4])
    for k, slider in enumerate(box.sliders):
        before = box.result
        slider.value = slider.min + 0.31 * (slider.max - slider.min)
        assert not np.allclose(before, box.result), f"slider {k} changes nothing"
    now = [box.values[name] for name in ("q", "qd", "qdd")]
    heavier = model.replace(inertias=[I / m * x for I, m, x in
                                      zip(model.I[1:], model.mass[1:], box.values["m"], strict=True)])  # fmt: skip
    np.testing.assert_allclose(box.result, rbd.rnea(heavier, *now), rtol=1e-6)
