"""Pseudocode rows as HTML: every row of the package's functions, and the rules one by one."""

import re

import pytest

import rbdlite as rbd
from rbdlite.typeset import name_base, typeset

TAGGED = (rbd.rnea, rbd.crba, rbd.aba, rbd.minv, rbd.ltdl, rbd.ltdl_solve, rbd.ldlt, rbd.coriolis, rbd.all_terms,
          rbd.held, rbd.mass_matrix_by_rnea, rbd.minv_times, rbd.operational_inertia, rbd.delassus)  # fmt: skip


@pytest.mark.parametrize("plain, want", [
    ("v_i", "<i>v</i><sub><i>i</i></sub>"),
    ("a_0", "<i>a</i><sub>0</sub>"),
    ("q̈_i", '<i class="rbd-d2" role="img" aria-label="q̈">q</i><sub><i>i</i></sub>'),
    ("q̇", '<i class="rbd-d1" role="img" aria-label="q̇">q</i>'),
    ("λ(i) ≠ 0", "<i>λ</i>(<i>i</i>) ≠ 0"),
    ("Ia", "<i>I</i><sup>a</sup>"),
    ("1 … nv", "1 … <i>n</i><sub><i>v</i></sub>"),
    ("a < b", "<i>a</i> &lt; <i>b</i>"),
    ("for i = n … 1", "for <i>i</i> = <i>n</i> … 1"),
])  # fmt: skip
def test_rules(plain, want):
    assert typeset(plain) == want


def test_two_storeys():
    assert typeset("IA_λ") == '<i>I</i><span class="rbd-ss"><span>A</span><span>λ</span></span>'
    assert typeset("X_iᵀ") == '<i>X</i><span class="rbd-ss"><span>⊤</span><span><i>i</i></span></span>'
    assert typeset("IC_λ") == '<i>I</i><span class="rbd-ss"><span>c</span><span>λ</span></span>'
    assert typeset("aba(q)") == "aba(<i>q</i>)"
    assert typeset("a′_i") == "<i>a</i>′<sub><i>i</i></sub>"


@pytest.mark.parametrize("fn", TAGGED, ids=lambda f: f.__name__)
def test_every_row_loses_no_sign(fn):
    """Without its tags and marks the HTML still holds every letter and digit of the row, in order."""
    for line in rbd.listing(fn).lines:
        text = re.sub(r"<[^>]*>", "", typeset(line.symbols)).replace("⊤", "ᵀ").replace("−1", "")
        letters = sorted(c for c in text if c.isalnum())
        plain = re.sub("inv(?!\\()", "", line.symbols).replace("⁻¹", "").replace("IC", "Ic").replace("BC", "Bc")
        want = sorted(c for c in plain if c.isalnum())
        assert [c for c in letters if c not in "n"] == [c for c in want if c not in "n"], line.symbols


def test_body_0_is_called_the_base():
    assert name_base("Joint 0 carries body 0 and body 10.") == "The base carries the base and body 10."
