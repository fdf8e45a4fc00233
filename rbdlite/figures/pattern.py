"""Pictures of matrices of joints: what a column of M or of its inverse means, which entries are there."""

import numpy as np

from ..aba import aba
from ..crba import crba
from .cut import _ends
from .svg import Paper, drawing, line, number, text


def _arm(paper, model, q, moved, values, strong):
    """The arm, the same arm a little later (dashed), and a number at each hinge."""
    here = _ends(model, q)
    parts = [paper.link(a, b) for a, b in reversed(here)]
    parts += [line(paper(a), paper(b), "message", 2.5, "5 4") for a, b in _ends(model, moved)]
    for i, (a, b) in enumerate(here, 1):
        row = sum(np.allclose(here[k - 1][0], a) for k in range(1, i))  # hinges at one place: numbers below each other
        last = not model.parent[i]
        at = paper(a) + ([-8, 28] if last else [14, 22 + 19 * row])
        parts.append(text(at, f"{i}: {values[i - 1]}", "current" if i == strong else "ink", bold=i == strong))
        parts.append(text((paper(a) + paper(b)) / 2 + [0, 5], str(i), "ink2", "middle", bold=True))
    return parts


def columns(model, q, k, turn=20, scale=96):
    """Column k of M beside column k of M⁻¹ of an arm on squared paper (k from 1): two experiments, drawn -> Drawing.

    Left: joint k accelerates by 1, motors hold the others; numbers are torques. Right: motor k gives 1, the others are
    silent; numbers are accelerations. Dashed: the arm a little later, turned by at most `turn` degrees a joint. scale:
    pixels per metre.
    """
    q, unit, still = np.asarray(q, float), np.eye(model.nv)[k - 1], np.zeros(model.nv)
    torque = crba(model, q) @ unit
    answer = aba(model.replace(gravity=(0, 0, 0)), q, still, unit)
    grow = np.radians(turn)
    moves = [q + grow * unit, q + grow * answer / np.abs(answer).max()]
    points = np.array([p for x in [q, *moves] for pair in _ends(model, x) for p in pair])
    low, high = points.min(axis=0) - (0.45, 0.35), points.max(axis=0) + (0.75, 0.2)
    titles = f"joint {k} accelerates, the others are held", f"motor {k} pushes, the others are free"
    parts, left = [], 0
    for title, moved, values in zip(titles, moves, (torque, answer), strict=True):
        paper = Paper((low[0], high[0]), (low[1], high[1]), scale, left, 26)
        parts += [paper.grid(), text((left + 4, 18), title, bold=True)]
        parts += _arm(paper, model, q, moved, [number(x) for x in values], k)
        left += paper.width + 28
    says = (f"Left, column {k} of M: the torques {_row(torque)} N m. "
            f"Right, column {k} of the inverse: the accelerations {_row(answer)} rad/s². "
            "Dashed: where the arm goes.")  # fmt: skip
    return drawing(left - 28, paper.height + 30, parts, says, says)


def _row(x):
    return "(" + ", ".join(number(e) for e in x) + ")"


def spy(cases, allowed=None, cell=None):
    """Which entries are there, side by side -> Drawing.

    cases: {title: matrix, or a boolean pattern}. allowed: pattern of the tree (n, n), the same for all, or one for each
    case. Full square: there and allowed. Ring: allowed, but zero. Cross in red: there although the tree has no such
    entry, that is fill-in. The caption counts.
    """
    parts, left, height, words = [], 0, 0, []
    several = isinstance(allowed, dict)
    for title, matrix in cases.items():
        there = _there(matrix)
        free = allowed[title] if several else allowed
        free = there if free is None else np.asarray(free, bool)
        n = len(there)
        size = cell or min(22, max(5, 210 / n))
        parts.append(text((left, 16), title, bold=True))
        for i, j in np.argwhere(there | free):
            if free[i, j] or there[i, j]:
                parts.append(_cell(left + size * j, 26 + size * i, size, there[i, j], free[i, j]))
        parts.append(f'<rect x="{left}" y="26" width="{size * n:.1f}" height="{size * n:.1f}" fill="none" '
                     'stroke="var(--ink2)"/>')  # fmt: skip
        new, lost = int((there & ~free).sum()), int((free & ~there).sum())
        words.append(f"{title}: {int(there.sum())} entries" + (f", {new} of them filled in" if new else "")
                     + (f", {lost} allowed but zero" if lost else ""))  # fmt: skip
        left += max(size * n, 9 * len(title)) + 28
        height = max(height, size * n)
    says = "; ".join(words) + "."
    return drawing(left - 28, 28 + height, parts, says, says)


def _there(matrix):
    A = np.asarray(matrix)
    return A if A.dtype == bool else np.abs(A) > 1e-12 * np.abs(A).max()


def _cell(x, y, s, there, free):
    m = s / 2
    if there and free:
        side = f'width="{s - 1:.1f}" height="{s - 1:.1f}"'
        return f'<rect x="{x + 0.5:.1f}" y="{y + 0.5:.1f}" {side} fill="var(--current)"/>'
    if free:
        return (f'<circle cx="{x + m:.1f}" cy="{y + m:.1f}" r="{0.3 * s:.1f}" fill="none" stroke="var(--message)" '
                f'stroke-width="{max(1, 0.12 * s):.1f}"/>')  # fmt: skip
    a, b = 0.2 * s, 0.8 * s
    x0, x1, y0, y1 = (f"{z:.1f}" for z in (x + a, x + b, y + a, y + b))
    return (f'<path d="M{x0},{y0}L{x1},{y1}M{x1},{y0}L{x0},{y1}" stroke="var(--wrong)" '
            f'stroke-width="{max(1.2, 0.16 * s):.1f}"/>')  # fmt: skip


__all__ = ["columns", "spy"]
