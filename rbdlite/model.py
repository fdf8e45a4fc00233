"""A robot as data: a tree of bodies, frozen and checked.

Body 0 is the fixed base; body i in 1..n hangs on joint i from its parent λ(i) < i. Any topological numbering works.
"""

import copy
from collections.abc import Mapping
from functools import cached_property

import numpy as np

from . import scalars
from .errors import ModelError, StateError
from .joints import Joint
from .spatial import mass_com, plucker

UNIT_TOLERANCE = 1e-6  # |quaternion| may differ from 1 by this much; it is never normalised


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
        n = len(parent)
        for what, given in (("joints", joints), ("placements", placements), ("inertias", inertias),
                            ("names", names), ("joint_names", joint_names)):  # fmt: skip
            if given is not None and len(given) != n:
                raise ModelError(f"{what} has {len(given)} entries, but parent has {n}: one for each body is needed")
        names = [f"body{i}" for i in range(1, n + 1)] if names is None else [str(x) for x in names]
        joint_names = list(names) if joint_names is None else [str(x) for x in joint_names]
        set_ = self.__dict__.update
        set_(n_bodies=n, names=(base_name, *names), joint_names=("", *joint_names))
        set_(parent=(-1, *(_parent(self, i, p) for i, p in enumerate(parent, 1))))
        for i, joint in enumerate(joints, 1):
            if not isinstance(joint, Joint):
                raise ModelError(f"{self.label(i)}: unknown joint type {joint!r}; use rbd.revolute(axis) and its like")
        set_(joints=(None, *joints), children=tuple([c for c in range(1, n + 1) if self.parent[c] == i]
                                                    for i in range(n + 1)))  # fmt: skip
        raw = [np.asarray(x) for x in (*inertias, *(y for pl in placements for y in pl))]
        given = [gravity, *([] if armature is None else [armature]), *raw]
        self.__dict__["_symbolic"] = any(np.asarray(x).dtype == object for x in given)
        number = scalars.exact if self._symbolic else (lambda x: np.array(x, dtype=float))

        XT = [None] + [plucker(*_placement(self, i, pl, number)) for i, pl in enumerate(placements, 1)]
        zero6 = number(np.zeros((6, 6)))
        base = zero6 if base_inertia is None else _inertia(f"base '{base_name}'", base_inertia, number)
        inertias = [_inertia(self.label(i), x, number) for i, x in enumerate(inertias, 1)]
        mass, com = zip(*(mass_com(x) for x in (base, *inertias)), strict=True)
        nq, nv = ([0] + [getattr(j, k) for j in joints] for k in ("nq", "nv"))
        set_(nq=sum(nq), nv=sum(nv), q_slice=_slices(nq), v_slice=_slices(nv))
        rotor = _armature(self, armature, number)
        set_(XT=XT, S=[number(np.zeros((6, 0)))] + [number(j.S) for j in joints], I=[zero6, *inertias],
             Ir=[np.diag(rotor[s]) if s.stop > s.start else rotor[:0].reshape(0, 0) for s in self.v_slice],
             armature=rotor, mass=mass, com=com, base_inertia=base, gravity=_vector3("gravity", gravity, number))  # fmt: skip
        set_(a0=-np.concatenate([zero6[0, :3], self.gravity])[:, None])
        set_(frames={str(k): (int(b), number(R), number(p)) for k, (b, R, p) in (frames or {}).items()})
        set_(outward=range(1, n + 1), inward=range(n, 0, -1), _index=_name_table(self))
        for value in self.__dict__.values():
            for x in value if isinstance(value, list) else [value]:
                if isinstance(x, np.ndarray):
                    x.flags.writeable = False

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
        if self._index.get(key) is not None:
            return self._index[key]
        if key in self._index:
            raise StateError(f"{key!r} is the name of a joint and of another link; give the number of the body")
        known = ", ".join(repr(k) for k in list(self._index)[:40])
        raise StateError(f"no body, joint or frame is called {key!r}; known: {known}")

    def neutral(self):
        """Configuration (nq,) with every joint at zero and every quaternion the identity."""
        q = np.zeros(self.nq)
        for joint, s in zip(self.joints[1:], self.q_slice[1:], strict=True):
            if joint.kind in ("spherical", "free"):
                q[s.stop - 1] = 1.0
        return q

    def random(self, rng):
        """A configuration (nq,) drawn with `rng`: lengths in ±1 m, angles in ±π, quaternions uniform."""
        q = np.empty(self.nq)
        for joint, s in zip(self.joints[1:], self.q_slice[1:], strict=True):
            turns = joint.kind in ("revolute", "helical")
            q[s] = rng.uniform(-np.pi, np.pi, joint.nq) if turns else rng.uniform(-1, 1, joint.nq)
            if joint.kind == "planar":
                q[s.stop - 1] *= np.pi
            if joint.kind in ("spherical", "free"):
                unit = rng.normal(size=4)
                q[s.stop - 4 : s.stop] = unit / np.linalg.norm(unit)
        return q

    def XJ(self, i, q):
        """Motion transform of joint i at q (..., nq_i, 1), without its placement: (..., 6, 6)."""
        return self.joints[i].XJ(q)

    def replace(self, **changes):
        """A new model with some constructor arguments changed, e.g. model.replace(gravity=(0, 0, 0))."""
        from .spatial import pose

        now = dict(parent=self.parent[1:], joints=self.joints[1:], placements=[pose(X) for X in self.XT[1:]],
                   inertias=self.I[1:], names=self.names[1:], joint_names=self.joint_names[1:], gravity=self.gravity,
                   armature=self.armature, frames=self.frames, base_inertia=self.base_inertia,
                   base_name=self.names[0])  # fmt: skip
        return Model(**{**now, **changes})

    # -- from a user's arrays to per-body columns, and back ------------------------------------------------------------

    def prepare(self, *, f_ext=None, **state):
        """(model, q, qd, ..., f_ext) for an algorithm: arguments checked and cut into one column for each body.

        The model comes back with its constants in the kind of number of the arguments. f_ext is returned last, if the
        caller passes it. Raises StateError naming the argument, the body or joint, and what was expected.
        """
        return self._prepare(state, f_ext)[:-1]

    def prepare_forced(self, *, f_ext=None, **state):
        """As prepare, with the external forces, one column [n; f] for each body (index 0: the base), at the end."""
        return self._prepare(state, f_ext)

    def _prepare(self, state, f_ext):
        arrays = {name: _state_array(name, x) for name, x in state.items()}
        forces = {} if f_ext is None else self._forces(f_ext)
        kind = scalars.kind(*arrays.values(), *forces.values())
        model = self._in_kind(kind)
        columns = []
        for name, x in arrays.items():
            size, slices = (self.nq, self.q_slice) if name == "q" else (self.nv, self.v_slice)
            if x.ndim == 0 or x.shape[-1] != size:
                raise StateError(f"{name} must have {size} entries (n{'q' if name == 'q' else 'v'}) on its last axis "
                                 f"for this model; got shape {tuple(x.shape)}")  # fmt: skip
            if kind == "float":
                self._check_values(name, x, slices)
            elif kind == "symbolic":
                x = scalars.exact(x)
            columns.append([x[..., s, None] for s in slices])
        return (model, *columns, model._force_columns(forces, kind))

    def _in_kind(self, kind):
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
        twin = copy.copy(self)
        twin.__dict__.update(_symbolic=symbolic, **{k: [None if x is None else number(x) for x in getattr(self, k)]
                                                   for k in ("XT", "S", "I", "Ir")})  # fmt: skip
        twin.__dict__.update({k: number(getattr(self, k)) for k in ("a0", "gravity", "armature", "base_inertia")})
        return twin

    def _check_values(self, name, x, slices):
        if not np.isfinite(x).all():
            bad = int(np.flatnonzero(~np.isfinite(x).reshape(-1, x.shape[-1]).all(axis=0))[0])
            i = next(i for i in self.outward if slices[i].start <= bad < slices[i].stop)
            raise StateError(f"{name}[{bad}], of joint {i} ({self.joint_names[i]}), is not a finite number")
        if name != "q":
            return
        for i in self._quaternions:
            s = slices[i]
            length = np.linalg.norm(x[..., s.stop - 4 : s.stop], axis=-1)
            if np.any(np.abs(length - 1) > UNIT_TOLERANCE):
                worst = np.max(np.abs(length - 1))
                raise StateError(f"the quaternion (x, y, z, w) of joint {i} ({self.joint_names[i]}) in q must have "
                                 f"length 1; it is off by {worst:.3g}, and is never normalised for you")  # fmt: skip

    @cached_property
    def _quaternions(self):
        return [i for i in self.outward if self.joints[i].kind in ("spherical", "free")]

    def _forces(self, f_ext):
        if not isinstance(f_ext, Mapping):
            if len(f_ext) != self.n_bodies + 1:
                raise StateError(f"f_ext as a list needs {self.n_bodies + 1} wrenches, the base's first; "
                                 f"got {len(f_ext)}. A mapping {{name: [n; f]}} is the safer way")  # fmt: skip
            f_ext = dict(enumerate(f_ext))
        forces = {}
        for key, w in f_ext.items():
            i, w = self.index(key), _state_array(f"f_ext[{key!r}]", w)
            if w.ndim == 0 or w.shape[-1] != 6:
                raise StateError(f"f_ext[{key!r}] must be [n; f], 6 entries on the last axis; got shape {w.shape}")
            if scalars.kind(w) == "float" and not np.isfinite(w).all():
                raise StateError(f"f_ext[{key!r}], on {self.label(i)}, holds a number that is not finite")
            forces[key] = w
        return forces

    def _force_columns(self, forces, kind):
        number = scalars.exact if kind == "symbolic" else (lambda x: x)
        columns = [number(np.zeros((6, 1)))] * (self.n_bodies + 1)
        for key, w in forces.items():
            i, column = self.index(key), number(w)[..., None]
            if key in self.frames and key not in self.names and key not in self.joint_names:
                column = plucker(*self.frames[key][1:]).mT @ column
            columns[i] = columns[i] + column
        return columns

    def join(self, blocks):
        """Per-body columns (..., nv_i, 1), entry 0 the base's, as one array (..., nv)."""
        return scalars.stack_rows(blocks[1:]) if self.n_bodies else np.zeros(0)


def _state_array(name, x):
    try:
        return scalars.as_array(x)
    except (TypeError, ValueError) as error:
        raise StateError(f"{name} must be an array of numbers: {error}") from None


def _slices(sizes):
    ends = np.cumsum(sizes).tolist()
    return tuple(slice(e - k, e) for e, k in zip(ends, sizes, strict=True))


def _parent(model, i, p):
    if isinstance(p, bool) or not isinstance(p, (int, np.integer)):
        raise ModelError(f"{model.label(i)}: its parent must be a body number, got {p!r}")
    if not 0 <= p < i:
        raise ModelError(f"{model.label(i)}: its parent must come before it (0 is the base, so 0..{i - 1}); got {p}")
    return int(p)


def _finite(who, what, x):
    if x.dtype != object and not np.isfinite(x).all():
        raise ModelError(f"{who}: {what} holds a number that is not finite")


def _numeric(x):
    """x as floats if it holds plain numbers, else None (symbols cannot be checked)."""
    return np.array(x, dtype=float) if all(scalars.is_number(e) for e in np.asarray(x).reshape(-1)) else None


def _vector3(who, x, number):
    x = number(x)
    if x.shape != (3,):
        raise ModelError(f"{who} must be three numbers [m/s²]; got shape {x.shape}")
    _finite(who, "it", x)
    return x


def _placement(model, i, pl, number):
    R, p = (number(x) for x in pl)
    if R.shape != (3, 3) or p.shape != (3,):
        raise ModelError(f"{model.label(i)}: a placement is (R (3, 3), p (3,)); got shapes {R.shape}, {p.shape}")
    _finite(model.label(i), "its placement", R)
    _finite(model.label(i), "its placement", p)
    N = _numeric(R)
    if N is not None and (np.abs(N.T @ N - np.eye(3)).max() > 1e-6 or np.linalg.det(N) < 0):
        raise ModelError(f"{model.label(i)}: the R of its placement is not a rotation (RᵀR ≠ 1 or det R = -1)")
    return R, p


def _inertia(who, I6, number):
    I6 = number(I6)
    if I6.shape != (6, 6):
        raise ModelError(f"{who}: a spatial inertia is 6 by 6 (rbd.inertia(mass, com, J_com)); got shape {I6.shape}")
    _finite(who, "its inertia", I6)
    N = _numeric(I6)
    if N is None:
        return I6
    scale = np.abs(N).max()
    m, c = mass_com(N)
    from .spatial import inertia, skew

    J = N[:3, :3] - m * skew(c[:, None]) @ skew(c[:, None]).T
    if m < 0:
        raise ModelError(f"{who}: mass must not be negative; got {m:g} kg")
    if m == 0 and scale > 0:
        raise ModelError(f"{who}: mass is zero but its inertia is not; a massless link must have no inertia at all")
    tolerance = 1e-9 * scale
    if np.abs(N - inertia(m, c, J)).max() > tolerance or np.abs(N - N.T).max() > tolerance:
        raise ModelError(f"{who}: the 6 by 6 matrix is not a rigid body's inertia (blocks J, m c×, m 1); "
                         "build it with rbd.inertia(mass, com, J_com)")  # fmt: skip
    moments = np.linalg.eigvalsh((J + J.T) / 2)
    if moments[0] < -tolerance:
        raise ModelError(f"{who}: rotational inertia about the centre of mass has a negative principal moment; "
                         f"principal moments are {moments}")  # fmt: skip
    if moments[0] + moments[1] < moments[2] - tolerance:
        raise ModelError(f"{who}: rotational inertia breaks the triangle inequality (no principal moment may exceed "
                         f"the sum of the other two); principal moments are {moments}")  # fmt: skip
    return I6


def _armature(model, armature, number):
    rotor = number(np.zeros(model.nv) if armature is None else armature)
    if rotor.shape != (model.nv,):
        raise ModelError(f"armature must have nv = {model.nv} entries, one for each degree of freedom; "
                         f"got shape {rotor.shape}")  # fmt: skip
    for i, s in enumerate(model.v_slice[1:], 1):
        N = _numeric(rotor[s])
        if N is not None and not (N >= 0).all():
            raise ModelError(f"joint {i} ({model.joint_names[i]}): armature must be a number ≥ 0; got {rotor[s]}")
    return rotor


def _name_table(model):
    table = {}
    for who, names in (("body", model.names), ("joint", model.joint_names[1:])):
        seen = set()
        for i, name in enumerate(names, 0 if who == "body" else 1):
            if name in seen:
                raise ModelError(f"two {'bodies' if who == 'body' else 'joints'} are called {name!r}; names must differ")
            seen.add(name)
            table[name] = i if table.get(name, i) == i else None  # None: a joint and another link, `index` refuses it
    for name, (body, _, _) in model.frames.items():
        if not 0 <= body <= model.n_bodies:
            raise ModelError(f"frame {name!r} sits on body {body}, which does not exist")
        if name in model.names:
            raise ModelError(f"frame {name!r} has the name of body {model.names.index(name)}; names must differ")
        table[name] = None if name in table else body
    return table
