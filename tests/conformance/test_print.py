"""print: what Python prints, from one thread in order and from many in whole lines.

CUDA's driver writes to C's stdout: `capfd` sees both it and Python's sys.stdout.
"""

import collections
import math
import os
import sys

import numpy as np
import pytest
from lanewise import CompileError, TargetError, gpu

CUDA = os.environ.get("LANEWISE_TARGET") == "cuda"
MODE = "fast"


@pytest.fixture
def printed(capfd):
    def launch(kernel, *arguments, grid=1, block=1):
        capfd.readouterr()
        kernel[grid, block](*arguments)
        gpu.synchronize()
        sys.stdout.flush()
        return capfd.readouterr().out

    return launch


def test_integers(printed):
    @gpu.jit
    def k(a, b, c, d):
        print(a[0], b[0], c[0], d[0])
        print(-a[0], 7, -(2**63 - 1) - 1, 18446744073709551615)

    out = printed(k, np.array([-128], np.int8), np.array([255], np.uint8), np.array([-(2**63)]), np.array([2**64 - 1], np.uint64))
    assert out == "-128 255 -9223372036854775808 18446744073709551615\n128 7 -9223372036854775808 18446744073709551615\n"


def test_bools_none_strings(printed):
    @gpu.jit
    def k(a):
        print(a[0] > 1, a[0] < 1, True, None, "text", 'it\'s "100%" {x}', MODE, sep="|")
        print()
        print("no end", end="")
        print("", end="\n")

    assert printed(k, np.array([2])) == 'True|False|True|None|text|it\'s "100%" {x}|fast\n\nno end\n'


def test_whole_and_short_floats(printed):
    @gpu.jit
    def k(x, y):
        print(x[0], x[1], x[2], x[3], x[4], x[5], x[6])
        print(y[0], y[1], y[2])
        print(0.1, 1.0, 1e16, 1e-5, 1 / 3)  # constants are printed at compile time

    x = np.array([1.0, -0.0, 0.1, 1.5e-7, math.inf, -math.inf, math.nan])
    y = np.array([1.0, 0.1, 1e6], np.float32)
    out = printed(k, x, y).splitlines()
    assert out[0] == "1.0 -0.0 0.1 1.5e-07 inf -inf nan"
    assert out[1] == "1.0 0.1 1000000.0"
    assert out[2] == "0.1 1.0 1e+16 1e-05 0.3333333333333333"


@pytest.mark.skipif(CUDA, reason="C's printf rounds to 15 and 7 digits")
def test_shortest_floats(printed):
    rng = np.random.default_rng(3)
    values = rng.integers(0, 2**64, 200, np.uint64).view(np.float64)
    values = np.concatenate([values, [1e15, 1e16, 123456789.125, 1 / 3, 5e-324, 1.7976931348623157e308, 1e22, 9.5e-5, 1e-4]])
    single = rng.integers(0, 2**32, 200, np.uint32).view(np.float32)
    half = rng.integers(0, 2**16, 200, np.uint16).view(np.float16)

    @gpu.jit
    def k(a):
        for i in range(a.size):
            print(a[i])

    assert printed(k, values) == "".join(f"{v!r}\n" for v in values.tolist())
    with np.errstate(all="ignore"):
        for array in (single, half):
            shown = [float(s) for s in printed(k, array).split()]
            np.testing.assert_array_equal(np.array(shown, array.dtype), array)
        # As NumPy writes them, where it does not switch to an exponent earlier.
        plain = np.array([0.1, 1.5, 100.25, 3.1415927, 1e-5], np.float32)
        assert printed(k, plain) == "".join(f"{v!s}\n" for v in plain)


def test_tuples(printed):
    @gpu.jit
    def k(a):
        print((a[0], a[1] > 5), (1,), (), ((a[0], "s"), None), [1, 2])
        print(gpu.threadIdx, gpu.blockDim)
        print(*(a[0], a[1], 9), a.shape)

    expected = "(4, True) (1,) () ((4, 's'), None) [1, 2]\n(0, 0, 0) (1, 1, 1)\n4 6 9 (2,)\n"
    assert printed(k, np.array([4, 6])) == expected


def test_named_tuples(printed):
    Point = collections.namedtuple("Point", "x y")
    One = collections.namedtuple("One", "only")
    here = Point(0.5, True)

    @gpu.jit
    def k(p, a):
        print(p, here, One(a[0]), [Point(1, (a[0], p.x))], Point(y=2, x="s"), sep="|")
        print(f"{p}: {p.x:.1f}, {here.y}")

    out = printed(k, Point(np.float32(0.25), 3), np.array([7]))
    assert out == (
        "Point(x=0.25, y=3)|Point(x=0.5, y=True)|One(only=7)|[Point(x=1, y=(7, 0.25))]|Point(x='s', y=2)\n"
        "Point(x=0.25, y=3): 0.2, True\n"
    )


def test_f_strings(printed):
    @gpu.jit
    def k(x, n):
        print(f"x={x[0]:.3f}|{x[0]:10.2e}|{x[0]:<9.1f}|{x[0]:+g}|{n[0]:5d}|{n[0]:<5}|{n[0]:05d}|{n[0]:+}")
        print(f"{n[0]:x} {n[1]:x} {n[1]:o} {n[0]:X} {n[0]!r} {n[0]=} {'s'!r} {'s'} {n[0] > 1} {{}}")
        print(f"{n[0]:.2f} {x[0]:8.3f} {True:d}", f"{MODE:>6}|{MODE:-<6}|", sep="; ")
        print("adjacent " f"{n[0]}" " text", f"{(n[0], 's')}")

    x, n = np.array([3.14159265]), np.array([42, -255])
    expected = (
        f"x={x[0]:.3f}|{x[0]:10.2e}|{x[0]:<9.1f}|{x[0]:+g}|{42:5d}|{42:<5}|{42:05d}|{42:+}\n"
        "2a -ff -377 2A 42 n[0]=42 's' s True {}\n"
        f"{42:.2f} {x[0]:8.3f} 1;   fast|fast--|\n"
        "adjacent 42 text (42, 's')\n"
    )
    assert printed(k, x, n) == expected


def test_formats_that_c_has_not(printed):
    @gpu.jit
    def k(x, n):
        print(f"{n[0]:,} {n[0]:_} {n[0]:#x} {n[0]:b} {n[0]:^9} {n[0]:*<9} {n[0]:=+9} {n[0]:010,} {n[0]:#_b}")
        print(f"{x[0]:.1%} {x[0]:,.2f} {x[0]:^12.2f} {x[0]:.3} {x[1]:.3} {x[2]:.3} {x[0]:012,.2f} {x[0]:n} {x[2]:.1}")

    x, n = np.array([1234.5678, 2.0, 100.0]), np.array([1234567])
    v = 1234567
    if CUDA:
        with pytest.raises(TargetError, match="CUDA's printf does not have"):
            k[1, 1](x, n)
        return
    assert printed(k, x, n) == (
        f"{v:,} {v:_} {v:#x} {v:b} {v:^9} {v:*<9} {v:=+9} {v:010,} {v:#_b}\n"
        f"{x[0]:.1%} {x[0]:,.2f} {x[0]:^12.2f} {float(x[0]):.3} {2.0:.3} {100.0:.3} {x[0]:012,.2f} {x[0]:n} {100.0:.1}\n"
    )


def test_many_values(printed):
    @gpu.jit
    def k(a):
        print(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14], a[15],
              a[16], a[17], a[18], a[19], a[20], a[21], a[22], a[23], a[24], a[25], a[26], a[27], a[28], a[29], a[30],
              a[31], a[32], a[33], a[34], a[35], a[36], a[37], a[38], a[39])  # fmt: skip

    assert printed(k, np.arange(40) * 3) == " ".join(str(3 * i) for i in range(40)) + "\n"


def test_effects_in_order(printed):
    @gpu.jit(device=True)
    def said(x):
        print("said", x)
        return x + 1

    @gpu.jit(device=True)
    def quiet(x):
        print("nothing to return", x)

    @gpu.jit
    def k(a):
        a[0] = said(1) + said(2) * said(3)
        print(a[0], said(a[0]), a[0])
        quiet(5)
        if a[0] > 100 and said(8):
            print("never")
        for i in range(3):
            print(i, end=";" if i < 2 else "\n") if False else print(i)

    expected = "said 1\nsaid 2\nsaid 3\nsaid 14\n14 15 14\nnothing to return 5\n0\n1\n2\n"
    assert printed(k, np.zeros(1, np.int64)) == expected


def test_from_many_threads(printed):
    @gpu.jit
    def k(n):
        i = gpu.grid(1)
        if i < n:
            print("block", gpu.blockIdx.x, "thread", gpu.threadIdx.x, f"value {i * 0.5:.1f}")

    lines = printed(k, 3000, grid=100, block=32).splitlines()
    expected = [f"block {i // 32} thread {i % 32} value {i * 0.5:.1f}" for i in range(3000)]
    assert sorted(lines) == sorted(expected)
    if not CUDA:
        assert lines == expected


def test_more_than_is_kept(printed):
    @gpu.jit
    def k():
        for i in range(40):
            print("a line that is a little longer, so that it adds up", gpu.grid(1), i)

    lines = printed(k, grid=40 if CUDA else 400, block=16 if CUDA else 4).splitlines()
    threads = 640 if CUDA else 1600
    assert len(lines) == 40 * threads == len(set(lines))


def test_around_a_barrier(printed):
    @gpu.jit
    def k(out):
        s = gpu.shared.array(64, np.int64)
        i = gpu.threadIdx.x
        s[i] = i
        if i == 3:
            print("before", i)
        gpu.syncthreads()
        if i == 0:
            total = 0
            for j in range(64):
                total += s[j]
            print("after", total)
        out[i] = s[63 - i]

    out = np.zeros(64, np.int64)
    assert printed(k, out, block=64) == "before 3\nafter 2016\n"
    np.testing.assert_array_equal(out, np.arange(64)[::-1])


def test_in_recursion(printed):
    @gpu.jit(device=True)
    def down(n):
        print("at", n, gpu.threadIdx.x)
        if n == 0:
            return 0
        return down(n - 1) + 1

    @gpu.jit
    def k(out):
        out[0] = down(3)

    out = np.zeros(1, np.int64)
    assert printed(k, out) == "at 3 0\nat 2 0\nat 1 0\nat 0 0\n"
    assert out[0] == 3


def test_text_that_is_compared_at_compile_time(printed):
    def make(mode):
        @gpu.jit(device=True)
        def is_slow(how="slow"):
            return how == "slow"

        @gpu.jit
        def k(out):
            if mode == "fast":
                out[0] = 1
            elif mode in ("a", "b"):
                out[0] = 2
            else:
                out.no_such_attribute = 3
            out[1] = is_slow() and not is_slow("fast")

        return k

    for mode, expected in (("fast", 1), ("b", 2)):
        out = np.zeros(2)
        make(mode)[1, 1](out)
        np.testing.assert_array_equal(out, [expected, 1])


@pytest.mark.parametrize(
    "line, message",
    [
        ("print(x)", "printing a whole array"),
        ("print(x[0], file=None)", "keyword argument `file`"),
        ("print(x[0], sep=3)", "must be a string constant"),
        ("print(f'{x[0]:d}')", "the format `d` for float64"),
        ("print(f'{x[0]:Q}')", "the format `Q`"),
        ("print(f'{n:{n}}')", "a format that holds values"),
        ("print(gpu.grid)", "printing `gpu.grid`"),
        ("y = f'{n}'", "f-strings outside of `print`"),
        ("print('odd' if n % 2 else 'even')", "do not have a common type"),
    ],
)
def test_what_cannot_be_printed(line, message):
    text = f"def k(x, n):\n    {line}\n"
    space = {"gpu": gpu}
    exec(text, space)
    with pytest.raises(CompileError) as caught:
        gpu.jit(space["k"])[1, 1](np.zeros(3), 1)
    assert message in str(caught.value)


def test_complex_numbers_and_vectors(printed):
    @gpu.jit
    def k(z, x):
        c = z[0]
        print(c, z[1], 1 + 2j, -2j, 2j, complex(-0.0, 1), sep=";")
        print(f"{c:.2f} {c!r} {c:+.1e}", (c, 1))
        print(gpu.float32x2(x[0], x[1]), gpu.int32x3(1, 2, 3))

    out = printed(k, np.array([1 + 2j, -0.5 - 1.25j]), np.array([0.5, 2], np.float32))
    assert out == (
        "(1+2j);(-0.5-1.25j);(1+2j);(-0-2j);2j;(-0+1j)\n"
        "1.00+2.00j (1+2j) +1.0e+00+2.0e+00j ((1+2j), 1)\n"
        "float32x2(0.5, 2.0) int32x3(1, 2, 3)\n"
    )


def test_what_is_no_format_of_complex_numbers():
    @gpu.jit
    def k(z):
        print(f"{z[0]:>20}")

    with pytest.raises(CompileError, match="format the parts"):
        k[1, 1](np.array([1j]))
