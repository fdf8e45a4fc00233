"""The traced twin: the same bits as the original, one report for each tagged statement, and every known trap."""

import ast
import collections
import dataclasses
import functools
import importlib.util
import json
import os

import numpy as np
import pytest

import rbdlite as rbd
from rbdlite.difference import same
from rbdlite.expr import symbols
from rbdlite.mistakes.cases import hand_case, hard_case
from rbdlite.trace import VERSION, Recorder, jsonable, line_trees, subscript, twin

# -- functions with traps ----------------------------------------------------------------------------------------------

SCALE = 3


def factorial(n):
    if n <= 1:  # [1]
        return 1  # [2]
    less = factorial(n - 1)  # [3]
    return n * less  # [4]


def climbs(parent, i):
    path = []
    j = i  # [1]
    while j > 0:  # [2]
        path = [*path, j]  # [3]
        j = parent[j]  # [4]
    return path  # [5]


def logged(fn):
    @functools.wraps(fn)
    def inner(*args, **kwargs):
        inner.calls += 1
        return fn(*args, **kwargs)

    inner.calls = 0
    return inner


@logged
def decorated(x, *, times=2):
    """Doc.

    [1] y = x · times | Twice.
    """
    y = x * times  # [1]
    return y


class Counter:
    step = 2

    def __init__(self):
        self.total = 0

    def add(self, x):
        self.total = self.total + self.step * x  # [1]
        self.total += 1  # [2]
        return self.total

    @classmethod
    def made(cls, x):
        y = cls.step * x  # [1]
        return y


class Child(Counter):
    def add(self, x):
        y = super().add(x)  # [1]
        return y


class Doubled:
    def __init__(self, fn):
        functools.update_wrapper(self, fn)

    def __call__(self, *args):
        return 2 * self.__wrapped__(*args)


class Counted:
    total = 0

    @logged
    def add(self, x):
        self.total += x  # [1]
        return self.total

    @functools.cache  # noqa: B019
    def kept(self, x):
        self.total += x  # [1]
        return self.total

    @staticmethod
    def alone(x):
        y = 2 * x  # [1]
        return y


def named(trace):
    return [(s.line, s.name, s.index) for s in trace.steps]


# -- same result -------------------------------------------------------------------------------------------------------

ROBOTS = [*rbd.robots.names(), "trees"]


@pytest.mark.parametrize("robot", ROBOTS)
def test_twin_returns_the_same_bits(robot):
    rng = np.random.default_rng(4)
    models = [hard_case(s, n=12, kinds=rbd.robots.trees.KINDS).model for s in range(3)] if robot == "trees" \
        else [rbd.robots.load(robot)]  # fmt: skip
    for model in models:
        q, (qd, qdd) = model.random(rng), rng.normal(size=(2, model.nv))
        f_ext = {i: rng.normal(size=6) for i in range(model.n_bodies + 1)}
        trace = rbd.trace(rbd.rnea, model, q, qd, qdd, f_ext)
        assert np.array_equal(trace.result, rbd.rnea(model, q, qd, qdd, f_ext))
        assert len(trace.steps) == 11 * model.n_bodies
        assert {s.line for s in trace.steps} == {x.n for x in rbd.listing(rbd.rnea).lines}


def test_tracing_leaves_no_trace():
    before = rbd.rnea.__code__
    case = hand_case()
    rbd.trace(rbd.rnea, *case.args)
    assert rbd.rnea.__code__ is before and rbd.crm is rbd.rnea.__globals__["crm"]
    assert not [k for k in rbd.rnea.__globals__ if k.startswith("__rbd")]


def test_steps_tell_the_hand_calculation():
    trace = rbd.trace(rbd.rnea, *hand_case().args)
    assert trace.steps[0].kind == "loop" and trace.steps[0].at == {"i": 1} and trace.steps[0].value == 1
    np.testing.assert_allclose(trace["a", 2][2:5, 0], [-1, 11, -1], atol=1e-12)
    np.testing.assert_allclose([trace["tau", i][0, 0] for i in (1, 2, 3, 4)], [154, 24, 21, 4])
    last = [s for s in trace.steps if s.line == 11 and s.index == 1]
    assert [s.at["i"] for s in last] == [4, 2] and np.array_equal(last[0].value, last[1].before)
    assert "f[1] =" in str(last[0]) and str(last[0]).startswith("[11] i = 4:")
    assert "44 steps" in repr(trace) and len(str(trace).splitlines()) == 44
    with pytest.raises(KeyError, match=r"zz\[3\]"):
        trace["zz", 3]


def test_reads_are_what_lines_find_but_never_write():
    trace = rbd.trace(rbd.rnea, *hand_case().args)
    assert {"S", "I", "qd", "qdd", "XT"} <= set(trace.reads)
    assert trace.reads["v"][1] is None and np.array_equal(trace.reads["qd"][2], [[1.0]])


def test_hook_is_called_as_lines_write():
    seen = []
    trace = rbd.trace(climbs, [-1, 0, 1, 2], 3, on_step=seen.append)
    assert tuple(seen) == trace.steps
    with pytest.raises(StopIteration):
        rbd.trace(climbs, [-1, 0, 1], 2, on_step=lambda step: next(iter(())))


def test_batch_and_symbols_are_recorded():
    case = hand_case()
    batch = rbd.trace(rbd.rnea, case.model, np.stack([case.q] * 3), case.qd, case.qdd)
    assert batch["X", 2].shape == (3, 6, 6)
    sympy = pytest.importorskip("sympy")
    model = rbd.robots.planar_arm(exact=True)
    exact = rbd.trace(rbd.rnea, model, np.array(sympy.symbols("q1 q2")), np.array([1, 0]), np.array([0, 0]))
    assert "cos(q2)" in str(exact["X", 2]) and json.loads(json.dumps(exact.to_dict()))


# -- traps -------------------------------------------------------------------------------------------------------------


def test_recursion_is_traced_and_carries_the_call():
    trace = rbd.trace(factorial, 3)
    assert trace.result == 6
    assert [(s.line, s.call) for s in trace.steps] == [(1, 0), (1, 1), (1, 2), (2, 2), (3, 1), (4, 1), (3, 0), (4, 0)]


def test_recursion_of_a_nested_function():
    def fib(n):
        if n < 2:  # [1]
            return n  # [2]
        return fib(n - 1) + fib(n - 2)  # [3]

    trace = rbd.trace(fib, 4)
    assert trace.result == 3 and max(s.call for s in trace.steps) == 8
    assert fib(5) == 5 and rbd.trace(fib, 4).result == 3


def test_closures_see_later_changes():
    factor, count = 2, 0

    def scaled(x):
        nonlocal count
        count = count + 1  # [1]
        y = factor * SCALE * x  # [2]
        return y

    assert rbd.trace(scaled, 5).result == 30 and count == 1
    factor = 10
    assert rbd.trace(scaled, 5).result == 150 and count == 2


def test_a_decorator_that_may_change_the_result_is_refused_by_name():
    calls, words = decorated.calls, r"decorated is wrapped by a decorator \(logged.<locals>.inner\).*__wrapped__"
    case = hand_case()
    for call in (lambda: rbd.trace(decorated, 4), lambda: rbd.trace(functools.partial(decorated, times=5), 4),
                 lambda: twin(decorated, Recorder()), lambda: rbd.trace(functools.cache(decorated), 4),
                 lambda: rbd.trace(Counted().add, 5)):  # fmt: skip
        with pytest.raises(rbd.TraceError, match=words.replace("decorated", "(decorated|add)", 1)):
            call()
    with pytest.raises(rbd.TraceError, match="rnea is wrapped by a decorator .*inner"):
        rbd.player(logged(rbd.rnea), *case.args)
    with pytest.raises(rbd.TraceError, match="rnea is wrapped by a decorator .Doubled."):
        rbd.trace(Doubled(rbd.rnea), *case.args)
    trace = rbd.trace(decorated.__wrapped__, 4, times=5)
    assert trace.result == 20 and decorated.calls == calls
    assert rbd.trace(decorated.__wrapped__, 4).result == 8  # keyword defaults too
    assert "Twice." in [x.words for x in rbd.listing(decorated).lines]  # the text alone is looked at, nothing runs


def test_a_cache_hands_on_what_the_function_returns():
    cached = functools.lru_cache(decorated.__wrapped__)
    assert rbd.trace(cached, 4, times=5).result == cached(4, times=5) == 20
    both = functools.cache(functools.partial(cached, times=7))
    assert rbd.trace(both, 4).result == both(4) == 28 and rbd.trace(both, 4).kwargs == {"times": 7}
    counted = Counted()
    assert rbd.trace(counted.kept, 5).result == Counted().kept(5) == 5
    assert rbd.trace(Counted.__dict__["alone"], 5).result == Counted.alone(5) == 10


def test_partials():
    case = hand_case()
    fixed = functools.partial(rbd.rnea, case.model, qdd=case.qdd)
    assert np.array_equal(rbd.trace(fixed, case.q, case.qd).result, rbd.rnea(*case.args))
    assert len(rbd.listing(fixed).lines) == 11


def test_methods():
    counter = Counter()
    trace = rbd.trace(counter.add, 5)
    assert trace.result == counter.total == 11
    assert named(trace) == [(1, "self.total", None), (2, "self.total", None)]
    assert [(s.before, s.value) for s in trace.steps] == [(0, 10), (10, 11)]
    assert rbd.trace(Counter.add, Counter(), 1).result == 3
    assert rbd.trace(Counter.made, 4).result == 8
    assert rbd.trace(Child().add, 5)["y"] == 11


def test_nested_tuples_and_chained_targets():
    def unpack(x):
        store = [0, 0]
        (a, (store[0], b)), c = (x, (2, 3)), 4  # [1]
        d = e = [x]  # [2]
        return a, store, b, c, d is e

    trace = rbd.trace(unpack, 1)
    assert trace.result == unpack(1) == (1, [2, 0], 3, 4, True)
    first = [(1, "a", None), (1, "store", 0), (1, "b", None), (1, "c", None)]
    assert named(trace) == [*first, (2, "d", None), (2, "e", None)]


def test_swap_keeps_its_meaning():
    def swap(a, b):
        a, b = b, a  # [1]
        return a, b

    assert rbd.trace(swap, 1, 2).result == (2, 1)


def test_each_side_is_evaluated_once_and_in_order():
    def noisy():
        seen = []
        box = {}

        def say(x):
            seen.append(x)
            return x

        box[say("key")] = say("value")  # [1]
        box[say("key")] += say("more")  # [2]
        return seen, box

    trace = rbd.trace(noisy)
    assert trace.result == noisy() == (["value", "key", "key", "more"], {"key": "valuemore"})
    assert [s.index for s in trace.steps] == ["key", "key"]


def test_augmented_and_annotated_assignment():
    def both(x):
        total: float = 0.0  # [1]
        later: int
        a = np.zeros(3)
        for i in range(3):  # [2]
            total += x  # [3]
            a[i] += total  # [4]
            a[:2] -= 1  # [5]
        later = 3
        return total, a, later

    trace = rbd.trace(both, 2.0)
    assert trace.result[0] == 6.0 and np.array_equal(trace.result[1], both(2.0)[1])
    assert [s.value for s in trace.steps if s.line == 3] == [2.0, 4.0, 6.0]
    assert [s.before for s in trace.steps if s.line == 3] == [0.0, 2.0, 4.0]
    fives = [s for s in trace.steps if s.line == 5]
    assert fives[0].index == slice(0, 2) or fives[0].index == slice(None, 2)
    assert np.array_equal(fives[0].before, [2, 0]) and np.array_equal(fives[0].value, [1, -1])


def test_while_and_its_variable():
    trace = rbd.trace(climbs, [-1, 0, 1, 2], 3)
    assert trace.result == [3, 2, 1]
    tests = [s for s in trace.steps if s.kind == "test"]
    assert [(s.at, s.value) for s in tests] == [({"j": 3}, True), ({"j": 2}, True), ({"j": 1}, True), ({"j": 0}, False)]
    assert [s.at for s in trace.steps if s.line == 3] == [{"j": 3}, {"j": 2}, {"j": 1}]
    assert trace.steps[-1].kind == "return" and trace["return"] == [3, 2, 1]


def test_while_inside_for_with_two_index_kinds():
    def pairs(parent):
        n = len(parent)
        H = np.zeros((n, n))
        for i in range(n - 1, 0, -1):  # [1]
            j = i
            while j > 0:  # [2]
                H[i, j] = 10 * i + j  # [3]
                H[j, i] = H[i, j]  # [4]
                j = parent[j]  # [5]
        return H

    parent = [-1, 0, 1, 1]
    trace = rbd.trace(pairs, parent)
    assert np.array_equal(trace.result, pairs(parent))
    mirrored = [(s.at, s.index) for s in trace.steps if s.line == 4]
    assert mirrored[:2] == [({"i": 3, "j": 3}, (3, 3)), ({"i": 3, "j": 1}, (1, 3))]


def test_slices_and_blocks_as_index():
    def blocks(M):
        for k in range(2):  # [1]
            s = slice(2 * k, 2 * k + 2)
            M[s, 0:2] = k  # [2]
            M[..., None, k][:] = k  # [3]
        return M

    trace = rbd.trace(blocks, np.zeros((4, 4)))
    assert trace.steps[1].index == (slice(0, 2, None), slice(0, 2, None)) and trace.steps[1].value.shape == (2, 2)
    assert json.dumps(trace.to_dict())
    assert str(trace.steps[1]).startswith("[2] k = 0: M[0:2, 0:2] = ")
    assert subscript((..., slice(None, None, 2), "a", -1)) == "..., ::2, a, -1"


def test_statements_over_several_lines():
    def long(x):
        y = (
            x
            + 1  # [1]
        )
        z = [
            y,
            2 * y,
        ]  # [2]
        return (
            z
        )  # [3]

    assert [(s.line, s.kind) for s in rbd.trace(long, 1).steps] == [(1, "write"), (2, "write"), (3, "return")]


def test_head_over_several_lines():
    def long(x):
        for i in (
            1,
            2,
        ):  # [1]
            x = x + i  # [2]
        if (
            x > 3  # [3]
        ):
            x = 0  # [4]
        return x

    assert [s.line for s in rbd.trace(long, 1).steps] == [1, 2, 1, 2, 3, 4]


def test_tags_inside_strings_are_no_tags():
    def text(x):
        """Not a tag: # [7]"""
        a = "# [8]"
        b = f"{x}  # [9]"  # [1]
        c = """
        # [10]
        """
        return a + b + c

    assert [s.line for s in rbd.trace(text, 1).steps] == [1]


def test_views_that_change_later_keep_their_value():
    def views():
        a = np.zeros(3)
        b = a  # [1]
        c = [a, (a, 1)]  # [2]
        a[0] = 5.0  # [3]
        return b, c

    trace = rbd.trace(views)
    assert trace.result[0][0] == 5
    assert np.array_equal(trace["b"], [0, 0, 0]) and np.array_equal(trace["c"][1][0], [0, 0, 0])


def test_try_with_match_and_nested_functions():
    def mixed(x):
        def helper(y):
            z = 2 * y  # [1]
            return z

        try:
            a = helper(x)  # [2]
        finally:
            b = 0  # [3]
        with np.errstate():
            match a:
                case 4:
                    b = 1  # [4]
                case _:
                    b = 2  # [5]
        if x == 3:  # [6]
            b = 3  # [7]
        elif x == 2:  # [8]
            b = b + 10  # [9]
        return b, [i for i in range(3)]

    trace = rbd.trace(mixed, 2)
    assert trace.result == mixed(2) == (11, [0, 1, 2])
    assert [s.line for s in trace.steps] == [1, 2, 3, 4, 6, 8, 9]
    assert [x.n for x in rbd.listing(mixed).lines] == [1, 2, 3, 4, 5, 6, 7, 8, 9]


def test_an_error_inside_comes_out():
    def fails(x):
        y = x  # [1]
        z = y / 0  # [2]
        return z

    seen = []
    with pytest.raises(ZeroDivisionError):
        rbd.trace(fails, 1, on_step=seen.append)
    assert [s.line for s in seen] == [1]


# -- names -------------------------------------------------------------------------------------------------------------


def f(x):
    y = f(x - 1) if x else "first"  # [1]
    return y


earlier_f = f


def f(x):  # noqa: F811
    return "second"


def test_an_earlier_function_of_the_same_name_is_no_recursion():
    assert earlier_f(3) == "second" and rbd.trace(earlier_f, 3).result == "second"
    assert [s.value for s in rbd.trace(earlier_f, 0).steps] == ["first"]


def sin(x):
    return 10 * x


def cos(x):
    return 100 * x


class Waves:
    def sin(self, x):
        y = sin(x)  # [1]
        return y

    @staticmethod
    def cos(x):
        y = cos(x) + Waves.__one()  # [1]
        return y

    @staticmethod
    def __one():
        return 1


def test_a_method_named_like_a_global_calls_the_global():
    assert rbd.trace(Waves().sin, 2).result == 20 and rbd.trace(Waves.cos, 2).result == 201


def test_recursion_through_a_decorator_and_through_a_partial():
    @functools.cache
    def down(n):
        m = down(n - 1) if n else 0  # [1]
        return m

    assert [s.call for s in rbd.trace(down, 2).steps] == [2, 1, 0]

    def twice(f):
        @functools.wraps(f)
        def inner(n):
            return 2 * f(n)

        return inner

    @twice
    def doubled(n):
        m = doubled(n - 1) if n else 1  # [1]
        return m

    inside = doubled.__wrapped__
    assert rbd.trace(inside, 3).result == inside(3) == 8, "the inner calls go through the decorator, untraced"

    def scaled(k, n):
        m = k * (scaled(n - 1) if n else 1)  # [1]
        return m

    scaled = functools.partial(scaled, 2)
    assert rbd.trace(scaled, 3).result == scaled(3) == 16


class Private:
    def __init__(self):
        self.__p, self.log = 1, []

    def get(self):
        self.log.append("got")
        return self

    def __hidden(self):
        return 5

    def add(self, x):
        __y = self.__p + x  # [1]
        self.__p = __y + self.__hidden()  # [2]
        self.__p += 1  # [3]
        self.get().v = 1  # [4]
        self.get().v += 1  # [5]
        return self.__p, self.v, [self.__p for _ in (1,)]

    def inner(self):
        def tagged(x):
            y = x.__p  # [1]
            return y

        return tagged


def test_private_names():
    one, other = Private(), Private()
    trace = rbd.trace(one.add, 2)
    assert trace.result == other.add(2) == (9, 2, [9])
    assert [(s.name, s.before, s.value) for s in trace.steps[1:3]] == [("self.__p", 1, 8), ("self.__p", 8, 9)]
    assert one.log == other.log == ["got", "got"], "get() is called once for each statement"
    assert rbd.trace(one.inner(), one).result == 9


def test_strings_keep_their_indentation():
    def text(x):
        a = """one
        two"""  # [1]
        b = f"""{x}
            three"""  # [2]
# a comment at the margin
        return a + b

    trace = rbd.trace(text, 1)
    assert trace.result == text(1) and trace["a"] == "one\n        two"


def test_tags_with_spaces():
    def spaced(x):
        y = x  # [ 1 ]
        z = y  #[2 ]  # noqa: E262
        return z

    spaced.__rbd_source__ = _source(spaced).replace("  # noqa: E262", "")
    assert [s.line for s in rbd.trace(spaced, 1).steps] == [1, 2]


# -- refusals ----------------------------------------------------------------------------------------------------------


def plain(x):
    return x


def on_call(x):
    print(x)  # [1]
    return x


def on_pass():
    pass  # [2]


def on_declaration(x):
    x: int  # [3]
    return x


def on_nothing():
    x = 1
    # [4]

    return x


def on_else(x):
    if x:  # [1]
        y = 1  # [2]
    else:  # [3]
        y = 2  # [4]
    return y


def two_tags():
    x = (1,  # [1]
         2)  # [2]  # fmt: skip
    return x


def two_statements():
    x = 1; y = 2  # [1]  # noqa: E702
    return x, y


def starred(x):
    a, *b = x  # [1]
    return a, b


def generator(x):
    y = x  # [1]
    yield y


async def later(x):
    y = x  # [1]
    return y


@pytest.mark.parametrize("fn, words", [
    (plain, "plain .*has no tagged line.*# \\[n\\]"),
    (on_call, r"on_call .*tag \[1\].*sets nothing"),
    (on_pass, r"tag \[2\].*sets nothing"),
    (on_declaration, r"tag \[3\].*sets nothing"),
    (on_nothing, r"on_nothing .*tag \[4\] on line 3 belongs to no statement"),
    (on_else, r"tag \[3\] on line 4 belongs to no statement"),
    (starred, r"line \[1\]: a starred target"),
    (generator, "generator .*cannot be traced"),
    (later, "plain def"),
    (lambda x: x, "plain def|Use def"),
    (len, "not a Python function"),
    (3, "not a Python function"),
    (Counter, "not a Python function"),
])  # fmt: skip
def test_refused_with_a_reason(fn, words):
    with pytest.raises(rbd.TraceError, match=words):
        rbd.trace(fn, 1)


def test_two_tags_on_a_statement_and_two_statements_on_a_line():
    for fn, words in ((two_tags, "carries the tags"), (two_statements, "two statements share")):
        text = "\n".join(line.split("  # fmt")[0].split("  # noqa")[0] for line in _source(fn).splitlines())
        fn = _typed(text, fn.__name__)
        fn.__rbd_source__ = text
        with pytest.raises(rbd.TraceError, match=words):
            rbd.trace(fn)


def _source(fn):
    import inspect

    return inspect.getsource(fn)


def _typed(text, name):
    scope = {}
    exec(text, scope)
    return scope[name]


def test_function_without_source():
    fn = _typed("def typed(x):\n    y = x  # [1]\n    return y", "typed")
    with pytest.raises(rbd.TraceError, match="typed has no source text.*notebook cell"):
        rbd.trace(fn, 1)
    fn.__rbd_source__ = "def typed(x):\n    y = x  # [1]\n    return y"
    assert rbd.trace(fn, 1).result == 1


@pytest.mark.parametrize("edit", [
    ("2 * x", "3 * x"),
    ("2 * x", "2.0 * x"),
    ("2 * x", "2 + x"),
    ("np.sin(x)", "np.cos(x)"),
    ("import numpy as np\n", "import numpy as np\n\n\ndef other(x):\n    y = x  # [1]\n    return y\n"),
    ("def edited(x):", "def renamed(x):"),
    ("def edited(x):", "def edited(z):"),
    ("    return", "  return"),
    ("import numpy", "def edited(x):\n    y = x  # [1]\n    return y\n\n\nimport numpy"),
])  # fmt: skip
def test_a_file_edited_after_its_import_is_not_traced(tmp_path, edit):
    text = "import numpy as np\n\n\ndef edited(x):\n    y = 2 * x  # [1]\n    return y + np.sin(x)\n"
    file = tmp_path / "rbd_edited_module.py"
    file.write_text(text)
    spec = importlib.util.spec_from_file_location("rbd_edited_module", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    function = module.edited
    assert rbd.listing(function)[1].code == "y = 2 * x"
    assert edit[0] in text
    file.write_text(text.replace(*edit))
    os.utime(file, (1, 1))
    with pytest.raises(rbd.TraceError, match="edited .*reload the module"):
        rbd.trace(function, 0)
    file.write_text(text + "\n# more\n")
    os.utime(file, (2, 2))
    assert rbd.trace(function, 0).result == 0


# -- data --------------------------------------------------------------------------------------------------------------


def test_json_holds_everything():
    trace = rbd.trace(rbd.rnea, *hand_case().args)
    data = json.loads(json.dumps(trace.to_dict(), allow_nan=False))
    assert data["version"] == VERSION == 1 and data["fn"] == "rnea" and len(data["steps"]) == 44
    assert data["result"] == trace.result.tolist()
    for step, row in zip(trace.steps, data["steps"], strict=True):
        assert (row["line"], row["at"], row["name"], row["kind"]) == (step.line, step.at, step.name, step.kind)
        if step.kind == "write":
            assert row["value"] == step.value.tolist()


def test_json_of_inf_nan_symbols_and_odd_things():
    sympy = pytest.importorskip("sympy")
    odd = {"a": np.array([np.inf, -np.inf, np.nan, 1.5]), 2: (np.int64(3), np.float64(2.5), np.bool_(True), None, "x"),
           "s": np.array([sympy.Symbol("q") + 1, 2], dtype=object), "r": range(3), "c": slice(1, 2),
           "z": np.zeros((2, 0))}  # fmt: skip
    text = json.dumps(jsonable(odd), allow_nan=False)
    assert json.loads(text) == {"a": ["inf", "-inf", "nan", 1.5], "2": [3, 2.5, True, None, "x"], "s": ["q + 1", 2],
                                "r": [0, 1, 2], "c": "slice(1, 2, None)", "z": [[], []]}  # fmt: skip


def test_twin_source_is_python_and_shows_the_reports():
    text = rbd.twin_source(rbd.rnea)
    tree = ast.parse(text)
    assert tree.body[0].name == "rnea" and text.count("__rbd__.step") == 11
    assert '"""' not in text
    assert "@" not in rbd.twin_source(decorated)


def test_line_trees():
    trees = line_trees(rbd.rnea)
    assert set(trees) == {2, 3, 4, 5, 6, 7, 8, 10, 11}
    assert trees[11] == {
        "target": {"n": "f", "ix": {"v": "λ", "of": {"v": "i"}}},
        "rhs": {"op": "+", "a": {"op": "ref", "n": "f", "ix": {"v": "λ", "of": {"v": "i"}}},
                "b": {"op": "@", "a": {"op": "T", "a": {"op": "ref", "n": "X", "ix": {"v": "i"}}},
                      "b": {"op": "ref", "n": "f", "ix": {"v": "i"}}}},
    }  # fmt: skip
    assert json.dumps(trees)


# -- comparing two traces ----------------------------------------------------------------------------------------------


def test_compare_finds_the_first_line_and_body():
    from rbdlite.mistakes import Edit, edited

    case = hard_case(0)
    ours = rbd.trace(rbd.rnea, *case.args)
    assert rbd.compare(ours, rbd.trace(rbd.rnea, *case.args)) is None
    late = edited(rbd.rnea, [Edit(("c[i] = (1 + (i == 4)) * (crm(v[i]) @ vJ[i])",), 5)])
    found = rbd.compare(ours, rbd.trace(late, *case.args))
    assert (found.line, found.at, found.name, found.index) == (5, {"i": 4}, "c", 4)
    assert "line [5], i = 4: c should be" in str(found)


def test_compare_says_what_is_missing():
    def empty(model, q, qd, qdd):
        tau = [0] * 5
        for i in model.inward:
            if i > 2:
                tau[i] = rbd.trace(rbd.rnea, *hand_case().args)["tau", i]  # [10]
        return tau

    found = rbd.compare(rbd.trace(rbd.rnea, *hand_case().args), rbd.trace(empty, *hand_case().args[:4]))
    assert (found.line, found.index, found.missing) == (10, 2, "theirs") and "that step is missing" in str(found)


def test_compare_of_a_part_ends_at_the_result():
    def short(model, q, qd, qdd, f_ext=None):
        X = [None] * 5
        for i in model.outward:  # [1]
            X[i] = rbd.trace(rbd.rnea, *hand_case().args)["X", i]  # [2]
        return X

    found = rbd.compare(rbd.trace(rbd.rnea, *hand_case().args), rbd.trace(short, *hand_case().args))
    assert found.where == "the result"


def doubled(x):
    y = x + 1  # [1]
    return 2 * y


def tripled(x):
    y = x + 1  # [1]
    return 3 * y


def one_more(x):
    y = x + 1  # [1]
    if x > 0:
        z = y  # [2]
        del z
    return 2 * y


def divided(x):
    y = [x / 0.0, None, "text", {"a": x}]  # [1]
    return tuple(y)


def test_compare_looks_at_the_result():
    found = rbd.compare(rbd.trace(doubled, 2), rbd.trace(tripled, 2))
    assert (found.line, found.ours, found.theirs) == (0, 6, 9)
    assert str(found) == "the result should be 6, it is 9" and found.where == "the result"
    assert rbd.compare(rbd.trace(doubled, -1), rbd.trace(tripled, -1)) is None
    model, q, qd, _ = hard_case(0).args[:4]
    ours = rbd.trace(rbd.all_terms, model, q, qd)
    assert rbd.compare(ours, rbd.trace(rbd.all_terms, model, q, qd)) is None
    other = dataclasses.replace(ours, result=ours.result._replace(kinetic=0.0))
    assert rbd.compare(ours, other).line == 0


def test_compare_looks_at_steps_that_only_theirs_has():
    found = rbd.compare(rbd.trace(doubled, 2), rbd.trace(one_more, 2))
    assert (found.line, found.name, found.ours, found.theirs, found.missing) == (2, "z", None, 3, "ours")
    assert "no such step" in str(found) and "3 to z" in str(found)
    assert rbd.compare(rbd.trace(doubled, -2), rbd.trace(one_more, -2)) is None


def test_compare_of_values_that_are_not_finite():
    x = np.array([1.0, -2.0, 0.0])
    with np.errstate(all="ignore"):
        ours, again, other = (rbd.trace(divided, x * k) for k in (1, 2, -1))
    assert np.isnan(ours["y"][0]).any() and rbd.compare(ours, again).line == 1
    assert rbd.compare(ours, ours) is None and rbd.compare(ours, other).line == 1
    with np.errstate(all="ignore"):
        assert rbd.compare(ours, rbd.trace(divided, x + 0)) is None
    assert same([np.inf, 1.0], [np.inf, 1 + 1e-12]) and not same([np.inf, 1.0], [np.inf, 2.0])
    assert same(np.nan, np.nan) and not same(np.nan, 1.0) and not same(1.0, np.nan) and not same(None, 1)


def test_compare_of_symbols():
    sympy = pytest.importorskip("sympy")
    model, q = rbd.robots.planar_arm(exact=True), np.array(sympy.symbols("q1 q2"))
    runs = [rbd.trace(rbd.rnea, model, q, np.array([k, 0]), np.array([0, 0])) for k in (1, 1, 2)]
    assert rbd.compare(*runs[:2]) is None and rbd.compare(*runs[1:]).line == 3
    a, b = q
    assert same(np.array([(a + b) ** 2, 1]), np.array([a**2 + 2 * a * b + b**2, 1]))
    assert not same(a, b) and not same(a, 1)
    runs = [rbd.trace(rbd.rnea, model, symbols("q", 2), np.array([k, 0]), np.array([0, 0])) for k in (1, 1, 2)]
    assert rbd.compare(*runs[:2]) is None and rbd.compare(*runs[1:]).line == 3
    x, y = symbols("x", 2)
    assert same(x * (x + y), x * x + x * y) and not same(x, y) and not same(x, 2.0) and not same(x, "x")


def test_compare_of_a_list_in_itself():
    def knot(x):
        y = [x]
        y.append(y)
        z = y  # [1]
        return z

    ours = rbd.trace(knot, 1)
    assert rbd.compare(ours, rbd.trace(knot, 1)) is None and rbd.compare(ours, rbd.trace(knot, 2)).line == 1
    assert ours.to_dict()["steps"][0]["value"] == [1, "..."] and "z = [1, [...]]" in str(ours)


def test_sets_and_named_tuples_keep_their_value():
    Pair = collections.namedtuple("Pair", "left right")

    def grows():
        seen, pair = {1}, Pair(np.zeros(2), [0])
        kept = seen  # [1]
        both = pair  # [2]
        kept.add(2)
        pair.left[0], pair.right[0] = 5.0, 5
        return kept, both

    trace = rbd.trace(grows)
    assert trace["kept"] == {1} and trace.result[0] == {1, 2}
    assert type(trace["both"]) is Pair and trace["both"].left[0] == 0 and trace["both"].right == [0]
    assert trace.to_dict()["steps"][0]["value"] == [1]


def test_twin_with_a_recorder_of_ones_own():
    class Names(Recorder):
        def step(self, line, at, name, *rest):
            self.steps.append(name)

    mine = Names()
    assert twin(climbs, mine)([-1, 0, 1], 2) == [2, 1]
    assert mine.steps[0] == "j" and "path" in mine.steps


def test_redefined_function_is_traced_anew():
    def make(text):
        fn = _typed(text, "f")
        fn.__rbd_source__ = text
        return fn

    first, second = (make(f"def f(x):\n    y = {k} * x  # [1]\n    return y") for k in (1, 2))
    assert rbd.trace(first, 3).result == 3 and rbd.trace(second, 3).result == 6
    assert rbd.trace(first, 3).result == 3


def compact(model, q, qd, qdd, wrong=False):
    """RNEA as a reader may write it: own numbers, fewer lines, no row for S q̇."""
    _, q, qd, qdd = model.prepare(q=q, qd=qd, qdd=qdd)
    λ, S, n = model.parent, model.S, model.n_bodies
    X, v, a, f, tau = ([0 * model.a0] * (n + 1) for _ in range(5))
    a[0] = model.a0
    for i in model.outward:  # [1]
        X[i] = model.XJ(i, q[i]) @ model.XT[i]  # [2]
        v[i] = X[i] @ v[λ[i]] + S[i] @ qd[i]  # [3]
        a[i] = X[i] @ a[λ[i]] + S[i] @ qdd[i] + (0 if wrong else 1) * (rbd.crm(v[i]) @ S[i] @ qd[i])  # [4]
        f[i] = model.I[i] @ a[i] + rbd.crf(v[i]) @ model.I[i] @ v[i]  # [5]
    for i in model.inward:  # [6]
        tau[i] = S[i].mT @ f[i]  # [7]
        f[λ[i]] = f[λ[i]] + X[i].mT @ f[i]  # [8]
    return model.join(tau)


def test_a_function_with_numbers_of_its_own_is_compared_by_what_it_writes():
    model = rbd.robots.squared_paper_tree()
    state = rbd.robots.squared_paper_state()
    ours = rbd.trace(rbd.rnea, model, *state)
    assert rbd.compare(ours, rbd.trace(compact, model, *state)) is None
    found = rbd.compare(ours, rbd.trace(compact, model, *state, wrong=True))
    assert (found.line, found.name, found.index, found.their_line) == (6, "a", 2, 4)
    assert "a should be" in str(found) and "in its line [4]" in str(found)
