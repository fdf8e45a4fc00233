"""All graded exercises. No answer is stored: numbers are calculated when they are marked, what a proof's lines
need is kept as digests."""

from dataclasses import replace

from ..aba import aba, minv_times
from ..coriolis import coriolis
from ..crba import crba
from ..ltdl import ldlt, ltdl, ltdl_solve
from ..minv import minv
from ..mistakes.cases import bent_arm, hand_case, own_case
from ..rnea import bias, gravity_torque, mass_matrix_by_rnea, rnea
from ..terms import all_terms
from . import Exercise, small
from .functions import grade_function, grade_lines
from .numbers import grade_numbers, grade_table
from .steps import grade_step
from .telling import tell_felt, tell_fill, tell_pattern
from .trials import grade_detector, grade_helper, grade_state
from .words import grade_order, grade_text


def _hand(points, case, fn, *lines):
    return Exercise(points, grade_numbers, {"case": case, "fn": fn, "lines": lines})


def _lines(points, fn, first, last, *names):
    return Exercise(points, grade_lines, {"reference": fn, "lines": range(first, last + 1), "names": names})


def _code(points, fn, *allowed):
    return Exercise(points, grade_function, {"reference": fn, "allowed": allowed})


def _helper(points, right, cases, tell):
    return Exercise(points, grade_helper, {"right": right, "cases": cases, "tell": tell})


def _proof(name, digests):
    return Exercise(4, grade_order, {"name": name, "letters": "ABCDEF", "needs": frozenset(digests.split())})


def _words(name, points):
    return Exercise(points, grade_text, {"name": name})


def straight_arm():
    """The bent arm stretched out, moving as before."""
    case = bent_arm()
    return replace(case, q=0 * case.q)


HIDDEN = "A01", "A02", "A03", "A04", "A22", "A25", "A26"  # right at the straight arm, whatever the speeds

BY_MASS_MATRIX = (rnea, bias, gravity_torque, mass_matrix_by_rnea, crba, coriolis, all_terms, ltdl, ltdl_solve,
                  ldlt)  # fmt: skip

EXERCISES = {
    "rnea-hand": _hand(4, hand_case, rnea, 4, 5, 6, 7, 10),
    "rnea-own": _hand(12, own_case, rnea, 10),
    "rnea-bent": _hand(6, bent_arm, rnea, 4, 6, 7, 10),
    "rnea-outward": _lines(6, rnea, 1, 8, "v", "a", "f"),
    "rnea-code": _code(10, rnea),
    "rnea-columns": _code(4, mass_matrix_by_rnea, rnea, bias, gravity_torque),
    "rnea-proof": _proof("rnea-proof", "6fd6e2dccadfef34 9d52af9a7cd71528 b97e42962f59f33e "
        "c4b825f99ec13e59 cbcc2e0d113d9041"),
    "crba-hand": _hand(3, hand_case, crba, 6, 7, 12),
    "crba-own": _hand(10, own_case, crba, 7, 12),
    "crba-bent": _hand(3, bent_arm, crba, 7, 12),
    "crba-composites": _lines(4, crba, 1, 5, "IC"),
    "crba-code": _code(10, crba),
    "crba-test": Exercise(6, grade_detector, {"reference": crba}),
    "crba-price": Exercise(3, grade_table, {"wanted": small.price}),
    "crba-proof": _proof("crba-proof", "0de84d23f65fa084 126d0fed60a9eeca 3fa8c6291f3f6c4f "
        "50eb88a7e3ac4829 66c9bcdcd84e6e13"),
    "crba-why": _words("crba-why", 3),
    "aba-hand": _hand(4, hand_case, aba, 8, 9, 11, 14, 20),
    "aba-own": _hand(14, own_case, aba, 20),
    "aba-bent": _hand(4, bent_arm, aba, 9, 11, 20),
    "aba-outward": _lines(3, aba, 1, 6, "v", "pA"),
    "aba-inward": _lines(6, aba, 7, 16, "IA", "pA"),
    "aba-code": _code(12, aba),
    "aba-state": Exercise(4, grade_state, {"reference": aba, "easy": straight_arm, "ids": HIDDEN}),
    "aba-other-way": _code(4, aba, *BY_MASS_MATRIX),
    "aba-step": Exercise(4, grade_step, {"order": 4}),
    "aba-swing": Exercise(2, grade_table, {"wanted": small.swing, "digits": 3}),
    "aba-proof": _proof("aba-proof", "62f539182723d3b1 9f169fc135245484 a82a2b8633613dee "
        "cf59cf37ead2d30c d12dcddf8b4b0d68"),
    "aba-why": _words("aba-why", 4),
    "minv-hand": _hand(2, hand_case, minv, 18),
    "minv-own": _hand(5, own_case, minv, 18),
    "minv-bent": _hand(3, bent_arm, minv, 14, 18),
    "minv-felt": _helper(3, small.felt, small.felt_cases, tell_felt),
    "minv-times": _code(3, minv_times, aba, rnea, bias, gravity_torque),
    "minv-shared": _lines(3, minv, 1, 10, "IA"),
    "minv-code": _code(10, minv),
    "minv-test": Exercise(4, grade_detector, {"reference": minv}),
    "minv-proof": _proof("minv-proof", "0869e4d6b6feb3c5 2390b3dd277fe916 27764f270c686c39 "
        "79c02466146aeda3 862fb34e678812ae b1caa55ba26fc357"),
    "minv-why": _words("minv-why", 3),
    "ltdl-hand": _hand(2, hand_case, ltdl, 2, 6, 9),
    "ltdl-own": _hand(7, own_case, ltdl, 2, 6),
    "solve-hand": _hand(2, hand_case, ltdl_solve, 5, 8, 11),
    "solve-own": _hand(4, own_case, ltdl_solve, 5, 8, 11),
    "sparse-pattern": _helper(4, small.pattern, small.pattern_cases, tell_pattern),
    "sparse-counts": Exercise(2, grade_table, {"wanted": small.chain_counts}),
    "ltdl-code": _code(8, ltdl),
    "solve-code": _code(6, ltdl_solve),
    "sparse-fill": _helper(4, small.fill_in, small.fill_cases, tell_fill),
    "sparse-proof": _proof("sparse-proof", "10ac30446210f8ab 1dc1cf3b89bf8bc2 3bd8a1d765abd445 "
        "9bd66db92eab2424 d444e9648b2a5c66"),
    "sparse-why": _words("sparse-why", 3),
}
