"""Poses, Jacobians, energies, wrenches and steps: batch axes, kinds of number, what is refused, and copies."""

import copy
import pickle

import numpy as np
import pytest
from test_scalar_kinds import ARM, TREE, close, jax, needed, state  # noqa: F401 (jax is a fixture)

import rbdlite as rbd
from rbdlite.integrate import _lag, _sinc

Z = np.zeros(2)
FRAMED = rbd.Model([0, 1, 1], [rbd.revolute(), rbd.revolute((0, 1, 0)), rbd.spherical()],
                   [(np.eye(3), [k, 0.3, 0]) for k in range(3)], [rbd.inertia(1, (0.5, 0, 0), (1, 1, 1))] * 3,
                   names=["upper", "fore", "ball"], frames={"tool": (2, rbd.turn_about((1, 2, 3), 1), [0, 0, 0.4]),
                   "plate": (0, np.eye(3), [1, 0, 0])}, base_inertia=rbd.inertia(2, (0, 0, 1)))  # fmt: skip
PUSH = dict(force=(1, 2, 3), torque=(0, 1, -1), point=(0.1, 0.2, 0.3))


def quantities(model, keys):
    """{name: (function of q and qd, shape of one result)}: all that kinematics, terms and integrate give."""
    n, v = model.nq, model.nv
    out = {"com": (lambda q, qd: rbd.com(model, q), (3,)),
           "potential": (lambda q, qd: rbd.potential_energy(model, q), ()),
           "kinetic": (lambda q, qd: rbd.kinetic_energy(model, q, qd), ()),
           "step": (lambda q, qd: rbd.integrate(model, q, qd, 0.3), (n,))}  # fmt: skip
    terms = dict(M=(v, v), bias=(v,), gravity=(v,), kinetic=(), potential=(), com=(3,), momentum=(6,))
    for name, shape in terms.items():
        out[f"terms {name}"] = lambda q, qd, name=name: getattr(rbd.all_terms(model, q, qd), name), shape
    for key in keys:
        i = model.index(key)
        out[f"R {key}"] = lambda q, qd, key=key: rbd.frame_pose(model, q, key)[0], (3, 3)
        out[f"p {key}"] = lambda q, qd, key=key: rbd.frame_pose(model, q, key)[1], (3,)
        out[f"pose {key}"] = lambda q, qd, i=i: rbd.poses(model, q)[i][1], (3,)
        out[f"v {key}"] = lambda q, qd, i=i: rbd.velocities(model, q, qd)[i], (6,)
        out[f"J {key}"] = lambda q, qd, key=key: rbd.jacobian(model, q, key), (6, v)
        for frame in ("world", "body"):
            out[f"push {key}, {frame}"] = lambda q, qd, key=key, frame=frame: rbd.wrench(
                model, q, key, frame=frame, **PUSH), (6,)  # fmt: skip
    return out


CASES = {"arm": (ARM, (0, "link1", "link3")), "framed": (FRAMED, ("base", "upper", "ball", "tool", "plate")),
         "every joint": (TREE, (0, 1, 5))}  # fmt: skip
EACH = pytest.mark.parametrize("case", CASES)
OF_Q_ALONE = ("com", "potential", "R ", "p ", "pose", "J ", "push")


# -- batches -----------------------------------------------------------------------------------------------------------


@EACH
@pytest.mark.parametrize("leads", [((5,), ()), ((), (5,)), ((2, 1), (2, 3)), ((0,), ())])
def test_every_result_carries_the_batch_axes(case, leads):
    model, keys = CASES[case]
    q, qd = (state(model, lead, seed=k)[a] for k, (a, lead) in enumerate(zip(("q", "qd"), leads, strict=True)))
    both = np.broadcast_shapes(*leads)
    for name, (fn, shape) in quantities(model, keys).items():
        got = fn(q, qd)
        batch, v = (leads[0], np.zeros(model.nv)) if name.startswith(OF_Q_ALONE) else (both, qd)
        assert np.shape(got) == (*batch, *shape), name
        rows_q, rows_v = np.broadcast_to(q, (*batch, model.nq)), np.broadcast_to(v, (*batch, model.nv))
        for k in np.ndindex(batch):
            assert close(got[k], fn(rows_q[k], rows_v[k])), name


def test_a_model_without_bodies_carries_the_batch_too():
    empty, q = rbd.Model([], [], [], [], base_inertia=rbd.inertia(2, (0, 0, 1))), np.zeros((5, 0))
    for name, (fn, shape) in quantities(empty, [0]).items():
        if not name.startswith("terms") or shape in ((), (3,)):
            assert np.shape(fn(q, q)) == (5, *shape), name
    assert close(rbd.com(empty, q), [[0, 0, 1]] * 5)


def test_a_batch_of_steps():
    s = state(TREE)
    times = np.linspace(-1, 1, 5)
    path = rbd.integrate(TREE, s["q"], s["qd"], times)
    assert path.shape == (5, TREE.nq)
    assert all(close(path[k], rbd.integrate(TREE, s["q"], s["qd"], t)) for k, t in enumerate(times))
    assert rbd.integrate(TREE, s["q"], s["qd"], times[:, None, None]).shape == (5, 1, 1, TREE.nq)
    assert close(rbd.integrate(TREE, s["q"], s["qd"], 0), s["q"])


def test_step_coefficients_near_zero():
    """Series and closed form meet; near zero the leading terms are known."""
    a = np.array([[0.0], [1e-9], [1e-3], [0.0999999], [0.1000001], [1.0], [6.0]])
    x = np.longdouble(a)
    want = np.where(x > 1e-5, np.sin(x) / np.where(x > 1e-5, x, 1), 1 - x**2 / 6)
    np.testing.assert_allclose(_sinc(a * a), want.astype(float), rtol=1e-15)
    lag = np.where(x > 1e-2, (x - np.sin(x)) / np.where(x > 1e-2, x, 1) ** 3, 1 / np.longdouble(6) - x**2 / 120)
    np.testing.assert_allclose(_lag(a * a), lag.astype(float), rtol=1e-12)


# -- what is refused ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dt", [1j, "a", None, [0.1, np.nan], [[1, 2], [3]], np.inf, [1j]])
def test_dt_must_be_a_finite_real_number(dt):
    with pytest.raises(rbd.StateError, match=r"^dt \[s\] must be"):
        rbd.integrate(rbd.robots.planar_arm(), Z, [1, 1], dt)


def test_dt_must_fit_the_batch():
    with pytest.raises(rbd.StateError, match=r"batch axes of q, v and dt must broadcast; got \(3,\), \(\), \(2,\)"):
        rbd.integrate(rbd.robots.planar_arm(), np.zeros((3, 2)), Z, [1, 2])


@pytest.mark.parametrize("name", ["force", "torque", "point"])
@pytest.mark.parametrize("x", [5, (1, 0), (np.nan, 0, 0), (0, 0, np.inf), "abc", (1j, 0, 0), np.ones((3, 2)), [[1], 2]])
def test_a_wrench_is_made_of_three_finite_numbers(name, x):
    with pytest.raises(rbd.StateError, match=rf"^{name} must be (3 numbers, shape \(..., 3\)|finite)"):
        rbd.wrench(rbd.robots.planar_arm(), Z, 1, **{name: x})


def test_a_wrench_must_fit_the_batch():
    with pytest.raises(rbd.StateError, match="batch axes of q, force, torque must broadcast"):
        rbd.wrench(rbd.robots.planar_arm(), np.zeros((3, 2)), 1, force=np.zeros((4, 3)))
    with pytest.raises(rbd.StateError, match='frame must be "world" or "body"'):
        rbd.wrench(rbd.robots.planar_arm(), Z, 1, frame="tool")


@pytest.mark.parametrize("at, says", [
    ({"link1": 0.1, "joint1": 0.5}, "'link1' and 'joint1' are the same joint"),
    ({1: 0.1, "joint1": 0.1}, "1 and 'joint1' are the same joint"),
    (["joint1"], r"expected a mapping \{joint: its q\}"),
    ("joint1", "expected a mapping"),
    (None, "expected a mapping"),
    ({"base": 0}, "'base' is the base"),
    ({"joint1": None}, "q of 'joint1' must be a number"),
    ({"joint1": "a"}, "q of 'joint1' must be a number"),
    ({"joint1": np.nan}, "q of 'joint1' must be finite"),
    ({"joint1": [0, 1]}, r"'joint1' takes 1 number; got \[0.0, 1.0\]"),
    ({"joint1": [[0]]}, "'joint1' takes 1 number; got"),
])  # fmt: skip
def test_what_cannot_be_locked(at, says):
    with pytest.raises(rbd.StateError, match=says):
        rbd.lock(rbd.robots.planar_arm(), at)


def test_a_lock_takes_numbers_not_symbols():
    a = needed("sympy").Symbol("a")
    with pytest.raises(rbd.StateError, match="q of 'joint1' must be plain numbers"):
        rbd.lock(rbd.robots.planar_arm(), {"joint1": a})


@pytest.mark.parametrize("locked", ["joint1", 1, ["base"]])
def test_what_cannot_be_held(locked):
    with pytest.raises(rbd.StateError, match="must be a list of joints|is the base"):
        rbd.held(rbd.robots.planar_arm(), Z, Z, Z, locked)


# -- JAX ---------------------------------------------------------------------------------------------------------------


@EACH
def test_jit_and_vmap(jax, case):  # noqa: F811
    """All quantities in one compiled function, under vmap, equal the batch of floats."""
    model, keys = CASES[case]
    fns, s = {k: fn for k, (fn, _) in quantities(model, keys).items()}, state(model, (3,))
    q, qd = (jax.numpy.asarray(s[k]) for k in ("q", "qd"))
    mapped = jax.jit(jax.vmap(lambda q, qd: {k: fn(q, qd) for k, fn in fns.items()}))(q, qd)
    batched = jax.jit(lambda q, qd: {k: fn(q, qd) for k, fn in fns.items()})(q, qd)
    for name, fn in fns.items():
        want = fn(s["q"], s["qd"])
        assert close(mapped[name], want, 1e-11) and close(batched[name], want, 1e-11), name


def slopes(fn, x, h=1e-6):
    """Derivative by each entry of x, by central differences."""
    return np.stack([(fn(x + h * e) - fn(x - h * e)) / (2 * h) for e in np.eye(len(x))], axis=-1)


@pytest.mark.parametrize("case, derivative", [("arm", "jacrev"), ("framed", "jacfwd")])
def test_derivatives_by_q(jax, case, derivative):  # noqa: F811
    """All quantities by q, at rest and moving, against finite differences of the hinges (those of the entries of a
    quaternion would leave the unit length)."""
    model, keys = CASES[case][0], CASES[case][1][-3:]
    fns = {k: fn for k, (fn, _) in quantities(model, keys).items() if not k.startswith("pose")}
    hinges = [s.start for j, s in zip(model.joints[1:], model.q_slice[1:], strict=True) if j.nq == 1]
    slope = jax.jit(getattr(jax, derivative)(lambda q, qd: {k: fn(q, qd) for k, fn in fns.items()}))
    s = state(model)
    for q, qd in ((model.neutral(), np.zeros(model.nv)), (s["q"], s["qd"])):
        got = slope(q, qd)
        for name, fn in fns.items():
            def of_hinges(x, fn=fn, q=q, qd=qd):
                full = q.copy()
                full[hinges] = x
                return fn(full, qd)

            assert close(np.asarray(got[name])[..., hinges], slopes(of_hinges, q[hinges]), 1e-7), name


@pytest.mark.parametrize("still", [True, False])
def test_derivatives_of_a_step_by_velocity_and_time(jax, still):  # noqa: F811
    """On every joint type, also from rest, where lengths of rotation vectors have no derivative."""
    s = state(TREE)
    v = 0 * s["qd"] if still else s["qd"]
    got = jax.jit(jax.jacrev(lambda v: rbd.integrate(TREE, s["q"], v, 0.3)))(v)
    assert close(got, slopes(lambda v: rbd.integrate(TREE, s["q"], v, 0.3), v), 1e-7)
    by_time = jax.jit(jax.jacfwd(lambda t: rbd.integrate(TREE, s["q"], s["qd"], t)))(0.3)
    want = (rbd.integrate(TREE, s["q"], s["qd"], 0.3 + 1e-6) - rbd.integrate(TREE, s["q"], s["qd"], 0.3 - 1e-6)) / 2e-6
    assert close(by_time, want, 1e-7)


def test_gravity_torque_is_the_slope_of_the_potential(jax):  # noqa: F811
    q = state(ARM)["q"]
    assert close(jax.grad(lambda q: rbd.potential_energy(ARM, q))(jax.numpy.asarray(q)), rbd.gravity_torque(ARM, q))
    push = jax.jit(lambda f: rbd.wrench(ARM, q, 2, force=f, point=(1, 0, 0)))(jax.numpy.asarray([1.0, 2, 3]))
    assert close(push, rbd.wrench(ARM, q, 2, force=(1, 2, 3), point=(1, 0, 0)))


# -- SymPy -------------------------------------------------------------------------------------------------------------


@EACH
def test_symbols_equal_numbers(case):
    """q and qd as symbols; planar, spherical and free joints cannot be moved by symbols."""
    sp, (model, keys) = needed("sympy"), CASES[case]
    q, qd = (np.array(sp.symbols(f"{name}:{n}"), dtype=object) for name, n in (("q", model.nq), ("v", model.nv)))
    s = state(model)
    for name, (fn, _) in quantities(model, keys).items():
        if name == "step" and case != "arm":
            with pytest.raises(rbd.StateError, match="takes numbers, no symbols"):
                fn(q, qd)
            continue
        if case == "every joint" and not name.startswith(("p ", "v ", "J 1", "potential")):
            continue  # the same sums again, and large ones
        got, want = np.asarray(fn(q, qd), dtype=object), fn(s["q"], s["qd"])
        run = sp.lambdify([*q, *qd], got.reshape(-1).tolist(), modules="numpy", cse=True)
        assert close(np.array(run(*s["q"], *s["qd"]), dtype=float).reshape(np.shape(want)), want, 1e-10), name


def test_symbols_stay_exact():
    sp = needed("sympy")
    q, model = np.array(sp.symbols("q1:5"), dtype=object), rbd.robots.squared_paper_tree()
    texts = str([rbd.com(rbd.robots.squared_paper_tree(exact=True), q), rbd.potential_energy(model, q),
                 rbd.jacobian(model, q, 4), rbd.poses(model, q),
                 rbd.wrench(model, q, 2, force=(1.0, 0, 0))])  # fmt: skip
    assert "cos(q1)" in texts and "." not in texts


# -- copies ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_joints_models_and_traces_can_be_copied(again):
    for joint in TREE.joints[1:]:
        twin, q = again(joint), np.random.default_rng(0).normal(size=(joint.nq, 1))
        assert (twin.kind, twin.axis, twin.pitch) == (joint.kind, joint.axis, joint.pitch)
        assert np.array_equal(twin.XJ(q), joint.XJ(q)) and not twin.S.flags.writeable
    s, twin = state(TREE), again(TREE)
    assert np.array_equal(rbd.rnea(twin, **s), rbd.rnea(TREE, **s)) and twin.names == TREE.names
    trace = again(rbd.trace(rbd.rnea, TREE, *s.values()))
    assert len(trace.steps) > 50 and np.array_equal(trace.result, rbd.rnea(TREE, **s))
