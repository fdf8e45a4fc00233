"""Ratios of running times, measured side by side: `make bench`.

Absolute times mean little on another machine, so only ratios are printed. The two sides of a ratio take turns
within one run (A B A B ...), each turn gives one ratio, and the median of these is shown. Results are compared
before anything is timed. The exit status is 1 if a goal is missed.
"""

import platform
import statistics
import sys
import time
from pathlib import Path

import modern_robotics as mr
import numpy as np
import pinocchio as pin

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from oracles import Pinocchio, pose_of  # noqa: E402

import rbdlite as rbd  # noqa: E402

BATCH = 4096
FEATURES = ("avx2", "fma", "avx512f", "asimd", "sve")


def machine():
    """The processor's name and the vector features that matter here."""
    name, flags = platform.processor() or platform.machine(), []
    info = Path("/proc/cpuinfo")
    if info.exists():
        rows = dict(row.split(":", 1) for row in info.read_text().splitlines() if ":" in row)
        rows = {key.strip(): value.strip() for key, value in rows.items()}
        name = rows.get("model name", name)
        flags = [f for f in FEATURES if f in (rows.get("flags") or rows.get("Features") or "").split()]
    return f"{name} ({', '.join(flags) or 'features unknown'})"


def once(fn, calls):
    start = time.perf_counter()
    for _ in range(calls):
        fn()
    return (time.perf_counter() - start) / calls


def faster(ours, theirs, seconds=2.0, turns=31):
    """How many times as fast as theirs ours is: median over the turns of time(theirs) / time(ours)."""
    pair = ours, theirs
    calls = [max(1, round(seconds / 2 / turns / once(fn, 3))) for fn in pair]
    return statistics.median(once(theirs, calls[1]) / once(ours, calls[0]) for _ in range(turns))


def equal(a, b, rtol=1e-9):
    a, b = np.asarray(a), np.asarray(b)
    if a.shape != b.shape or not np.abs(a - b).max() <= rtol * (1 + np.abs(b).max()):
        raise SystemExit("the two sides compute different things: nothing is timed")


def state(model, rows=None, seed=0):
    rng = np.random.default_rng(seed)
    if rows is None:
        return model.random(rng), rng.normal(size=model.nv), rng.normal(size=model.nv)
    q = np.array([model.random(rng) for _ in range(rows)])
    return q, rng.normal(size=(rows, model.nv)), rng.normal(size=(rows, model.nv))


def modern_robotics_arm(model):
    """(g, Ftip, Mlist, Glist, Slist) of a fixed arm of one-number joints, link frames as in the model.

    Mlist: link i in link i-1 at q = 0; Glist: spatial inertia in the link's frame; Slist: joint axes in base axes.
    """
    M, S, here = [], [], np.eye(4)
    for i in model.outward:
        if model.parent[i] != i - 1 or model.joints[i].nq != 1 or np.any(model.armature):
            raise SystemExit("modern_robotics knows only unbranched arms without armature")
        R, p = pose_of(model.XT[i])
        M.append(mr.RpToTrans(R, p))
        here = here @ M[-1]
        S.append(mr.Adjoint(here) @ model.S[i][:, 0])
    return model.gravity, np.zeros(6), [*M, np.eye(4)], list(model.I[1:]), np.array(S).T


def cases():
    """(what, ours, theirs, goal): goal None is for scale."""
    panda = rbd.robots.load("panda")
    s = state(panda)
    known = modern_robotics_arm(panda)
    equal(rbd.rnea(panda, *s), mr.InverseDynamics(*s, *known))
    yield ("rbd.rnea / modern_robotics.InverseDynamics, Panda", lambda: rbd.rnea(panda, *s),
           lambda: mr.InverseDynamics(*s, *known), 4)  # fmt: skip
    q, qd, tau = s
    equal(rbd.crba(panda, q), mr.MassMatrix(q, *known[2:]))
    yield ("rbd.crba / modern_robotics.MassMatrix, Panda", lambda: rbd.crba(panda, q),
           lambda: mr.MassMatrix(q, *known[2:]), 30)  # fmt: skip
    equal(rbd.aba(panda, q, qd, tau), mr.ForwardDynamics(q, qd, tau, *known))
    yield ("rbd.aba / modern_robotics.ForwardDynamics, Panda", lambda: rbd.aba(panda, q, qd, tau),
           lambda: mr.ForwardDynamics(q, qd, tau, *known), 30)  # fmt: skip
    yield ("n calls of rbd.rnea / modern_robotics.MassMatrix, Panda",
           lambda: rbd.mass_matrix_by_rnea(panda, s[0]), lambda: mr.MassMatrix(s[0], *known[2:]), None)  # fmt: skip
    yield ("rbd.trace(rbd.rnea) / rbd.rnea, Panda", lambda: rbd.trace(rbd.rnea, panda, *s),
           lambda: rbd.rnea(panda, *s), None)  # fmt: skip
    for name in ("panda", "anymal", "talos"):
        model = rbd.robots.load(name)
        judge, s1, s2 = Pinocchio(model), state(model), state(model, BATCH)
        robot, data = judge.robot, judge.data
        there = judge.q(s1[0]), judge.v(s1[1]), judge.v(s1[2])
        equal(judge.back(pin.rnea(robot, data, *there)), rbd.rnea(model, *s1))
        yield (f"rbd.rnea / pinocchio.rnea, one call from Python, {name}",
               lambda m=model, s=s1: rbd.rnea(m, *s),
               lambda r=robot, d=data, x=there: pin.rnea(r, d, *x), None)  # fmt: skip
        pool, out = pin.ModelPool(robot, 1), np.empty((model.nv, BATCH), order="F")
        q = np.asfortranarray(np.array([judge.q(x) for x in s2[0]]).T)
        v, a = (np.asfortranarray(x[:, judge.perm].T) for x in s2[1:])
        loop = lambda p=pool, x=(q, v, a), o=out: pin.rneaInParallel(1, p, *x, o)  # noqa: E731
        loop()
        want = np.empty((BATCH, model.nv))
        want[:, judge.perm] = out.T
        code = rbd.compile(rbd.rnea, model)
        for what, run in (("rbd.rnea", lambda m=model, s=s2: rbd.rnea(m, *s)),
                          ("NumPy code", lambda c=code, s=s2: c(*s))):  # fmt: skip
            equal(run(), want)
            yield f"{what} / Pinocchio's C++ loop, one thread, batch {BATCH}, {name}", run, loop, None


def main():
    versions = {m.__name__: getattr(m, "__version__", "?") for m in (np, pin)}
    print(f"{machine()}\nPython {platform.python_version()}, "
          + ", ".join(f"{k} {v}" for k, v in versions.items()), flush=True)  # fmt: skip
    print("speed ratio, ours / theirs (more than 1: ours is faster); medians of turns taken within this run")
    missed = 0
    for what, ours, theirs, goal in cases():
        ratio = faster(ours, theirs)
        missed += goal is not None and ratio < goal
        verdict = "" if goal is None else f"   goal ≥ {goal}: " + ("met" if ratio >= goal else "MISSED")
        print(f"{ratio:8.3g}   {what}{verdict}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
