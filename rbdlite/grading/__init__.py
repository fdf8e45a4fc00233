"""How the answers of the graded exercises are judged: numbers, functions, states, orders and words.

Each grader takes (answer, hint, **more) and returns (share of the points in 0..1, lines of text, ids of mistakes).
"""

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Exercise:
    """What `check` needs: points, and grade(answer, hint, **more, **options)."""

    points: int
    grade: Callable
    more: dict = field(default_factory=dict)
