"""Why forces go back with the transpose: one push, three motions of the parent, three powers."""

from itertools import count

import numpy as np

from .svg import STYLE, Drawing, Paper, arrow, line, text

_IDS = count(1)
LATE = ' class="late"'  # what an answer uncovers
_MOVES = (  # the parent's motion; the child's velocity, as text; the power of the push
    ("spin", (1, 0, 0), "(1; 1, 0)", 1),
    ("slide along x", (0, 1, 0), "(0; 0, −1)", -1),
    ("slide along y", (0, 0, 1), "(0; 1, 0)", 0),
)
_ANSWERS = (
    ("(1; 0, 1)", (1, 0, 1), "These are the old numbers: nothing was carried anywhere."),
    ("(1; −1, 0)", (1, -1, 0), "This is Xᵀ f. It does the same work in every motion: it is the same push."),
    ("(1; 2, 0)", (1, 2, 0), "This is X f: the matrix that takes motions outwards, used on a force."),
    ("(0; 1, 0)", (0, 1, 0), "This is X⁻ᵀ f: a force transform, but for the way outwards."),
    ("(1; −1, −1)", (1, -1, -1), "This is X⁻¹ f: a force carried home as if it were a velocity."),
)
_LAYOUT = """
#ID label{margin:0 14px 0 4px;white-space:nowrap} #ID table{border-collapse:collapse;background:none}
#ID td,#ID th{padding:3px 12px;border-bottom:1px solid var(--rule);text-align:left;font-weight:400}
#ID .stage{display:flex;flex-wrap:wrap;gap:16px;align-items:flex-start}
#ID:not(:has(input[name=IDa]:checked)) .late{visibility:hidden}
#ID .q{width:100%;margin:6px 0 2px;font-weight:600} #ID .wide{max-width:22em;min-height:3.2em}
"""


def _ghost(paper, motion, twist, power):
    """The arm a little further along the parent's motion, and the velocity of the point that is pushed."""
    w, x, y = motion
    c, s = np.cos(0.25 * w), np.sin(0.25 * w)
    moved = [np.array([[c, -s], [s, c]]) @ a + [0.25 * x, 0.25 * y] for a in ((0, 0), (1, 0), (1, 1))]
    out = "".join(line(paper(a), paper(b), "parent", 2, "5 5") for a, b in zip(moved, moved[1:], strict=False))
    out += arrow(paper((1, 1)), paper((1 + 0.55 * (x - w), 1 + 0.55 * (y + w))), "parent")
    out += text(paper((1.35, 0.55)), f"v = {twist}", "parent")
    return out + text(paper((1.35, 0.35)), f"power {_watts(power)}", "message", bold=True)


def _watts(x):
    return f"{x} W".replace("-", "−")


def _radios(uid, group, names, first, mark=""):
    """Radio buttons; what they show is chosen by CSS, so that a page needs no script."""
    return "".join(f'<input type="radio" name="{uid}{group}" id="{uid}{group}{k}"{mark}'
                   f'{" checked" if k == first else ""}><label for="{uid}{group}{k}"{mark}>{name}</label>'
                   for k, name in enumerate(names))  # fmt: skip


def power_of_a_force():
    """1 N across the tip of the second link, seen from joint 1: three motions of the parent, three powers."""
    uid, answers = f"rbdpw{next(_IDS)}", range(len(_ANSWERS))
    paper = Paper((-0.5, 2.4), (-0.4, 1.75), 100)
    stage = [paper.grid(), paper.link((0, 0), (1, 0)), paper.link((1, 0), (1, 1), "current", "folded"),
             arrow(paper((1, 1)), paper((0.3, 1)), "message", "1 N", side=-1),
             paper.axes(np.eye(2), (0, 0), "_1", colour="parent")]  # fmt: skip
    stage += [f'<g class="late m{k}">{_ghost(paper, *move[1:])}</g>' for k, move in enumerate(_MOVES)]
    css = STYLE + _LAYOUT.replace("ID", uid)
    css += "".join(f"#{uid} .m{k}{{display:none}}#{uid}m{k}:checked~.stage .m{k}{{display:inline}}" for k in range(3))
    for k in answers:
        css += f"#{uid} .a{k}{{display:none}}#{uid}a{k}:checked~.stage .a{k}{{display:table-cell}}"
        css += f"#{uid}a{k}:checked~.stage p.a{k}{{display:block}}"
    rows = "<tr><th>the parent</th><th>child's v</th><th>power</th>"
    rows += "".join(f'<th class="a{k}">yours</th>' for k in answers) + "</tr>"
    for j, (name, _, twist, power) in enumerate(_MOVES):
        rows += f"<tr><td>{name}</td><td>{twist}</td><td>{_watts(power)}</td>"
        for k, (_, f, _) in enumerate(_ANSWERS):
            colour, sign = ("right", "✓") if f[j] == power else ("wrong", "✗")
            rows += f'<td class="a{k}" style="color:var(--{colour})">{_watts(f[j])} {sign}</td>'
        rows += "</tr>"
    words = "".join(f'<p class="a{k} wide">{says}</p>' for k, (*_, says) in enumerate(_ANSWERS))
    size = f'viewBox="0 0 {paper.width} {paper.height}" width="{paper.width}" height="{paper.height}"'
    svg = (f'<svg {size} role="img" '
           'aria-label="A right-angled arm, pushed at its tip">' + "".join(stage) + "</svg>")  # fmt: skip
    html = (f'<div class="rbd-fig" id="{uid}"><style>{css}</style><div class="q">The push, called at joint 1</div>'
            f'{_radios(uid, "a", [a[0] for a in _ANSWERS], None)}'
            '<div class="q late">Then move the parent at unit rate</div>'
            f'{_radios(uid, "m", [m[0] for m in _MOVES], 0, LATE)}'
            f'<div class="stage">{svg}<div class="late"><table>{rows}</table>{words}'
            "</div></div></div>")  # fmt: skip
    return Drawing(html, "Move the parent at unit rate and read the power of the push: spin 1 W, slide along x −1 W, "
                         "slide along y 0 W. These three numbers are the force at joint 1: (1; −1, 0).")  # fmt: skip
