"""Graded exercises: the package's own functions are no answer; numbers and names of one's own are; copies are kept."""

import cProfile
import functools
import inspect
import marshal
import pstats
import re
import subprocess
import sys
import types
from pathlib import Path

import nbformat
import numpy as np
import pytest

import rbdlite as rbd
from rbdlite.exercise import EXERCISES, check
from rbdlite.grading import small
from rbdlite.grading.functions import grade_function, grade_lines
from rbdlite.grading.own import DYNAMICS, Borrowed, Guard
from rbdlite.listing import unwrapped
from rbdlite.mistakes import Edit, edited

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted((ROOT / "exercises").glob("*.ipynb"))
OWN = {id: x.more["reference"] for id, x in EXERCISES.items() if x.grade in (grade_function, grade_lines)}


# -- answers that are the package's own --------------------------------------------------------------------------------


@pytest.mark.parametrize("id", OWN)
def test_the_packages_own_function_is_no_answer(id):
    fn, code = OWN[id], OWN[id].__code__

    def calls(*args):
        try:
            return fn(*args)
        except RuntimeError:
            return fn(*args)

    class Callable:
        def __call__(self, *args):
            return fn(*args)

    for answer in (fn, lambda *args: fn(*args), functools.partial(fn), calls, Callable(), fn.__call__):
        result = check(id, answer)
        assert result.points == 0 and "the package's own function" in result.text and "write yours" in result.text
        assert "hint=" not in result.text and result.mistakes == ()
    assert sys.getprofile() is None and fn.__code__ is code


def test_ways_round_the_refusal():
    for answer in (lambda model, q, qd, qdd, f: rbd.rnea(model, q, qd, qdd, f) if model.n_bodies > 2 else qd,
                   lambda model, q, qd, qdd, f: rbd.bias(model, q, qd, f) + rbd.crba(model, q) @ qdd):  # fmt: skip
        assert check("rnea-code", answer).points == 0 and "write yours" in check("rnea-code", answer).text
    same = check("crba-test", lambda model, q, M: np.allclose(M, rbd.crba(model, q)))
    assert same.points == 0 and "write yours" in same.text
    other = check("aba-other-way", lambda model, q, qd, tau, f: np.linalg.solve(
        rbd.crba(model, q), tau - rbd.rnea(model, q, qd, 0 * qd, f)))  # fmt: skip
    assert other.passed


def copied(fn):
    return edited(fn, [], "own copy")


MINE = {fn: copied(fn) for fn in (rbd.crba, rbd.minv, rbd.aba)}
INVERT, PRIVATE = np.linalg.inv, np.linalg._umath_linalg.inv


@pytest.mark.parametrize("id, fn, named", [
    ("crba-code", lambda m, q: rbd.all_terms(m, q, np.zeros(m.nv)).M, "all_terms"),
    ("crba-code", lambda m, q: rbd.trace(rbd.crba, m, q).result, "twin"),
    ("aba-code", lambda m, *x: rbd.compile(rbd.aba, m)(*x[:3]), "compile"),
    ("crba-code", lambda m, q: INVERT(rbd.minv(m, q)), "minv"),
    ("crba-code", lambda m, q: rbd.mass_matrix_by_rnea(m, q), "mass_matrix_by_rnea"),
    ("crba-test", lambda m, q, M: np.allclose(M, rbd.all_terms(m, q, np.zeros(m.nv)).M), "all_terms"),
    ("crba-composites", lambda m, q: rbd.mass_matrix_by_rnea(m, q), "mass_matrix_by_rnea"),
    ("aba-code", lambda m, q, qd, tau, f: rbd.held(m, q, qd, tau, [], f)[0], "held"),
    ("aba-code", lambda m, q, qd, tau, f: np.linalg.solve(MINE[rbd.crba](m, q), tau), "numpy.linalg.solve"),
    ("aba-other-way", lambda m, q, qd, tau, f: rbd.held(m, q, qd, tau, [], f)[0], "held"),
    ("minv-code", lambda m, q: INVERT(rbd.crba(m, q)), "crba"),
    ("minv-code", lambda m, q: INVERT(MINE[rbd.crba](m, q)), "numpy.linalg.inv"),
    ("minv-times", lambda m, q, x: rbd.minv(m, q) @ x, "minv"),
    ("minv-test", lambda m, q, W: np.allclose(W @ rbd.crba(m, q), np.eye(m.nv)), "crba"),
    ("ltdl-code", lambda m, M: (np.linalg.cholesky(M), np.diag(M)), "numpy.linalg.cholesky"),
    ("ltdl-code", lambda m, M: rbd.ldlt(M), "ldlt"),
    ("solve-code", lambda m, L, D, b: np.linalg.solve(L.T @ np.diag(D) @ L, b), "numpy.linalg.solve"),
])  # fmt: skip
def test_functions_that_give_it_away(id, fn, named):
    result = check(id, fn)
    assert result.points == 0 and named in result.text and "write yours" in result.text, result.text
    assert sys.getprofile() is None and np.linalg._umath_linalg.inv is PRIVATE
    assert np.allclose(INVERT(2 * np.eye(9)), np.eye(9) / 2)


def by_jacobians(m, q):
    """An own mass matrix: Σ JᵀIJ."""
    J = [rbd.jacobian(m, q, i) for i in m.outward]
    return sum(J.T @ m.I[i] @ J for J, i in zip(J, m.outward, strict=True)) + np.diag(m.armature)


def by_elimination(M):
    """An own inverse."""
    left = np.hstack([M, np.eye(len(M))])
    for k in range(len(M)):
        left[k] /= left[k, k]
        for i in set(range(len(M))) - {k}:
            left[i] -= left[i, k] * left[k]
    return left[:, len(M) :]


def test_own_ways_to_the_inverse_are_right():
    """Whoever writes the factorisation has given nothing away, whatever the way."""
    assert check("minv-code", lambda m, q: by_elimination(by_jacobians(m, q))).passed
    assert check("minv-code", lambda m, q: by_elimination(by_jacobians(m, q)).tolist()).passed


def test_copies_of_the_packages_code_are_no_answer():
    rnea, ltdl = (types.FunctionType(f.__code__, f.__globals__) for f in (rbd.rnea, rbd.ltdl))
    for id, fn in (("rnea-code", lambda m, *x: rnea(m, *x)), ("ltdl-code", lambda m, M: ltdl(m, M))):
        result = check(id, fn)
        assert result.points == 0 and "the package's own function" in result.text and "write yours" in result.text


@pytest.mark.parametrize("fn", DYNAMICS, ids=lambda f: f.__name__)
def test_any_copy_of_the_code_is_noticed_as_it_starts(fn):
    plain = unwrapped(fn)
    needs = [p for p in inspect.signature(plain).parameters.values() if p.default is p.empty and p.kind < 2]
    for code in (plain.__code__, plain.__code__.replace(co_name="mine"), plain.__code__.replace(co_filename="mine.py"),
                 marshal.loads(marshal.dumps(plain.__code__))):  # fmt: skip
        copy = types.FunctionType(code, plain.__globals__, "mine", plain.__defaults__, plain.__closure__)
        with pytest.raises(Borrowed, match=fn.__name__):
            Guard().attempt(lambda *args, copy=copy: copy(*args), [None] * len(needs))
        Guard(allowed=(fn,)).attempt(copy, [None] * len(needs))  # stops with another error, if at all


def test_the_first_calls_are_not_the_only_ones_looked_at():
    calls = []

    def late(model, *args):
        calls.append(1)
        return rbd.rnea(model, *args) if len(calls) > 4 else np.zeros(model.nv)

    result = check("rnea-code", late)
    assert result.points == 0 and "the package's own function" in result.text


def solvers():
    """Ways to SciPy's and NumPy's routines: (exercise, function, what is said)."""
    raw, inverse, W = np.linalg._umath_linalg.inv, by_jacobians, "minv-code"
    linalg = pytest.importorskip("scipy.linalg")
    sparse = pytest.importorskip("scipy.sparse.linalg")
    gesv, one = linalg.lapack.dgesv, lambda M: np.eye(len(M))
    yield W, lambda m, q: linalg.inv(inverse(m, q)), "scipy.linalg.inv"
    yield W, lambda m, q: np.linalg._umath_linalg.inv(inverse(m, q)), "numpy.linalg.inv"
    yield W, lambda m, q: raw(inverse(m, q)), "_umath_linalg.inv"
    yield W, lambda m, q: gesv(inverse(m, q), np.eye(m.nv))[2], "lapack"
    yield W, lambda m, q: linalg.lapack.dgesv(inverse(m, q), np.eye(m.nv))[2], "lapack.dgesv"
    yield W, lambda m, q: linalg.cho_solve(linalg.cho_factor(inverse(m, q)), np.eye(m.nv)), "scipy.linalg.cho_factor"
    yield W, lambda m, q: np.asmatrix(inverse(m, q)).I, "numpy.linalg.inv"
    yield W, lambda m, q: np.linalg.matrix_power(inverse(m, q), -1), "numpy.linalg.inv"
    yield W, lambda m, q: np.array([sparse.cg(inverse(m, q), e, rtol=1e-14)[0] for e in one(inverse(m, q))]), "cg"
    yield "solve-code", lambda m, L, D, b: linalg.solve(L.T @ np.diag(D) @ L, b), "scipy.linalg.solve"
    yield "solve-code", lambda m, L, D, b: linalg.solve_triangular(
        L, linalg.solve_triangular(L.T, b) / D, lower=True), "scipy.linalg.solve_triangular"  # fmt: skip
    yield "ltdl-code", lambda m, M: (linalg.ldl(M)[0], np.diag(M)), "scipy.linalg.ldl"
    yield "aba-code", lambda m, q, qd, tau, f: linalg.solve(inverse(m, q), tau), "scipy.linalg.solve"


@pytest.mark.parametrize("which", range(13))
def test_solvers_are_closed(which):
    id, fn, named = list(solvers())[which]
    result = check(id, fn)
    assert result.points == 0 and named in result.text and "write yours" in result.text, result.text
    assert np.linalg._umath_linalg.inv is PRIVATE


def test_scipy_is_open_for_blocks_and_is_not_imported():
    linalg = pytest.importorskip("scipy.linalg")
    block = edited(rbd.minv, [Edit(("Dinv[i] = invert(D[i])",), 7)], "inverts blocks", {"invert": linalg.inv})
    assert check("minv-code", block).passed
    code = "import sys, rbdlite.exercise as e; e.check('minv-code', lambda m, q: q); assert 'scipy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, cwd=ROOT)


def by_blocks(linalg, wide):
    """M⁻¹ with all columns at once; each joint's block is factored and solved by SciPy. wide: on the pivots of all."""

    def solve(D, rhs):
        return linalg.cho_solve(linalg.cho_factor(D), rhs)

    def inverse(model, q):
        model, q = model.prepare(q=q)
        λ, S, one, n = model.parent, model.S, np.eye(model.nv), model.n_bodies + 1
        X, U, D, u = ([None] * n for _ in range(4))
        IA, p, a = (list(model.I), *([np.zeros((6, model.nv))] * n for _ in range(2)))
        W = np.zeros((model.nv, model.nv))
        for i in model.inward:
            X[i], U[i] = model.XJ(i, q[i]) @ model.XT[i], IA[i] @ S[i]
            D[i] = S[i].T @ U[i] + model.Ir[i]
            u[i] = one[model.v_slice[i]] - S[i].T @ p[i]
            IA[λ[i]] = IA[λ[i]] + X[i].T @ (IA[i] - U[i] @ solve(D[i], U[i].T)) @ X[i]
            p[λ[i]] = p[λ[i]] + X[i].T @ (p[i] + U[i] @ solve(D[i], u[i]))
        for i in model.outward:
            b = X[i] @ a[λ[i]]
            W[model.v_slice[i]] = solve(D[i], u[i] - U[i].T @ b)
            a[i] = b + S[i] @ W[model.v_slice[i]]
        return linalg.cho_solve([np.eye(model.nv), True], W) if wide else W

    return inverse


def test_scipy_is_open_for_blocks_with_a_wide_right_side():
    linalg = pytest.importorskip("scipy.linalg")
    assert check("minv-code", by_blocks(linalg, False)).passed
    result = check("minv-code", by_blocks(linalg, True))
    assert result.points == 0 and "scipy.linalg.cho_solve" in result.text


def test_scipys_solvers_are_judged_by_their_matrix():
    linalg = pytest.importorskip("scipy.linalg")
    private = pytest.importorskip("scipy.linalg._decomp_cholesky")

    def bands(n):
        return np.array([n * [1.0], n * [4.0], n * [1.0]])

    ways = {
        "cho_solve": lambda M, B: linalg.cho_solve((M, True), B),
        "lu_solve": lambda M, B: linalg.lu_solve((M, np.arange(len(M))), B),
        "solve": linalg.solve,
        "solve_triangular": linalg.solve_triangular,
        "lstsq": lambda M, B: linalg.lstsq(M, B)[0],
        "solve_banded": lambda M, B: linalg.solve_banded((1, 1), bands(len(M)), B),
        "cho_solve_banded": lambda M, B: linalg.cho_solve_banded((bands(len(M))[:2], False), B),
        "_cho_solve": lambda M, B: private._cho_solve(M, B, True, False, True),  # called by the learner
    }
    for name, way in ways.items():
        for n in (1, 3, 6):
            out = Guard(inverses=False).attempt(way, (4 * np.eye(n), np.ones((n, 12))))
            assert out.trouble is None, f"{name}: {out.trouble}"
        with pytest.raises(Borrowed, match=rf"scipy\.linalg\.{name},"):
            Guard(inverses=False).attempt(way, (4 * np.eye(7), np.ones((7, 1))))
    assert Guard(inverses=False).attempt(linalg.issymmetric, (np.eye(12),)).value == 1


def test_cprofile_goes_on_after_a_check():
    def later():
        pass

    profile = cProfile.Profile()
    profile.enable()
    try:
        for _ in range(3):
            check("minv-felt", lambda M, k: M)
            later()
    finally:
        profile.disable()
    calls = {name: row[0] for (_, _, name), row in pstats.Stats(profile).stats.items()}
    assert calls.get("later") == 3 and calls.get("check") == 3


def test_a_profiler_is_left_as_it_was():
    def look(*_):
        pass

    sys.setprofile(look)
    try:
        check("minv-felt", lambda M, k: M)
        assert sys.getprofile() is look
    finally:
        sys.setprofile(None)


@pytest.mark.parametrize("id, fn", [("minv-felt", small.felt), ("sparse-pattern", small.pattern),
                                    ("sparse-fill", small.fill_in), ("aba-step", small.rk4)])  # fmt: skip
def test_small_functions_of_the_package_are_no_answer(id, fn):
    copy = types.FunctionType(fn.__code__, fn.__globals__)
    for answer in (fn, lambda *args: fn(*args), functools.partial(fn), copy):
        result = check(id, answer)
        assert result.points == 0 and fn.__name__ in result.text and "write yours" in result.text


def test_a_test_that_counts_its_calls_catches_nothing():
    for right in (1, 2, 6, 14, 18, 20, 22, 24):
        calls = []

        def counts(*args, right=right, calls=calls):
            calls.append(1)
            return len(calls) <= right

        for id in ("crba-test", "minv-test"):
            calls.clear()
            assert check(id, counts).points == 0


def test_a_test_that_keeps_what_it_saw_first_catches_nothing():
    """The right result is not the first."""
    whole = 0
    for _ in range(3):
        first = []

        def keeps(model, q, M, first=first):
            first.append(M) if len(first) < 4 else None
            return any(np.array_equal(M, x) for x in first)

        whole += check("crba-test", keeps).passed
    assert whole < 3


def test_what_stays_open():
    block = edited(rbd.minv, [Edit(("Dinv[i] = invert(D[i])",), 7)], "inverts blocks", {"invert": INVERT})
    assert check("minv-code", block).passed
    assert check("minv-times", lambda m, q, x: rbd.aba(m.replace(gravity=(0, 0, 0)), q, np.zeros(m.nv), x)).passed

    def energies(m, q):  # ½ q̇ᵀ M q̇ for pairs of speeds
        e, T = np.eye(m.nv), lambda v: rbd.kinetic_energy(m, q, v)
        return np.array([[T(a + b) - T(a) - T(b) for a in e] for b in e])

    assert check("crba-code", energies).passed


# -- numbers and names of one's own ------------------------------------------------------------------------------------

COMPACT = """
def compact(model, q, qd, qdd, f_ext=None):
    model, q, qd, qdd, f_ext = model.prepare(q=q, qd=qd, qdd=qdd, f_ext=f_ext)
    n, λ = model.n_bodies + 1, model.parent
    X, v, a, f, tau = ([None] * n for _ in range(5))
    v[0], a[0], f[0] = 0 * model.a0, model.a0, -f_ext[0]
    for i in range(1, n):  # [1]
        X[i] = model.XJ(i, q[i]) @ model.XT[i]  # [2]
        v[i] = X[i] @ v[λ[i]] + model.S[i] @ qd[i]  # [4]
        a[i] = X[i] @ a[λ[i]] + model.S[i] @ qdd[i] + crm(v[i]) @ (model.S[i] @ qd[i])  # [6]
        f[i] = model.I[i] @ a[i] + crf(v[i]) @ model.I[i] @ v[i] - f_ext[i]  # [7]
    for i in range(n - 1, 0, -1):  # [9]
        tau[i] = model.S[i].mT @ f[i] + model.Ir[i] @ qdd[i]  # [10]
        f[λ[i]] = f[λ[i]] + X[i].mT @ f[i]  # [11]
    return model.join(tau)
"""
NUMBERS = [lambda n: n, lambda n: n - (n > 2) - (n > 4) - (n > 7), lambda n: 20 - n, None]
NUMBER_NAMES = "without our [3], [5], [8]", "numbered on", "backwards", "no tags"
OWN_NAMES = (r"\bv\b", "vel"), (r"\ba\b", "acc"), (r"\bf\b", "force")
FIRST_HALF = r"(?s)    for i in range\(n - 1.*", "    raise NotImplementedError\n"


def compact(number, *changes):
    """COMPACT with other numbers, and other code or names."""
    text = re.sub(r"  # \[(\d+)\]", lambda m: f"  # [{number(int(m[1]))}]" if number else "", COMPACT)
    return made(text, rbd.rnea.__globals__, "compact", *changes)


def made(text, scope, name, *changes):
    for old, new in changes:
        text = re.sub(old, new, text)
    scope = dict(scope)
    exec(text, scope)
    scope[name].__rbd_source__ = text
    return scope[name]


@pytest.mark.parametrize("number", NUMBERS, ids=NUMBER_NAMES)
def test_right_with_numbers_and_names_of_ones_own(number):
    for changes in ((), OWN_NAMES):
        assert check("rnea-code", compact(number, *changes)).passed
        assert check("rnea-outward", compact(number, *changes)).passed
        half = check("rnea-outward", compact(number, *changes, FIRST_HALF))
        assert half.passed, half.text


@pytest.mark.parametrize("number", NUMBERS, ids=NUMBER_NAMES)
def test_wrong_with_numbers_of_ones_own(number):
    slip = r"crm\(v\[i\]\) @ \(model", "0 * (model"
    for more in ((), (FIRST_HALF,)):
        result = check("rnea-outward", compact(number, slip, *more))
        assert not result.passed and result.points >= 2 and "[3] not there" not in result.text, result.text
        assert "v right for each body" in result.text and "a goes wrong from body" in result.text
        assert "as # [4]" in result.text
    nothing = check("rnea-outward", compact(number, (r"(?s)    for i in range\(1, n.*", "    return 0 * model.a0\n")))
    assert nothing.points == 0 and "a not there yet" in nothing.text


@pytest.mark.parametrize("id, fn", [("aba-outward", rbd.aba), ("aba-inward", rbd.aba), ("minv-shared", rbd.minv),
                                    ("crba-composites", rbd.crba)])  # fmt: skip
def test_names_of_ones_own_in_other_algorithms(id, fn):
    text = re.sub(r'(?s)""".*?"""', "", inspect.getsource(fn), count=1)
    text = text[: text.index(f"# [{max(EXERCISES[id].more['lines'])}]")] + "\n    raise NotImplementedError\n"
    half = made(text, fn.__globals__, fn.__name__, (r" *# \[\d+\]", ""), (r"\bIA\b", "inertia"), ("pA", "push"),
                (r"\bv\b", "speed"), (r"\bIC\b", "composite"))  # fmt: skip
    result = check(id, half)
    assert result.passed and "your " in result.text, result.text
    wrong = made(text, fn.__globals__, fn.__name__, (r" *# \[\d+\]", ""), (r"= model.XJ\((.*)", r"= model.XJ(\1.mT"))
    assert not check(id, wrong).passed


# -- copies ------------------------------------------------------------------------------------------------------------


def student(folder, cwd=None):
    return subprocess.run([sys.executable, ROOT / "scripts" / "student.py", "--keep", "--out", folder],
                          check=True, capture_output=True, text=True, cwd=cwd).stdout  # fmt: skip


def test_copies_of_ones_own_are_kept(tmp_path):
    """`make exercises`: answers in a copy stay, a copy that is missing is made anew."""
    mine = tmp_path / "my-exercises"
    assert "kept" not in student("my-exercises", tmp_path)
    assert sorted(p.name for p in mine.iterdir()) == [p.name for p in SOURCES]
    changed = (mine / "rnea.ipynb").read_text("utf-8").replace("# your answer here", "# mine")
    (mine / "rnea.ipynb").write_text(changed, "utf-8")
    fresh = (mine / "aba.ipynb").read_bytes()
    (mine / "aba.ipynb").unlink()
    said = student("my-exercises", tmp_path)
    assert "# mine" in changed and (mine / "rnea.ipynb").read_text("utf-8") == changed
    assert (mine / "aba.ipynb").read_bytes() == fresh and said.count("kept as it is") == len(SOURCES) - 1
    rule = re.search(r"(?m)^exercises:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text()).group(1)
    assert "student.py --keep" in rule and "--out my-exercises" in rule and rule.rstrip().endswith("my-exercises")


def test_copies_run_with_an_answer_in_them(tmp_path):
    """In a fresh kernel, outside the repository's folder: imports, own trees, and points for what was filled in."""
    from nbclient import NotebookClient

    student(tmp_path)
    nb = nbformat.read(tmp_path / "rnea.ipynb", as_version=4)
    for cell in nb.cells:
        if cell.id == "rnea-own-answer":
            cell.source += "\nown = dict(zip(own, reversed(rbd.rnea(*own_case(number).args)), strict=True))"
    NotebookClient(nb, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    points = {c.id: c.outputs[-1]["data"]["text/plain"] for c in nb.cells if "check(" in c.source and c.get("outputs")}
    assert points["rnea-own"] == "12" and points["rnea-code"] == "0"


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.name)
def test_a_copy_opens_with_how_points_count(path):
    first, second = nbformat.read(path, as_version=4).cells[:2]
    for words in ("points", "half a point", "`hint=2`", "Hints cost nothing", "package's own function",
                  "about one line"):  # fmt: skip
        assert words in first.source.replace("\n", " "), words
    assert first.cell_type == "markdown" and second.cell_type == "code" and "import" in second.source
