"""What a model must satisfy; each failure names the body, joint or frame and the condition."""

from collections.abc import Mapping

import numpy as np

from . import scalars
from .errors import ModelError
from .spatial import inertia, mass_com, skew


def parent(model, i, p):
    if isinstance(p, bool) or not isinstance(p, (int, np.integer)):
        raise ModelError(f"{model.label(i)}: its parent must be a body number, got {p!r}")
    if not 0 <= p < i:
        raise ModelError(f"{model.label(i)}: its parent must come before it (0 is the base, so 0..{i - 1}); got {p}")
    return int(p)


def sequence(what, x, n=None):
    """x as a list, one entry for each body."""
    try:
        x = list(x)
    except TypeError:
        raise ModelError(f"{what} must be a list with one entry for each body; got {x!r}") from None
    if n is not None and len(x) != n:
        raise ModelError(f"{what} has {len(x)} entries, but parent has {n}: one for each body is needed")
    return x


def symbolic(x):
    """Does x hold anything but plain numbers? (What is no array at all is refused later, by name.)"""
    try:
        return np.asarray(x).dtype == object
    except (TypeError, ValueError):
        return False


def numbers(who, what, x, number):
    """number(x), or an error that says whose it is."""
    try:
        if np.iscomplexobj(x):
            raise TypeError
        return number(x)
    except (TypeError, ValueError):
        raise ModelError(f"{who}: {what} must hold numbers; got {x!r}") from None


def _finite(who, what, x):
    plain = x if x.dtype != object else np.array([float(e) for e in x.reshape(-1) if scalars.is_number(e)])
    if not np.isfinite(plain).all():
        raise ModelError(f"{who}: {what} holds a number that is not finite")


def _numeric(x):
    """x as floats if it holds plain numbers, else None (symbols cannot be checked)."""
    return np.array(x, dtype=float) if all(scalars.is_number(e) for e in np.asarray(x).reshape(-1)) else None


def vector3(who, x, number):
    x = numbers(who, "it", x, number)
    if x.shape != (3,):
        raise ModelError(f"{who} must be three numbers [m/s²]; got shape {x.shape}")
    _finite(who, "it", x)
    return x


def placement(who, pl, number):
    """(R, p) of a joint on its parent, or of a named frame on its body."""
    R, p = (numbers(who, "its placement", x, number) for x in pair(who, pl))
    if R.shape != (3, 3) or p.shape != (3,):
        raise ModelError(f"{who}: a placement is (R (3, 3), p (3,)); got shapes {R.shape}, {p.shape}")
    _finite(who, "its placement", R)
    _finite(who, "its placement", p)
    N = _numeric(R)
    if N is not None and (np.abs(N.T @ N - np.eye(3)).max() > 1e-6 or np.linalg.det(N) < 0):
        raise ModelError(f"{who}: the R of its placement is not a rotation (RᵀR ≠ 1 or det R = -1)")
    return R, p


def pair(who, pl):
    """A placement as two things, whatever they are."""
    if not isinstance(pl, (tuple, list)) or len(pl) != 2:
        raise ModelError(f"{who}: a placement is (R (3, 3), p (3,)); got {pl!r}")
    return pl


def frames(given, number):
    """{name: (body, R, p)} of the named frames."""
    out = {}
    if given is not None and not isinstance(given, Mapping):
        raise ModelError(f"frames must be a mapping {{name: (body, R (3, 3), p (3,))}}; got {type(given).__name__}")
    for name, frame in (given or {}).items():
        if not isinstance(frame, (tuple, list)) or len(frame) != 3:
            raise ModelError(f"frame {str(name)!r} must be (body, R (3, 3), p (3,)); got {frame!r}")
        if isinstance(frame[0], bool) or not isinstance(frame[0], (int, np.integer)):
            raise ModelError(f"frame {str(name)!r}: its body must be a number, 0 for the base; got {frame[0]!r}")
        out[str(name)] = (int(frame[0]), *placement(f"frame {str(name)!r}", frame[1:], number))
    return out


def rigid_inertia(who, I6, number):
    I6 = numbers(who, "its inertia", I6, number)
    if I6.shape != (6, 6):
        raise ModelError(f"{who}: a spatial inertia is 6 by 6 (rbd.inertia(mass, com, J_com)); got shape {I6.shape}")
    _finite(who, "its inertia", I6)
    N = _numeric(I6)
    if N is None:
        return I6
    scale = np.abs(N).max()
    m, c = mass_com(N)
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


def armature(model, given, number):
    """nv rotor inertias; zeros if none are given."""
    rotor = numbers("armature", "it", np.zeros(model.nv) if given is None else given, number)
    if rotor.shape != (model.nv,):
        raise ModelError(f"armature must have nv = {model.nv} entries, one for each degree of freedom; "
                         f"got shape {rotor.shape}")  # fmt: skip
    for i, s in enumerate(model.v_slice[1:], 1):
        N = _numeric(rotor[s])
        if N is not None and not ((N >= 0) & np.isfinite(N)).all():
            raise ModelError(f"joint {i} ({model.joint_names[i]}): armature must be a number ≥ 0; got {rotor[s]}")
    return rotor


def name_table(model):
    table = {}
    for who, names in (("body", model.names), ("joint", model.joint_names[1:])):
        seen = set()
        for i, name in enumerate(names, 0 if who == "body" else 1):
            if not isinstance(name, str) or not name:
                raise ModelError(f"{who} {i} must have a name, a text that is not empty; got {name!r}")
            if name in seen:
                many = "bodies" if who == "body" else "joints"
                raise ModelError(f"two {many} are called {name!r}; names must differ")
            seen.add(name)
            table[name] = i if table.get(name, i) == i else None  # None: a joint and another link, `index` refuses it
    for name, (body, _, _) in model.frames.items():
        if not 0 <= body <= model.n_bodies:
            raise ModelError(f"frame {name!r} sits on body {body}, which does not exist")
        if name in model.names:
            raise ModelError(f"frame {name!r} has the name of body {model.names.index(name)}; names must differ")
        table[name] = None if name in table else body
    return table
