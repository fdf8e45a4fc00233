"""Ready-made models: planar arms for the hand calculations, random trees for tests, real robots as data."""

from .planar import double_pendulum, planar_arm, squared_paper_state, squared_paper_tree
from .trees import random_body, random_tree, renumbered

try:
    from .real import load, names
except ImportError:
    pass

__all__ = ["planar_arm", "squared_paper_tree", "squared_paper_state", "double_pendulum", "random_tree", "random_body",
           "renumbered", "load", "names"]  # fmt: skip
