"""How the answers of the graded exercises are judged: numbers, functions, states, orders and words.

Each grader takes (answer, hint, **more) and returns (share of the points in 0..1, lines of text, ids of mistakes). The
lines are a list, or Told where a later hint holds more.
"""

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Exercise:
    """What `check` needs: points, and grade(answer, hint, **more, **options)."""

    points: int
    grade: Callable
    more: dict = field(default_factory=dict)


class Told(list):
    """Lines of text at one hint. more: the next hint that holds something new, or None."""

    def __init__(self, lines, more=None):
        super().__init__(lines)
        self.more = more


def told(say, hint):
    """Told of say(hint), lines of text for 1, 2 and 3."""
    here = say(hint)
    return Told(here, next((h for h in range(hint + 1, 4) if set(say(h)) - set(here)), None))
