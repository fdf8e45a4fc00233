"""Pseudocode symbols as HTML: vJ_2 becomes a slanted v with J above and 2 below; words stay upright."""

import html
import re

_WORDS = set("for while if in and not or else return base free locked inv setup total rnea aba minv".split())
_SYMBOL = re.compile(r"([A-Za-zτλΛ][\u0300-\u036f]?)([A-Za-z]*)(′?)((?:_[0-9A-Za-zλ,]+)*)(ᵀ?)(⁻¹)?")
DOTS = {"\u0307": "rbd-d1", "\u0308": "rbd-d2"}
DOT_STYLE = (  # drawn: a font without combining marks sets them beside the letter, or borrows a sans one
    ".rbd-d1,.rbd-d2{white-space:nowrap}"
    ".rbd-d1::before,.rbd-d2::before{content:'';display:inline-block;width:.12em;height:.12em;border-radius:50%;"
    "background:currentColor;vertical-align:.55em;margin:0 -.4em 0 .28em}"
    ".rbd-d2::before{margin:0 -.31em 0 .19em;box-shadow:.2em 0}"
)
STYLE = DOT_STYLE + (
    ".rbd-ss{display:inline-grid;grid-template-rows:1em 1em;font-size:.72em;line-height:1;"
    "vertical-align:.62em;margin-left:.08em}"
    ".rbd-listing td{padding:.12em .6em;border:0;vertical-align:baseline}"
    "table.rbd-listing td{text-align:left}table.rbd-listing td:first-child{text-align:right}"  # JupyterLab: right
    ".rbd-listing td:first-child{opacity:.7;font-variant-numeric:tabular-nums}"
    ".rbd-listing .s{font-family:'STIX Two Text',STIXGeneral,'Cambria Math',Cambria,'Times New Roman',serif;"
    "font-size:1.1em;white-space:nowrap}"
    ".rbd-listing code{color:inherit;background:none;border:0;padding:0;font-size:.82em;white-space:pre-wrap}"
    ".rbd-scroll{overflow-x:auto}"
    "@media(max-width:600px){.rbd-code tr{display:grid;grid-template-columns:2.6em 1fr;padding:.2em 0}"
    ".rbd-code td:nth-child(3){grid-column:2}}"
)


def typeset(symbols):
    """One pseudocode row as HTML. Sub- and superscripts follow the package's plain-text rules (fB_i, IA_λ, X_iᵀ).

    IC is set as the books have it, with a small c."""
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
    above = {"inv": "−1", "C": "c"}.get(above, above) + ("⊤" if turned else "") + ("−1" if inverse else "")
    below = ",".join(below.split("_")[1:])
    below = re.sub(r"[A-Za-z]+", lambda w: f"<i>{w[0]}</i>", below)
    sign = slanted(letter)
    if above and below:
        return f'{sign}{prime}<span class="rbd-ss"><span>{above}</span><span>{below}</span></span>'
    return f"{sign}{prime}" + (f"<sub>{below}</sub>" if below else f"<sup>{above}</sup>" if above else "")


def slanted(letter):
    """A letter in italics, its dots drawn over it (the class needs DOT_STYLE)."""
    if letter[1:] in DOTS:
        return f'<i class="{DOTS[letter[1:]]}" role="img" aria-label="{letter}">{letter[0]}</i>'
    return f"<i>{letter}</i>"


def dotted(text):
    """HTML text with its dotted letters drawn."""
    return re.sub("[A-Za-z][\u0307\u0308]", lambda m: slanted(m[0]), text)


def name_base(sentence):
    """A filled-in sentence that calls body 0 and joint 0 the base."""
    return re.sub(r"\b(?:[Bb]ody|[Jj]oint) 0\b", lambda m: "The base" if m[0][0] in "BJ" else "the base", sentence)
