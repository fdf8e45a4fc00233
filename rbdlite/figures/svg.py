"""Lines, arrows, squared paper: SVG that follows the page's light or dark colours."""

import re
from dataclasses import dataclass
from html import escape

import numpy as np

COLOURS = {  # light, dark; shared with the step player
    "ink": ("#1d232b", "#e6eaef"), "ink2": ("#535e6b", "#a8b2be"), "rule": ("#dde2e8", "#333c47"),
    "grid": ("#e9eff4", "#232b34"), "body": ("#f1f3f5", "#262d36"), "current": ("#0b4a9e", "#62aef0"),
    "folded": ("#d9e6f6", "#1b3a5a"), "parent": ("#6a2560", "#f3cdf5"), "message": ("#935f00", "#fdaa16"),
    "wrong": ("#9c1420", "#ff7a80"), "right": ("#07685b", "#69e1a2"),
}  # fmt: skip
SMALL = ' class="s"'
STYLE = (
    ".rbd-fig{" + "".join(f"--{k}:light-dark({a},{b});" for k, (a, b) in COLOURS.items()) + "color:var(--ink);"
    "margin:1em 0;font-size:14px;line-height:1.5;max-width:100%;overflow-x:auto}"
    ".rbd-fig svg{max-width:100%;height:auto;display:block;margin-inline:auto}"
    ".rbd-fig text{font:14px system-ui,sans-serif;fill:var(--ink)}"
    ".rbd-fig text.s{font-size:12px;fill:var(--ink2)}"
    ".rbd-fig figcaption{color:var(--ink2);max-width:46em;margin-inline:auto;text-align:center}"
)


@dataclass(frozen=True)
class Drawing:
    """HTML for a page, and one sentence that says what is drawn."""

    html: str
    says: str

    def _repr_html_(self):
        return self.html

    def __repr__(self):
        return self.says


def drawing(width, height, parts, says, caption=""):
    svg = (f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
           f'aria-label="{escape(says)}">{"".join(parts)}</svg>')  # fmt: skip
    caption = f"<figcaption>{caption}</figcaption>" if caption else ""
    return Drawing(f'<figure class="rbd-fig"><style>{STYLE}</style>{svg}{caption}</figure>', says)


def _marked(words):
    """X_T with a lowered T."""
    return re.sub(r"_(\w)", r'<tspan dy="4" font-size="11">\1</tspan>', escape(words))


def line(a, b, colour, width=1.75, dash=""):
    dash = f' stroke-dasharray="{dash}"' if dash else ""
    return (f'<line x1="{a[0]:.1f}" y1="{a[1]:.1f}" x2="{b[0]:.1f}" y2="{b[1]:.1f}" stroke="var(--{colour})" '
            f'stroke-width="{width}" stroke-linecap="round"{dash}/>')  # fmt: skip


def text(at, words, colour="ink", anchor="start", small=False, bold=False):
    style = f"fill:var(--{colour});" + ("font-weight:600" if bold else "")
    return (f'<text x="{at[0]:.1f}" y="{at[1]:.1f}" text-anchor="{anchor}" style="{style}"'
            f'{SMALL if small else ""}>{_marked(words)}</text>')  # fmt: skip


def arrow(a, b, colour, label="", dash="", side=1, width=2.5):
    a, b = np.asarray(a, float), np.asarray(b, float)
    along = (b - a) / (np.linalg.norm(b - a) or 1)
    across = np.array([-along[1], along[0]])
    head = [b, b - 10 * along + 5 * across, b - 10 * along - 5 * across]
    out = line(a, b - 6 * along, colour, width, dash)
    out += f'<polygon points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in head)}" fill="var(--{colour})"/>'
    if label:
        at = (a + b) / 2 + side * 14 * across + [0, 4]
        out += text(at, label, colour, "middle")
    return out


class Paper:
    """Squared paper: metres to pixels, y up."""

    def __init__(self, x, y, scale, left=0, top=0):
        self.x, self.y, self.scale, self.left, self.top = x, y, scale, left, top
        self.width, self.height = (x[1] - x[0]) * scale, (y[1] - y[0]) * scale

    def __call__(self, p):
        return np.array([self.left + (p[0] - self.x[0]) * self.scale, self.top + (self.y[1] - p[1]) * self.scale])

    def grid(self):
        xs, ys = (np.arange(np.ceil(r[0] * 2), np.floor(r[1] * 2) + 1) / 2 for r in (self.x, self.y))
        return ("".join(line(self((x, self.y[0])), self((x, self.y[1])), "grid", 1 + (x % 1 == 0)) for x in xs)
                + "".join(line(self((self.x[0], y)), self((self.x[1], y)), "grid", 1 + (y % 1 == 0)) for y in ys))

    def link(self, a, b, colour="ink2", fill="body", dash=""):
        a, b = self(a), self(b)
        return (line(a, b, colour, 15, dash) + ("" if dash else line(a, b, fill, 11))
                + f'<circle cx="{a[0]:.1f}" cy="{a[1]:.1f}" r="4" fill="var(--{colour})"/>')  # fmt: skip

    def axes(self, R, p, name, size=0.45, colour="current"):
        R, p = np.asarray(R, float), np.asarray(p, float)
        out = ""
        for k, axis in enumerate("xy"):
            tip = p[:2] + size * R[:2, k]
            out += arrow(self(p), self(tip), colour, width=1.75)
            aside = 14 * np.array([R[1, 0], R[0, 0]]) if k == 0 else np.zeros(2)  # below the x axis
            out += text(self(p[:2] + (size + 0.1) * R[:2, k]) + [0, 5] + aside, f"{axis}{name}", colour, "middle", True)
        return out


def number(x):
    """x as a drawing shows it: rounding dust gone, a true minus sign."""
    return f"{0.0 if abs(x) < 5e-5 else x:.4g}".replace("-", "−")
