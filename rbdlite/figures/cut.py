"""Pictures of the RNEA chapter: the arm on squared paper, and the same arm cut at its joints."""

import numpy as np

from ..kinematics import poses
from .svg import Paper, arrow, drawing, number, text


def _ends(model, q):
    """[(hinge, tip)] of every planar body i = 1..n in world axes; the tip is where its mass is."""
    out = []
    for i, (R, p) in enumerate(poses(model, np.asarray(q, float))[1:], 1):
        out.append((p[:2], (p + R @ np.asarray(model.com[i], float))[:2]))
    return out


def _paper(points, margin, scale, left=0):
    low, high = np.min(points, axis=0) - margin - (left, 0), np.max(points, axis=0) + margin
    return Paper((low[0], high[0]), (low[1], high[1]), scale)


def _ground(paper, at):
    x, y = paper(at)
    legs = f"M{x:.0f},{y:.0f}l-11,17h22z"
    return f'<path d="{legs}" fill="none" stroke="var(--ink2)" stroke-width="1.25"/>'


def _mass(paper, at, kilograms):
    x, y = paper(at)
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{4 + 2.2 * np.sqrt(kilograms):.1f}" fill="var(--ink2)"/>'


def arm_on_paper(model, q):
    """A planar tree with a mass at each tip, its links numbered, gravity as an arrow -> Drawing."""
    ends = _ends(model, q)
    paper = _paper([p for pair in ends for p in pair], (0.6, 0.4), 96, left=0.3)
    parts = [paper.grid(), _ground(paper, ends[0][0])]
    parts += [paper.link(a, b) for a, b in reversed(ends)]
    for i, (a, b) in enumerate(ends, 1):
        parts.append(_mass(paper, b, model.mass[i]))
        back = b[0] < a[0] - 0.5  # the link points to the left: its free side is there
        aside, anchor = ((-11, -12), "end") if model.children[i] else ((-14, 5), "end") if back else ((14, 5), "start")
        parts.append(text(paper(b) + aside, f"{number(model.mass[i])} kg", "ink2", anchor, small=True))
        middle, along = (paper(a) + paper(b)) / 2, paper(b) - paper(a)
        across = np.array([-along[1], along[0]]) / np.linalg.norm(along)
        side = 20 if across[1] > -0.5 else -20
        parts.append(text(middle + side * across + [0, 5], str(i), "current", "middle", bold=True))
    g = np.asarray(model.gravity, float)[:2]
    start = paper((paper.x[0] + 0.3, paper.y[1] - 0.2))
    parts.append(arrow(start, start + 46 * np.array([g[0], -g[1]]) / np.linalg.norm(g), "message", "g", side=1))
    masses = ", ".join(number(m) for m in model.mass[1:])
    return drawing(paper.width, paper.height, parts, f"A planar arm of {len(ends)} links on squared paper, with masses "
                                                     f"{masses} kg at the tips; gravity points down.")  # fmt: skip


def cut_apart(model, q, gap=0.55):
    """The same arm cut at its joints: an unknown force (a red "?") on both sides of each cut -> Drawing.

    Bodies with one unknown force, which can be balanced first, are outlined in blue.
    """
    ends, shift, parts = _ends(model, q), {0: np.zeros(2)}, []
    for i, (a, b) in enumerate(ends, 1):
        away = (b - a) / np.linalg.norm(b - a)
        shift[i] = shift[model.parent[i]] + gap * away
    moved = [(a + shift[i], b + shift[i]) for i, (a, b) in enumerate(ends, 1)]
    paper = _paper([p for pair in moved for p in pair] + [ends[0][0]], (0.75, 0.45), 96)
    parts += [paper.grid(), _ground(paper, ends[0][0])]
    for i in reversed(model.outward):
        (a, b), first = moved[i - 1], not model.children[i]
        parts.append(paper.link(a, b, "current" if first else "ink2", "folded" if first else "body"))
        parts.append(_mass(paper, b, model.mass[i]))
        start, end = paper(ends[i - 1][0] + shift[model.parent[i]]), paper(a)
        parts.append(arrow((start + end) / 2, end - 0.12 * (end - start), "wrong", "?", "4 4", width=2))
        parts.append(arrow((start + end) / 2, start + 0.12 * (end - start), "wrong", "", "4 4", width=2))
        count = 1 + len(model.children[i])
        middle, along = (paper(a) + paper(b)) / 2, paper(b) - paper(a)
        flat = abs(along[0]) > abs(along[1])
        where = middle + ([0, -14] if flat else [14, 5])
        words = f"{i}: {count} unknown"
        parts.append(text(where, words, "current" if first else "ink2", "middle" if flat else "start", bold=first))
    leaves = " and ".join(str(i) for i in model.outward if not model.children[i])
    return drawing(paper.width, paper.height, parts,
                   "The arm cut at its joints, with an unknown force on both sides of each cut. "
                   f"Only bodies {leaves} have a single unknown force.")  # fmt: skip


__all__ = ["arm_on_paper", "cut_apart"]
