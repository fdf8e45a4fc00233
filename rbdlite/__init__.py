"""rbdlite: rigid-body dynamics algorithms that can be read, stepped and counted."""

import importlib

from . import robots
from .aba import aba, minv_times
from .coriolis import coriolis
from .crba import crba
from .errors import ModelError, SingularError, StateError, TraceError
from .integrate import integrate
from .joints import Joint, free, helical, planar, prismatic, revolute, spherical, turn_about
from .kinematics import (
    com,
    frame_pose,
    jacobian,
    kinetic_energy,
    poses,
    potential_energy,
    total_mass,
    transforms,
    velocities,
    wrench,
)
from .listing import listing
from .lock import held, lock
from .ltdl import ldlt, ltdl, ltdl_solve
from .minv import delassus, minv, operational_inertia
from .model import Model
from .regroup import regroup
from .rnea import bias, gravity_torque, mass_matrix_by_rnea, rnea
from .spatial import crf, crm, inertia, plucker, pose
from .terms import Terms, all_terms
from .trace import compare, trace, twin_source

__version__ = "0.1.0"

_LATER = {  # loaded when first used: not needed to compute
    "load_urdf": "urdf", "UrdfError": "urdf",
    "flops": "opcount", "compile": "codegen",
    "player": "widgets", "widgets": None, "expr": None, "opcount": None, "codegen": None, "hand": None,
    "convert": None, "selftest": None, "figures": None, "diagnose": None, "exercise": None, "mistakes": None,
}  # fmt: skip


def __getattr__(name):
    if name not in _LATER:
        raise AttributeError(f"module 'rbdlite' has no attribute {name!r}")
    module = importlib.import_module(f".{_LATER[name] or name}", __name__)
    return getattr(module, name) if _LATER[name] else module
