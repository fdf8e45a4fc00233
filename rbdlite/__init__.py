"""rbdlite: rigid-body dynamics algorithms that can be read, stepped and counted."""

from . import robots
from .errors import ModelError, SingularError, StateError, TraceError, UrdfError
from .joints import Joint, free, helical, planar, prismatic, revolute, spherical, turn_about
from .model import Model
from .rnea import bias, gravity_torque, mass_matrix_by_rnea, rnea
from .spatial import crf, crm, inertia, plucker, pose
from .urdf import load_urdf

__version__ = "0.1.0"
