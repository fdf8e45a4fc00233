"""The URDF reader and the data files of real robots: what is read, what is refused, and in which words."""

import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import oracles
import pytest

import rbdlite as rbd
from rbdlite.robots import real
from rbdlite.urdf import rpy

ROOT = Path(__file__).resolve().parents[1]
BALL = '<inertial><mass value="1"/><inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial>'


def link(name, inside=BALL):
    return f'<link name="{name}">{inside}</link>'


def joint(name, parent, child, kind="revolute", inside='<axis xyz="0 0 1"/>'):
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{inside}</joint>'


def inertial(mass="1", diagonal="1 1 1", origin=""):
    xx, yy, zz = diagonal.split()
    return (
        f'<inertial>{origin}<mass value="{mass}"/>'
        f'<inertia ixx="{xx}" iyy="{yy}" izz="{zz}" ixy="0" ixz="0" iyz="0"/></inertial>'
    )


def robot(*elements):
    return f'<robot name="r">{"".join(elements)}</robot>'


ARM = robot(link("ground"), link("upper"), link("lower"), joint("j1", "ground", "upper"), joint("j2", "upper", "lower"))

# ------------------------------------------------------------------------------------ what is read


def test_path_text_and_bytes_are_the_same_robot(tmp_path):
    file = tmp_path / "arm.urdf"
    file.write_text(ARM)
    header = '<?xml version="1.0" encoding="utf-8"?>\n'
    for source in (file, str(file), ARM, "\n  " + ARM, header + ARM, ARM.encode(), (header + ARM).encode("utf-8-sig")):
        model = rbd.load_urdf(source)
        assert model.names == ("base", "upper", "lower")
        assert model.joint_names[1:] == ("j1", "j2")
        assert model.parent == (-1, 0, 1)


def test_each_joint_type():
    kinds = ["revolute", "continuous", "prismatic", "floating", "planar", "fixed"]
    parts = [joint(f"j{k}", "ground", f"l{k}", kind) for k, kind in enumerate(kinds)]
    model = rbd.load_urdf(robot(link("ground"), *(link(f"l{k}") for k in range(6)), *parts))
    assert [j.kind for j in model.joints[1:]] == ["revolute", "revolute", "prismatic", "free", "planar"]
    assert model.nv == 1 + 1 + 1 + 6 + 3
    assert model.nq == 1 + 1 + 1 + 7 + 3
    assert model.index("l5") == 0


def test_floating_base_hangs_the_root_link_on_a_free_joint():
    model = rbd.load_urdf(ARM, floating_base=True)
    assert model.names[1:] == ("ground", "upper", "lower")
    assert model.joint_names[1:] == ("root_joint", "j1", "j2")
    assert (model.joints[1].kind, model.nq, model.nv) == ("free", 9, 8)
    np.testing.assert_array_equal(model.XT[1], np.eye(6))


def test_numbering_is_depth_first_and_follows_the_joints_of_the_file():
    names = "abcdef"
    ends = dict(zip("bcdef", "aabbc", strict=True))  # a: b, c; b: d, e; c: f
    for order in ("bcdef", "fedcb", "dbfce"):
        text = robot(*(joint(f"j{x}", ends[x], x) for x in order), *(link(x) for x in reversed(names)))
        model = rbd.load_urdf(text)
        sub = {x: [k for k in order if ends.get(k) == x] for x in names}

        def walk(x, sub=sub):
            return [x] + [y for k in sub[x] for y in walk(k)]

        assert list(model.names[1:]) == walk("a")[1:]
        assert all(p < i for i, p in enumerate(model.parent))


def test_order_of_the_file_does_not_change_the_dynamics():
    rng = np.random.default_rng(0)
    text, _ = oracles.random_urdf(rng, 12)
    one = rbd.load_urdf(text)
    parts = [p + e for e in ("</link>", "</joint>") for p in text[len('<robot name="random">') : -8].split(e)[:-1]]
    parts = [p[p.rindex("<link name") :] if p.endswith("</link>") else p[p.rindex("<joint name") :] for p in parts]
    other = rbd.load_urdf(robot(*parts[::-1]))
    assert other.joint_names != one.joint_names
    q, tau = one.random(rng), {}
    for model in (one, other):
        own = np.empty(model.nq)
        for i in model.outward:
            own[model.q_slice[i]] = q[one.q_slice[one.index(model.joint_names[i])]]
        answer = rbd.rnea(model, own, np.ones(model.nv), np.ones(model.nv))
        for i in model.outward:
            tau.setdefault(model.joint_names[i], []).append(answer[model.v_slice[i]])
    assert len(tau) == one.n_bodies > 5
    for left, right in tau.values():
        np.testing.assert_allclose(left, right, rtol=1e-10, atol=1e-10)


def test_missing_tags_mean_identity_no_mass_and_the_x_axis():
    text = robot(link("g", ""), link("a"), link("tip", ""), joint("j", "g", "a", inside=""),
                 joint("w", "a", "tip", "fixed", '<origin xyz="1 0 0"/>'))  # fmt: skip
    model = rbd.load_urdf(text)
    assert model.joints[1].axis == (1, 0, 0)
    np.testing.assert_array_equal(model.XT[1], np.eye(6))
    assert model.mass == (0, 1)
    np.testing.assert_array_equal(model.frames["tip"][2], [1, 0, 0])


def test_mass_of_the_base_is_kept():
    model = rbd.load_urdf(robot(link("g", inertial("5")), link("a"), joint("j", "g", "a")))
    assert sum(model.mass) == 6
    assert model.base_inertia[5, 5] == 5


def test_links_on_one_body_are_frames_and_take_forces():
    text = robot(link("g"), link("a"), link("b"), link("c"), joint("j", "g", "a"),
                 joint("w1", "a", "b", "fixed", '<origin xyz="1 0 0" rpy="0 0 1.5707963267948966"/>'),
                 joint("w2", "b", "c", "fixed", '<origin xyz="0 2 0"/>'))  # fmt: skip
    model = rbd.load_urdf(text)
    assert model.n_bodies == 1
    assert [model.index(x) for x in ("g", "a", "b", "c", "j")] == [0, 1, 1, 1, 1]
    body, R, p = model.frames["c"]
    np.testing.assert_allclose(R, [[0, -1, 0], [1, 0, 0], [0, 0, 1]], atol=1e-15)
    np.testing.assert_allclose(p, [-1, 0, 0], atol=1e-15)  # one metre out, then two along b's own y
    still = np.zeros(1)  # 3 N along c's x = body y, at x = -1: -3 N m about z
    assert rbd.rnea(model, still, still, still, {"c": [0, 0, 0, 3, 0, 0]}) == pytest.approx([3])


def test_a_planar_joint_moves_in_the_plane_of_its_own_frame():
    turned = '<origin rpy="1.5707963267948966 0 0" xyz="0 0 0"/><axis xyz="0 0 3"/>'
    model = rbd.load_urdf(
        robot(link("g"), link("a", inertial("2", ".2 .2 .3")), joint("j", "g", "a", "planar", turned))
    )
    M = rbd.mass_matrix_by_rnea(model, [0.3, -0.2, 0.7])
    np.testing.assert_allclose(M, np.diag([0.3, 2, 2]), atol=1e-15)
    np.testing.assert_allclose(rbd.gravity_torque(model, [0, 0, 0]), [0, 0, 2 * 9.81])  # joint y is world z


def test_what_is_not_dynamics_is_passed_over():
    extra = (
        '<material name="m"/><transmission name="t"><joint name="j1"><hardwareInterface>x</hardwareInterface></joint>'
        '</transmission><gazebo reference="upper"><mu1>1</mu1><sensor type="depth" name="s"/></gazebo><!-- DOCTYPE -->'
    )
    model = rbd.load_urdf(ARM.replace("</robot>", extra + "</robot>"))
    assert (model.n_bodies, model.nv, list(model.armature)) == (2, 2, [0, 0])


def test_mimic_on_a_fixed_joint_is_harmless():
    text = robot(link("g"), link("a"), link("b"), joint("j", "g", "a"),
                 joint("w", "a", "b", "fixed", '<mimic joint="j"/>'))  # fmt: skip
    assert rbd.load_urdf(text).nv == 1


def test_rpy_of_quarter_turns_is_free_of_rounding_dust():
    np.testing.assert_array_equal(rpy(np.pi / 2, 0, 0), [[1, 0, 0], [0, 0, -1], [0, 1, 0]])
    np.testing.assert_array_equal(rpy(0, 0, -np.pi / 2), [[0, 1, 0], [-1, 0, 0], [0, 0, 1]])


def test_a_long_chain_does_not_hit_the_recursion_limit():
    n = 1500
    welds = [joint(f"w{k}", f"l{k}", f"l{k + 1}", "fixed", '<origin xyz="0.001 0 0"/>') for k in range(n)]
    model = rbd.load_urdf(robot(*(link(f"l{k}") for k in range(n + 1)), *welds))
    assert len(model.frames) == n + 1
    assert sum(model.mass) == n + 1


@pytest.mark.parametrize("step", [1, -1])
def test_the_time_grows_in_step_with_the_file(step):
    """2000 links in a row, listed from the root or from the tip: this took 25 s, each link walking to the root anew."""
    links = [link(f"l{k}") for k in range(2001)]
    joints = [joint(f"j{k}", f"l{k}", f"l{k + 1}") for k in range(2000)]
    start = time.process_time()
    model = rbd.load_urdf(robot(*links[::step], *joints[::step]))
    assert time.process_time() - start < 8
    assert model.nv == 2000 and model.names[-1] == "l2000"


def test_a_link_called_base_is_not_mistaken_for_the_ground():
    arm = robot(link("base"), link("a"), joint("j", "base", "a"))
    assert rbd.load_urdf(arm).names[0] == "base"
    assert rbd.load_urdf(arm).index("base") == 0
    assert rbd.load_urdf(arm, floating_base=True).index("base") == 1
    odd = robot(link("world"), link("base"), joint("j", "world", "base"))
    assert rbd.load_urdf(odd).index("base") == 1
    assert rbd.load_urdf(odd).index("world") == 0
    assert rbd.load_urdf(odd, floating_base=True).index("world") == 1


def test_a_name_shared_by_a_joint_and_another_link_is_refused_where_it_is_used():
    model = rbd.load_urdf(robot(link("g"), link("a"), link("b"), joint("a", "a", "b"), joint("j", "g", "a")))
    zero = np.zeros(2)
    with pytest.raises(rbd.StateError, match="'a' is the name of a joint and of another link"):
        rbd.rnea(model, zero, zero, zero, {"a": np.zeros(6)})
    assert [model.index(x) for x in ("b", "j", "g")] == [2, 1, 0]


# --------------------------------------------------------------------------------- what is refused

G, A, B = link("g"), link("a"), link("b")
REFUSED = {
    "no file": ("nowhere.urdf", "nowhere.urdf"),
    "not xml": ("<robot><link></robot>", "not well-formed XML"),
    "cut off": ('<robot name="r"><link name="a">', "not well-formed XML"),
    "other top element": ("<sdf/>", "<sdf>, expected <robot>"),
    "doctype": ('<!DOCTYPE robot><robot name="r"/>', "DOCTYPE"),
    "entities": ('<!DOCTYPE r [<!ENTITY a "1">]><robot name="&a;"/>', "DOCTYPE"),
    "xacro": ('<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:macro name="m"/></robot>', "xacro"),
    "nameless link": (robot(G, "<link/>"), "<link> number 2 has no name"),
    "nameless joint": (robot(G, A, joint("", "g", "a")), "<joint> number 1 has no name"),
    "link twice": (robot(G, A, A, joint("j", "g", "a")), "link 'a' is defined twice"),
    "joint twice": (robot(G, A, B, joint("j", "g", "a"), joint("j", "g", "b")), "joint 'j' is defined twice"),
    "unknown parent": (robot(G, A, joint("j", "x", "a")), "joint 'j': its parent is 'x'"),
    "unknown child": (robot(G, A, joint("j", "g", "x")), "joint 'j': its child is 'x'"),
    "no child": (robot(G, '<joint name="j" type="fixed"><parent link="g"/></joint>'), "joint 'j': its child is None"),
    "two parents": (
        robot(G, A, B, joint("j1", "g", "a"), joint("j2", "g", "b"), joint("j3", "a", "b")),
        "link 'b' has two parents (joints 'j2' and 'j3')",
    ),
    "two roots": (robot(G, A, B, joint("j", "g", "a")), "links 'g', 'b' hang on no joint"),
    "all in a cycle": (robot(A, B, joint("j1", "a", "b"), joint("j2", "b", "a")), "form a cycle (joints 'j"),
    "a cycle aside": (
        robot(G, A, B, joint("j1", "a", "b"), joint("j2", "b", "a")),
        "links 'a', 'b' form a cycle (joints 'j2', 'j1')",
    ),
    "below a cycle": (
        robot(link("c"), G, A, B, joint("j1", "a", "b"), joint("j2", "b", "a"), joint("j3", "b", "c")),
        ": links 'b', 'a' form a cycle (joints 'j1', 'j2')",
    ),
    "own parent": (robot(G, A, joint("j", "a", "a")), "links 'a' form a cycle"),
    "unknown type": (robot(G, A, joint("j", "g", "a", "hinge")), "joint 'j' has type 'hinge', expected one of"),
    "no type": (robot(G, A, joint("j", "g", "a").replace('type="revolute"', "")), "joint 'j' has type None"),
    "mimic": (
        robot(G, A, B, joint("j1", "g", "a"), joint("j2", "a", "b", inside='<mimic joint="j1"/>')),
        "joint 'j2' mimics joint 'j1'",
    ),
    "zero axis": (robot(G, A, joint("j", "g", "a", inside='<axis xyz="0 0 0"/>')), "joint 'j' has the axis (0, 0, 0)"),
    "planar about x": (robot(G, A, joint("j", "g", "a", "planar", "")), "joint 'j' is planar"),
    "planar about -z": (robot(G, A, joint("j", "g", "a", "planar", '<axis xyz="0 0 -1"/>')), "joint 'j' is planar"),
    "two axes": (robot(G, A, joint("j", "g", "a", inside="<axis/><axis/>")), "joint 'j' has 2 <axis>"),
    "axis of two numbers": (robot(G, A, joint("j", "g", "a", inside='<axis xyz="0 1"/>')), "xyz='0 1', expected 3"),
    "axis in words": (robot(G, A, joint("j", "g", "a", inside='<axis xyz="x y z"/>')), "joint 'j': axis xyz='x y z'"),
    "python's numbers": (robot(G, A, joint("j", "g", "a", inside='<axis xyz="1_0 0 0"/>')), "joint 'j': axis xyz"),
    "nan origin": (robot(G, A, joint("j", "g", "a", inside='<origin xyz="nan 0 0"/>')), "joint 'j': origin xyz='nan"),
    "infinite rpy": (robot(G, A, joint("j", "g", "a", inside='<origin rpy="0 inf 0"/>')), "joint 'j': origin rpy"),
    "mass in words": (robot(link("g", inertial("heavy"))), "link 'g': mass value='heavy', expected a finite number"),
    "nan mass": (robot(link("g", inertial("nan"))), "link 'g': mass value='nan'"),
    "infinite inertia": (robot(link("g", inertial("1", "inf 1 1"))), "link 'g': inertia ixx='inf'"),
    "negative mass": (robot(link("g", inertial("-1"))), "link 'g' has a negative mass (-1 kg)"),
    "massless inertia": (robot(link("g", inertial("0"))), "link 'g' has no mass but a rotational inertia"),
    "triangle": (
        robot(G, link("a", inertial("1", "1 1 3")), joint("j", "g", "a")),
        "link 'a': rotational inertia breaks",
    ),
    "negative moment": (robot(link("g", inertial("1", "-1 1 1"))), "link 'g': rotational inertia about the centre"),
    "no mass tag": (robot(link("g", "<inertial/>")), "link 'g': <inertial> lacks <mass>"),
    "no inertia tag": (
        robot(link("g", '<inertial><mass value="1"/></inertial>')),
        "link 'g': <inertial> lacks <inertia>",
    ),
    "no izz": (
        robot(link("g", inertial().replace("izz", "IZZ"))),
        "link 'g': <inertial> lacks <inertia>, expected it with ixx, iyy, izz",
    ),
    "two inertials": (robot(link("g", inertial() + inertial())), "link 'g' has 2 <inertial>"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case):
    text, said = REFUSED[case]
    with pytest.raises(rbd.UrdfError) as caught:
        rbd.load_urdf(text)
    assert isinstance(caught.value, rbd.ModelError)
    assert said in str(caught.value)
    assert "expected" in str(caught.value) or case in ("triangle", "negative moment")
    assert str(caught.value).startswith("nowhere.urdf" if case == "no file" else "URDF text: ")


def test_the_file_is_named(tmp_path):
    file = tmp_path / "bad.urdf"
    file.write_text(robot(G, A))
    with pytest.raises(rbd.UrdfError, match="bad.urdf: links 'g', 'a' hang on no joint"):
        rbd.load_urdf(file)


def test_an_entity_bomb_is_refused_at_once():
    layers = "".join(f'<!ENTITY e{k} "{f"&e{k - 1};" * 10}">' for k in range(1, 12))
    bomb = f'<!DOCTYPE robot [<!ENTITY e0 "ha">{layers}]><robot name="r"><link name="&e11;"/></robot>'
    with pytest.raises(rbd.UrdfError, match="DOCTYPE"):
        rbd.load_urdf(bomb)
    with pytest.raises(rbd.UrdfError, match="DOCTYPE"):
        rbd.load_urdf(bomb.encode("utf-16"))


def test_external_files_are_not_opened(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("<link name='a'/>")
    text = f'<!DOCTYPE robot [<!ENTITY x SYSTEM "{secret.as_uri()}">]><robot name="r">&x;</robot>'
    with pytest.raises(rbd.UrdfError, match="DOCTYPE"):
        rbd.load_urdf(text)


def test_a_floating_base_needs_a_link():
    with pytest.raises(rbd.UrdfError, match="no links"):
        rbd.load_urdf('<robot name="r"/>', floating_base=True)


def test_small_welded_parts_may_have_an_inertia_that_no_body_has():
    text = robot(G, A, link("bolt", inertial("1e-6", "1e-6 1e-6 3e-6")), joint("j", "g", "a"),
                 joint("w", "a", "bolt", "fixed", ""))  # fmt: skip
    assert rbd.load_urdf(text).mass[1] == 1 + 1e-6
    heavy = text.replace('ixx="1e-6"', 'ixx="1"')  # now the whole body breaks the rule
    with pytest.raises(rbd.UrdfError, match="link 'a' with 'bolt' welded to it"):
        rbd.load_urdf(heavy)


# ------------------------------------------------------------------------- real robots as data files


def test_names_and_sizes():
    sizes = {"anymal": (19, 18), "hyq": (19, 18), "panda": (7, 7), "talos": (39, 38), "ur5": (6, 6)}
    assert rbd.robots.names() == sorted(sizes)
    for name, size in sizes.items():
        model = rbd.robots.load(name)
        assert (model.nq, model.nv) == size
        assert np.isfinite(rbd.gravity_torque(model, model.neutral())).all()


def test_unknown_name_lists_the_known_ones():
    with pytest.raises(rbd.ModelError, match="'puma'; known: anymal, hyq, panda, talos, ur5"):
        rbd.robots.load("puma")
    with pytest.raises(rbd.ModelError):
        rbd.robots.load("../data/panda")


def test_panda_carries_its_hand():
    model = rbd.robots.load("panda")
    assert model.index("panda_hand") == model.index("panda_leftfinger") == model.index("panda_joint7") == 7
    assert model.names[0] == "base"
    assert model.index("panda_link0") == 0


@pytest.mark.parametrize("name", rbd.robots.names())
def test_data_files_name_source_version_and_licence(name):
    what = real.about(name)
    assert all(what[key] for key in ("title", "source", "version", "attribution", "licence"))
    assert "example-robot-data" in what["source"]
    text = (ROOT / "rbdlite/robots/data" / f"{name}.json").read_text(encoding="utf-8")
    assert len(text) < 20_000
    assert not {"http", "/home", "/tmp"} & set(json.dumps(what).split())


def test_the_script_writes_the_committed_files(tmp_path):
    code = (
        "import sys, pathlib; sys.path.insert(0, sys.argv[1])\n"
        "import make_robot_data; make_robot_data.main(pathlib.Path(sys.argv[2]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(ROOT / "scripts"), str(tmp_path)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    written = sorted(tmp_path.glob("*.json"))
    assert [f.stem for f in written] == rbd.robots.names()
    for file in written:
        assert file.read_text() == (ROOT / "rbdlite/robots/data" / file.name).read_text(), f"{file.name} is out of date"


def test_another_gravity():
    model = rbd.robots.load("ur5", gravity=(0, 0, -1.62))
    np.testing.assert_array_equal(model.gravity, [0, 0, -1.62])
    np.testing.assert_array_equal(rbd.load_urdf(ARM, gravity=(1, 2, 3)).gravity, [1, 2, 3])
