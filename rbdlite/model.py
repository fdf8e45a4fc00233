"""A robot as data: a tree of bodies, frozen and checked.

Body 0 is the fixed base; body i in 1..n hangs on joint i from its parent λ(i) < i. Any topological numbering works.
"""

from functools import cached_property
from types import MappingProxyType

import numpy as np

from . import checks, configuration, pivots, scalars
from .errors import ModelError, StateError
from .joints import Joint
from .spatial import mass_com, plucker, pose
from .state import join, join_columns, join_matrix, prepare


class Model:
    """A frozen tree of rigid bodies. The arguments give one entry for each of the bodies 1..n.

    parent        body numbers, 0 is the base, parent < child
    joints        Joint for each body (rbd.revolute(axis), ...)
    placements    (R, p): pose of the joint frame in the parent body's frame (as a URDF origin)
    inertias      (6, 6) spatial inertia about the body frame (rbd.inertia(mass, com, J_com))
    names         body names; joint_names likewise (default: the body names)
    gravity       (3,) in base coordinates [m/s²]
    armature      nv numbers: rotor inertia reflected to each degree of freedom
    frames        {name: (body, R, p)}: named frames fixed to a body (0 = base), as links lumped over a fixed joint
    base_inertia  (6, 6) of what is bolted to the base: counts in masses, moves nothing

    Attributes with n + 1 entries (entry 0 is the base): parent, names, joint_names, joints, children, XT, S, I, Ir,
    mass, com, q_slice, v_slice. Raises ModelError naming the body or joint and the failed condition.
    """

    def __init__(self, parent, joints, placements, inertias, names=None, joint_names=None, gravity=(0, 0, -9.81),
                 armature=None, frames=None, base_inertia=None, base_name="base"):  # fmt: skip
        parent = checks.sequence("parent", parent)
        n = len(parent)
        joints, placements, inertias = (checks.sequence(what, x, n) for what, x in
                                        (("joints", joints), ("placements", placements), ("inertias", inertias)))
        names = [f"body{i}" for i in range(1, n + 1)] if names is None else checks.sequence("names", names, n)
        joint_names = names if joint_names is None else checks.sequence("joint_names", joint_names, n)
        names, joint_names = ([str(x) for x in group] for group in (names, joint_names))
        set_ = self.__dict__.update
        set_(n_bodies=n, names=(base_name, *names), joint_names=("", *joint_names))
        set_(parent=(-1, *(checks.parent(self, i, p) for i, p in enumerate(parent, 1))))
        for i, joint in enumerate(joints, 1):
            if not isinstance(joint, Joint):
                raise ModelError(f"{self.label(i)}: unknown joint type {joint!r}; use rbd.revolute(axis) and its like")
        set_(joints=(None, *joints), children=tuple([c for c in range(1, n + 1) if self.parent[c] == i]
                                                    for i in range(n + 1)))  # fmt: skip
        pairs = [checks.pair(self.label(i), pl) for i, pl in enumerate(placements, 1)]
        given = [gravity, [] if armature is None else armature, *inertias, *(y for pl in pairs for y in pl)]
        set_(_symbolic=any(checks.symbolic(x) for x in given))
        number = scalars.exact if self._symbolic else (lambda x: np.array(x, dtype=float))

        XT = [None] + [plucker(*checks.placement(self.label(i), pl, number)) for i, pl in enumerate(pairs, 1)]
        zero6 = number(np.zeros((6, 6)))
        base = zero6 if base_inertia is None else checks.rigid_inertia(f"base '{base_name}'", base_inertia, number)
        inertias = [checks.rigid_inertia(self.label(i), x, number) for i, x in enumerate(inertias, 1)]
        mass, com = zip(*(mass_com(x) for x in (base, *inertias)), strict=True)
        nq, nv = ([0] + [getattr(j, k) for j in joints] for k in ("nq", "nv"))
        set_(nq=sum(nq), nv=sum(nv), q_slice=_slices(nq), v_slice=_slices(nv))
        rotor = checks.armature(self, armature, number)
        set_(XT=XT, S=[number(np.zeros((6, 0)))] + [number(j.S) for j in joints], I=[zero6, *inertias],
             Ir=[np.diag(rotor[s]) if s.stop > s.start else rotor[:0].reshape(0, 0) for s in self.v_slice],
             armature=rotor, mass=mass, com=com, base_inertia=base,
             gravity=checks.vector3("gravity", gravity, number))  # fmt: skip
        set_(a0=-np.concatenate([zero6[0, :3], self.gravity])[:, None])
        set_(_frames=checks.frames(frames, number), regrouped=False)
        set_(outward=range(1, n + 1), inward=range(n, 0, -1), _index=checks.name_table(self))
        self._freeze()

    def _freeze(self):
        for name, value in self.__dict__.items():
            if isinstance(value, list):
                self.__dict__[name] = value = tuple(value)
            for x in value if isinstance(value, tuple) else [value]:
                if isinstance(x, np.ndarray):
                    x.flags.writeable = False

    def __setstate__(self, state):
        self.__dict__.update(state)
        self._freeze()

    def exchanged(self, **arrays):
        """An unchecked copy with other arrays (I=..., mass=...): symbols for numbers, inertia moved between bodies."""
        twin = self._copy(("_exact", "_float", "scale", "floor", "weightless"), arrays)
        twin._freeze()
        return twin

    def sized(self, **given):
        """A quick copy for one call, with a `scale` of its own: given, or made for the slides at q=_out_at."""
        return self._copy(("scale", "floor"), given)

    def _copy(self, stale, changes):
        twin = object.__new__(type(self))
        twin.__dict__.update({k: x for k, x in self.__dict__.items() if k not in stale}, **changes)
        return twin

    _out_at = None

    def __setattr__(self, name, value):
        raise AttributeError(f"a Model is frozen: build another one instead of setting {name}")

    def __repr__(self):
        return f"Model({self.n_bodies} bodies, nq = {self.nq}, nv = {self.nv})"

    def label(self, i):
        """'body 2 (forearm)': how errors call a body."""
        return f"body {i} ({self.names[i]})"

    def index(self, key):
        """Number of a body, given by its number, its name, its joint's name or a named frame on it."""
        if isinstance(key, (int, np.integer)) and not isinstance(key, bool):
            if 0 <= key <= self.n_bodies:
                return int(key)
            raise StateError(f"body {key} does not exist: bodies are 1..{self.n_bodies}, 0 is the base")
        if not isinstance(key, str):
            raise StateError(f"a body is given by its number or a name (text); got {key!r}")
        if self._index.get(key) is not None:
            return self._index[key]
        if key in self._index:
            raise StateError(f"{key!r} is the name of a joint and of another link; give the number of the body")
        known = ", ".join(repr(k) for k in list(self._index)[:40])
        raise StateError(f"no body, joint or frame is called {key!r}; known: {known}")

    @property
    def frames(self):
        """{name: (body, R, p)} of the named frames, read-only."""
        return MappingProxyType(self._frames)

    def is_frame(self, key):
        """Is this the name of a frame fixed to a body, and not of a body or joint?"""
        return key in self.frames and key not in self.joint_names

    @cached_property
    def quaternions(self):
        """Bodies whose joint has a quaternion as the last four entries of its q."""
        return configuration.quaternions(self)

    def neutral(self):
        """Configuration (nq,) with every joint at zero and every quaternion the identity."""
        return configuration.neutral(self)

    def random(self, rng):
        """A configuration (nq,) drawn with `rng`: lengths in ±1 m, angles in ±π, quaternions uniform."""
        return configuration.random(self, rng)

    def XJ(self, i, q):
        """Motion transform of joint i at q (..., nq_i, 1), without its placement: (..., 6, 6)."""
        return self.joints[i].XJ(q)

    @cached_property
    def weightless(self):
        """The same model without gravity: what M and its inverse are made with."""
        return self.exchanged(gravity=0 * self.gravity, a0=0 * self.a0)

    def replace(self, **changes):
        """A new model with some constructor arguments changed, e.g. model.replace(gravity=(0, 0, -1.62))."""
        if self.regrouped:
            raise ModelError("a regrouped model has no real bodies' inertias: change the model first, then regroup it")
        now = dict(parent=self.parent[1:], joints=self.joints[1:], placements=[pose(X) for X in self.XT[1:]],
                   inertias=self.I[1:], names=self.names[1:], joint_names=self.joint_names[1:], gravity=self.gravity,
                   armature=self.armature, frames=self.frames, base_inertia=self.base_inertia,
                   base_name=self.names[0])  # fmt: skip
        return Model(**{**now, **changes})

    def prepare(self, **state):
        """(model, q, qd, ...) for an algorithm: arguments checked and cut into one column (..., n_i, 1) for each body.

        Entry 0 is the base's. The model comes back with its constants in the kind of number of the arguments.
        f_ext=... gives wrenches, one column [n; f] for each body. Raises StateError (see `rbdlite.state`).
        """
        return prepare(self, state)

    def in_kind(self, kind):
        """The same model with its constants as "float" arrays, or "symbolic" ones (whole numbers kept whole)."""
        if kind == "symbolic":
            return self if self._symbolic else self._exact
        return self._float if self._symbolic else self

    @cached_property
    def _exact(self):
        return self._converted(scalars.exact, symbolic=True)

    @cached_property
    def _float(self):
        for name, x in (("placement", self.XT), ("inertia", self.I), ("armature", self.Ir)):
            for i in self.outward:
                if not all(scalars.is_number(e) for e in x[i].reshape(-1)):
                    raise StateError(f"the {name} of {self.label(i)} holds symbols: give symbolic states "
                                     "(or a model with numbers)")  # fmt: skip
        return self._converted(lambda x: np.array(x, dtype=float), symbolic=False)

    def _converted(self, number, symbolic):
        lists = {k: [None if x is None else number(x) for x in getattr(self, k)] for k in ("XT", "S", "I", "Ir")}
        arrays = {k: number(getattr(self, k)) for k in ("a0", "gravity", "armature", "base_inertia")}
        return self.exchanged(_symbolic=symbolic, **lists, **arrays)

    def inv(self, i, D):
        """D⁻¹ of joint i's block (..., nv_i, nv_i), or SingularError naming the joint (see `rbdlite.pivots`)."""
        return pivots.inverse(self, i, D)

    def inv_dof(self, k, D):
        """1 / D for the pivot D (...) of one degree of freedom, or SingularError naming its joint."""
        return pivots.inverse_dof(self, k, D)

    @cached_property
    def scale(self):
        """Upper estimate [nv] of what each degree of freedom could ever have to move: its subtree stretched out."""
        return pivots.scale(self, self._out_at)

    @cached_property
    def floor(self):
        """Pivots [nv] at or below these are nothing but rounding: the joint has nothing to move."""
        return [pivots.SINGULAR * x for x in self.scale]

    @cached_property
    def slides(self):
        """Bodies on a joint that can move away from a parent that moves too: how far out changes what is felt there."""
        return [i for i in self.outward if self.parent[i] and self.joints[i].S[3:].any()]

    @cached_property
    def dof_parent(self):
        """Parent of each degree of freedom (nv,), -1 for the base: a joint's later ones hang on its earlier ones."""
        out = []
        for i in self.outward:
            p = self.parent[i]
            while p > 0 and self.joints[p].nv == 0:
                p = self.parent[p]
            s = self.v_slice[i]
            out += [self.v_slice[p].stop - 1 if p > 0 else -1, *range(s.start, s.stop - 1)][: s.stop - s.start]
        return tuple(out)

    def join(self, blocks, like=()):
        """Per-body columns (..., nv_i, 1), entry 0 the base's, as one array (..., nv).

        like: columns (..., n_i, 1) whose batch axes the result must have, though it may not depend on them.
        """
        return join(self, blocks, like)

    def join_columns(self, blocks, like=()):
        """{(i, k): column (..., nv_i, 1)} of body i and degree of freedom k as one matrix (..., nv, nv)."""
        return join_columns(self, blocks, like)

    def join_matrix(self, blocks, like=()):
        """{(i, j): block (..., nv_i, nv_j)} as one matrix (..., nv, nv); what is not given is zero. like: see join."""
        return join_matrix(self, blocks, like)


def _slices(sizes):
    ends = np.cumsum(sizes).tolist()
    return tuple(slice(e - k, e) for e, k in zip(ends, sizes, strict=True))
