"""The numbers of a line put into its expression, for calculations by hand; blanks stay hidden."""

import ast
import re

import numpy as np


class Numbers:
    """A line's expression with its numbers put in, coloured by whose they are.

    hidden: keys (name, index) or (name, i, j) of values that show as dots, and so does what is worked out from them.
    """

    def __init__(self, evaluate, at, text, hidden=()):
        self.evaluate, self.at, self._text, self.hidden = evaluate, at, text, hidden
        self.term = str  # in HTML: keeps a term on one line

    def text(self, node):
        return self._walk(node, lambda x, _: x)

    def html(self, node):
        self.term = '<span class="t">{}</span>'.format
        text = self._walk(node, lambda x, who: f'<span class="{who}">{matrix(x)}</span>')
        return text if _is_sum(node) else self.term(text)

    def hides(self, node):
        """Would the node's value give away a hidden one?"""
        match node:
            case ast.Subscript(ast.Subscript(ast.Name(name), i), j):
                return self._hidden(name, i, j) or self.hides(node.value)
            case ast.Subscript(ast.Name(name), i):
                return self._hidden(name, i)
            case ast.Name(name):
                return (name, None) in self.hidden
        return any(self.hides(part) for part in ast.iter_child_nodes(node))

    def _hidden(self, name, *index):
        keys = [key for key in self.hidden if key[0] == name]
        return bool(keys) and (name, *map(self.evaluate, index)) in keys

    def _walk(self, node, leaf):
        if isinstance(node, ast.BinOp) and isinstance(self.evaluate(node), list):  # p = [0] * (n + 1)
            return leaf("…" if self.hides(node) else self._text(self.evaluate(node)), self._who(node))
        match node:
            case ast.BinOp(left, ast.Add() | ast.Sub() as op, right):
                sign, group = ("+", self._walk) if isinstance(op, ast.Add) else ("−", self._minus)
                a, b = self._walk(left, leaf), self.term(f"{sign} {group(right, leaf)}")
                return f"{a if _is_sum(left) else self.term(a)} {b}"
            case ast.BinOp(ast.Call(ast.Name("crm" | "crf" as f), [v]), ast.MatMult(), right):
                return f"{self._group(v, leaf)} {'×' if f == 'crm' else '×*'} {self._group(right, leaf)}"
            case ast.BinOp(ast.Attribute(left, "mT"), ast.MatMult(), right) if self.evaluate(left).shape[-1] == 1:
                return f"{self._group(left, leaf)} · {self._group(right, leaf)}"
            case ast.BinOp(left, ast.MatMult() | ast.Mult(), right):
                dot = "" if np.shape(self.evaluate(left))[-2:] == (6, 6) else "·"
                return f"{self._group(left, leaf)} {dot + ' ' if dot else ''}{self._group(right, leaf)}"
            case ast.BinOp(left, ast.Div(), right):
                return f"{self._group(left, leaf)} / {self._group(right, leaf)}"
            case ast.Attribute(inner, "mT"):
                return self._group(inner, leaf) + "ᵀ"
        return leaf("…" if self.hides(node) else self._text(self.evaluate(node)), self._who(node))

    def _minus(self, node, leaf):
        return self._group(node, leaf) if _is_sum(node) else self._walk(node, leaf)

    def _group(self, node, leaf):
        text = self._walk(node, leaf)
        bare = re.sub(r"<[^>]*>", "", text)
        if isinstance(node, ast.BinOp):
            add = isinstance(node.op, (ast.Add, ast.Sub))
            return f"({text})" if add or not bare.startswith(("(", "[")) else text
        return f"({text})" if bare.startswith("−") else text

    def _who(self, node):
        if isinstance(node, ast.Subscript):
            index = self.evaluate(node.slice)
            if index == self.at.get("i", next(iter(self.at.values()), None)):
                return "hand-own"
            return "hand-parent" if isinstance(node.slice, ast.Subscript) else "hand-other"
        return "hand-other"


def _is_sum(node):
    return isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub))


def matrix(text):
    """[a b; c d] inside text as a bracketed grid."""

    def grid(m):
        rows = [r.split() for r in m[1].split(";")]
        cells = "".join(f"<span>{c}</span>" for r in rows for c in r)
        return f'<span class="mat" style="grid-template-columns:repeat({len(rows[0])},auto)">{cells}</span>'

    return re.sub(r"\[([^\[\]]*;[^\[\]]*)\]", grid, text)
