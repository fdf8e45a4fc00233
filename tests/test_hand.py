"""Calculations by hand: right values pass, wrong ones are refused or marked, and an unchecked sheet fails."""

import numpy as np
import pytest

import rbdlite as rbd
from rbdlite.hand import HandError, by_points, paper_arm, sheet


@pytest.fixture
def tree():
    return sheet(rbd.rnea, rbd.robots.squared_paper_tree(exact=True), *rbd.robots.squared_paper_state(exact=True))


def states(hand):
    return [row.state for row in hand.rows]


def plane(x):
    return x[2:5, 2:5] if x.shape == (6, 6) else x[2:5] if x.shape == (6, 1) else x


def test_every_row_typed_from_the_trace_passes_and_finishes(tree):
    for step in tree.steps:
        tree.line(step.line, body=step.at["i"], **{step.name: plane(step.value).tolist()})
    assert str(tree.finish()) == "36 rows: 36 right in arithmetic and trace"


def test_a_sheet_with_a_row_missing_or_nothing_typed_fails(tree):
    with pytest.raises(HandError, match=r"36 of 36 rows were never checked; the first is line \[2\], i = 1, X"):
        tree.finish()
    tree.given(*range(2, 9), 10, 11)
    with pytest.raises(HandError, match="nothing was checked"):
        tree.finish()


@pytest.mark.parametrize("typed", [[-1, 11, 1], [-1, 11, 0], [1, 11, -1], [11, -1, -1]])
def test_a_wrong_value_of_the_author_is_refused_with_what_was_expected(tree, typed):
    with pytest.raises(HandError, match=r"line \[6\], i = 2: a = .* was typed; the line gives \(−1; 11, −1\)"):
        tree.line(6, body=2, a=typed)


def test_the_arithmetic_uses_what_was_typed_before_so_one_slip_costs_one_line(tree):
    tree.blank(6, body=2, a=[-1, 11, 0])  # slip: c left out of v_y
    tree.blank(6, body=3, a=[0, 0, 9])  # X3 (-1, 11, 0) + ... = right for the slip
    tree.blank(6, body=4, a=[2, -12, 3])
    assert states(tree)[0] == "wrong"
    own = tree._arithmetic(next(k for k, s in enumerate(tree.steps) if s.line == 6 and s.at["i"] == 3))
    again = sheet(rbd.rnea, *tree.trace.args)
    again.blank(6, body=2, a=[-1, 11, 0])
    again.blank(6, body=3, a=plane(own).tolist())
    assert states(again) == ["wrong", "carried"]
    assert "Right for an earlier slip; without that it becomes" in again.rows[1].message
    again.blank(8, body=3, f=0)
    assert states(again)[-1] == "wrong"


def test_the_true_value_after_a_slip_is_no_slip(tree):
    tree.blank(6, body=2, a=[-1, 11, 0])
    tree.blank(6, body=3, a=plane(tree.trace["a", 3]).tolist())
    assert states(tree) == ["wrong", "traced"]


def test_common_slips_are_named(tree):
    tree.blank(6, body=2, a=[-1, 11, 0])
    assert tree.rows[-1].message == "This is what you get when c[i] is left out."
    assert "when c₂ is left out" in repr(tree.blank(6, body=2, a=[-1, 11, 0]))
    tree.blank(6, body=4, a=(-plane(rbd.crm(tree.trace["v", 4]) @ tree.trace["vJ", 4]) * 2
                             + plane(tree.trace["a", 4])).tolist())  # fmt: skip
    assert tree.rows[-1].message == "This is what you get when c[i] has the wrong sign."
    f1 = tree.trace["fB", 1] + tree.trace["X", 4] @ tree.trace["f", 4]
    tree.blank(11, body=4, f=plane(f1).tolist())
    assert tree.rows[-1].message == "This is what you get when X[i] is not transposed."
    tree.blank(10, body=4, tau=1000)
    assert tree.rows[-1].message.startswith("Put the numbers in once more")


def test_blanks_copies_and_given_rows(tree):
    tree.blank(6, body=2, a=...)
    tree.given(7)
    tree.copied(8)
    assert states(tree) == ["blank", *["given"] * 4, *["right"] * 4]
    with pytest.raises(HandError, match="calculates something"):
        tree.copied(6)
    with pytest.raises(HandError, match="a blank belongs in blank"):
        tree.line(6, body=3, a=...)


def test_what_is_not_there_is_named(tree):
    with pytest.raises(HandError, match=r"no line \[6\] writes v for body 2"):
        tree.line(6, body=2, v=[0, 0, 0])
    with pytest.raises(HandError, match=r"no line \[12\]"):
        tree.line(12, body=2, a=[0, 0, 0])
    with pytest.raises(HandError, match="has shape"):
        tree.line(6, body=2, a=[0, 0])
    with pytest.raises(HandError, match="give one value"):
        tree.line(6, body=2)


def test_text_shows_the_numbers_put_in(tree):
    assert repr(tree.line(6, body=2, a=[-1, 11, -1])) == (
        "[6] i=2   a₂ = X₂ a₁ + S₂ q̈₂ + c₂\n"
        "          = [1 0 0; 1 0 1; 0 −1 0] (1; 0, 10) + (1; 0, 0) · (−2) + (0; 0, −1)\n"
        "          = (−1; 11, −1)   ✓ arithmetic ✓ trace"
    )


def test_html_escapes_and_hides_a_blank(tree):
    tree.blank(10, body=4, tau=...)
    page = tree.line(6, body=2, a=[-1, 11, -1])._repr_mimebundle_()["text/html"]
    assert page.count('class="hr ') == 2 and "<details>" in page and page.startswith("<div")
    assert 'class="hand-parent">(1; 0, 10)' in page


def test_floats_are_typed_with_a_stated_number_of_digits():
    hand = sheet(rbd.rnea, rbd.robots.planar_arm(), [np.pi / 4, np.pi / 3], [1, 2], [0.5, -1], digits=4)
    hand.line(6, body=2, a=[-0.5, 10.9087, -4.0211])
    with pytest.raises(HandError):
        hand.line(6, body=2, a=[-0.5, 10.9087, -4.0251])


def test_a_spatial_model_is_typed_in_six_numbers():
    model = rbd.robots.random_tree(2, np.random.default_rng(1), kinds=("revolute",))
    rng = np.random.default_rng(2)
    hand = sheet(rbd.rnea, model, model.random(rng), rng.normal(size=2), rng.normal(size=2))
    hand.line(4, body=2, v=hand.trace["v", 2][:, 0])
    with pytest.raises(HandError, match=r"shape \(6, 1\); got \(3,\)"):
        hand.line(4, body=2, v=[1, 2, 3])


@pytest.mark.parametrize("seed", range(40))
def test_own_arms_have_whole_answers_that_an_independent_road_confirms(seed):
    model, *state = paper_arm(seed, n=4)
    tau = rbd.rnea(model, *state)
    np.testing.assert_allclose(tau, np.round(tau), atol=1e-9)
    np.testing.assert_allclose(tau, by_points(model.parent[1:], [1] * 4, model.mass[1:], *state), atol=1e-9)


def typed_from(calculation):
    """Every row typed as the trace has it, by line and loop variables."""
    for step in list(calculation.steps):
        at = tuple(calculation._counted(step).values())
        if isinstance(step.value, list):
            calculation.given(step.line, body=at)
        else:
            calculation.line(step.line, body=at, **{step.name.split("[")[0]: step.value})
    return calculation


def test_loops_over_degrees_of_freedom_count_from_one():
    """Minv has a list and nested loops, the factor rows of a list of lists and walks along parents."""
    model, q = rbd.robots.squared_paper_tree(exact=True), rbd.robots.squared_paper_state(exact=True)[0]
    inverse = typed_from(sheet(rbd.minv, model, q))
    assert repr(inverse.finish()).startswith("110 rows")
    M = rbd.crba(model, q)
    factor = typed_from(sheet(rbd.ltdl, model, M))
    assert {s.name for s in factor.steps} == {"D", "r", "L", "H[i]"}  # i = λ(i) is a walk, not a row
    L, D = rbd.ltdl(model, M)
    typed_from(sheet(rbd.ltdl_solve, model, L, D, np.array([16, -2, 3, 8], dtype=object)))
    again = sheet(rbd.ltdl, model, M)
    with pytest.raises(HandError, match=r"line \[9\], k = 3, i = 2, j = 1: .* the line gives 5"):
        again.line(9, body=(3, 2, 1), H=11)
    again = sheet(rbd.ltdl, model, M)
    again.line(2, body=3, D=3)
    assert "0.333333" not in repr(again.line(3, body=3, r=np.array(M[0, 0] / 84)))
    assert "28 − 1 · 4" in repr(sheet(rbd.ltdl, model, M).line(9, body=(4, 1, 1), H=24))
    assert "(1; 1, 0)" in repr(sheet(rbd.minv, model, q).line(15, body=(4, 4), p=[1, 1, 0]))
    rows = [sheet(rbd.minv, model, q).line(14, body=(4, 3), u=0) for _ in range(2)]
    assert "u₃ = e₄,₃ − S₃ᵀ" in repr(rows[0]) and "<sub>4,3</sub>" in rows[1]._repr_mimebundle_()["text/html"]


def test_nested_loops_take_one_number_for_each_and_steps_of_j_are_copies():
    q = rbd.robots.squared_paper_state(exact=True)[0]
    hand = sheet(rbd.crba, rbd.robots.squared_paper_tree(exact=True), q)
    hand.line(10, body=(3, 3), F=[3, 3, 0])
    hand.line(10, body=(3, 2), F=[6, 0, 3])
    hand.line(12, body=(3, 1), M=6)
    assert states(hand) == ["right"] * 3
    for n in (8, 11, 13):  # j = i, j = λ(j), the mirror entry
        hand.copied(n)
    with pytest.raises(HandError, match=r"line \[10\], i = 3, j = 2: F"):
        hand.line(10, body=(3, 2), F=[3, 3, 0])


def test_an_own_arm_shows_mistakes():
    """Of the wrong variants that the running example shows, nearly all are seen on any own arm too."""
    for seed in range(100):
        model, _, qd, qdd = paper_arm(seed)
        assert sorted(model.mass[1:]) == [2, 3, 4, 5] and {1} < set(np.abs(qd)) and {1} < set(np.abs(qdd))
        up = model.parent
        assert len(set(up[1:])) < 4 and max(up[up[i]] for i in model.outward) > 0  # a fork; a grandchild


def test_own_arm_exact():
    assert list(rbd.rnea(*paper_arm(3, exact=True))) == [round(x) for x in rbd.rnea(*paper_arm(3))]


@pytest.mark.parametrize("n", [3, 4, 8])
def test_no_link_of_an_own_arm_lies_on_another(n):
    for seed in range(100):
        model, q, *_ = paper_arm(seed, n)
        tips = {tuple(np.round(p + R @ model.com[i], 6)[:2] + 0) for i, (R, p) in enumerate(rbd.poses(model, q)) if i}
        assert len(tips | {(0, 0)}) == n + 1  # unit links at right angles can only meet at these points


def test_the_copy_of_a_blank_is_a_blank_and_gives_nothing_away(tree):
    for i in (1, 2, 3):
        tree.line(7, body=i, fB=tree.trace["fB", i])
    tree.blank(7, body=4, fB=...)
    tree.copied(8)
    rows = repr(tree.blank(10, body=4, tau=...)), repr(tree.line(11, body=4, f=[95, 3, 91]))
    assert "−80" not in "".join(rows) and "(1; 0, 0) · … + 0" in rows[0] and "]ᵀ …" in rows[1]
    assert "(11; −1, 11)" in rows[1]
    assert states(tree)[-6:] == ["right", "right", "right", "blank", "blank", "right"]


def test_what_only_passes_on_a_blank_is_not_given(tree):
    tree.blank(7, body=4, fB=...)
    rows = repr(tree.given(8, body=4))
    assert "−80" not in rows and states(tree)[-1] == "blank"
    assert "(11; −1, 11)   given" in repr(tree.given(8, body=1))


def test_a_blank_row_of_a_bare_sheet_shows_only_numbers_that_somebody_entered(tree):
    assert "(1; 0, 0) · (154; 0, 126) + 0 · 1" in repr(tree.blank(10, body=1, tau=...))
    model, state = rbd.robots.squared_paper_tree(exact=True), rbd.robots.squared_paper_state(exact=True)
    own = sheet(rbd.rnea, model, *state, bare=True)
    assert "(1; 0, 0) · … + 0 · 1" in repr(own.blank(10, body=1, tau=...))
    assert "= 154   ✓" in repr(own.blank(10, body=1, tau=154))


def test_blanks_in_lists_of_lists_are_hidden_too():
    model, q = rbd.robots.squared_paper_tree(exact=True), rbd.robots.squared_paper_state(exact=True)[0]
    factor = sheet(rbd.ltdl, model, rbd.crba(model, q))
    factor.blank(9, body=(4, 1, 1), H=...)
    assert "… − 2 · 6" in repr(factor.line(9, body=(3, 1, 1), H=12))


def test_terms_stay_on_one_line_in_html(tree):
    page = tree.line(6, body=2, a=[-1, 11, -1])._repr_mimebundle_()["text/html"]
    numbers = page.split('class="nu">')[1].split('<span class="va"')[0]
    assert numbers.count('<span class="t">') == 3 and numbers.count('<span class="t">+ <span') == 2


def test_wide_matrices_get_a_row_of_their_own():
    from rbdlite.handview import _width

    assert _width("[1 2 3; 4 5 −6.25] + (1; 2, 3)") == 12
    assert _width("(0 + (4; 0, 4) · (1/4 · 1))") == 27  # nothing breaks inside brackets
    model = rbd.robots.random_tree(2, np.random.default_rng(1), ("revolute",))
    for digits, wide in ((6, True), (0, False)):
        hand = sheet(rbd.crba, model, model.random(np.random.default_rng(2)), digits=digits)
        assert ("wide" in hand.given(2, body=2)._repr_mimebundle_()["text/html"].split("</style>")[1]) == wide
