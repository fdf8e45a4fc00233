"""What an integrator's step is given as accel(q, q̇); a step may call what is in this file, and nothing else here."""

import numpy as np


def coupled(q, qd):
    """Two coordinates that pull at each other."""
    return np.array([-np.sin(q[0]) + 0.3 * qd[1], -2 * q[1] - 0.1 * qd[0] * q[0]])


def constant(q, qd):
    return np.array([1.0, -2.0])
