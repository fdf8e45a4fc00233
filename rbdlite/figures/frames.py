"""Frames and what moves in them."""

import numpy as np

from ..convert import classical
from ..kinematics import poses, velocities
from ..rnea import rnea
from ..trace import trace
from .svg import Paper, arrow, drawing, number, text


def walk_then_turn(angle=0.6):
    """X = X_J X_T: from the parent's frame along the parent (X_T, fixed), then about the joint (X_J, moves)."""
    paper = Paper((-0.4, 3.4), (-0.3, 1.3), 120)
    c, s = np.cos(angle), np.sin(angle)
    R, elbow = np.array([[c, -s], [s, c]]), np.array([1.7, 0.2])
    arc = [paper(elbow + 0.75 * np.array([np.cos(t), np.sin(t)])) for t in np.linspace(0, angle, 12)]
    parts = [paper.grid(), paper.link((0, 0), elbow), paper.link(elbow, elbow + 1.2 * R[:, 0], "current", "folded"),
             arrow(paper((0.1, 0.13)), paper(elbow + [-0.08, 0.12]), "message", "walk: X_T", side=-1),
             f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in arc)}" fill="none" '
             'stroke="var(--message)" stroke-width="2.5"/>', text(arc[5] + [10, 4], "turn by q: X_J", "message"),
             paper.axes(np.eye(2), (0, 0), "_λ", 0.5, "parent"), paper.axes(np.eye(2), elbow, "", 0.5, "ink2"),
             paper.axes(R, elbow, "_i", 0.5)]  # fmt: skip
    says = ("From the parent's frame: first walk along the parent to the joint (X_T, the same for every q), then turn "
            "by q about the joint (X_J). As matrices the last step stands on the left: X = X_J X_T.")  # fmt: skip
    caption = says.replace("_T", "<sub>T</sub>").replace("_J", "<sub>J</sub>")
    return drawing(paper.width, paper.height, parts, says, caption)


def accelerations(model, q, qd, qdd, body):
    """Velocity, spatial acceleration (linear part) and classical acceleration of the origin of a planar arm's body."""
    model = model.replace(gravity=(0, 0, 0))
    where, v = poses(model, q), velocities(model, q, qd)[body]
    a = trace(rnea, model, q, qd, qdd)["a", body][:, 0]
    R, p = where[body]
    paper, joints = Paper((-0.4, 2.4), (-0.4, 1.5), 130), [x[1] for x in where[1:]]
    parts = [paper.grid()]
    for i, (start, end) in enumerate(zip(joints, [*joints[1:], where[-1][0] @ [1, 0, 0] + joints[-1]], strict=True), 1):
        parts.append(paper.link(start, end, *(("current", "folded") if i == body else ())))
    kinds = (("v", v, "ink2", ""), ("a, spatial", a, "message", "6 4"), ("r̈, classical", classical(v, a), "right", ""))
    words = []
    for name, x, colour, dash in kinds:
        parts.append(arrow(paper(p), paper(p + R @ x[3:] * 0.75), colour, name, dash, side=1))
        words.append(f"{name} = ({number(x[3])}, {number(x[4])})")
    says = f"At the origin of body {body}, in its axes: {'; '.join(words)}; ω = {number(v[2])}."
    return drawing(paper.width, paper.height, parts, says, says)
