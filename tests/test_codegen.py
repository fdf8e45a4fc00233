"""Generated code: operation counts line by line, JavaScript and NumPy text, dead code, size."""

import inspect
import json
import shutil
import subprocess

import numpy as np
import pytest
from conftest import lacking

import rbdlite as rbd
from rbdlite.codegen import compile as compile_
from rbdlite.codegen import leaves
from rbdlite.difference import same
from rbdlite.expr import Graph, live
from rbdlite.opcount import flops

TREE = rbd.robots.squared_paper_tree()
ARM = rbd.robots.planar_arm(lengths=(1, 0.7, 0.5), masses=(1, 2, 3), armature=[0.1, 0, 0.3])


def skew_tree():
    """Every joint type, skew placements."""
    joints = [rbd.free(), rbd.revolute((1, 2, 3)), rbd.helical((0, 1, 1), 0.2), rbd.prismatic((1, 0, 1)),
              rbd.spherical(), rbd.planar()]
    rng = np.random.default_rng(7)
    places = [(rbd.turn_about(rng.normal(size=3), 0.7), rng.normal(size=3)) for _ in joints]
    bodies = [rbd.inertia(1 + k, rng.normal(size=3), [2, 3, 4]) for k in range(len(joints))]
    return rbd.Model([0, 1, 1, 2, 2, 4], joints, places, bodies, armature=rng.uniform(size=15))


def state(model, seed=0, rows=()):
    rng = np.random.default_rng(seed)
    q = np.stack([model.random(rng) for _ in range(int(np.prod(rows, dtype=int)))]).reshape(*rows, -1)
    return q, rng.normal(size=(*rows, model.nv)), rng.normal(size=(*rows, model.nv))


def node(calls):
    """Run JavaScript functions on lists of arguments -> one array for each call."""
    if shutil.which("node") is None:
        lacking("no node on this machine: JavaScript is not run")
    calls = [(source, json.dumps([list(map(float, a)) for a in args])) for source, args in calls]
    text = "\n".join(f"out.push(Array.from(({source})(...{args})));" for source, args in calls)
    run = subprocess.run(["node", "-"], input=f"const out=[];{text}console.log(JSON.stringify(out))",
                         capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    return [np.array(x, dtype=float) for x in json.loads(run.stdout)]


def close(a, b, tolerance=1e-12):
    return np.abs(np.asarray(a) - b).max() <= tolerance * max(1, np.abs(b).max())


# -- counts ----------------------------------------------------------------------------------------------


def counted(count):
    """The lines that cost something."""
    return {line: n for line, n in count.items() if n}


def test_pendulum_counted_by_hand():
    """One rod of 2 m and 3 kg: centre of mass at 1 m, J about the joint 3·4/12 + 3·1 = 4.

    [2] cos q. [6] a_y = g cos q: 1 × (a_x = g sin q does not reach tau). [7] n = 4 q̈ + 3 a_y: 2 ×, 1 +.
    [10] picks n: free.
    """
    count = flops(rbd.rnea, rbd.robots.planar_arm(lengths=(2,), masses=(3,)))
    assert list(count) == list(range(1, 12)) and counted(count) == {6: 1, 7: 3}
    assert [count.part(n) for n in (2, 6, 7)] == [(0, 0, 0, 1, 0), (1, 0, 0, 0, 0), (2, 1, 0, 0, 0)]
    assert (count.mul, count.add, count.div, count.trig, count.total) == (3, 1, 0, 1, 4)


def test_pendulum_with_armature_and_without_gravity():
    """tau = (J + A) q̈ costs what the lines say: J q̈ in [7], A q̈ and a sum in [10]."""
    model = rbd.robots.planar_arm(lengths=(2,), masses=(3,), gravity=(0, 0, 0), armature=[0.5])
    count = flops(rbd.rnea, model)
    assert counted(count) == {7: 1, 10: 2} and count.trig == 0 and count.part(10) == (1, 1, 0, 0, 0)


def test_two_links_counted_by_hand():
    """Unit point masses at the ends of unit rods, at rest, no gravity: only q̈ moves anything.

    Both links: J = 1, m c = 1, m = 1. Body 1: a = (q̈1; 0, 0). Body 2: a = (q̈1 + q̈2; s q̈1, c q̈1).
    [2] s = sin q2, c = cos q2.   [6] q̈1 + q̈2: 1 +; s q̈1 and c q̈1: 2 ×.
    [7] n1 = q̈1; n2 = (q̈1 + q̈2) + c q̈1: 1 +; f2 = (s q̈1, (q̈1 + q̈2) + c q̈1): its y is the number n2 again.
    [11] f_1 gains n2 + (s f2x + c f2y): 2 ×, 1 + inside, then two sums more.
    """
    count = flops(rbd.rnea, rbd.robots.double_pendulum(gravity=(0, 0, 0)), qd=0)
    assert counted(count) == {6: 3, 7: 1, 11: 5}
    assert count.part(6) == (2, 1, 0, 0, 0) and count.part(11) == (2, 3, 0, 0, 0) and count.trig == 2


@pytest.mark.parametrize("model", [TREE, ARM, skew_tree()], ids=["tree", "arm", "skew"])
def test_counts_sum_to_what_the_result_needs(model):
    count = flops(rbd.rnea, model)
    assert 0 not in count, "rnea computes nothing outside its pseudocode lines"
    graph = Graph()
    args = [graph.symbols(name, n) for name, n in (("q", model.nq), ("qd", model.nv), ("qdd", model.nv))]
    ops = [n.op for n in live(rbd.rnea(model, *args))]
    assert count.total == sum(op in "+-*/" for op in ops) > 0
    assert count.trig == sum(op in ("sin", "cos") for op in ops)
    assert count.mul + count.add + count.div == count.total == sum(count.values())
    assert flops(rbd.rnea, model, qdd=0).total < count.total


def double_work(model, q):
    """Twice the same sum, one product that nobody needs, and two lines without a tag.

    [1] for i = 1
    [2]   a = sin q + q
    [3]   b = q + sin q
    [4]   w = q q
    [5] return a b
    """
    q = 3 * q
    for _i in range(1):  # [1]
        a = np.sin(q) + q  # [2]
        b = q + np.sin(q)  # [3]
        w = q * q  # [4]
        del w
    a = a - 5
    return a * b  # [5]


def test_shared_work_counts_once_where_it_is_done_first():
    count = flops(double_work, rbd.robots.planar_arm(lengths=(1,), masses=(1,)))
    assert count == {0: 2, 1: 0, 2: 1, 3: 0, 4: 0, 5: 1}  # [3] finds its sum made; [4] is not needed
    assert count.part(2) == (0, 1, 0, 1, 0) and count.part(3).flops == 0
    assert "setup" in str(count) and "setup" in count._repr_html_()


def test_counts_print_as_a_table_with_the_pseudocode():
    count = flops(rbd.rnea, ARM)
    rows = str(count).splitlines()
    assert len(rows) == 13 and "v_i × vJ_i" in rows[5] and rows[-1].split()[-1] == str(count.total)
    page = count._repr_html_()
    assert "<i>c</i><sub><i>i</i></sub> = <i>v</i><sub><i>i</i></sub> ×" in page and f">{count.total}<" in page


def test_wrong_arguments_are_named():
    with pytest.raises(TypeError, match="'tau'"):
        flops(rbd.rnea, ARM, tau=0)
    with pytest.raises(rbd.TraceError, match="bias"):
        flops(rbd.bias, ARM)


# -- code ------------------------------------------------------------------------------------------------


def arguments(fn, model, rows):
    """What fn takes beside the model: its own numbers of this state, and of others in further rows."""
    q, qd, qdd = state(model, rows=rows)
    if fn in (rbd.ltdl, rbd.ltdl_solve):
        M = rbd.crba(model, q)
        return (M,) if fn is rbd.ltdl else (*rbd.ltdl(model, M), qdd)
    names = [x for x in list(inspect.signature(fn).parameters)[2:] if x not in GIVEN.get(fn, ())]
    return q, *(x for x, _ in zip((qd, qdd), names, strict=False))


def J_of_last_body(model, q):
    return rbd.jacobian(model, q, model.n_bodies)


GIVEN = {rbd.held: {"locked": [2]}, rbd.delassus: {"J": J_of_last_body}, rbd.operational_inertia: {"body": 4}}


def called(fn, model, *args):
    """fn of these arguments and of what is given: a function of the state by its value."""
    known = {k: x(model, args[0]) if callable(x) else x for k, x in GIVEN.get(fn, {}).items()}
    return fn(model, *args, **known)


MODELS = {"tree": TREE, "arm": ARM, "skew": skew_tree()}
EACH = pytest.mark.parametrize("fn, model", [
    pytest.param(fn, model, id=f"{fn.__name__}-{name}")
    for fn in (rbd.rnea, rbd.crba, rbd.aba, rbd.minv, rbd.ltdl, rbd.ltdl_solve, rbd.coriolis, rbd.all_terms,
               rbd.minv_times, rbd.mass_matrix_by_rnea, rbd.held, rbd.delassus, rbd.operational_inertia)
    for name, model in MODELS.items()
    if fn is not rbd.operational_inertia or name == "skew"])  # six directions: only with the free base  # fmt: skip


@EACH
def test_javascript_equals_python(fn, model):
    given = arguments(fn, model, (3,))
    rows = [[x[k] for x in given] for k in range(3)]
    compiled = compile_(fn, model, target="js", **GIVEN.get(fn, {}))
    for args, got in zip(rows, node([(compiled.source, [x.ravel() for x in args]) for args in rows]), strict=True):
        want = called(fn, model, *args)
        assert close(got, np.concatenate([x.ravel() for x in leaves(want)]))
        assert same(compiled(*args), want, 1e-12)


@EACH
def test_numpy_code_takes_batches(fn, model):
    compiled, given = compile_(fn, model, **GIVEN.get(fn, {})), arguments(fn, model, (2, 3))
    want = called(fn, model, *given)
    assert same(compiled(*given), want, 1e-12)
    mixed = [given[0][0, 0], *(x[:, :1] for x in given[1:])]  # the other leading axes are filled up
    assert same(compiled(*mixed), called(fn, model, *mixed), 1e-12)
    one, none = compiled(*(x[0, 0] for x in given)), compiled(*(x[:0] for x in given))
    sizes = [np.shape(x)[2:] for x in leaves(want)]
    assert [x.shape for x in leaves(one)] == sizes and [x.shape for x in leaves(none)] == [(0, 3, *s) for s in sizes]
    many = [np.repeat(x.reshape(6, *x.shape[2:]), 500, axis=0) for x in given]
    assert same([x[::500] for x in leaves(compiled(*many))], [x.reshape(6, *s) for x, s in zip(leaves(want), sizes,
                strict=True)], 1e-12)  # fmt: skip


def test_a_known_matrix_is_not_an_argument():
    """delassus with the numbers of J: only q is left to be given."""
    model = skew_tree()
    J, (q, *_) = np.random.default_rng(3).normal(size=(2, model.nv)), state(model, rows=(3,))
    compiled, text = compile_(rbd.delassus, model, J=J), compile_(rbd.delassus, model, target="js", J=J).source
    assert list(compiled.args) == ["q"] and same(compiled(q), rbd.delassus(model, q, J), 1e-12)
    for x, got in zip(q, node([(text, [x]) for x in q]), strict=True):
        assert close(got, rbd.delassus(model, x, J).ravel())


@pytest.mark.parametrize("masses", [False, True])
@pytest.mark.parametrize("model", [TREE, ARM, skew_tree()], ids=["tree", "arm", "skew"])
def test_kernel_returns_every_traced_value(model, masses):
    """Each step's value equals the recorded one; what is left out is constant."""
    kernel = compile_(rbd.rnea, model, target="js", trace=True, masses=masses).kernel
    assert json.loads(json.dumps(kernel)) == kernel and kernel["args"] == ["q", "qd", "qdd"] + ["m"] * masses
    runs = []
    for seed in (1, 2):
        args = state(model, seed)
        m = list(model.mass[1:])
        (got,) = node([(kernel["src"], [*args, m] if masses else args)])
        assert got.size == kernel["size"]
        steps = rbd.trace(rbd.rnea, model, *args).steps
        assert close(got[: model.nv], rbd.rnea(model, *args))
        seen = {k: offset for k, offset in (x for x in kernel["out"] if x[0] != "env")}
        for k, offset in seen.items():
            assert close(got[offset : offset + steps[k].value.size], steps[k].value.reshape(-1)), steps[k]
        runs.append((steps, seen, args, got))
    (first, seen, args, got), (second, *_) = runs
    writes = [k for k, s in enumerate(first) if s.kind == "write"]
    assert len(seen) > 0.9 * len(writes)
    for k in set(writes) - set(seen):
        assert close(first[k].value, second[k].value), first[k]
    env = {(name, int(i)): at for _, name, i, at in (x for x in kernel["out"] if x[0] == "env")}
    assert {name for name, _ in env} == {"q", "qd", "qdd"} | ({"I"} if masses else set())
    for (name, i), at in env.items():
        want = model.I[i] if name == "I" else args[("q", "qd", "qdd").index(name)][
            (model.q_slice if name == "q" else model.v_slice)[i]]
        assert close(got[at : at + want.size], want.reshape(-1))


@pytest.mark.parametrize("model", [TREE, ARM, skew_tree()], ids=["tree", "arm", "skew"])
def test_nothing_is_written_twice(model):
    """Each shared operation stands in the text once, and equal values share their place."""
    compiled = compile_(rbd.rnea, model, target="js", trace=True)
    ops = [n.op for n in live(compiled.values)]
    for op in ("*", "/", "sin", "cos"):
        assert compiled.source.count(op if op in "*/" else op + "(") == ops.count(op)
    offset = dict(x for x in compiled.out if x[0] != "env")
    steps = rbd.trace(rbd.rnea, model, *state(model)).steps
    pairs = [(k - 1, k) for k, s in enumerate(steps) if s.line == 8]  # f_i = fB_i
    assert pairs and all(offset[a] == offset[b] for a, b in pairs)
    compiled = compile_(double_work, ARM, target="js", trace=True)
    assert [4, 0] in compiled.out and len(compiled.values) < 20  # the returned value is the result


def test_masses_scale_inertias():
    compiled = compile_(rbd.rnea, ARM, target="js", masses=True)
    heavier = rbd.robots.planar_arm(lengths=(1, 0.7, 0.5), masses=(2, 2, 4.5), armature=[0.1, 0, 0.3])
    args = state(ARM)
    (got,) = node([(compiled.source, [*args, (2, 2, 4.5)])])
    assert close(got, rbd.rnea(heavier, *args)) and not close(got, rbd.rnea(ARM, *args))
    assert "m" not in compile_(rbd.rnea, ARM).args and ARM.mass[1] == 1


def test_external_forces_and_known_arguments():
    args = state(ARM)
    force = np.arange(6.0)
    compiled = compile_(rbd.rnea, ARM, qdd=0, f_ext=["link3"])
    assert list(compiled.args) == ["q", "qd", "f_ext"]
    assert close(compiled(args[0], args[1], force[None]), rbd.bias(ARM, args[0], args[1], {3: force}))
    held = compile_(rbd.gravity_torque, ARM)
    assert close(held(args[0]), rbd.gravity_torque(ARM, args[0])) and "cos" in held.source


def test_dead_code_is_absent():
    """q q, which nobody needs, is not in the text, and the sum that is made twice is there once."""
    source = compile_(double_work, rbd.robots.planar_arm(lengths=(1,), masses=(1,)), target="js").source
    assert source == "(q)=>{const{sin}=Math,a=3*q[0],b=a+sin(a);return Float64Array.of(-(5-b)*b)}"


def test_text_is_small_and_readable():
    compiled = compile_(rbd.rnea, ARM, target="js")
    assert len(compiled.source) < 1000
    assert "0.7" not in compiled.source and ".7*" in compiled.source  # shortest digits
    assert len(json.dumps(compile_(rbd.rnea, ARM, target="js", trace=True, masses=True).kernel)) < 3500


SMALL = """a - (b + c)  a - (b - c)  a + (b - c)  a - b - c  a / (b * c)  a / (b / c)  a * (b / c)  a / b / c
    (a - b) * c  -(a + b) * c  a * (b + c)  -(a - b)  -(a + b)  -(a / b)  (a - b) * (b - a)  -a * b * c
    sqrt(a * a + b)  1e-7 * a + 12345678901234567890.0 * b - 1e300 * c  a * 0.1 - 0.30000000000000004  0.25
    -3  sin(-a) - cos(-b)  a * 0.123456789 + b * 0.123456789 + c * 0.123456789 - 1 / 3"""


@pytest.mark.parametrize("text", [t for row in SMALL.splitlines() for t in row.strip().split("  ")])
def test_brackets_and_digits(text):
    """Small expressions, run as JavaScript and as NumPy, give the bits of Python's arithmetic."""
    def values(q, name):
        space = {f: lambda x, f=f: getattr(x, f)() if name == "symbols" else getattr(np, f)(x)
                 for f in ("sin", "cos", "sqrt")}
        return np.array([eval(text, space, dict(zip("abc", q, strict=True)))] * 2, dtype=object) * [1, -1]

    def fn(model, q):
        return values(q, "symbols")

    model = rbd.robots.planar_arm(lengths=(1,) * 3, masses=(1,) * 3)
    q = np.array([0.3, 1.7, -2.9])
    want = values(q, "numbers").astype(float)
    (got,) = node([(compile_(fn, model, target="js").source, [q])])
    assert np.allclose(got, want, rtol=1e-15, atol=0)
    assert np.array_equal(compile_(fn, model)(q), want)


def test_a_branch_on_a_symbol_is_refused():
    def branches(model, q):
        return q * (1 if q[0] == 0 else 2)

    with pytest.raises(TypeError, match=r"q\[0\] == 0 cannot be decided"):
        compile_(branches, ARM)
    for fn in (rbd.aba, rbd.minv, rbd.crba, rbd.com):  # exact zeros are looked for inside: no branch
        assert compile_(fn, skew_tree(), masses=True).source


def test_results_of_every_form():
    """A number, a tuple, a record, a list of tuples; with and without a batch."""
    model = skew_tree()
    q, qd, tau = state(model, rows=(3,))
    for fn, args, given in ((rbd.kinetic_energy, (q, qd), {}), (rbd.potential_energy, (q,), {}),
                            (rbd.all_terms, (q, qd), {}), (rbd.poses, (q,), {}), (rbd.velocities, (q, qd), {}),
                            (rbd.held, (q, qd, tau), {"locked": [2, 5]}), (rbd.jacobian, (q,), {"body": "body4"}),
                            (rbd.ltdl, (rbd.crba(model, q),), {})):  # fmt: skip
        compiled = compile_(fn, model, **given)
        for rows in (slice(None), 1):
            now = [x[rows] if np.ndim(x) else x for x in args]
            got, want = compiled(*now), fn(model, *now, **given)
            assert type(got) is type(want) and same(got, want, 1e-10), fn.__name__
    q3, v3, _ = state(ARM, rows=(3,))
    assert close(compile_(rbd.integrate, ARM)(q3, v3, 0.1), rbd.integrate(ARM, q3, v3, 0.1))
    one = compile_(rbd.kinetic_energy, model)
    assert one.shape == () and one(q[0], qd[0]).ndim == 0 and compile_(rbd.ltdl, ARM).shape == ((3, 3), (3,))
    assert close(compile_(rbd.total_mass, ARM)(), 6)
    L, D = rbd.ltdl(ARM, rbd.crba(ARM, [0.1, 0.2, 0.3]))
    (flat,) = node([(compile_(rbd.ltdl, ARM, target="js").source, [rbd.crba(ARM, [0.1, 0.2, 0.3]).reshape(-1)])])
    assert close(flat, [*L.reshape(-1), *D])


def test_results_and_arguments_that_cannot_be_compiled_are_named():
    def talks(model, q):
        return ["one", q]

    for fn, given, words in ((talks, {}, "talks returns 'one'"), (rbd.transforms, {}, "transforms returns None"),
                             (rbd.ldlt, {}, r"ldlt\(M\) takes no model"), (rbd.jacobian, {}, "give body="),
                             (rbd.rnea, {"qdd": [1, 2]}, r"qdd must .* shape \(3,\); got shape \(2,\)")):
        with pytest.raises(TypeError, match=words):
            compile_(fn, ARM, **given)


def test_constants_that_are_not_finite():
    def fn(model, q):
        return np.array([np.inf + q[0], -np.inf, np.nan, q[1] * 1e300 * np.inf, q[2] + np.nan], dtype=object)

    want = [np.inf, -np.inf, np.nan, np.inf, np.nan]
    assert np.array_equal(compile_(fn, ARM)([1, 2, 3]), want, equal_nan=True)
    source = compile_(fn, ARM, target="js").source.replace("Float64Array.of", "Array.of")
    (text,) = node([(f"(q)=>({source})(q).map(x=>Number.isNaN(x)?7:x>0?8:9)", [[1, 2, 3]])])
    assert text.tolist() == [8, 9, 7, 8, 7]


def test_names_of_arguments_that_mean_something_in_the_code():
    def fn(model, out, new, sin, kernel, Math, out_):
        return np.sin(out) + 2 * new - sin * kernel * Math + out_

    args = state(ARM, rows=(2,)) * 2
    want = fn(ARM, *args)
    compiled = compile_(fn, ARM)
    assert list(compiled.args) == ["out", "new", "sin", "kernel", "Math", "out_"]
    assert close(compiled(*args), want) and close(compiled(**dict(zip(compiled.args, args, strict=True))), want)
    (got,) = node([(compile_(fn, ARM, target="js").source, [x[0] for x in args])])
    assert close(got, want[0])


def test_shapes_are_checked_by_name_and_numbers_are_not_checked():
    compiled = compile_(rbd.aba, ARM)
    q, qd, tau = state(ARM, rows=(4,))
    for bad, words in (((q, qd[:, :2], tau), r"qd must have shape \(..., 3\); got \(4, 2\)"),
                       ((q, "x", tau), "qd must have .* numbers; got str"), ((q, [[1, 2], 3], tau), "qd must have"),
                       ((q, qd[:3], tau), r"leading .* do not fit together: q \(4,\), qd \(3,\), tau \(4,\)")):
        with pytest.raises(rbd.StateError, match=words):
            compiled(*bad)
    q = q.copy()
    q[1, 2] = np.nan
    got = compiled(q, qd, tau)
    assert np.isnan(got[1]).all() and close(got[[0, 2, 3]], rbd.aba(ARM, q[[0, 2, 3]], qd[[0, 2, 3]], tau[[0, 2, 3]]))


def test_a_singular_joint_gives_a_row_that_is_not_finite(recwarn):
    compiled = compile_(rbd.ltdl_solve, ARM)
    got = compiled(np.eye(3), [[1, 0, 1], [1, 2, 3]], [1, 1, 1])
    assert not np.isfinite(got[0]).all() and np.isfinite(got[1]).all() and not recwarn.list


def test_a_regrouped_model_has_no_masses():
    model = rbd.regroup(ARM)
    args = state(ARM)
    assert close(compile_(rbd.rnea, model)(*args), rbd.rnea(ARM, *args))
    with pytest.raises(ValueError, match="before rbd.regroup"):
        compile_(rbd.rnea, model, masses=True)


def test_bad_requests_are_refused():
    with pytest.raises(NotImplementedError, match="'c'"):
        compile_(rbd.rnea, ARM, target="c")
    with pytest.raises(ValueError, match="'wasm'"):
        compile_(rbd.rnea, ARM, target="wasm")
    with pytest.raises(ValueError, match="js"):
        compile_(rbd.rnea, ARM, trace=True)
    compiled = compile_(rbd.rnea, ARM)
    with pytest.raises(ValueError, match="kernel"):
        compiled.kernel  # noqa: B018
    with pytest.raises(TypeError, match="qdd"):
        compiled([0, 0, 0], [0, 0, 0])
    with pytest.raises(ValueError, match=r"qd must have shape \(\.\.\., 3\)"):
        compiled([0, 0, 0], [0, 0], [0, 0, 0])


# -- Panda -------------------------------------------------------------------------------------------------------------


def test_panda_counts_and_kernel_are_small():
    """Counts of the plain 6x6 algebra pinned; all traced values of the RNEA fit a page."""
    model = rbd.robots.load("panda")
    count = flops(rbd.rnea, model)
    assert (count.mul, count.add, count.div, count.trig) == (546, 443, 0, 12)
    compiled = compile_(rbd.rnea, model, target="js", trace=True)
    assert len(json.dumps(compiled.kernel)) < 12_000
    args = state(model)
    (got,) = node([(compiled.source, args)])
    assert close(got[:7], rbd.rnea(model, *args))
