"""To and from the conventions of Pinocchio, MuJoCo, Drake and Modern Robotics.

`pinocchio(model)`, `mujoco(model)` and `drake(model)` return a `Layout`, which turns q, v, accelerations, joint
forces, M and body forces into that library's numbers and back. Modern Robotics describes a robot by screws:
`from_screws`, `to_screws`, `ftip`, `from_ftip`. Gravity is the same 3-vector in all five: it points down.
`to_pinocchio(model)` and `to_mujoco(model)` build the robot there; they alone import that library.
Floats, single states or batches. What only reorders numbers is exact there and back.
"""

from .build import to_mujoco, to_pinocchio
from .layouts import Layout
from .libraries import depth_first, drake, mujoco, pinocchio
from .screws import from_ftip, from_screws, ftip, to_screws
from .vectors import (
    classical,
    force_from,
    force_to,
    motion_from,
    motion_to,
    spatial,
    swap_halves,
    wxyz,
    xyzw,
)

__all__ = ["Layout", "depth_first", "drake", "mujoco", "pinocchio", "from_ftip", "from_screws", "ftip", "to_screws",
           "to_mujoco", "to_pinocchio", "classical", "force_from", "force_to", "motion_from", "motion_to", "spatial",
           "swap_halves", "wxyz", "xyzw"]  # fmt: skip
