"""Pseudocode symbols as HTML: vJ_2 becomes a slanted v with J above and 2 below; words stay upright."""

import html
import re

_WORDS = set("for while if in and not or else return base free locked inv setup total".split())
_SYMBOL = re.compile(r"([A-Za-zτλΛ][\u0300-\u036f]?)([A-Za-z]*)(′?)((?:_[0-9A-Za-zλ,]+)*)(ᵀ?)(⁻¹)?")
STYLE = (
    ".rbd-ss{display:inline-grid;grid-template-rows:1em 1em;font-size:.72em;line-height:1;"
    "vertical-align:.62em;margin-left:.08em}"
    ".rbd-listing td{padding:.12em .6em;border:0;vertical-align:baseline}"
    ".rbd-listing td:first-child{text-align:right;opacity:.7;font-variant-numeric:tabular-nums}"
    ".rbd-listing .s{font-family:'STIX Two Text',STIXGeneral,'Cambria Math',Cambria,'Times New Roman',serif;"
    "font-size:1.1em;white-space:nowrap}"
    ".rbd-listing code{color:inherit;background:none;border:0;padding:0;font-size:.82em;white-space:pre-wrap}"
    ".rbd-scroll{overflow-x:auto}"
    "@media(max-width:600px){.rbd-code tr{display:grid;grid-template-columns:2.6em 1fr;padding:.2em 0}"
    ".rbd-code td:nth-child(3){grid-column:2}}"
)


def typeset(symbols):
    """One pseudocode row as HTML. Sub- and superscripts follow the package's plain-text rules (fB_i, IA_λ, X_iᵀ)."""
    out, at = [], 0
    for m in _SYMBOL.finditer(symbols):
        out += [html.escape(symbols[at : m.start()]), _one(m)]
        at = m.end()
    return "".join(out) + html.escape(symbols[at:])


def _one(m):
    letter, above, prime, below, turned, inverse = (x or "" for x in m.groups())
    if letter + above in _WORDS and not below:
        return m[0]
    if letter + above in ("nv", "nq"):
        return f"<i>n</i><sub><i>{above}</i></sub>"
    above = ("−1" if above == "inv" else above) + ("⊤" if turned else "") + ("−1" if inverse else "")
    below = ",".join(below.split("_")[1:])
    below = re.sub(r"[A-Za-z]+", lambda w: f"<i>{w[0]}</i>", below)
    if above and below:
        return f'<i>{letter}</i>{prime}<span class="rbd-ss"><span>{above}</span><span>{below}</span></span>'
    return f"<i>{letter}</i>{prime}" + (f"<sub>{below}</sub>" if below else f"<sup>{above}</sup>" if above else "")


def name_base(sentence):
    """A filled-in sentence that calls body 0 and joint 0 the base."""
    return re.sub(r"\b(?:[Bb]ody|[Jj]oint) 0\b", lambda m: "The base" if m[0][0] in "BJ" else "the base", sentence)
