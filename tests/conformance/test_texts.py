"""Texts of fixed length in arrays and records: comparison, assignment; enums."""

import enum

import numpy as np
import pytest
from lanewise import CompileError, gpu

ROW = np.dtype([("name", "S5"), ("wide", "U4"), ("n", np.int32)])


def rows():
    return np.array(
        [(b"abc", "xyz", 1), (b"hello", "xy", 2), (b"", "\u00e9t\u00e9", 3), (b"ab", "abcd", 4)], ROW
    )


def test_texts_are_compared():
    @gpu.jit
    def kernel(p, out):
        i = gpu.grid(1)
        if i < p.size:
            out[i, 0] = p[i].name == "abc"
            out[i, 1] = p[i]["name"] != "hello"
            out[i, 2] = p[i].wide == "\u00e9t\u00e9"
            out[i, 3] = p[i].name == p[0].name
            out[i, 4] = "too long" == p[i].name

    p = rows()
    out = np.zeros((4, 5), np.bool_)
    kernel[1, 4](p, out)
    wanted = [
        (r["name"] == b"abc", r["name"] != b"hello", r["wide"] == "\u00e9t\u00e9", r["name"] == b"abc", False)
        for r in p
    ]
    np.testing.assert_array_equal(out, wanted)


def test_texts_are_assigned():
    @gpu.jit
    def kernel(p, q, names):
        i = gpu.grid(1)
        if i < p.size:
            p[i].wide = "ab" if False else "longer"
            q[i].name = p[i].name
            names[i] = p[i].name
            p[i].name = "x"

    p, q = rows(), np.zeros(4, ROW)
    names = np.full(4, "zzzzzz", "S7")
    before = p.copy()
    kernel[1, 4](p, q, names)
    np.testing.assert_array_equal(p["wide"], ["long"] * 4)
    np.testing.assert_array_equal(p["name"], [b"x"] * 4)
    np.testing.assert_array_equal(q["name"], before["name"])
    np.testing.assert_array_equal(names, before["name"])


def test_what_texts_cannot_do():
    @gpu.jit
    def less(p, out):
        out[0] = p[0].name < "b"

    @gpu.jit
    def plus(p, out):
        p[0].name = p[0].n

    with pytest.raises(CompileError, match="(?s)`<`.*S5.*`==` and `!=`"):
        less[1, 1](rows(), np.zeros(1))
    with pytest.raises(CompileError, match="cannot be stored"):
        plus[1, 1](rows(), np.zeros(1))


class Color(enum.Enum):
    RED = 1
    GREEN = 2


class Level(enum.IntEnum):
    LOW = 3
    HIGH = 8


def test_enums():
    @gpu.jit(device=True)
    def pick(flag):
        return Color.RED if flag else Color.GREEN

    @gpu.jit
    def kernel(color, level, out):
        out[0] = color == Color.RED
        out[1] = color is Color.GREEN
        out[2] = level + 1
        out[3] = Level.HIGH
        out[4] = Color.GREEN.value
        out[5] = pick(out[0] == 1) == Color.RED
        out[6] = color.value

    out = np.zeros(7, np.int64)
    kernel[1, 1](Color.RED, Level.LOW, out)
    np.testing.assert_array_equal(out, [1, 0, 4, 8, 2, 1, 1])


@pytest.mark.parametrize("kind", ["S4", "U4"])
def test_texts_elementwise_in_arrays(kind):
    @gpu.jit
    def kernel(t, u, same, count):
        same[0] = t == "ab"
        same[1] = "ab" != t
        same[2] = t == u
        count[0] = "ab" in t
        count[1] = "none" in t
        count[2] = (t == "ab").sum()

    t, u = np.array(["ab", "abc", "d"], kind), np.array(["ab", "ab", "d"], kind)
    same, count = np.zeros((3, 3), bool), np.full(3, -1)
    kernel[1, 1](t, u, same, count)
    np.testing.assert_array_equal(same, [[True, False, False], [False, True, True], [True, False, True]])
    assert count.tolist() == [1, 0, 1]
