"""Expressions as straight-line text, valid both as JavaScript and as Python: q[0]*sin(q[1])-.5*a."""

import keyword
import re
from collections import Counter
from itertools import chain, product
from string import ascii_letters, digits

from .expr import Expr, live

MATH = ("sin", "cos", "sqrt")
JAVASCRIPT = """abstract arguments await boolean break byte case catch char class const continue debugger default delete
    do double else enum eval export extends false final finally float for function goto if implements import in
    instanceof int interface let long native new null package private protected public return short static super switch
    synchronized this throw throws transient true try typeof undefined var void volatile while with yield
    Math Float64Array NaN Infinity"""
RESERVED = {*JAVASCRIPT.split(), *keyword.kwlist, *MATH, "np", "len", "out", "kernel"}
SUM, PRODUCT, ATOM = 1, 2, 3  # how tightly a text binds
LONGEST = 300  # characters of one expression; what is longer gets a name


def safe(args):
    """{argument: its name in the text}, another one where the name means something there (out, new)."""
    names = {}
    for name in args:
        names[name] = name
        while names[name] in RESERVED or (names[name] != name and names[name] in args):
            names[name] += "_"
    return names


def _number(x):
    """Shortest digits that read back as the same number: 0.5 -> .5, 1e-05 -> 1e-5; 1e999 reads as infinite."""
    if x != x or abs(x) == float("inf"):
        return "1e999" if x > 0 else "-1e999" if x < 0 else "(1e999-1e999)"
    sign, text = "-" * (x < 0), repr(abs(x if isinstance(x, int) else float(x)))
    text = text.removesuffix(".0").replace("e-0", "e-").replace("e+", "e")
    return sign + (text[1:] if text.startswith("0.") else text)


def _infix(op, left, right):
    """(text, binding) of left op right; a sum or product is turned round where that saves brackets."""
    level = SUM if op in "+-" else PRODUCT
    if op in "+*" and right[1] <= level < left[1]:
        left, right = right, left
    a, b = (f"({t})" if binding < least else t for (t, binding), least in ((left, level), (right, level + 1)))
    return a + op + b, level


def straight_line(args, values):
    """(temporaries [(name, text), ...], texts of the values). What is used once stands where it is used.

    args: {argument: its name in the text}, see `safe`.
    """
    nodes, uses = live(values), Counter(values)
    for n in reversed(nodes):
        for x in (n.a, n.b) if n.op != "sym" else ():
            uses[x] += uses[n] if n.op == "neg" else 1
    more = ascii_letters + digits
    names = ("".join(c) for k in range(4) for c in product(ascii_letters, *[more] * k))
    names = (x for x in names if x not in RESERVED and x not in args.values())
    temporaries, text = [], {}

    def keep(x, plain, binding, named):
        if named:
            temporaries.append((next(names), plain))
            plain, binding = temporaries[-1][0], ATOM
        text[x] = plain, binding

    for x in uses:
        if x is not None and not isinstance(x, Expr):
            plain = _number(x)
            keep(x, plain, ATOM, (uses[x] - 1) * len(plain) > 2 * uses[x] + 4)
    for n in nodes:
        if n.op == "sym":
            keep(n, f"{args[n.a]}[{n.b}]", ATOM, uses[n] > 4)
        elif n.op == "neg":
            plain, binding = text[n.a]
            if n.a.op == "-" and uses[n.a] == 1 and binding == SUM:
                keep(n, *_infix("-", text[n.a.b], text[n.a.a]), False)
            else:
                keep(n, "-" + (f"({plain})" if binding == SUM else plain), SUM, False)
        elif n.b is None:
            keep(n, f"{n.op}({text[n.a][0]})", ATOM, uses[n] > 1)
        else:
            plain, binding = _infix(n.op, text[n.a], text[n.b])
            keep(n, plain, binding, uses[n] > 1 or len(plain) > LONGEST)
    return temporaries, [text[x][0] for x in values]


def javascript(args, values):
    """(a,b,...)=>{...return Float64Array}: one arrow function that needs nothing but Math."""
    args = safe(args)
    temporaries, outs = straight_line(args, values)
    used = ",".join(f for f in MATH if any(n.op == f for n in live(values)))
    lines = ([f"{{{used}}}=Math"] if used else []) + [f"{name}={text}" for name, text in temporaries]
    head = ("const" if used else "const ") + ",".join(lines) + ";" if lines else ""
    return f"({','.join(args.values())})=>{{{head}return Float64Array.of({','.join(outs)})}}"


def numpy_code(args, values):
    """A function of arrays (size, rows) that fills out (values, rows); temporaries are freed as they die."""
    args = safe(args)
    temporaries, outs = straight_line(args, values)
    made = {name: k for k, (name, _) in enumerate(temporaries)}
    needs = [[x for x in re.findall(r"[A-Za-z]\w*", text) if x in made] for _, text in temporaries]
    last = {x: k for k, names in enumerate(needs) for x in names}
    lines = [[f"{name} = {text}"] for name, text in temporaries] or [["pass"]]
    for j, text in enumerate(outs):
        names = [x for x in re.findall(r"[A-Za-z]\w*", text) if x in made]
        at = max((made[x] for x in names), default=0)
        last.update((x, max(at, last.get(x, 0))) for x in names)
        lines[at].append(f"out[{j}] = {text}")
    for x, k in last.items():
        lines[k].append(f"del {x}")
    return f"def kernel({', '.join([*args.values(), 'out'])}):\n    " + "\n    ".join(chain(*lines)) + "\n"
