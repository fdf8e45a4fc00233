"""Still pictures of some steps, for print: the arm with the body in hand, the line, the value written."""

import html
import math

import numpy as np

WIDE, HIGH = 170, 130  # of one picture, in pixels
INK, PAPER, CURRENT, FOLDED, PARENT = "#7f8a96", "#f1f3f5", "#0b4a9e", "#d9e6f6", "#6a2560"

STRIP = "display:flex;flex-wrap:wrap;gap:12px;font:13px sans-serif;color:#1d232b;background:#fff"


class Filmstrip:
    """A table of pictures with _repr_html_; steps: numbers, default one for each body and pass (its last write)."""

    def __init__(self, payload, steps=None):
        self.payload = payload
        self.steps = list(steps) if steps is not None else _chosen(payload)
        for k in self.steps:
            if not 0 <= k < len(payload["steps"]):
                raise ValueError(f"there is no step {k}: the run has {len(payload['steps'])}")

    def _repr_html_(self):
        frames = "".join(self._frame(k) for k in self.steps)
        title = html.escape(self.payload["title"])
        return f'<div class="rbd-filmstrip" role="group" aria-label="{title}" style="{STRIP}">{frames}</div>'

    def __repr__(self):
        return f"<filmstrip of {self.payload['fn']}: {len(self.steps)} pictures>"

    def _frame(self, k):
        step = self.payload["steps"][k]
        line = next(x for x in self.payload["lines"] if x["n"] == step["l"])
        body = _body(self.payload, step)
        value = "" if "x" not in step else f"<br>{html.escape(_text(step, self.payload['model']['planar']))}"
        caption = f"{k + 1}. [{line['n']}] " + ("" if body is None else f"body {body}: ") + html.escape(line["sym"])
        return (f'<figure style="margin:0;width:{WIDE}px;break-inside:avoid">{arm_svg(self.payload, body)}'
                f"<figcaption>{caption}{value}</figcaption></figure>")  # fmt: skip


def _body(payload, step):
    at = {k: v for k, v in step["at"].items() if k not in payload["dof"]}
    if at:
        return at.get("i", next(iter(at.values())))
    return next((payload["model"]["dof_body"][v] for v in step["at"].values() if v >= 0), None)


def _chosen(payload):
    """The last write of each body in each pass."""
    last = {}
    for k, s in enumerate(payload["steps"]):
        run = next((j for j, p in enumerate(payload["passes"]) if p["lines"][0] <= s["l"] <= p["lines"][1]), 0)
        if s["k"] == "w":
            last[run, _body(payload, s)] = k
    return sorted(last.values())


def _text(step, planar):
    """Name and value; a planar vector by its slots (turning; x, y), a matrix by its size."""
    x, shape = step["x"], step["s"]
    index = step["ix"] if isinstance(step["ix"], list) else [] if step["ix"] is None else [step["ix"]]
    name = step["n"] + ("" if not index else "_" + ",".join(map(str, index)))
    if isinstance(step["ix"], str):
        name = f"{step['n']}[{step['ix']}]"
    if not x:
        return f"{name}: empty, {shape[0]} × {shape[1]}"
    if shape == [6, 6] or (len(x) > 6 and shape[1] > 1):
        return f"{name}: {shape[0]} × {shape[1]}"
    if shape == [6, 1]:
        x = [x[i] for i in (2, 3, 4)] if planar else x
        half = 1 if planar else 3
        return f"{name} = ({', '.join(map(_short, x[:half]))}; {', '.join(map(_short, x[half:]))})"
    return f"{name} = " + (_short(x[0]) if len(x) == 1 else "(" + ", ".join(map(_short, x)) + ")")


def _short(v):
    return f"{v:.3g}".replace("-", "−") if isinstance(v, (int, float)) else str(v)


def world(payload):
    """World poses (R, p) of all bodies, the base first, from the last X of each (or the payload's poses)."""
    last = {s["ix"]: s["x"] for s in payload["steps"] if s.get("n") == "X" and len(s["x"]) == 36
            and isinstance(s["ix"], int)}  # fmt: skip
    out = [(np.eye(3), np.zeros(3))]
    for i, parent in enumerate(payload["model"]["parent"][1:], 1):
        if i in last:
            X = np.array(last[i], dtype=float).reshape(6, 6)
            C = -X[:3, :3].T @ X[3:, :3]
            R, p = X[:3, :3].T, np.array([C[2, 1], C[0, 2], C[1, 0]])
        else:
            R, p = np.array(payload["poses"][i][0]).reshape(3, 3), np.array(payload["poses"][i][1])
        Rp, pp = out[parent]
        out.append((Rp @ R, pp + Rp @ p))
    return out


def arm_svg(payload, body):
    """The arm as SVG text, the body in hand outlined and its parent dashed."""
    model, poses = payload["model"], world(payload)
    parent = model["parent"]
    links = []
    for i in range(len(parent)):
        ends = [poses[j][1] for j, p in enumerate(parent) if p == i and model["kind"][j] != "free"]
        if i and model["tip"][i]:
            ends.append(poses[i][1] + poses[i][0] @ np.array(model["tip"][i]))
        links += [(i, poses[i][1], e) for e in ends if np.linalg.norm(e - poses[i][1]) > 1e-9]
    flat = (lambda p: p[:2]) if model["planar"] else _view
    points = np.array([flat(p) for _, a, b in links for p in (a, b)] or [[0, 0]])
    low, high = points.min(axis=0), points.max(axis=0)
    scale = min((WIDE - 28) / max(high[0] - low[0], 1e-6), (HIGH - 28) / max(high[1] - low[1], 1e-6), 100)
    centre = (low + high) / 2

    def at(p):
        x, y = (flat(p) - centre) * scale
        return WIDE / 2 + x, HIGH / 2 - y

    rank = {body: 2, parent[body] if body else None: 1}
    shapes = []
    for i, a, b in sorted(links, key=lambda link: rank.get(link[0], 0)):
        (x1, y1), (x2, y2) = at(a), at(b)
        length, angle = math.hypot(x2 - x1, y2 - y1), math.degrees(math.atan2(y2 - y1, x2 - x1))
        look = f'fill="{FOLDED}" stroke="{CURRENT}" stroke-width="2.2"' if i and i == body else (
            f'fill="{PAPER}" stroke="{PARENT}" stroke-width="1.6" stroke-dasharray="4 3"' if i and rank.get(i) == 1
            else f'fill="{PAPER}" stroke="{INK}"')  # fmt: skip
        shapes.append(f'<rect x="-4" y="-4" width="{length + 8:.1f}" height="8" rx="4" {look} '
                      f'transform="translate({x1:.1f} {y1:.1f}) rotate({angle:.1f})"/>')  # fmt: skip
    for i in sorted(range(1, len(parent)), key=lambda i: i == body):
        x, y = at(poses[i][1])
        look = f'r="4" stroke="{CURRENT}" stroke-width="2.2"' if i == body else f'r="2.6" stroke="{INK}"'
        shapes.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" {look} fill="#fff"/>')
    size = f'viewBox="0 0 {WIDE} {HIGH}" width="{WIDE}" height="{HIGH}"'
    return f'<svg {size} role="img" aria-label="arm">{"".join(shapes)}</svg>'


def _view(p):
    """Orthographic, z up, as the player's first view."""
    yaw, tilt = -0.9, 0.32
    out = math.cos(yaw) * p[0] + math.sin(yaw) * p[1]
    return np.array([-math.sin(yaw) * p[0] + math.cos(yaw) * p[1], p[2] * math.cos(tilt) - out * math.sin(tilt)])
