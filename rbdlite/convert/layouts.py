"""What q, v, accelerations, joint forces and body forces look like in Pinocchio, MuJoCo and Drake."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ..errors import StateError
from ..integrate import quat_product
from ..kinematics import poses
from ..model import Model
from ..spatial import pose
from .vectors import blocks, classical, force_from, force_to, quaternion_of, rotation, swap_halves, times, wxyz, xyzw


def _same(x):
    return x


@dataclass(frozen=True, eq=False)
class _Rule:
    """One joint in another library: its q there and back, and B(q) with v_there = B v_here."""

    nq: int
    q: Callable = _same
    q_back: Callable = _same
    B: Callable | None = None  # of our q of that joint; None: the identity
    classical: bool = False  # accelerations there are those of a point


@dataclass(frozen=True, eq=False)
class Layout:
    """The numbers of one model as another library wants them. order: our joint numbers in the order used there.

    v there = B(q) v here, and power is the same in both, so joint forces there are B⁻ᵀ tau, and M there is B⁻ᵀ M B⁻¹.
    """

    library: str
    model: Model
    order: tuple
    rules: dict = field(repr=False)

    def q(self, q):
        """Configuration (..., nq) -> theirs."""
        q = self.model.prepare(q=q)[1]
        return np.concatenate([self.rules[i].q(q[i][..., 0]) for i in self.order] or [np.zeros(0)], -1)

    def q_back(self, theirs):
        """Their configuration -> ours (..., nq)."""
        sizes = [self.rules[i].nq for i in self.order]
        theirs = np.asarray(theirs, dtype=float)
        if theirs.ndim == 0 or theirs.shape[-1] != sum(sizes):
            raise StateError(f"q in {self.library}'s layout has {sum(sizes)} entries for this model; "
                             f"got shape {theirs.shape}")  # fmt: skip
        parts = dict(zip(self.order, np.split(theirs, np.cumsum(sizes)[:-1], -1), strict=True)) if sizes else {}
        q = np.concatenate([self.rules[i].q_back(parts[i]) for i in self.model.outward] or [np.zeros(0)], -1)
        self.model.prepare(q=q)
        return q

    def B(self, q):
        """B (..., nv, nv) with v_there = B v_here."""
        q, row = self.model.prepare(q=q)[1], 0
        batch = np.broadcast_shapes(*(q[i].shape[:-2] for i in self.order)) if self.order else ()
        out = np.zeros((*batch, self.model.nv, self.model.nv))
        for i in self.order:
            nv, rule = self.model.joints[i].nv, self.rules[i]
            out[..., row : row + nv, self.model.v_slice[i]] = np.eye(nv) if rule.B is None else rule.B(q[i][..., 0])
            row += nv
        return out

    def v(self, q, v):
        """Velocity (..., nv) -> theirs."""
        return times(self.B(q), v)

    def v_back(self, q, theirs):
        """Their velocity -> ours."""
        return times(np.linalg.inv(self.B(q)), theirs)

    def a(self, q, v, a):
        """Acceleration (..., nv) -> the derivative of their v."""
        return times(self.B(q), np.asarray(a, dtype=float) + self._gap(v))

    def a_back(self, q, v, theirs):
        """The derivative of their v -> our acceleration. v is ours."""
        return times(np.linalg.inv(self.B(q)), theirs) - self._gap(v)

    def tau(self, q, tau):
        """Joint forces (..., nv) -> theirs."""
        return times(np.linalg.inv(self.B(q)).mT, tau)

    def tau_back(self, q, theirs):
        """Their joint forces -> ours."""
        return times(self.B(q).mT, theirs)

    def matrix(self, q, M):
        """Joint-space inertia matrix (..., nv, nv) -> theirs."""
        inv = np.linalg.inv(self.B(q))
        return inv.mT @ M @ inv

    def matrix_back(self, q, theirs):
        """Their joint-space inertia matrix -> ours."""
        B = self.B(q)
        return B.mT @ theirs @ B

    def _gap(self, v):
        """Classical less spatial acceleration, in our order, for the joints where they keep the classical one."""
        v = np.asarray(v, dtype=float)
        gap = np.zeros(v.shape)
        for i in self.order:
            if self.rules[i].classical:
                s = self.model.v_slice[i]
                w = v[..., s]
                if self.model.joints[i].kind == "planar":
                    gap[..., s] = np.stack([0 * w[..., 0], -w[..., 0] * w[..., 2], w[..., 0] * w[..., 1]], -1)
                else:
                    gap[..., s] = classical(w, 0 * w)
        return gap

    def force(self, q, body, f):
        """[n; f] on a body, in its coordinates (an entry of f_ext) -> the six numbers that library takes.

        Pinocchio: fext[joint] = [f; n], body axes and origin. MuJoCo: xfrc_applied[body] = [f; n], world axes, at the
        body's centre of mass. Drake: SpatialForce [n; f], world axes, at the body's origin.
        """
        if self.library == "Pinocchio":
            return swap_halves(f)
        moved = force_to(self.model, q, body, f, "hybrid")
        return moved if self.library == "Drake" else swap_halves(_shift(moved, self._arm(q, body)))

    def force_back(self, q, body, theirs):
        """Their six numbers -> an entry of f_ext."""
        if self.library == "Pinocchio":
            return swap_halves(theirs)
        if self.library == "MuJoCo":
            theirs = _shift(swap_halves(theirs), -self._arm(q, body))
        return force_from(self.model, q, body, theirs, "hybrid")

    def _arm(self, q, body):
        i = self.model.index(body)
        return poses(self.model, q)[i][0] @ np.asarray(self.model.com[i], dtype=float)


def _shift(f, r):
    """[n; f] about a point r away."""
    return np.concatenate([f[..., :3] - np.cross(r, f[..., 3:]), f[..., 3:]], -1)


def _layout(library, model, order, rule):
    names = [str(x) for x in (model.joint_names[1:] if order is None else order)]
    odd = sorted(set(names) ^ set(model.joint_names[1:]))
    if odd or len(names) != model.n_bodies:
        raise StateError(f"order must list each of the {model.n_bodies} joints once, as the model names them; "
                         f"wrong or missing: {odd or 'a name given twice'}")  # fmt: skip
    numbers = tuple(model.joint_names.index(name) for name in names)
    return Layout(library, model, numbers, {i: rule(i, model.joints[i]) for i in numbers})


def _refuse(library, model, i, joint, why):
    raise StateError(f"joint {i} ({model.joint_names[i]}) is {joint.kind}; {library} {why}")


def _rows(rows):
    """A constant B: entry k of the result is entry rows[k] of ours."""
    B = np.eye(len(rows))[list(rows)]
    return lambda q: B


def _cos_sin(x):
    return np.concatenate([np.cos(x), np.sin(x)], -1)


def pinocchio(model, order=None, continuous=()):
    """Layout of Pinocchio: [v; ω] of a free joint, linear first, body axes; quaternion (x, y, z, w).

    order: joint names as there, e.g. robot.names[1:]. continuous: names of the joints that Pinocchio stores as
    (cos θ, sin θ), as it does for URDF's "continuous"; back-conversion gives θ in (-π, π].
    """
    for name in continuous:
        if name not in model.joint_names[1:] or model.joints[model.joint_names.index(name)].kind != "revolute":
            raise StateError(f"continuous: {name!r} is not a revolute joint of this model")

    def rule(i, joint):
        if model.joint_names[i] in continuous:
            return _Rule(2, _cos_sin, lambda x: np.arctan2(x[..., 1:], x[..., :1]))
        if joint.kind == "free":
            return _Rule(7, B=_rows([3, 4, 5, 0, 1, 2]))
        if joint.kind == "planar":
            return _Rule(4, lambda x: np.concatenate([x[..., :2], _cos_sin(x[..., 2:])], -1),
                         lambda x: np.concatenate([x[..., :2], np.arctan2(x[..., 3:], x[..., 2:3])], -1),
                         _rows([1, 2, 0]))  # fmt: skip
        return _Rule(joint.nq)

    return _layout("Pinocchio", model, order, rule)


def mujoco(model, order=None):
    """Layout of MuJoCo: quaternion (w, x, y, z); a free joint's pose is the world's, its velocity [v in world axes;
    ω in body axes], and its acceleration the derivative of that. Planar and helical joints do not exist there."""

    def rule(i, joint):
        if joint.kind == "spherical":
            return _Rule(4, wxyz, xyzw)
        if joint.kind in ("planar", "helical"):
            _refuse("MuJoCo", model, i, joint, "has hinge, slide, ball and free joints only")
        if joint.kind != "free":
            return _Rule(joint.nq)
        if model.parent[i] != 0:
            _refuse("MuJoCo", model, i, joint, "has free joints only between a body and the world")
        R0, p0 = pose(np.asarray(model.XT[i], dtype=float))
        turn = quaternion_of(R0)
        back = turn * [-1, -1, -1, 1]

        def q(x):
            return np.concatenate([p0 + times(R0, x[..., :3]), wxyz(quat_product(turn, x[..., 3:]))], -1)

        def q_back(x):
            return np.concatenate([times(R0.T, x[..., :3] - p0), quat_product(back, xyzw(x[..., 3:]))], -1)

        def B(x):
            return blocks(np.zeros((3, 3)), R0 @ rotation(x[..., 3:]), np.eye(3), np.zeros((3, 3)))

        return _Rule(7, q, q_back, B, classical=True)

    return _layout("MuJoCo", model, order, rule)


def drake(model, order=None):
    """Layout of Drake: a quaternion floating joint has q = (w, x, y, z, position) and v = [ω; v], both in the axes of
    the frame it moves in (the world); a planar joint likewise (x, y, θ) and (ẋ, ẏ, θ̇). A ball joint has no quaternion
    there and is refused. Drake's screw pitch is metres per turn, ours metres per radian; q is the same angle."""

    def rule(i, joint):
        if joint.kind == "spherical":
            _refuse("Drake", model, i, joint, "describes ball joints by three angles, not by a quaternion")
        if joint.kind == "planar":
            def planar_B(x):
                c, s, o, one = np.cos(x[..., 2]), np.sin(x[..., 2]), 0 * x[..., 2], 1 + 0 * x[..., 2]
                return np.stack([np.stack(r, -1) for r in ((o, c, -s), (o, s, c), (one, o, o))], -2)

            return _Rule(3, B=planar_B, classical=True)
        if joint.kind != "free":
            return _Rule(joint.nq)

        def B(x):
            R = rotation(x[..., 3:])
            return blocks(R, np.zeros((3, 3)), np.zeros((3, 3)), R)

        return _Rule(7, lambda x: np.concatenate([wxyz(x[..., 3:]), x[..., :3]], -1),
                     lambda x: np.concatenate([x[..., 4:], xyzw(x[..., :4])], -1), B, classical=True)  # fmt: skip

    return _layout("Drake", model, order, rule)


def depth_first(model):
    """Joint names in depth-first order: the order in which to build a Pinocchio model."""
    out, todo = [], list(reversed(model.children[0]))
    while todo:
        i = todo.pop()
        out.append(model.joint_names[i])
        todo.extend(reversed(model.children[i]))
    return out
