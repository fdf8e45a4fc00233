"""All graded exercises. No answer is stored: numbers are calculated when they are marked, orders kept as digests."""

from dataclasses import replace

from ..aba import aba, minv_times
from ..crba import crba
from ..ltdl import ltdl, ltdl_solve
from ..minv import minv
from ..mistakes.cases import bent_arm, hand_case, own_case
from ..rnea import mass_matrix_by_rnea, rnea
from . import Exercise, small
from .functions import grade_detector, grade_function, grade_helper, grade_lines, grade_state, grade_step
from .numbers import grade_numbers, grade_table
from .words import grade_order, grade_text


def _hand(points, case, fn, *lines):
    return Exercise(points, grade_numbers, {"case": case, "fn": fn, "lines": lines})


def _lines(points, fn, first, last, *names):
    return Exercise(points, grade_lines, {"reference": fn, "lines": range(first, last + 1), "names": names})


def _code(points, fn):
    return Exercise(points, grade_function, {"reference": fn})


def _proof(name, digests):
    whole, *pairs = digests.split()
    return Exercise(4, grade_order, {"name": name, "letters": "ABCDEF", "whole": whole, "pairs": pairs})


def _words(name, points):
    return Exercise(points, grade_text, {"name": name})


def straight_arm():
    """The bent arm stretched out, moving as before."""
    case = bent_arm()
    return replace(case, q=0 * case.q)


HIDDEN = "A01", "A02", "A03", "A04", "A22", "A25", "A26"  # right at the straight arm, whatever the speeds

EXERCISES = {
    "rnea-hand": _hand(10, hand_case, rnea, 4, 5, 6, 7, 10),
    "rnea-own": _hand(6, own_case, rnea, 10),
    "rnea-bent": _hand(6, bent_arm, rnea, 4, 6, 7, 10),
    "rnea-outward": _lines(6, rnea, 1, 8, "v", "a", "f"),
    "rnea-code": _code(10, rnea),
    "rnea-columns": _code(4, mass_matrix_by_rnea),
    "rnea-proof": _proof("rnea-proof", "855e1fda7a2b2d55 744b42d700c00831 13bcb9e84738e5bc a60aaf7e443fed4a "
        "273d94cce0450fb7 9b6ab2aa793bd7cc"),
    "crba-hand": _hand(8, hand_case, crba, 6, 7, 12),
    "crba-own": _hand(5, own_case, crba, 7, 12),
    "crba-bent": _hand(3, bent_arm, crba, 7, 12),
    "crba-composites": _lines(4, crba, 1, 5, "IC"),
    "crba-code": _code(10, crba),
    "crba-test": Exercise(6, grade_detector, {"reference": crba}),
    "crba-price": Exercise(3, grade_table, {"wanted": small.price}),
    "crba-proof": _proof("crba-proof", "f4b620789aeb1a01 dd29798c610bfff7 dd4370874ab75b47 961a08a5ef476e12 "
        "f0e8d69748e865a6 192d9fc256158262"),
    "crba-why": _words("crba-why", 3),
    "aba-hand": _hand(12, hand_case, aba, 8, 9, 11, 14, 20),
    "aba-own": _hand(6, own_case, aba, 20),
    "aba-bent": _hand(4, bent_arm, aba, 9, 11, 20),
    "aba-outward": _lines(3, aba, 1, 6, "v", "pA"),
    "aba-inward": _lines(6, aba, 7, 16, "IA", "pA"),
    "aba-code": _code(12, aba),
    "aba-state": Exercise(4, grade_state, {"reference": aba, "easy": straight_arm, "ids": HIDDEN}),
    "aba-other-way": _code(4, aba),
    "aba-step": Exercise(4, grade_step, {"order": 4}),
    "aba-swing": Exercise(2, grade_table, {"wanted": small.swing, "digits": 3}),
    "aba-proof": _proof("aba-proof", "7892a1eebad759de 63e14af2bb0f1319 3865ad8cff3612be 717b019d9f495122 "
        "fae034b20ca635f2 19f7e669210d609b"),
    "aba-why": _words("aba-why", 4),
    "minv-hand": _hand(6, hand_case, minv, 18),
    "minv-bent": _hand(4, bent_arm, minv, 14, 18),
    "minv-felt": Exercise(3, grade_helper, {"right": small.felt, "cases": small.felt_cases}),
    "minv-times": _code(3, minv_times),
    "minv-shared": _lines(3, minv, 1, 10, "IA"),
    "minv-code": _code(10, minv),
    "minv-test": Exercise(4, grade_detector, {"reference": minv}),
    "minv-proof": _proof("minv-proof", "9d7951b35900c358 bf19667247c439cb 2db11758952c3934 c9066ffad14e6b17 "
        "44b04655b7829a48 57ee22c84fbcab64"),
    "minv-why": _words("minv-why", 3),
    "ltdl-hand": _hand(6, hand_case, ltdl, 2, 6, 9),
    "ltdl-own": _hand(4, own_case, ltdl, 2, 6),
    "solve-hand": _hand(5, hand_case, ltdl_solve, 5, 8, 11),
    "sparse-pattern": Exercise(4, grade_helper, {"right": small.pattern, "cases": small.pattern_cases}),
    "sparse-counts": Exercise(2, grade_table, {"wanted": small.chain_counts}),
    "ltdl-code": _code(8, ltdl),
    "solve-code": _code(6, ltdl_solve),
    "sparse-fill": Exercise(4, grade_helper, {"right": small.fill_in, "cases": small.fill_cases}),
    "sparse-proof": _proof("sparse-proof", "06b7be1398908a8a a8f11a474a780bf3 80fcfb17ddcf0a0d 16c3fad490ef9841 "
        "06ab9ccbd0aeca03 edbee9348368274e"),
    "sparse-why": _words("sparse-why", 3),
}
