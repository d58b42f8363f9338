"""`match`: the kernels are texts, for older Pythons do not have it."""

import sys
import warnings

import numpy as np
import pytest
from as_python import check
from lanewise import gpu

pytestmark = pytest.mark.skipif(sys.version_info < (3, 10), reason="this Python has no `match`")

TEXT = """
class E:
    A = 1
    B = 2

def matches(out, n, m):
    match n:
        case 1:
            out[0] = 1
        case 2 | 3:
            out[0] = 2
        case _:
            out[0] = 3
    match m:
        case E.A:
            out[1] = 1
        case E.B:
            out[1] = 2
    match n:
        case x if x > 2:
            out[2] = x
        case _:
            out[2] = 0
    match (n, m):
        case (1, 2):
            out[3] = 1
        case (3, y):
            out[3] = y
        case _:
            out[3] = 9
    match n:
        case -1:
            out[4] = 1
        case 3 as z:
            out[4] = z
    match n, m:
        case 3, (1 | 2) as w:
            out[5] = w
    match m:
        case 0:
            out[6] = 1
        case other:
            out[6] = other
    match n:
        case 2.5:
            out[7] = 1
        case 3.0:
            out[7] = 2
    match (1, 2, 3):
        case (a, *rest):
            out[8] = a + len(rest)
    match n > 2:
        case True:
            out[9] = 1
        case False:
            out[9] = 2
    match None:
        case None:
            out[10] = 1
    match 'ab':
        case 'ab':
            out[11] = 1
"""


def test_match():
    names = {"__name__": "match_text"}
    exec(TEXT, names)
    for n, m in ((3, 2), (1, 1), (-1, 0), (2, 5)):
        check(names["matches"], n, np.int32(m))


def test_what_a_pattern_binds_is_bound_after_the_guard():
    """Without a warning, and arrays too."""
    space = {}
    exec(
        """
def kernel(x, n):
    match x, n:
        case a, m if m > 2:
            a[0] = m
        case a, (1 | 2) as m if a.size > 3:
            a[1] = m
        case _:
            x[2] = n
""",
        space,
    )
    kernel = gpu.jit(space["kernel"])
    for n in (5, 2, 0):
        x, want = np.zeros(4, np.int64), np.zeros(4, np.int64)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            kernel[1, 1](x, n)
        want[{5: 0, 2: 1, 0: 2}[n]] = n
        np.testing.assert_array_equal(x, want)


@pytest.mark.parametrize("kind", ["S4", "U4"])
def test_match_of_texts(kind):
    text = """
def kernel(t, cases):
    for i in range(3):
        match t[i]:
            case "ab":
                cases[i] = 1
            case "c" | "d":
                cases[i] = 2
            case _:
                cases[i] = 3
"""
    scope = {}
    exec(text, scope)
    cases = np.zeros(3, int)
    gpu.jit(source=text)(scope["kernel"])[1, 1](np.array(["ab", "abc", "d"], kind), cases)
    assert cases.tolist() == [1, 3, 2]
