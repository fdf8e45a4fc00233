"""Symbolic scalars for NumPy object arrays.

    q = symbols("q", 2)                      object array of two Expr; + - * / @ .mT np.sin np.cos work on it

An `Expr` stands for one operation. A `Graph` keeps every operation once: asking twice for sin(q[0]) gives
the same object, so common subexpressions are shared without a search. A value that depends on no symbol is a
plain number. Zeros and ones vanish while expressions are built: the zeros inside a 6x6 matrix cost nothing.
Operation counts (opcount.py) and generated code (codegen.py) come from running an algorithm on these.
"""

import math
import operator
from numbers import Integral, Real

import numpy as np

ARITHMETIC = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
FUNCTIONS = {"neg": operator.neg, "sin": np.sin, "cos": np.cos, "sqrt": np.sqrt}


class Graph:
    """Owner of the expressions of one run: `nodes` in the order of their creation (operands come first)."""

    def __init__(self):
        self.nodes, self.table = [], {}

    def node(self, op, a, b=None):
        """The one node op(a, b), made now if it is new."""
        key = (op, a, b)
        if key not in self.table:
            for x in (a, b):
                if isinstance(x, Expr) and x.graph is not self:
                    raise ValueError("an expression mixes symbols of two graphs: make them with one Graph")
            self.table[key] = Expr(self, len(self.nodes), op, a, b)
            self.nodes.append(self.table[key])
        return self.table[key]

    def symbols(self, name, shape):
        """Object array of symbols name[0], name[1], ... of the given shape (an int or a tuple)."""
        out = np.empty(shape, dtype=object)
        out.reshape(-1)[:] = [self.node("sym", name, k) for k in range(out.size)]
        return out


def symbols(name, shape):
    """Symbols in a graph of their own; to combine several names use one `Graph` and its method `symbols`."""
    return Graph().symbols(name, shape)


def plain(x):
    """Number x as int where it is whole, so that 1 and 1.0 are one constant; None for what is no number."""
    if not isinstance(x, Real):
        return None
    return int(x) if isinstance(x, Integral) or (abs(x) < 2**53 and x == int(x)) else float(x)


def _split(x):
    """x = sign * rest, without a leading minus in rest."""
    if isinstance(x, Expr):
        return (-1, x.a) if x.op == "neg" else (1, x)
    return (-1, -x) if x < 0 else (1, x)


def _signed(sign, x):
    if sign > 0 or not isinstance(x, Expr):
        return sign * x if sign < 0 else x
    return x.a if x.op == "neg" else x.graph.node("neg", x)


def _op(op, x, y):
    """A constant, or the shared node of this operation on two operands without minus signs."""
    owner = x if isinstance(x, Expr) else y
    return owner.graph.node(op, x, y) if isinstance(owner, Expr) else plain(ARITHMETIC[op](x, y))


def _order(x):
    return x.index if isinstance(x, Expr) else -1


def _sorted(x, y):
    return (x, y) if _order(x) <= _order(y) else (y, x)


def _is(x, op, side, y):
    """True if x is the operation op and its operand "a" or "b" is y."""
    return isinstance(x, Expr) and isinstance(y, Expr) and x.op == op and getattr(x, side) is y


def _add(x, y):
    (sx, x), (sy, y) = _split(x), _split(y)
    if sx != sy:
        return _difference(x, y) if sx > 0 else _difference(y, x)
    x, y = _sorted(x, y)
    if not isinstance(x, Expr) and x == 0:
        return _signed(sx, y)
    rest = y.a if _is(y, "-", "b", x) else x.a if _is(x, "-", "b", y) else None     # x + (y - x) = y
    return _signed(sx, _op("+", x, y) if rest is None else rest)


def _difference(x, y):
    """x - y of two operands without minus signs; of x - y and y - x only one is ever computed."""
    if x is y:
        return 0
    first, second = _sorted(x, y)
    sign = 1 if first is x else -1
    if not isinstance(first, Expr) and first == 0:
        return _signed(-sign, second)
    if _is(second, "-", "a", first):                                                # x - (x - y) = y
        return _signed(sign, second.b)
    return _signed(sign, _op("-", first, second))


def _mul(x, y):
    (sx, x), (sy, y) = _split(x), _split(y)
    x, y = _sorted(x, y)
    if not isinstance(x, Expr) and x in (0, 1):
        return 0 if x == 0 else _signed(sx * sy, y)
    rest = y.a if _is(y, "/", "b", x) else x.a if _is(x, "/", "b", y) else None     # D (y / D) = y
    return _signed(sx * sy, _op("*", x, y) if rest is None else rest)


def _div(x, y):
    (sx, x), (sy, y) = _split(x), _split(y)
    if x is y:
        return sx * sy
    if not isinstance(y, Expr) and y in (0, 1):
        return _signed(sx * sy, x) if y == 1 else 1 / y                             # raises for y = 0
    if not isinstance(x, Expr) and x == 0:
        return 0
    rest = x.b if _is(x, "*", "a", y) else x.a if _is(x, "*", "b", y) else None     # (x D) / D = x
    return _signed(sx * sy, _op("/", x, y) if rest is None else rest)


def _comparison(sign):
    """A comparison operator: an expression equals itself; any other question has no answer yet."""
    def asked(self, other):
        if self is other:
            return sign in ("==", "<=", ">=")
        if not isinstance(other, (Expr, Real)):
            return NotImplemented
        raise TypeError(f"{self!r} {sign} {other!r} cannot be decided: the symbol stands for every number, and code "
                        "from symbols has no branches. Compare numbers only (exact zeros: rbdlite.scalars.is_zero)")
    return asked


def _method(rule):
    """The two operator methods (x op other, other op x) that apply a rule; other may be any real number."""
    def forward(self, other):
        other = other if isinstance(other, Expr) else plain(other)
        return NotImplemented if other is None else rule(self, other)

    def reflected(self, other):
        other = plain(other)
        return NotImplemented if other is None else rule(other, self)
    return forward, reflected


class Expr:
    """One operation `op` on `a` and `b` (expressions or numbers); a symbol has op "sym", a = name, b = place.

    Expressions are immutable and made by arithmetic, never by hand. An expression equals itself; comparing it with
    a number or another expression raises TypeError, for code that asks `q[0] == 0` would keep one answer for ever.
    """

    __slots__ = ("graph", "index", "op", "a", "b")
    unknown = True  # see scalars.is_zero

    def __init__(self, graph, index, op, a, b):
        for name, value in zip(self.__slots__, (graph, index, op, a, b), strict=True):
            object.__setattr__(self, name, value)

    def __setattr__(self, name, value):
        raise AttributeError("an expression cannot be changed")

    def __bool__(self):
        raise TypeError(f"the truth of {self!r} is not known: it stands for an unknown number")

    def __pos__(self, memo=None):
        return self

    __copy__ = __deepcopy__ = __pos__

    def __repr__(self):
        nodes, text = live([self]), {}
        if len(nodes) > 60:
            return f"<expression of {len(nodes)} nodes>"
        for n in nodes:
            a, b = (text.get(x, str(x)) for x in (n.a, n.b))
            text[n] = (f"{a}[{b}]" if n.op == "sym" else f"({a} {n.op} {b})" if n.op in ARITHMETIC
                       else f"-{a}" if n.op == "neg" else f"{n.op}({a})")
        return text[self]

    __add__, __radd__ = _method(_add)
    __sub__, __rsub__ = _method(lambda x, y: _add(x, _signed(-1, y)))
    __mul__, __rmul__ = _method(_mul)
    __truediv__, __rtruediv__ = _method(_div)

    __eq__, __ne__, __lt__, __le__, __gt__, __ge__ = map(_comparison, ("==", "!=", "<", "<=", ">", ">="))
    __hash__ = object.__hash__

    def __neg__(self):
        return _signed(-1, self)

    def __pow__(self, n):
        if not (isinstance(n, Integral) and n >= 0):
            raise TypeError(f"only whole powers are known, not {n!r}")
        return math.prod([self] * int(n))

    def sin(self):
        sign, x = _split(self)
        return _signed(sign, self.graph.node("sin", x))

    def cos(self):
        return self.graph.node("cos", _split(self)[1])

    def sqrt(self):
        return self.graph.node("sqrt", self)


def live(values):
    """The nodes that the given values (nested arrays, numbers) need, in order of creation."""
    stack = [x for x in np.ravel(np.asarray(values, dtype=object)) if isinstance(x, Expr)]
    found = set()
    while stack:
        n = stack.pop()
        if n not in found:
            found.add(n)
            stack += [x for x in (n.a, n.b) if isinstance(x, Expr)]
    return sorted(found, key=_order)


def evaluate(values, **given):
    """Numbers (..., *values.shape) for an array of expressions; given: symbol name -> array (..., size)."""
    values, number = np.asarray(values, dtype=object), {}
    given = {name: np.asarray(x, dtype=float) for name, x in given.items()}
    for n in live(values):
        if n.op == "sym":
            if n.a not in given:
                raise ValueError(f"no numbers given for the symbols {n.a!r}")
            number[n] = given[n.a][..., n.b]
        elif n.op in FUNCTIONS:
            number[n] = FUNCTIONS[n.op](number[n.a])
        else:
            number[n] = ARITHMETIC[n.op](number.get(n.a, n.a), number.get(n.b, n.b))
    batch = np.broadcast_shapes((), *(x.shape[:-1] for x in given.values()))
    out = np.empty(batch + (values.size,))
    for k, x in enumerate(values.reshape(-1)):
        out[..., k] = number.get(x, x)
    return out.reshape(batch + values.shape)
