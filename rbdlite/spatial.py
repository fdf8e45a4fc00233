"""Spatial (6D) vectors: angular part first, Featherstone's conventions.

Motions are columns [ω; v], forces are columns [n; f], both in body coordinates about the body's origin.
Columns have shape (..., 6, 1), matrices (..., 6, 6).
Source: Featherstone, Rigid Body Dynamics Algorithms (2008), ch. 2.
"""

import numpy as np

from .errors import ModelError
from .scalars import as_array, constant, exact, fit, is_zero, plain

_EPS = np.zeros((3, 3, 3), dtype=int)  # a × b = (_EPS @ a) b
for _i, _j, _k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
    _EPS[_i, _k, _j] = 1
    _EPS[_k, _i, _j] = -1

_CRM = np.zeros((6, 6, 6), dtype=int)  # crm(v) = _CRM @ v
_CRM[:3, :3, :3] = _CRM[3:, :3, 3:] = _CRM[3:, 3:, :3] = _EPS

_ROT = np.zeros((6, 6, 3, 3), dtype=int)  # E on both diagonal blocks
for _i in range(3):
    for _j in range(3):
        _ROT[_i, _j, _i, _j] = _ROT[_i + 3, _j + 3, _i, _j] = 1

_LOW = np.zeros((6, 6, 3), dtype=int)  # -r× in the lower left block
_LOW[3:, :3, :] = -_EPS

CRM = constant(_CRM.reshape(36, 6))
CRF = constant(-_CRM.transpose(1, 0, 2).reshape(36, 6))
SKEW = constant(_EPS.reshape(9, 3))
ROT = constant(_ROT.reshape(36, 9))
LOW = constant(_LOW.reshape(36, 3))
ONE6 = constant(np.eye(6))
_VEE = ..., np.array([2, 0, 1]), np.array([1, 2, 0])  # where a× holds a
_MOMENT = ..., np.array([2, 0, 1]), np.array([4, 5, 3])  # where a spatial inertia holds m c


def skew(a):
    """The matrix a× with a× b = a × b; a (..., 3, 1) -> (..., 3, 3)."""
    return (fit(SKEW, a) @ a).reshape(*a.shape[:-2], 3, 3)


def cross(a, b):
    """a × b of plain vectors (..., 3), batch axes broadcast."""
    return (skew(a[..., None]) @ b[..., None])[..., 0]


def crm(v):
    """v× for motions: crm(v) @ m is the rate of a motion m carried along at velocity v; (..., 6, 1) -> (..., 6, 6)."""
    return (fit(CRM, v) @ v).reshape(*v.shape[:-2], 6, 6)


def crf(v):
    """v×* for forces, -crm(v)ᵀ: the rate of a force (or momentum) carried along at velocity v."""
    return (fit(CRF, v) @ v).reshape(*v.shape[:-2], 6, 6)


def rot6(E):
    """Motion transform of a turn: E (..., 3, 3) takes old axes to new ones -> (..., 6, 6)."""
    return (fit(ROT, E) @ E.reshape(*E.shape[:-2], 9, 1)).reshape(*E.shape[:-2], 6, 6)


def xlt6(r):
    """Motion transform of a shift of the origin by r (..., 3, 1), in the old axes -> (..., 6, 6)."""
    return fit(ONE6, r) + (fit(LOW, r) @ r).reshape(*r.shape[:-2], 6, 6)


def plucker(R, p):
    """X of a frame whose pose in its parent is (R, p): motions in parent coordinates -> in its own.

    R (3, 3) holds the frame's axes as columns, p (3,) its origin, both in parent coordinates (a URDF origin).
    """
    R, p = as_array(R), as_array(p)
    return rot6(R.mT) @ xlt6(p[..., None])


def pose(X):
    """(R, p) of a frame in its parent, read out of X; the inverse of `plucker`."""
    E = X[..., :3, :3]
    return E.mT, (-E.mT @ X[..., 3:, :3])[_VEE]


def inertia(mass, com=(0, 0, 0), J_com=((0, 0, 0), (0, 0, 0), (0, 0, 0))):
    """Spatial inertia (6, 6) about the body's origin, in body axes.

    mass [kg]; com (3,): centre of mass in the body frame [m]; J_com (3, 3) or three diagonal entries: rotational
    inertia about the centre of mass, body axes [kg m²]. SymPy entries stay exact. Raises ModelError for what is no
    number, or not of these shapes; `Model` judges whether a body can have them.
    """
    try:
        m, c, J = (plain(x) if x.dtype == object else x for x in map(as_array, (mass, com, J_com)))
    except (TypeError, ValueError) as error:
        raise ModelError(f"inertia needs numbers: a mass, com (3,) and J_com (3,) or (3, 3); {error}") from None
    if m.shape != () or c.shape != (3,) or J.shape not in ((3,), (3, 3)):
        raise ModelError(
            f"inertia needs a number, com (3,) and J_com (3,) or (3, 3); got shapes {m.shape}, {c.shape}, {J.shape}"
        )
    one = np.eye(3)
    if any(x.dtype == object for x in (m, c, J)):
        m, c, J, one = (exact(x) for x in (m, c, J, one))
    J = np.diag(J) if J.ndim == 1 else J
    m, cx = m[()], skew(c[:, None])
    return np.block([[J + m * (cx @ cx.T), m * cx], [m * cx.T, m * one]])


def first_moment(I6):
    """m c (..., 3) [kg m], out of a spatial inertia (..., 6, 6)."""
    return I6[_MOMENT]


def mass_com(I6):
    """(mass, com) of a rigid body's spatial inertia; the com of a massless body is its origin."""
    m, h = I6[5, 5], first_moment(I6)
    return m, (h if is_zero(m) else h / m)
