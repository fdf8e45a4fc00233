"""What looks at a calculation by hand from outside: another road to the torques, own arms, common slips of a line."""

import ast
import copy

import numpy as np

from .listing import source
from .robots import squared_paper_tree
from .scalars import cos, sin

PLANE = slice(2, 5)  # (ω; vx, vy) of a spatial vector


def by_points(parent, lengths, masses, q, qd, qdd, gravity=(0, -10), com=1, turn=0):
    """Torques of a planar tree in one world frame, by moments of points: shares nothing with the package's dynamics.

    Link i lies along its x axis from its parent's tip (parent 0: the origin). Its mass sits at the fraction `com` of
    its length, with rotational inertia turn · mass · length² about that point. Floats or SymPy numbers -> list.
    """
    tip, base = [np.array([0, 0])], [None]
    angle, rate, spin, acc = [0], [0], [0], [np.array([0, 0])]
    mass_at, force, couple = [None], [None], [None]
    for i, λ in enumerate(parent):
        angle, rate, spin = angle + [angle[λ] + q[i]], rate + [rate[λ] + qd[i]], spin + [spin[λ] + qdd[i]]
        c, s = (f(np.array([angle[-1]]))[0] for f in (cos, sin))
        out, across = lengths[i] * np.array([c, s]), lengths[i] * np.array([-s, c])
        swing = spin[-1] * across - rate[-1] ** 2 * out  # acceleration of the tip as seen from the link's start
        mass_at.append(tip[λ] + com * out)
        force.append(masses[i] * (acc[λ] + com * swing - np.array(gravity)))
        couple.append(turn * masses[i] * lengths[i] ** 2 * spin[-1])
        base.append(tip[λ])
        tip.append(tip[λ] + out)
        acc.append(acc[λ] + swing)

    def above(i, k):  # is body i on the way from body k to the base?
        while k > i:
            k = parent[k - 1]
        return k == i

    def moment(i, k):
        x, y = mass_at[k] - base[i]
        return x * force[k][1] - y * force[k][0] + couple[k]

    bodies = range(1, len(parent) + 1)
    return [sum(moment(i, k) for k in bodies if above(i, k)) for i in bodies]


def paper_arm(seed, n=4, exact=False):
    """An own arm on squared paper: (model, q, qd, qdd) with whole-number answers, drawn from `seed`.

    No link lies on another or crosses it: each ends on a point of the paper that no other link has reached. So that
    mistakes show, it has three generations and a fork (as far as n bodies allow), masses 2, 3, ... in any order (a
    pivot of 1 would hide a forgotten division), and rates that are not all the same.
    """
    rng = np.random.default_rng(seed)
    parent, quarters = _paper_links(rng, n)
    while n > 2 and max(_generations(parent)) < 3 or n > 3 and len(set(parent)) == n:
        parent, quarters = _paper_links(rng, n)
    model = squared_paper_tree(parent, [int(m) for m in rng.permutation(n) + 2], exact=exact)
    if exact:
        import sympy

        q = np.array([k * sympy.pi / 2 for k in quarters])
    else:
        q = np.array(quarters) * np.pi / 2
    rates = np.resize([1, -1, 2, -2], max(n, 4))
    return model, q, rng.permutation(rates)[:n], rng.permutation(rates)[:n]


def _generations(parent):
    """How many bodies lie between the base and each body, itself included. parent of bodies 1..n."""
    out = [0]
    for p in parent:
        out.append(out[p] + 1)
    return out


def _paper_links(rng, n):
    """Parents of bodies 1..n and quarter turns of their joints; each next link bends and ends on a free point."""
    parent, quarters = [0], [0]
    tips, angles = [(0, 0), (1, 0)], [0, 0]  # of the base and of body 1; angles in quarter turns
    while len(parent) < n:
        λ, turn = int(rng.integers(1, len(tips))), int(rng.choice([-1, 1]))
        angle = (angles[λ] + turn) % 4
        x, y = ((1, 0), (0, 1), (-1, 0), (0, -1))[angle]
        tip = tips[λ][0] + x, tips[λ][1] + y
        if tip not in tips:  # a link that turns right outside the points reached so far is always free
            parent, quarters = [*parent, λ], [*quarters, turn]
            tips, angles = [*tips, tip], [*angles, angle]
    return parent, quarters


def expressions(fn):
    """{(line, name): what the line computes}, as parsed expressions."""
    src, out = source(fn), {}
    for node in ast.walk(src.tree):
        n = src.tags.get(id(node))
        if isinstance(node, ast.Assign) and n is not None:
            target, value = node.targets[0], node.value
        elif isinstance(node, ast.AugAssign) and n is not None:
            here = ast.parse(ast.unparse(node.target), mode="eval").body
            target, value = node.target, ast.BinOp(here, node.op, node.value)
        else:
            continue
        name = ast.unparse(target.value) if isinstance(target, ast.Subscript) else ast.unparse(target)
        out[n, name] = ast.fix_missing_locations(value)
    return out


def is_planar(x):
    """Does a spatial vector or matrix stay within the slots of plane motion?"""
    x = np.asarray(x)
    if x.shape not in ((6, 1), (6, 6)):
        return True
    off = np.delete(x, range(2, 5), axis=0)
    if x.shape == (6, 6):
        off = np.concatenate([off[:, PLANE], np.delete(x, range(2, 5), axis=1)[PLANE].T])
    return bool(np.abs(np.asarray(off, dtype=float)).max() < 1e-12)


def fitted(typed, like, planar):
    """A typed value in the shape of the traced one; in the plane three numbers stand for slots 2, 3, 4. ValueError."""
    like = np.asarray(like)
    try:
        x = np.asarray(typed, dtype=object if like.dtype == object else float)
        readable = all(map(_is_number, x.reshape(-1)))
    except Exception:  # whatever was typed in place of a number
        readable = False
    if not readable:
        raise ValueError("should be made of finite numbers, in lists of equal length")
    if x.dtype == object and all(hasattr(e, "free_symbols") for e in like.reshape(-1)):
        import sympy

        x = np.vectorize(sympy.sympify, otypes=[object])(x)  # 1 / 3 of a typed 3 is a third
    if x.ndim == 0 and (like.size == 1 or x == 0):
        return np.full(like.shape, x[()], dtype=like.dtype)
    if x.size == like.size:
        return x.reshape(like.shape)
    out = like.copy()
    part = {(6, 6): (PLANE, PLANE), (6, 1): PLANE}.get(like.shape) if planar else None
    part = None if part is None else out[part]
    if part is None or x.size != part.size:
        also = "" if part is None else f", in the plane {part.shape}"
        raise ValueError(f"has shape {like.shape}{also}; got {x.shape}")
    part[...] = x.reshape(part.shape)
    return out


def _is_number(x):
    """Is x a finite number, or an expression that may become one?"""
    finite = getattr(x, "is_finite", True)  # SymPy: None where that depends on symbols
    return not isinstance(x, (str, bytes, bool)) and finite is not False and (hasattr(x, "free_symbols") or np.isfinite(
        float(x)))  # fmt: skip


def is_pivot(D):
    """Can D, a number or a block, be a joint's pivot: positive, by more than rounding?"""
    D = plain(D)
    return bool(np.linalg.eigvalsh((D + D.mT) / 2).min() > 1e-9 if D.ndim > 1 else np.all(D > 1e-9))


def plain(x):
    """x with its exact numbers as floats, in a dict too; a model stays as it is. Raises TypeError for symbols."""
    if isinstance(x, dict):
        return {k: plain(v) for k, v in x.items()}
    return np.asarray(x, dtype=float) if isinstance(x, (np.ndarray, list, tuple, int, float)) or hasattr(
        x, "free_symbols") else x  # fmt: skip


def slips(node):
    """(what was done, the expression that does it): slips that any line allows."""
    terms = list(_terms(node, []))
    for k, path in enumerate(terms):
        if len(terms) > 1:
            term = ast.unparse(_at_path(node, path))
            yield f"{term} is left out", _without(node, path)
            if k:
                yield f"{term} has the wrong sign", _turned(node, path)
    for inner in ast.walk(node):
        if isinstance(inner, ast.Attribute) and inner.attr == "mT":
            yield f"{ast.unparse(inner.value)} is not transposed", _replace(node, inner, inner.value)
            return


def _terms(node, path):
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        yield from _terms(node.left, [*path, "left"])
        yield [*path, "right"]
    else:
        yield path


def _at_path(node, path):
    for step in path:
        node = getattr(node, step)
    return node


def _edited(node, path, edit):
    """A copy of the sum in which the operation that holds the term at `path` is edited."""
    node = copy.deepcopy(node)
    if not path[:-1]:
        return edit(node)
    holder = _at_path(node, path[:-2])
    setattr(holder, path[-2], edit(_at_path(node, path[:-1])))
    return node


def _without(node, path):
    return _edited(node, path, lambda op: op.left if path[-1] == "right" else (
        op.right if isinstance(op.op, ast.Add) else ast.UnaryOp(ast.USub(), op.right)))  # fmt: skip


def _turned(node, path):
    other = {ast.Add: ast.Sub, ast.Sub: ast.Add}
    return _edited(node, path, lambda op: ast.BinOp(op.left, other[type(op.op)](), op.right))


def _replace(node, old, new):
    class Swap(ast.NodeTransformer):
        def visit(self, x):
            return copy.deepcopy(new) if ast.dump(x) == ast.dump(old) else self.generic_visit(x)

    return Swap().visit(copy.deepcopy(node))
