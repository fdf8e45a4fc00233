"""Expression nodes: folding laws, sharing, evaluation."""

import copy
import operator

import numpy as np
import pytest

from rbdlite.expr import Expr, Graph, evaluate, live, symbols
from rbdlite.scalars import is_zero


@pytest.fixture
def xyz():
    return symbols("x", 3)


def operations(*values):
    return [n for n in live(list(values)) if n.op not in ("sym", "neg")]


def test_zeros_and_ones_vanish(xyz):
    x, y, _ = xyz
    for value in (x * 0, 0.0 * x, -0.0 * x, x - x, x + -x, 0 / x, 0 * x + y - y):
        assert type(value) is int and value == 0
    for value in (x * 1, 1.0 * x, x / 1, x + 0, 0.0 + x, operator.neg(-x), +x, -(-1 * x), 0 - (0 - x), x**1):
        assert value is x
    for value in (x * -1, -1.0 * x, x / -1, 0 - x, -x):
        assert value.op == "neg" and value.a is x
    assert x / x == 1 and x / -x == -1 and x**0 == 1
    with pytest.raises(ZeroDivisionError):
        x / 0


def test_signs_move_outwards(xyz):
    x, y, _ = xyz
    assert x + (-y) is x - y
    assert x - (-y) is x + y
    assert -x + y is y - x
    assert -x - y is -(x + y)
    assert (-x) * y is -(x * y) and (-x) * (-y) is x * y
    assert (-x) / y is -(x / y)
    assert x * -2 is -(2 * x)
    assert (y - x) is -(x - y)
    assert (-x).sin() is -(x.sin()) and (-x).cos() is x.cos()


def test_equal_operations_are_one_object(xyz):
    x, y, z = xyz
    assert x * y is y * x and x + y is y + x
    assert (x + y) * z is z * (y + x)
    assert 2 * x is x * 2.0 is np.float64(2) * x is np.int64(2) * x
    assert type((3.0 * x).a) is int and type((np.float32(2.5) * x).a) is float
    assert x.sin() is x.sin() and x.sin() is not x.cos()
    assert x - y is not x + y and x / y is not y / x


def test_inverse_operations_cancel(xyz):
    x, y, _ = xyz
    assert x * (y / x) is y and (y / x) * x is y and x * (1 / x) == 1
    assert (x * y) / x is y and (y * x) / -x is -y
    assert x + (y - x) is y and x - (x - y) is y and (x - y) - x is -y and (x - y) + y is x


def test_arithmetic_of_folded_values_is_right():
    """Random expressions, evaluated as nodes and as numbers: folding changes no value."""
    rng = np.random.default_rng(1)
    numbers = rng.uniform(1, 2, size=4)
    pairs = list(zip(symbols("x", 4), numbers, strict=True)) + [(c, float(c)) for c in (0, 1, -1, 2, 0.5)]
    seen = set()
    for _ in range(4000):
        (a, u), (b, v) = (pairs[k] for k in rng.integers(len(pairs), size=2))
        op = "+-*/n"[rng.integers(5)]
        if op == "/" and abs(v) < 1e-3 or max(abs(u), abs(v)) > 1e3:
            continue
        pair = {"+": lambda s, t: s + t, "-": lambda s, t: s - t, "*": lambda s, t: s * t,
                "/": lambda s, t: s / t, "n": lambda s, t: -s}[op]
        pairs.append((pair(a, b), pair(u, v)))
        seen.add(op)
    values, wanted = zip(*pairs, strict=True)
    assert len(seen) == 5 and sum(isinstance(v, Expr) for v in values) > 1000
    assert np.allclose(evaluate(values, x=numbers), wanted, rtol=1e-7, atol=1e-7)


def test_expressions_live_in_numpy_arrays():
    q = symbols("q", (2, 2))
    A = np.array([[1, 0], [2, 3.5]], dtype=object)
    value = (A @ q - q.mT * np.float64(2)) @ np.sin(q) + np.cos(q)
    assert value.dtype == object and value.shape == (2, 2)
    x = np.array([[0.1, 0.2], [0.3, 0.4]])
    wanted = (A.astype(float) @ x - x.T * 2) @ np.sin(x) + np.cos(x)
    assert np.allclose(evaluate(value, q=x.reshape(4)), wanted, rtol=1e-15)
    batch = evaluate(value, q=np.stack([x.reshape(4), 2 * x.reshape(4)]))
    assert batch.shape == (2, 2, 2) and np.allclose(batch[0], wanted)


def test_a_shared_subexpression_is_needed_once(xyz):
    x, y, z = xyz
    unused = x * y * z
    value = (x + y) * (y + x) + (x + y)
    assert [n.op for n in operations(value)] == ["+", "*", "+"]
    assert not {unused, unused.a} & set(live(value))


def test_no_state_is_shared_between_graphs():
    x, other = symbols("x", 1)[0], symbols("x", 1)[0]
    assert x is not other and len(other.graph.nodes) == 1
    with pytest.raises(ValueError, match="two graphs"):
        x + other
    g = Graph()
    (a,), (b,) = g.symbols("a", 1), g.symbols("b", 1)
    assert evaluate(a - b, a=[3.0], b=[1.0]) == 2


def test_expressions_are_immutable_and_have_no_truth(xyz):
    x = xyz[0]
    with pytest.raises(AttributeError):
        x.a = 3
    with pytest.raises(TypeError, match=r"x\[0\]"):
        bool(x)
    assert copy.deepcopy(x) is x and copy.deepcopy(xyz)[1] is xyz[1]
    with pytest.raises(ValueError, match="'x'"):
        evaluate(x, y=[1.0])
    with pytest.raises(TypeError):
        x + "1"
    with pytest.raises(TypeError):
        x**0.5


def test_a_comparison_has_no_answer(xyz):
    """Code that asks would keep the answer of one case for ever: `q * (1 if q == 0 else 2)`."""
    x, y, _ = xyz
    questions = [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge]
    for ask in questions:
        for pair in ((x, 0), (0, x), (x, np.float64(1)), (x * y, 2.5), (x, y), (x + y, y)):
            with pytest.raises(TypeError, match=r"x\[[01]\].* cannot be decided"):
                ask(*pair)
    with pytest.raises(TypeError, match="cannot be decided"):
        xyz == 0  # noqa: B015
    assert x == x and not x != x and x <= x and not x < x and x * y == y * x
    assert (x == None) is False and x != "x" and x in [1 / x, x][1:]  # noqa: E711
    assert len({x, y, x * y, y * x, 0}) == 4 and {x: 1, 2: 3}[x] == 1


def test_exact_zeros_can_be_asked_for(xyz):
    sympy = pytest.importorskip("sympy")
    assert is_zero(0) and is_zero(0.0) and is_zero(xyz[0] - xyz[0]) and is_zero(sympy.Integer(0))
    assert not is_zero(xyz[0]) and not is_zero(1) and not is_zero(sympy.Symbol("q"))


def test_deep_expressions_need_no_recursion():
    x = value = symbols("x", 1)[0]
    for k in range(20000):
        value = value * x + (k + 2)
    assert len(live(value)) == 40001
    assert evaluate(value, x=[0.0]) == 20001
    assert repr(x + 1) == "(1 + x[0])" and "40001" in repr(value)
