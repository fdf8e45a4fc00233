"""Two independent judges, Pinocchio and MuJoCo, each fed from an rbdlite Model or from the same URDF.

An oracle takes and returns everything in rbdlite's order and axes (q, v, tau, f_ext as `rbd.rnea` has them),
so that a test reads `close(rbd.rnea(...), oracle.rnea(...))`. `rbd.convert` builds the robot there from the Model's
stored data; q, v, tau and f_ext are turned here, by hand, so that the layouts of `rbd.convert` are judged too.

|           | rbdlite            | Pinocchio                | MuJoCo                                        |
|-----------|--------------------|--------------------------|-----------------------------------------------|
| free q    | x y z, qx qy qz qw | the same                 | world x y z, qw qx qy qz                      |
| free v    | ω, v in body axes  | v, ω in body axes        | v in world axes, ω in body axes               |
| spherical | qx qy qz qw; ω     | the same                 | qw qx qy qz; ω                                |
| planar    | x y θ; ω vx vy     | x y cosθ sinθ; vx vy ω   | (not used)                                    |
| force     | n, f               | f, n                     | f, n at a point, world axes                   |
"""

import importlib.metadata
from pathlib import Path

import mujoco
import numpy as np
import pinocchio as pin

from rbdlite import convert

TURNED = {"free": [3, 4, 5, 0, 1, 2], "planar": [1, 2, 0]}  # Pinocchio's velocity order, as places in ours


def close(ours, theirs, rtol=1e-9):
    """Assert |ours - theirs| <= rtol max|theirs|, the same shape, and something to compare.

    No absolute floor: where their answer is nothing but zeros it is the number of a body or a term that is not there
    (the base of a flying robot has no mass), and ours has to be zero exactly.
    """
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    assert ours.shape == theirs.shape, f"shapes {ours.shape} and {theirs.shape}"
    assert ours.size > 0, "nothing to compare"
    gap = np.abs(ours - theirs).max()
    assert gap <= rtol * np.abs(theirs).max(), f"differs by {gap:.3e} from numbers up to {np.abs(theirs).max():.3e}"


def robot_file(relative):
    """Path of a URDF of the PyPI package example-robot-data, e.g. "panda_description/urdf/panda.urdf"."""
    for entry in importlib.metadata.files("example-robot-data"):
        if str(entry).endswith("robots/" + relative):
            return Path(entry.locate())
    raise FileNotFoundError(f"example-robot-data has no robots/{relative}")


def pose_of(X):
    """(R, p) of a motion transform [[E, 0], [-E r×, E]]."""
    R = X[:3, :3].T
    rx = -R @ X[3:, :3]
    return R, np.array([rx[2, 1], rx[0, 2], rx[1, 0]])


def rigid_body(I6):
    """(mass, com, J about com) of a 6x6 spatial inertia about the origin."""
    m = I6[5, 5]
    h = np.array([I6[2, 4], I6[0, 5], I6[1, 3]])
    c = h / m if m else h
    return m, c, I6[:3, :3] - m * (c @ c * np.eye(3) - np.outer(c, c))


def random_urdf(rng, n_links, kinds=("revolute", "continuous", "prismatic", "planar", "floating", "fixed")):
    """A random robot as URDF: skewed placements, axes of any length, tags left out, elements in any order.

    The first joint always moves. Returns (text, [movable joints, in no particular order]).
    """

    def row(x):
        return " ".join(repr(float(k)) for k in x)

    def origin(scale=0.4):
        if rng.random() < 0.1:
            return ""
        xyz = f'xyz="{row(rng.uniform(-scale, scale, 3))}"' if rng.random() < 0.9 else ""
        rpy = f'rpy="{row(rng.uniform(-3, 3, 3))}"' if rng.random() < 0.9 else ""
        return f"<origin {rpy} {xyz}/>"

    links, joints, movable = [], [], []
    for k in range(n_links):
        inside = ""
        if rng.random() < 0.9:
            a, b, c = rng.uniform(0.01, 0.3, 3).tolist()  # any three second moments give a possible inertia
            J = f'<inertia ixx="{b + c!r}" iyy="{a + c!r}" izz="{a + b!r}" ixy="0" ixz="0" iyz="0"/>'
            inside = f'<inertial>{origin()}<mass value="{rng.uniform(0.2, 3)!r}"/>{J}</inertial>'
        links.append(f'<link name="link{k}">{inside}</link>')
        if k == 0:
            continue
        kind = str(rng.choice([x for x in kinds if x != "fixed"] if k == 1 else kinds))
        axis = "" if rng.random() < 0.1 else f'<axis xyz="{row(rng.normal(size=3))}"/>'
        axis = {"planar": '<axis xyz="0 0 1"/>', "floating": ""}.get(kind, axis)
        limit = (
            '<limit effort="1" velocity="1" lower="-9" upper="9"/>'
            if kind in ("revolute", "prismatic")
            else ""
        )
        ends = f'<parent link="link{int(rng.integers(0, k))}"/><child link="link{k}"/>'
        joints.append(f'<joint name="joint{k}" type="{kind}">{axis}{ends}{origin()}{limit}</joint>')
        movable += [f"joint{k}"] if kind != "fixed" else []
    elements = links + joints
    rng.shuffle(elements)
    return f'<robot name="random">{"".join(elements)}</robot>', movable


class Pinocchio:
    """Pinocchio's answers for an rbdlite Model.

    robot=None builds a Pinocchio model from the rbdlite one (rbd.convert.to_pinocchio).
    With robot= (a Pinocchio model made elsewhere, say from a URDF) only the order is mapped, by joint names.
    """

    def __init__(self, model, robot=None):
        self.model = model
        self.robot = convert.to_pinocchio(model) if robot is None else robot
        self.data = self.robot.createData()
        assert self.robot.check(self.data), "Pinocchio's own check of its model failed"
        assert self.robot.nv == model.nv, f"nv {self.robot.nv} there, {model.nv} here"
        self.joint = [0] + [self.robot.getJointId(name) for name in model.joint_names[1:]]
        assert all(0 < j < self.robot.njoints for j in self.joint[1:]), "a joint name is missing there"
        assert len(set(self.joint)) == len(self.joint) == self.robot.njoints
        self.perm = np.zeros(model.nv, int)  # v_there = v_here[perm]
        for i in range(1, model.n_bodies + 1):
            at = self.robot.joints[self.joint[i]].idx_v
            here = np.arange(model.nv)[model.v_slice[i]]
            turned = TURNED.get(model.joints[i].kind, range(len(here)))
            self.perm[at : at + len(here)] = here[list(turned)]
        assert sorted(self.perm) == list(range(model.nv))

    def q(self, q):
        out = np.full(self.robot.nq, np.nan)
        for i in range(1, self.model.n_bodies + 1):
            there, x = self.robot.joints[self.joint[i]], np.asarray(q)[self.model.q_slice[i]]
            if self.model.joints[i].kind == "planar":
                x = np.array([x[0], x[1], np.cos(x[2]), np.sin(x[2])])
            elif there.nq == 2:  # Pinocchio's "continuous" joint
                x = np.array([np.cos(x[0]), np.sin(x[0])])
            assert len(x) == there.nq
            out[there.idx_q : there.idx_q + there.nq] = x
        assert not np.isnan(out).any()
        return out

    def v(self, v):
        return np.asarray(v)[self.perm]

    def back(self, tau):
        out = np.empty(self.model.nv)
        out[self.perm] = tau
        return out

    def back2(self, M):
        out = np.empty((self.model.nv, self.model.nv))
        out[np.ix_(self.perm, self.perm)] = M
        return out

    def forces(self, f_ext):
        """{body index: [n; f] in body axes} as Pinocchio's list, or None."""
        if f_ext is None:
            return None
        out = [pin.Force.Zero() for _ in range(self.robot.njoints)]
        for body, f in f_ext.items():
            out[self.joint[body]] = pin.Force(np.asarray(f[3:]), np.asarray(f[:3]))
        return out

    def rnea(self, q, qd, qdd, f_ext=None):
        args = self.robot, self.data, self.q(q), self.v(qd), self.v(qdd)
        return self.back(pin.rnea(*args) if f_ext is None else pin.rnea(*args, self.forces(f_ext)))

    def bias(self, q, qd):
        return self.back(pin.nonLinearEffects(self.robot, self.data, self.q(q), self.v(qd)))

    def gravity_torque(self, q):
        return self.back(pin.computeGeneralizedGravity(self.robot, self.data, self.q(q)))

    def crba(self, q):
        M = pin.crba(self.robot, self.data, self.q(q))
        return self.back2(np.triu(M) + np.triu(M, 1).T)

    def aba(self, q, qd, tau, f_ext=None):
        args = self.robot, self.data, self.q(q), self.v(qd), self.v(tau)
        return self.back(pin.aba(*args) if f_ext is None else pin.aba(*args, self.forces(f_ext)))

    def minv(self, q):
        M = pin.computeMinverse(self.robot, self.data, self.q(q))
        return self.back2(np.triu(M) + np.triu(M, 1).T)

    def poses(self, q):
        """World pose (R, p) of every body; entry 0 is the base."""
        pin.forwardKinematics(self.robot, self.data, self.q(q))
        return [(self.data.oMi[j].rotation.copy(), self.data.oMi[j].translation.copy()) for j in self.joint]


class MuJoCo:
    """MuJoCo's answers for a Model of revolute, prismatic and spherical joints, and free ones on the base."""

    def __init__(self, model):
        self.model = model
        self.engine = convert.to_mujoco(model)
        self.data = mujoco.MjData(self.engine)
        assert self.engine.nv == model.nv, f"nv {self.engine.nv} there, {model.nv} here"
        self.at = [None] + [self.engine.joint(name).id for name in model.joint_names[1:]]

    def _v(self, i):
        start = self.engine.jnt_dofadr[self.at[i]]
        return slice(start, start + self.model.joints[i].nv)

    def _state(self, q, qd, qdd):
        """Set their state; also the world rotation of each body on a free joint."""
        turns = {}
        for i in range(1, self.model.n_bodies + 1):
            joint, start = self.model.joints[i], self.engine.jnt_qposadr[self.at[i]]
            x, v, a = (
                np.asarray(y, float)[s[i]]
                for y, s in ((q, self.model.q_slice), (qd, self.model.v_slice), (qdd, self.model.v_slice))
            )
            if joint.kind == "spherical":
                x = np.r_[x[3], x[:3]]
            if joint.kind == "free":  # our pose is the joint's, theirs the world's
                R0, p0 = pose_of(np.asarray(self.model.XT[i], float))
                own, quat = np.empty(9), np.empty(4)
                mujoco.mju_quat2Mat(own, np.r_[x[6], x[3:6]])
                R = R0 @ own.reshape(3, 3)
                mujoco.mju_mat2Quat(quat, R.ravel())
                x = np.r_[p0 + R0 @ x[:3], quat]
                a = np.r_[R @ (a[3:] + np.cross(v[:3], v[3:])), a[:3]]  # classical acceleration there
                v = np.r_[R @ v[3:], v[:3]]
                turns[i] = R
            self.data.qpos[start : start + len(x)] = x
            self.data.qvel[self._v(i)] = v
            self.data.qacc[self._v(i)] = a
        return turns

    def _basis(self, turns):
        """B with v_here = B v_there, and so tau_there = Bᵀ tau_here."""
        B = np.zeros((self.model.nv, self.model.nv))
        for i in range(1, self.model.n_bodies + 1):
            block = np.eye(self.model.joints[i].nv)
            if i in turns:
                block = np.zeros((6, 6))
                block[:3, 3:], block[3:, :3] = np.eye(3), turns[i].T
            B[self.model.v_slice[i], self._v(i)] = block
        return B

    def rnea(self, q, qd, qdd, f_ext=None):
        B = self._basis(self._state(q, qd, qdd))
        mujoco.mj_inverse(self.engine, self.data)
        tau = self.data.qfrc_inverse.copy()
        for i, f in (f_ext or {}).items():
            body = self.engine.body(self.model.names[i]).id
            R, own = self.data.xmat[body].reshape(3, 3), np.zeros(self.engine.nv)
            force, torque = R @ np.asarray(f[3:]), R @ np.asarray(f[:3])
            mujoco.mj_applyFT(self.engine, self.data, force, torque, self.data.xpos[body], body, own)
            tau -= own
        return np.linalg.solve(B.T, tau)

    def crba(self, q):
        zero = np.zeros(self.model.nv)
        B = np.linalg.inv(self._basis(self._state(q, zero, zero)))
        mujoco.mj_forward(self.engine, self.data)
        M = np.zeros((self.engine.nv, self.engine.nv))
        for row, unit in zip(M, np.eye(self.engine.nv), strict=True):
            mujoco.mj_mulM(self.engine, self.data, row, unit)
        return B.T @ M @ B
