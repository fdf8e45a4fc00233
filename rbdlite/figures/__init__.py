"""Drawings of the chapters, as SVG in the colours of the step player. In text each is one sentence."""

from .frames import accelerations, walk_then_turn
from .power import power_of_a_force
from .svg import Drawing
from .trees import numberings, tree

__all__ = ["Drawing", "accelerations", "numberings", "power_of_a_force", "tree", "walk_then_turn"]
