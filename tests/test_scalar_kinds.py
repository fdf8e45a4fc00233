"""One source, many kinds of number: floats, batches, SymPy, expression nodes, JAX under jit and vmap."""

import importlib
import itertools
import subprocess
import sys

import numpy as np
import pytest
from conftest import lacking

import rbdlite as rbd
from rbdlite.expr import Graph, evaluate

ARM = rbd.robots.planar_arm(lengths=(1, 0.7, 0.5), masses=(1, 2, 3), armature=[0.1, 0, 0.3])


def every_joint():
    """A tree with one joint of each type, skew placements, armature."""
    rng = np.random.default_rng(5)
    joints = [rbd.free(), rbd.revolute((1, 2, 3)), rbd.spherical(), rbd.helical((0, 1, 1), 0.2),
              rbd.prismatic((1, 0, 1)), rbd.planar()]  # fmt: skip
    places = [(rbd.turn_about(rng.normal(size=3), 0.7), rng.normal(size=3)) for _ in joints]
    bodies = [rbd.inertia(1 + k, rng.normal(size=3), [2, 3, 4]) for k in range(len(joints))]
    return rbd.Model([0, 1, 2, 1, 4, 4], joints, places, bodies, armature=rng.uniform(size=15))


TREE = every_joint()
MODELS = pytest.mark.parametrize("model", [ARM, TREE], ids=["arm", "every joint"])


def factors(model, q):
    return rbd.ltdl(model, rbd.crba(model, q))


FUNCTIONS = {
    "rnea": (rbd.rnea, ("q", "qd", "qdd")),
    "bias": (rbd.bias, ("q", "qd")),
    "gravity_torque": (rbd.gravity_torque, ("q",)),
    "mass": (rbd.mass_matrix_by_rnea, ("q",)),
    "crba": (rbd.crba, ("q",)),
    "aba": (rbd.aba, ("q", "qd", "qdd")),
    "minv": (rbd.minv, ("q",)),
    "minv_times": (rbd.minv_times, ("q", "qdd")),
    "ltdl L": (lambda model, q: factors(model, q)[0], ("q",)),
    "ltdl D": (lambda model, q: factors(model, q)[1], ("q",)),
    "ltdl_solve": (lambda model, q, b: rbd.ltdl_solve(model, *factors(model, q), b), ("q", "qd")),
    "ldlt": (lambda model, q: rbd.ldlt(rbd.crba(model, q))[0], ("q",)),
    "coriolis": (rbd.coriolis, ("q", "qd")),
    "all_terms": (lambda model, q, qd: rbd.all_terms(model, q, qd).M, ("q", "qd")),
    "held": (lambda model, q, qd, tau: rbd.held(model, q, qd, tau, [2])[0], ("q", "qd", "qdd")),
    "reaction": (lambda model, q, qd, tau: rbd.held(model, q, qd, tau, [2])[1], ("q", "qd", "qdd")),
}
SQUARE = {"mass", "crba", "minv", "ltdl L", "ldlt", "coriolis", "all_terms"}
EACH = pytest.mark.parametrize("name", FUNCTIONS)


def needed(module):
    """An optional module; without it the test is skipped, in CI failed."""
    try:
        return importlib.import_module(module)
    except ImportError:
        lacking(f"{module} is not installed: the algorithms are not tried on its numbers")


def state(model, lead=(), seed=0):
    rng = np.random.default_rng(seed)
    count = int(np.prod(lead, dtype=int))
    q = np.array([model.random(rng) for _ in range(count)]).reshape(*lead, model.nq)
    return {"q": q, "qd": rng.normal(size=(*lead, model.nv)), "qdd": rng.normal(size=(*lead, model.nv))}


def close(a, b, tolerance=1e-12):
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    assert a.shape == b.shape
    return np.abs(a - b).max(initial=0) <= tolerance * max(1, np.abs(b).max(initial=0))


# -- floats and batches ----------------------------------------------------------------------------------


@MODELS
@EACH
def test_batches_equal_a_loop(model, name):
    """Leading axes on any subset of the arguments, broadcast against each other."""
    fn, arguments = FUNCTIONS[name]
    cases = 0
    for leads in itertools.product([(), (3,), (2, 1), (2, 3)], repeat=len(arguments)):
        args = [state(model, lead, seed=k)[a] for k, (a, lead) in enumerate(zip(arguments, leads, strict=True))]
        got, batch = fn(model, *args), np.broadcast_shapes(*leads)
        one = (model.nv,) * (got.ndim - len(batch))
        assert got.shape == (*batch, *one) and len(one) == (2 if name in SQUARE else 1)
        rows = [np.broadcast_to(a, (*batch, a.shape[-1])) for a in args]
        for k in np.ndindex(batch):
            assert close(got[k], fn(model, *(r[k] for r in rows)))
        cases += 1
    assert cases == 4 ** len(arguments)


def test_an_empty_batch_and_lists_of_whole_numbers():
    assert rbd.rnea(TREE, *state(TREE, (0,)).values()).shape == (0, TREE.nv)
    rows = [[0, 1, 2], [1, 0, 0], (0, 0, 1)]
    assert close(rbd.rnea(ARM, *rows), rbd.rnea(ARM, *np.array(rows, dtype=float)))


def test_external_forces_carry_a_batch_too():
    s, force = state(ARM), np.random.default_rng(3).normal(size=(4, 6))
    got = rbd.rnea(ARM, **s, f_ext={"link3": force})
    assert got.shape == (4, 3)
    for k in range(4):
        assert close(got[k], rbd.rnea(ARM, **s, f_ext={3: force[k]}))


def test_arguments_are_left_alone():
    s = state(TREE)
    kept = {k: x.copy() for k, x in s.items()}
    rbd.rnea(TREE, **s)
    assert all(np.array_equal(s[k], kept[k]) for k in s)


# -- SymPy -----------------------------------------------------------------------------------------------


def lagrangian(sp, lengths, masses, g, rod, q, qd, qdd):
    """Joint torques of a planar arm of links with their centre of mass at the middle, from T - V alone."""
    T = V = x = y = angle = 0
    for length, m, turn in zip(lengths, masses, q, strict=True):
        angle += turn
        cx, cy = x + length / 2 * sp.cos(angle), y + length / 2 * sp.sin(angle)
        x, y = x + length * sp.cos(angle), y + length * sp.sin(angle)
        vx, vy, spin = (sum(sp.diff(e, a) * b for a, b in zip(q, qd, strict=True)) for e in (cx, cy, angle))
        T += m * (vx**2 + vy**2) / 2 + (m * length**2 / 12 * spin**2 / 2 if rod else 0)
        V += m * g * cy
    L = T - V
    out = []
    for a, b in zip(q, qd, strict=True):
        p = sp.diff(L, b)
        rate = sum(sp.diff(p, u) * v + sp.diff(p, v) * w for u, v, w in zip(q, qd, qdd, strict=True))
        out.append(rate - sp.diff(L, a))
    return out


def is_zero(sp, expression, q):
    """Exactly zero: as a polynomial in the sines and cosines of the single angles, modulo s² + c² = 1."""
    names = [(sp.Symbol(f"s{a}"), sp.Symbol(f"c{a}")) for a in q]
    expression = sp.expand_trig(sp.expand(expression))
    for a, (s, c) in zip(q, names, strict=True):
        expression = expression.subs({sp.sin(a): s, sp.cos(a): c})
    expression = sp.expand(expression)
    for s, c in names:
        expression = sp.rem(expression, s**2 + c**2 - 1, s) if expression.has(s) else expression
    return sp.expand(expression) == 0


@pytest.mark.parametrize("inertia", ["rod", "point"])
@pytest.mark.parametrize("n", [2, 3])
def test_sympy_equals_the_lagrangian(n, inertia):
    sp = needed("sympy")
    lengths, masses, g = sp.symbols(f"l1:{n + 1}"), sp.symbols(f"m1:{n + 1}"), sp.Symbol("g")
    q, qd, qdd = (sp.symbols(f"{name}1:{n + 1}") for name in ("q", "v", "a"))
    model = rbd.robots.planar_arm(lengths, masses, inertia=inertia, gravity=(0, -g, 0), exact=True)
    tau = rbd.rnea(model, *(np.array(x, dtype=object) for x in (q, qd, qdd)))
    want = lagrangian(sp, lengths, masses, g, inertia == "rod", q, qd, qdd)
    assert tau.shape == (n,) and all(is_zero(sp, a - b, q) for a, b in zip(tau, want, strict=True))
    assert not is_zero(sp, tau[0] - want[0] + masses[0] * qd[0] ** 2, q)  # the check can fail
    bias = rbd.bias(model, np.array(q), np.array(qd))
    held = rbd.gravity_torque(model, np.array(q))
    M = rbd.mass_matrix_by_rnea(model, np.array(q))
    still, frozen = dict.fromkeys(qdd, 0), dict.fromkeys(qd + qdd, 0)
    for i in range(n):
        assert is_zero(sp, bias[i] - want[i].subs(still), q)
        assert is_zero(sp, held[i] - want[i].subs(frozen), q)
        assert all(is_zero(sp, M[i, j] - sp.diff(want[i], qdd[j]), q) for j in range(n))


def test_sympy_stays_exact():
    """cos(q2), not 1.0*cos(q2): whole numbers stay whole, also in a model made of floats."""
    sp = needed("sympy")
    q = np.array(sp.symbols("q1:5"), dtype=object)
    tau = rbd.gravity_torque(rbd.robots.squared_paper_tree(), q)
    assert "cos(q1)" in str(tau[0]) and not any("." in str(t) for t in tau)
    exact = rbd.gravity_torque(rbd.robots.squared_paper_tree(exact=True), q)
    assert all(sp.expand(a - b) == 0 for a, b in zip(tau, exact, strict=True))
    numbers = np.array([0.3, -0.2, 0.5, 0.9])
    got = [float(t.subs(dict(zip(q, numbers, strict=True)))) for t in tau]
    assert close(got, rbd.gravity_torque(rbd.robots.squared_paper_tree(), numbers))


def test_sympy_on_every_joint_type():
    """q as symbols, qd and qdd as numbers: the two mix."""
    sp = needed("sympy")
    s = state(TREE)
    q = np.array(sp.symbols(f"q:{TREE.nq}"), dtype=object)
    tau = rbd.rnea(TREE, q, s["qd"], s["qdd"])
    assert all(t.free_symbols for t in tau)
    run = sp.lambdify(list(q), list(tau), modules="numpy", cse=True)
    assert close(run(*s["q"]), rbd.rnea(TREE, **s), 1e-10)


# -- expression nodes ------------------------------------------------------------------------------------


@MODELS
@EACH
def test_expression_nodes(model, name):
    fn, arguments = FUNCTIONS[name]
    graph, s = Graph(), state(model, (4,))
    result = fn(model, *(graph.symbols(a, s[a].shape[-1]) for a in arguments))
    assert result.dtype == object
    assert close(evaluate(result, **s), fn(model, *(s[a] for a in arguments)))


def test_expression_nodes_on_an_exact_model():
    needed("sympy")
    model = rbd.robots.planar_arm((1, 0.75), (2, 3), exact=True)
    compiled, s = rbd.compile(rbd.rnea, model, target="js"), state(model, (3,))
    assert close(compiled(**s), rbd.rnea(rbd.robots.planar_arm((1, 0.75), (2, 3)), **s))


# -- JAX -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def jax():
    jax = needed("jax")
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield jax
    jax.config.update("jax_enable_x64", before)


@MODELS
@EACH
def test_jax_jit_and_vmap(jax, model, name):
    fn, arguments = FUNCTIONS[name]
    s = state(model, (3,))
    args = [jax.numpy.asarray(s[a]) for a in arguments]
    want = fn(model, *(s[a] for a in arguments))

    def one(*x):
        return fn(model, *x)

    first = [x[0] for x in args]
    assert close(jax.jit(one)(*first), want[0], 1e-11)
    assert close(jax.jit(jax.vmap(one))(*args), want, 1e-11)
    if name == "rnea":  # without jit, and with leading axes in place of vmap
        assert isinstance(one(*first), jax.Array) and close(one(*first), want[0], 1e-11)
        assert close(jax.jit(one)(*args), want, 1e-11)


def test_jax_derivatives(jax):
    """The mass matrix is the derivative of the torques by the accelerations."""
    s = state(TREE)
    slope = jax.jacfwd(lambda qdd: rbd.rnea(TREE, jax.numpy.asarray(s["q"]), jax.numpy.asarray(s["qd"]), qdd))
    assert close(slope(jax.numpy.asarray(s["qdd"])), rbd.mass_matrix_by_rnea(TREE, s["q"]), 1e-11)


def test_operational_inertia_on_every_kind(jax):
    """Only the floating tree can move a body in all six directions."""
    sp, q = needed("sympy"), state(TREE, (3,))["q"]

    def of(x):
        return rbd.operational_inertia(TREE, x, "body6")

    want = np.array([of(x) for x in q])
    assert want.shape == (3, 6, 6) and close(of(q), want) and close(of(q[:, None])[:, 0], want)
    assert close(np.linalg.inv(rbd.jacobian(TREE, q, 6) @ rbd.minv(TREE, q) @ rbd.jacobian(TREE, q, 6).mT), want, 1e-10)
    assert close(evaluate(of(Graph().symbols("q", TREE.nq)), q=q), want, 1e-10)
    assert close(jax.jit(jax.vmap(of))(jax.numpy.asarray(q)), want, 1e-10)
    for target in ("numpy", "js"):
        assert close(rbd.compile(rbd.operational_inertia, TREE, target, body="body6")(q), want, 1e-10)
    lone = rbd.Model([0], [rbd.free()], [(np.eye(3), [0, 0, 0])], [rbd.inertia(2, [0, 0, 1], [3, 4, 5])])
    names = np.array([*sp.symbols("x y z"), 0, 0, 0, 1], dtype=object)
    exact = rbd.operational_inertia(lone, names, 1)
    assert exact.dtype == object and close(exact, lone.I[1])


# -- NumPy only ------------------------------------------------------------------------------------------

BLOCKED = """
import sys
class Block:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in sys.stdlib_module_names and top not in ("numpy", "rbdlite") and not top.startswith("_"):
            raise ImportError("blocked: " + name)
sys.meta_path.insert(0, Block())
try:
    import sympy
except ImportError as error:
    assert "blocked" in str(error)
else:
    raise SystemExit("the block does not work")
import numpy as np, rbdlite as rbd
model = rbd.robots.planar_arm((1, 1), (1, 1))
tau = rbd.rnea(model, [0.1, 0.2], [0, 1], [1, 0])
steps = rbd.trace(rbd.rnea, model, *np.zeros((3, 2))).steps
print(tau.shape, len(steps), rbd.flops(rbd.rnea, model).total > 0, len(rbd.compile(rbd.rnea, model, "js").source) > 99)
"""


def test_the_core_needs_numpy_only():
    run = subprocess.run([sys.executable, "-c", BLOCKED], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == ["(2,)", "22", "True", "True"]
