"""Forward dynamics of the arms of the hand calculations, against numbers that other programs computed
(data/reference_dynamics.json). Every intermediate value is read from the trace."""

import inspect
import json
import re
from pathlib import Path

import numpy as np
import pytest

import rbdlite as rbd
from rbdlite.mistakes import variant

DATA = json.loads((Path(__file__).parent / "data" / "reference_dynamics.json").read_text(encoding="utf-8"))
ARMS = pytest.mark.parametrize("name", DATA["arms"])
GRAVITY = {"down": (0, -9.81, 0), "none": (0, 0, 0)}
CASES = pytest.mark.parametrize("name, gravity", [(n, g) for n in DATA["arms"] for g in GRAVITY])


def arm(name, gravity="down", exact=False):
    case = DATA["arms"][name]
    model = rbd.robots.planar_arm(case["lengths"], case["masses"], case["inertia"], GRAVITY[gravity], exact=exact)
    return model, case


def same(ours, right, what=""):
    np.testing.assert_allclose(ours, right, rtol=1e-9, atol=1e-9, err_msg=what)  # 12 digits are kept


def with_line(fn, old, new):
    """fn with one piece of its text replaced: a wrong variant."""
    text = inspect.getsource(fn)
    assert text.count(old) == 1, f"{old!r} is not once in {fn.__name__}"
    scope = dict(vars(inspect.getmodule(fn)))
    exec(text.replace(old, new), scope)
    return scope[fn.__name__]


def test_there_are_cases():
    assert len(DATA["arms"]) == 10 and {len(c["q"]) for c in DATA["arms"].values()} == {2, 3}
    assert {c["inertia"] for c in DATA["arms"].values()} == {"rod", "point"}
    assert len(DATA["swing"]) == 6


# -------------------------------------------------------------------------------- matrices of M


@ARMS
def test_crba_line_by_line(name):
    model, case = arm(name)
    want, t = case["crba"], rbd.trace(rbd.crba, model, case["q"])
    for i in model.outward:
        same(model.I[i], want["I"][i - 1], f"I[{i}]")
        for key in ("X", "IC"):
            same(t[key, i], want[key][i - 1], f"{key}[{i}]")
    F, now = {}, {}
    for s in t.steps:  # F of joint i, each time it has been moved one body further in
        now[s.name] = s.value
        if s.line == 6:
            F[f"{s.at['i']} in {s.at['i']}"] = s.value[:, 0]
        if s.line == 12:
            F[f"{s.at['i']} in {now['j']}"] = now["F"][:, 0]
    assert F.keys() == want["F"].keys()
    for key, value in F.items():
        same(value, want["F"][key], f"F {key}")
    same(t.result, want["M"])


@ARMS
def test_factors_and_inverse(name):
    model, case = arm(name)
    M = rbd.crba(model, case["q"])
    L, D = rbd.ltdl(model, M)
    same(L, case["L"])
    same(D, case["D"])
    for ours in (rbd.minv(model, case["q"]), rbd.ltdl_solve(model, L, D, np.eye(len(D))).T,
                 rbd.minv_times(model, case["q"], np.eye(len(D)))):  # fmt: skip
        same(ours, case["Minv"])


def exact_q(sp, case):
    q = [(sp.nsimplify(x, [sp.pi]), sp.Rational(str(x))) for x in case["q"]]
    return np.array([turn if turn.has(sp.pi) else rational for turn, rational in q], dtype=object)


def equal(sp, ours, text):
    return sp.simplify(ours - sp.sympify(text)) == 0


@ARMS
def test_mass_matrix_exactly(name):
    sp = pytest.importorskip("sympy")
    model, case = arm(name, exact=True)
    q = exact_q(sp, case)
    M = rbd.crba(model, q)
    rows = [[sp.nsimplify(sp.sympify(x), rational=True) for x in row] for row in case["M_exact"]]
    assert all(equal(sp, M[i, j], rows[i][j]) for i, j in np.ndindex(M.shape))
    W = rbd.minv(model, q)
    assert all(equal(sp, x, int(i == j)) for (i, j), x in np.ndenumerate(W @ M))


# ------------------------------------------------------------------------------------------- ABA


@CASES
def test_aba_line_by_line(name, gravity):
    model, case = arm(name, gravity)
    want = case["aba"] | case[gravity]
    t = rbd.trace(rbd.aba, model, case["q"], case["qd"], want["tau"])
    same(t["a", 0][:, 0], want["a0"])
    for i in model.outward:
        k = i - 1
        for key in ("v", "c", "pA", "U", "b", "a"):
            same(t[key, i][:, 0], want[key][k], f"{key}[{i}]")
        same(t["IA", i], want["IA"][k], f"IA[{i}]")
        same([t["D", i].item(), t["u", i].item()], [want["D"][k], want["u"][k]], f"D, u of {i}")
    passed_on = {(s.name, s.at["i"]): s.value for s in t.steps if s.name in ("Ia", "pa")}
    assert {i for _, i in passed_on} == {i for i in model.outward if i > 1}
    U, D, u = t["U", 1], t["D", 1], t["u", 1]  # joint 1 has nobody to pass them to: from its own numbers
    passed_on["Ia", 1] = t["IA", 1] - U @ U.T / D
    passed_on["pa", 1] = t["pA", 1] + passed_on["Ia", 1] @ t["c", 1] + U * (u / D)
    for i in model.outward:
        same(passed_on["Ia", i], want["Ia"][i - 1], f"Ia of {i}")
        same(passed_on["pa", i][:, 0], want["pa"][i - 1], f"pa of {i}")
    same(t.result, want["qdd"])


@CASES
def test_bias_gravity_and_energies(name, gravity):
    model, case = arm(name, gravity)
    want, terms = case[gravity], rbd.all_terms(model, case["q"], case["qd"])
    same(terms.M, case["crba"]["M"])
    same(terms.bias, want["bias"])
    same(terms.gravity, want["g"])
    same(rbd.coriolis(model, case["q"], case["qd"]) @ case["qd"], want["Cqd"])
    same([terms.kinetic, terms.potential], [want["kinetic"], want["potential"]])


@CASES
def test_forces_and_accelerations_exactly(name, gravity):
    sp = pytest.importorskip("sympy")
    model, case = arm(name, gravity, exact=True)
    want, q, qd = case[gravity], exact_q(sp, case), np.array([sp.sympify(x) for x in case["qd"]], dtype=object)
    g = rbd.gravity_torque(model, q)
    speed = rbd.coriolis(model, q, qd) @ qd
    for i in range(model.nv):
        assert equal(sp, g[i], want["g_exact"][i]) and equal(sp, speed[i], want["Cqd_exact"][i])
    assert ("qdd_exact" in want) == name.startswith("unequal rods")
    if "qdd_exact" in want:
        tau = np.array([sp.sympify(x) for x in want["tau"]], dtype=object)
        gaps = [a - sp.sympify(b) for a, b in zip(rbd.aba(model, q, qd, tau), want["qdd_exact"], strict=True)]
        assert len(gaps) == model.nv and all(abs(sp.N(x, 60)) < 1e-50 for x in gaps)  # at 0.3 rad: too long to simplify


@CASES
def test_the_reduced_inertia_goes_with_the_velocity_term(name, gravity):
    """With I^A c for I^a c another number comes out; on the straight arm, and where no c is left, the same one."""
    model, case = arm(name, gravity)
    want = case[gravity]
    wrong = with_line(rbd.aba, "pA[i] + Ia @ c[i]", "pA[i] + IA[i] @ c[i]")
    ours = wrong(model, case["q"], case["qd"], want["tau"])
    same(ours, want["qdd_with_IA_for_Ia"])
    blind = {n for n in DATA["arms"] if "straight" in n or "degrees" in n or "one turning" in n}
    assert (np.abs(ours - want["qdd"]).max() > 0.1) == (name not in blind)


def test_the_inverse_needs_the_inward_sweep():
    """Only the outward pass: not symmetric, and another number."""
    want = DATA["minv without the inward sweep"]
    model, case = arm(want["arm"])
    wrong = with_line(rbd.minv, "p[λ[i]] = p[λ[i]] + X[i].mT @ (p[i] + U[i] @ (Dinv[i] @ u[i]))", "pass")
    same(wrong(model, case["q"]), want["wrong"])
    same(rbd.minv(model, case["q"]), want["right"])
    assert np.abs(np.subtract(want["wrong"], want["right"])).max() > 1


# ----------------------------------------------------------------------------- two by two, swing


def carts(exact=False):
    return rbd.Model([0, 1], [rbd.prismatic((1, 0, 0))] * 2, [(np.eye(3, dtype=int), (0, 0, 0))] * 2,
                     [rbd.inertia(1)] * 2, gravity=(0, 0, 0), armature=[0, 1]), [0, 0]  # fmt: skip


def folded_arm():
    body = rbd.inertia(1, (0, 0, 0), (0.5, 0.5, 1)), rbd.inertia(1, (1, 0, 0), (0.5, 0.5, 1))
    return rbd.Model([0, 1], [rbd.revolute()] * 2, [(np.eye(3), (0, 0, 0)), (np.eye(3), (1, 0, 0))], body,
                     gravity=(0, 0, 0)), [0, np.pi]  # fmt: skip


@pytest.mark.parametrize("name", ["carts", "arm"])
def test_free_against_locked(name):
    sp = pytest.importorskip("sympy")
    want, zero = DATA["two by two"], np.zeros(2)
    model, q = {"carts": carts, "arm": folded_arm}[name]()

    def numbers(x):
        return np.array([float(sp.Rational(y)) for y in np.atleast_1d(x)])

    same(rbd.crba(model, q), want["M"])
    t = rbd.trace(rbd.aba, model, q, zero, want["tau"])
    same(t.result, numbers(want["free"]["qdd"]))
    same(t.result, want[name]["qdd"])
    same([t["D", i].item() for i in (1, 2)], want[name]["D"])
    L, D = rbd.ltdl(model, rbd.crba(model, q))
    same(D, numbers(want["free"]["D"]))
    same([L[1, 0]], numbers(want["free"]["L21"]))
    same([1 / rbd.minv(model, q)[0, 0]], numbers(want["free"]["felt"]))
    qdd, reaction = rbd.held(model, q, zero, want["tau"], [2])
    same(qdd, numbers(want["locked"]["qdd"]))
    same(reaction, [0, *numbers(want["locked"]["reaction"])])
    same(rbd.aba(rbd.lock(model, {2: q[1]}), q[:1], [0], [1]), numbers(want["locked"]["qdd"])[:1])
    if name == "carts":
        for i in (1, 2):
            same(t["U", i][:, 0], want["carts"]["U"][i - 1])
            same(t["u", i].item(), want["carts"]["u"][i - 1])
        same(t["IA", 1][3, 3], want["carts"]["IA1_fxfx"])


def swing(model, method, dt):
    """One second from rest, stretched out to the side -> (q, v, energy at the end, largest energy)."""
    q, v, zero = np.zeros(2), np.zeros(2), np.zeros(2)

    def rate(q, v):
        return rbd.aba(model, q, v, zero)

    energy = [0.0]
    for _ in range(round(1 / dt)):
        if method == "euler":
            q, v = q + dt * v, v + dt * rate(q, v)
        elif method == "semi":
            v = v + dt * rate(q, v)
            q = rbd.integrate(model, q, v, dt)
        else:
            k1, l1 = v, rate(q, v)
            k2, l2 = v + dt / 2 * l1, rate(q + dt / 2 * k1, v + dt / 2 * l1)
            k3, l3 = v + dt / 2 * l2, rate(q + dt / 2 * k2, v + dt / 2 * l2)
            k4, l4 = v + dt * l3, rate(q + dt * k3, v + dt * l3)
            q, v = q + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4), v + dt / 6 * (l1 + 2 * l2 + 2 * l3 + l4)
        energy.append(float(rbd.kinetic_energy(model, q, v) + rbd.potential_energy(model, q)))
    return q, v, np.array(energy)


@pytest.mark.parametrize("name", DATA["swing"])
def test_energy_of_a_swinging_arm(name):
    """Without motors: what each integrator gains in a second, to the digit."""
    method, dt = re.fullmatch(r"(\w+)_dt([\d.]+)", name).groups()
    want = DATA["swing"][name]
    q, v, energy = swing(rbd.robots.planar_arm(), method, float(dt))
    np.testing.assert_allclose(q, want["q"], atol=1e-9)
    np.testing.assert_allclose(v, want["v"], atol=1e-9)
    assert energy[-1] == pytest.approx(want["energy_change_at_1s"], rel=1e-6, abs=1e-12)
    assert np.abs(energy).max() == pytest.approx(want["max_abs_energy_change"], rel=1e-6, abs=1e-12)


# -------------------------------------------------------------------------------- what an example can see


@pytest.mark.parametrize("name", DATA["seen"])
def test_what_each_arm_shows_of_six_mistakes(name):
    """Largest change of the answer. A zero: this arm cannot see the mistake, so it must not be the only example."""
    model, case = arm(name)
    state, tau = (case["q"], case["qd"]), case["down"]["tau"]
    qdd = rbd.aba(model, *state, tau)
    right = rbd.rnea(model, *state, qdd)
    same(right, tau)
    sideways = model.replace(gravity=(0, 0, -9.81))
    wrong = [variant(rbd.rnea, row)(model, *state, qdd) for row in ("R23", "R07", "R12")]
    changes = [variant(rbd.aba, "A01")(model, *state, tau) - qdd, variant(rbd.rnea, "R02")(model, *state, qdd) - right,
               rbd.rnea(sideways, *state, qdd) - right, *(x - right for x in wrong)]  # fmt: skip
    found = [np.abs(x).max() for x in changes]
    np.testing.assert_allclose(found, DATA["seen"][name], rtol=5e-4, atol=1e-12)


@pytest.mark.parametrize("n, lagrange, newton, ratio", [(6, 118691, 1590, 75), (30, 50972571, 8334, 6116)])
def test_published_operation_counts_of_1980(n, lagrange, newton, ratio):
    """Hollerbach's table: multiplications and additions of the first programs and of recursive Newton-Euler."""
    first = 32.5 * n**4 + 1037 / 12 * n**3 + 171.25 * n**2 + 160 / 3 * n - 128  # multiplications
    first += 25 * n**4 + 199 / 3 * n**3 + 129.5 * n**2 + 127 / 3 * n - 96  # additions
    recursive = 150 * n - 48 + 131 * n - 48
    assert (round(first), recursive) == (lagrange, newton)
    assert round(first / recursive) == ratio
    joint = rbd.robots.random_tree(1, np.random.default_rng(0), ("revolute",), armature=False)

    def ours(k):  # a chain of k equal links with a skewed joint between them
        links = [x[1:] * k for x in (joint.joints, joint.I)]
        return rbd.flops(rbd.rnea, rbd.Model(range(k), links[0], [rbd.pose(joint.XT[1])] * k, links[1])).total

    step = ours(5) - ours(4)
    assert step > 0 and ours(n) == ours(4) + (n - 4) * step < lagrange  # as the later ones: linear in n, exactly
