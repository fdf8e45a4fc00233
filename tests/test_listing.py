"""Pseudocode beside code: the two agree for every tagged function of the package, and disagreement is an error."""

import importlib
import inspect
import pkgutil
import re

import pytest

import rbdlite as rbd
from rbdlite.listing import rows, source

TAG = re.compile(r"# \[\d+\]\s*$", re.MULTILINE)


def tagged_functions():
    """Every function of the package whose text holds a tag, as {name: function}."""
    found = {}
    for info in pkgutil.walk_packages(rbd.__path__, "rbdlite."):
        try:
            module = importlib.import_module(info.name)
        except ImportError:  # an optional part whose library is not there
            continue
        for name, fn in inspect.getmembers(module, inspect.isfunction):
            if fn.__module__ == info.name and TAG.search(inspect.getsource(fn)):
                found[f"{info.name}.{name}"] = fn
    return found


TAGGED = tagged_functions()


def test_there_are_tagged_functions():
    assert "rbdlite.rnea.rnea" in TAGGED and len(TAGGED) >= 4


@pytest.mark.parametrize("name", TAGGED)
def test_pseudocode_and_code_agree(name):
    fn = TAGGED[name]
    listing = rbd.listing(fn)
    numbers = [x.n for x in listing.lines]
    assert numbers == list(range(1, len(numbers) + 1)), "numbers run from 1 in the order of the code"
    assert set(rows(fn)) == set(numbers)
    for line in listing.lines:
        assert line.symbols and line.code and line.words, f"line [{line.n}]"
        assert set(re.findall(r"\{(.+?)\}", line.words)) <= _letters(fn), f"line [{line.n}]"
        head = line.symbols.split()[0]
        assert (head in ("for", "while", "if", "return")) == (line.kind != "set") or line.kind == "return"
        if line.kind in ("for", "while", "if"):
            assert head == line.kind
    assert listing.passes and listing.passes[0].first == 1 and listing.passes[-1].last == numbers[-1]


def _letters(fn):
    """Names that a sentence may mention: what the function itself calls its things."""
    code = fn.__code__
    return {*code.co_varnames, *code.co_cellvars, "λ"}


def test_rnea():
    listing = rbd.listing(rbd.rnea)
    assert [(p.title, p.first, p.last) for p in listing.passes] == [("outward", 1, 8), ("inward", 9, 11)]
    assert [x.depth for x in listing.lines] == [0] + [1] * 7 + [0, 1, 1]
    assert listing[9].kind == "for" and listing[9].code == "for i in model.inward:"
    assert listing[4].symbols == "v_i = X_i v_λ + vJ_i" and listing[4].code == "v[i] = X[i] @ v[λ[i]] + vJ[i]"
    assert "{i}" in listing[4].words and "{λ}" in listing[4].words
    with pytest.raises(StopIteration):
        listing[12]


def test_shown_as_text_and_table():
    listing = rbd.listing(rbd.rnea)
    text = str(listing).splitlines()
    assert len(text) == 11 and text[0].startswith(" [1]  for i = 1 … n") and "f[λ[i]] + X[i].mT @ f[i]" in text[10]
    page = listing._repr_html_()
    assert page.count("<tr>") == 11 and "<i>v</i><sub><i>i</i></sub>" in page and "crm(v[i]) @ vJ[i]" in page


def same_line_twice(x):
    """[1] y = |x| | Its size.
    """
    if x < 0:
        y = -x  # [1]
    else:
        y = x  # [1]
    return y


def test_two_statements_may_do_one_lines_work():
    assert rbd.listing(same_line_twice)[1].code == "y = -x; y = x"
    assert [s.value for s in rbd.trace(same_line_twice, -3).steps] == [3]


def no_docstring(xs):
    total = 0  # [1]
    for x in xs:  # [2]
        if x > 0:  # [3]
            total = total + x  # [4]
    return total  # [5]


def test_without_pseudocode_the_code_stands_for_it():
    listing = rbd.listing(no_docstring)
    code = ["total = 0", "for x in xs:", "if x > 0:", "total = total + x", "return total"]
    assert [x.symbols for x in listing.lines] == [x.code for x in listing.lines] == code
    assert [x.kind for x in listing.lines] == ["set", "for", "if", "set", "return"]
    assert [x.depth for x in listing.lines] == [0, 0, 1, 2, 0]


def lacks_a_tag(x):
    """
    [1] y = x | One.
    [2] z = y | Two.
    """
    y = x  # [1]
    return y


def lacks_a_row(x):
    """
    [1] y = x | One.
    """
    y = x  # [1]
    z = y  # [2]
    return z


def wrong_depth(xs):
    """
    [1] for x    | Loop.
    [2] y = x    | Body.
    """
    for x in xs:  # [1]
        y = x  # [2]
    return y


def row_twice(x):
    """
    [1] y = x | One.
    [1] y = x | One again.
    """
    y = x  # [1]
    return y


def untagged(x):
    return x


@pytest.mark.parametrize("fn, words", [
    (lacks_a_tag, r"rows without code \[2\], tags without a row \[\]"),
    (lacks_a_row, r"rows without code \[\], tags without a row \[2\]"),
    (wrong_depth, r"line \[2\] is at depth 0 in the docstring and 1 in the code"),
    (row_twice, r"two rows \[1\]"),
    (untagged, "untagged .*has no tagged line"),
    (len, "not a Python function"),
])  # fmt: skip
def test_disagreement_is_an_error(fn, words):
    with pytest.raises(rbd.TraceError, match=words):
        rbd.listing(fn)


def test_source_of_a_variant_is_its_own():
    from rbdlite.diagnose import variant

    fn = variant(rbd.rnea, "R07")
    assert rbd.listing(fn)[5].code == "c[i] = 0 * vJ[i]" and rbd.listing(rbd.rnea)[5].code == "c[i] = crm(v[i]) @ vJ[i]"
    assert "0 * vJ[i]" in source(fn).text
