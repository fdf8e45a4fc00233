"""Each hint that is offered holds something new; what small functions and steps hear; mistakes that share inputs."""

import numpy as np
import pytest

import rbdlite as rbd
from rbdlite.diagnose import diagnose
from rbdlite.exercise import EXERCISES, check
from rbdlite.grading import told
from rbdlite.mistakes.cases import hard_case
from rbdlite.mistakes.lines import failing_lines


def _parents_only(λ):
    out = np.eye(len(λ), dtype=bool)
    for k, i in enumerate(λ):
        if i >= 0:
            out[k, i] = out[i, k] = True
    return out


def _lower(λ):
    out = np.eye(len(λ), dtype=bool)
    for k in range(len(λ)):
        i = λ[k]
        while i >= 0:
            out[k, i], i = True, λ[i]
    return out


def _fill(keeps=True, twice=False, zero=True):
    def fill_in(λ, order):
        H, left, count = _lower(λ) | _lower(λ).T, list(order), 0
        while left:
            k = left.pop(0)
            near = [i for i in left if H[k, i]]
            new = [(i, j) for i in near for j in near if i < j and not (zero and H[i, j])]
            count += (1 + twice) * len(new)
            for i, j in new if keeps else ():
                H[i, j] = H[j, i] = True
        return count

    return fill_in


def _four(accel, q, qd, dt):
    """Runge and Kutta's step, but q moves by the velocity at the start."""
    a = accel(q, qd)
    b = accel(q + dt / 2 * qd, qd + dt / 2 * a)
    c = accel(q + dt / 2 * qd, qd + dt / 2 * b)
    d = accel(q + dt * qd, qd + dt * c)
    return q + dt * qd, qd + dt / 6 * (a + 2 * b + 2 * c + d)


def _euler(accel, q, qd, dt):
    return q + dt * qd, qd + dt * accel(q, qd)


def _unfinished(*args):
    raise NotImplementedError


def _no_forces(model, q, qd, tau, f_ext=None):
    return np.linalg.solve(rbd.crba(model, q), tau - rbd.rnea(model, q, qd, np.zeros(model.nv)))


def _added(model, q, qd, tau, f_ext=None):
    return np.linalg.inv(rbd.crba(model, q)) @ (tau + rbd.rnea(model, q, qd, np.zeros(model.nv), f_ext))


ANSWERS = [
    ("sparse-pattern", _parents_only), ("sparse-pattern", _lower), ("sparse-fill", lambda λ, order: 0),
    ("sparse-fill", _fill(keeps=False)), ("minv-felt", lambda M, k: np.array([M[k, k], M[k, k]])),
    ("aba-step", _euler), ("aba-step", _four), ("aba-step", lambda accel, q, qd, dt: (q - dt * qd, qd)),
    ("aba-code", _unfinished), ("aba-code", lambda *args: [None]), ("aba-other-way", _no_forces),
    ("aba-other-way", _added), ("aba-inward", _unfinished), ("aba-state", ([0, 0], [0, 0], [0, 0])),
    ("aba-hand", {(20, 1): 11}), ("aba-hand", {}), ("aba-swing", {"euler": 1.0, "rk4": 0}), ("aba-swing", {}),
    ("crba-test", lambda *args: True), ("aba-why", {}), ("aba-proof", "BDFAEC"),
]  # fmt: skip


@pytest.mark.parametrize("id, answer", ANSWERS, ids=[f"{k}-{n}" for n, (k, _) in enumerate(ANSWERS)])
def test_a_hint_that_is_offered_holds_something_new(id, answer):
    texts = {h: check(id, answer, hint=h).text for h in (1, 2, 3)}
    parts = {h: {x for x in text.splitlines() if not x.startswith("More: ")} for h, text in texts.items()}
    for h in (1, 2, 3):
        later = [k for k in range(h + 1, 4) if parts[k] - parts[h]]
        assert ("More: " in texts[h]) == bool(later), texts
        if later:
            assert texts[h].endswith(f"More: check({id!r}, ..., hint={later[0]})")


def test_what_small_functions_hear():
    assert EXERCISES["sparse-fill"].more["right"]((-1, 0, 0, 0), (0, 1, 2, 3)) == 3
    cases = [("sparse-pattern", _parents_only, "entries are False that should be True, 0 True", "should be True: "),
             ("sparse-pattern", lambda λ: _parents_only(λ) | True, "0 entries are False", "hangs on the other"),
             ("sparse-fill", lambda λ, order: 0, "order (0, 1, 2, 3). Yours counts too few.", "are they, in yours?"),
             ("sparse-fill", _fill(keeps=False), "Yours counts too many.", "when a pair that has filled is not"),
             ("sparse-fill", _fill(twice=True), "Yours counts too many.", "when each pair is counted twice"),
             ("sparse-fill", _fill(zero=False), "Yours counts too many.", "when pairs are counted that were"),
             ("minv-felt", lambda M, k: np.array([M[k, k], M[k, k]]), "goes wrong in the first number", "only τ_k"),
             ("aba-step", _euler, "Yours goes wrong in q.", "when both rates are those at the start"),
             ("aba-step", _four, "Yours goes wrong in q.", "when q moves by the velocity at the start"),
             ("aba-step", lambda accel, q, qd, dt: (q + dt * qd + dt * dt / 2 * accel(q, qd), qd + dt * accel(q, qd)),
              "A constant acceleration comes out right", "Four rates")]  # fmt: skip
    for id, fn, second, third in cases:
        one, two, three = (check(id, fn, hint=h).text for h in (1, 2, 3))
        assert second not in one and second in two and third not in two and third in three, (second, one, two, three)
    assert "A half is missing" in check("sparse-pattern", _lower, hint=2).text
    swapped = check("minv-felt", lambda M, k: np.array([M[k, k], 1 / np.linalg.inv(M)[k, k]]), hint=2)
    assert "The two have changed places." in swapped.text


def test_only_the_first_later_hint_with_something_new_is_offered():
    assert told(lambda h: ["a"] if h < 3 else ["a", "b"], 1).more == 3
    assert told(lambda h: ["a"], 1).more is None and told(lambda h: ["a", "b"][:h], 1) == ["a"]


def test_one_term_made_of_three_inputs_is_not_said_to_be_three_mistakes():
    d = diagnose(_added, rbd.aba)
    assert set(d.together) == {"q̇ = 0", "no gravity", "no external force"}
    said = check("aba-other-way", _added).text
    assert "the bias force, which these make together, is wrong in one place or in several" in said
    assert "behind each" not in said


def test_text_that_is_too_short_is_not_called_blank():
    text = check("aba-why", {"sum": "x", "armature": ..., "energy": "  ", "crossover": "constants"}).text
    for key, state in (("sum", "too short"), ("armature", "still blank"), ("energy", "still blank"),
                       ("crossover", "too short")):  # fmt: skip
        assert f"  {key}: {state}; write a whole sentence" in text


def test_an_array_of_ones_own_for_x_is_accepted_in_the_solver():
    def my_solve(model, L, D, b):
        λ = model.dof_parent
        x = np.array(b, dtype=float)  # [1]
        for k in reversed(range(model.nv)):  # [2]
            i = λ[k]  # [3]
            while i >= 0:  # [4]
                x[i] = x[i] - L[k, i] * x[k]  # [5]
                i = λ[i]  # [6]
        for k in range(model.nv):  # [7]
            x[k] = x[k] * D[k]  # [8]
            i = λ[k]  # [9]
            while i >= 0:  # [10]
                x[k] = x[k] - L[k, i] * x[i]  # [11]
                i = λ[i]  # [12]
        return x

    assert [f.n for f in failing_lines(my_solve, rbd.ltdl_solve, hard_case(0))] == [8]
    said = check("solve-code", my_solve, hint=3).text
    assert said.count("On the right inputs") == 1 and "line [8]" in said and "truth value" not in said
