"""Trees of bodies: numbers, subtrees."""

from itertools import count

import numpy as np

from ..robots import renumbered
from .svg import drawing, line, text


def _places(parent):
    """Column and level of every node of a tree (entry k is body k + 1), leaves spread evenly, the base on top."""
    children = {i: [k for k, p in enumerate(parent, 1) if p == i] for i in range(len(parent) + 1)}
    spot, leaf = {}, count()

    def visit(i, level):
        for k in children[i]:
            visit(k, level + 1)
        under = [spot[k][0] for k in children[i]]
        spot[i] = ((under[0] + under[-1]) / 2 if under else next(leaf), level)

    visit(0, 0)
    return spot


def _subtree(parent, root):
    inside = {root}
    for k, p in enumerate(parent, 1):
        if p in inside:
            inside.add(k)
    return sorted(inside)


def _tree(parent, left, top, root=None, step=52):
    spot = _places(parent)
    at = {i: np.array([left + 24 + step * x, top + 20 + 56 * y]) for i, (x, y) in spot.items()}
    inside = _subtree(parent, root) if root else []
    both = [k in inside and p in inside for k, p in enumerate(parent, 1)]
    out = [line(at[p], at[k], "current" if both[k - 1] else "ink2") for k, p in enumerate(parent, 1)]
    for i, (x, y) in at.items():
        fill, edge = ("folded", "current") if i in inside else ("body", "ink2")
        out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="15" fill="var(--{fill})" stroke="var(--{edge})" '
                   f'stroke-width="{2.5 if i in inside else 1.5}"/>')  # fmt: skip
        out.append(text((x, y + 5), str(i), anchor="middle"))
    wide = 48 + step * max(x for x, _ in spot.values())
    return "".join(out), wide, 40 + 56 * max(y for _, y in spot.values())


def numberings(parent, body=1):
    """The same tree (entries for bodies 1..n, 0 = base) numbered breadth first and depth first.

    The subtree of one body is marked: `body` counts in breadth-first numbers. Below, its numbers on a strip.
    """
    wide, deep = renumbered(parent, "breadth"), renumbered(parent, "depth")
    order = _walk(wide)
    out, left, words = [], 0, []
    for name, tree, root in (("breadth first", wide, body), ("depth first", deep, order.index(body))):
        inside = _subtree(tree, root)
        parts, width, height = _tree(tree, left, 28, root)
        width = max(width, 26 * len(tree) + 16)
        out += [text((left + 8, 18), name, bold=True), parts]
        for k in range(1, len(tree) + 1):
            x, y, on = left + 8 + 26 * (k - 1), 40 + height, k in inside
            out.append(f'<rect x="{x}" y="{y}" width="24" height="24" fill="var(--{"folded" if on else "body"})" '
                       f'stroke="var(--{"current" if on else "rule"})"/>'
                       + text((x + 12, y + 17), str(k), "ink" if on else "ink2", "middle"))  # fmt: skip
        gaps = inside[-1] - inside[0] + 1 != len(inside)
        words.append(f"{name}: the subtree of body {root} is {inside}, {'with gaps' if gaps else 'one block'}")
        left += width + 40
    return drawing(left - 40, 40 + height + 34, out, "; ".join(words) + ".", "; ".join(words) + ".")


def _walk(parent):
    children = {i: [k for k, p in enumerate(parent, 1) if p == i] for i in range(len(parent) + 1)}
    order, todo = [], [0]
    while todo:
        order.append(todo.pop(0))
        todo = children[order[-1]] + todo
    return order


def tree(model, body=None):
    """The tree of a model; the subtree of `body` is marked."""
    parent = list(model.parent[1:])
    root = None if body is None else model.index(body)
    parts, width, height = _tree(parent, 0, 0, root, step=44)
    marked = "" if root is None else f" The subtree of {model.label(root)} is {_subtree(parent, root)}."
    says = f"The tree of {model.n_bodies} bodies, parents {parent}.{marked}"
    return drawing(width, height, [parts], says, marked.strip())
