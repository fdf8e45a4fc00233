"""A model's numbers in another library's order and axes: q, v, accelerations, joint forces, M and body forces."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ..errors import StateError
from ..kinematics import poses
from ..model import Model
from .vectors import classical, force_from, force_to, swap_halves, times


def _same(x):
    return x


@dataclass(frozen=True, eq=False)
class Rule:
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
