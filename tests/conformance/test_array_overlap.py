"""Assignments to a view of an array that the right side reads, too: NumPy reads everything first."""

import as_python
import lanewise
import numpy as np
import pytest
from lanewise import gpu

CASES = []
case = as_python.collector(CASES)


def vector(size=12, dtype=np.float64):
    return np.arange(1, size + 1, dtype=dtype)


def matrix(rows=5, columns=6):
    return np.arange(1.0, rows * columns + 1).reshape(rows, columns)


def cube():
    return np.arange(60.0).reshape(3, 4, 5)


@case(vector())
def named_views_up(out, t):
    u = t[1:]
    v = t[:-1]
    u[:] = v
    out[:12] = t


@case(vector())
def named_views_down(out, t):
    u = t[:-1]
    v = t[1:]
    u[:] = v
    out[:12] = t


@case(vector())
def named_source(out, t):
    v = t[:-3]
    t[3:] = v
    out[:12] = t


@case(vector())
def named_target(out, t):
    u = t[3:]
    u[:] = t[:-3] * 2 + u
    out[:12] = t


@case(vector(), 4, 2)
def run_time_bounds(out, t, i, j):
    t[i : i + 6] = t[j : j + 6]
    t[j - 1 : j + 5] = t[i + 1 : i + 7]
    t[i:] = t[: t.size - i]
    out[:12] = t


@case(vector(), 3)
def run_time_steps(out, t, k):
    t[1::k] = t[:-1:k]
    t[:-1:k] = t[1::k]
    out[:12] = t


@case(vector())
def strides_of_two(out, t):
    u = t[3::2]
    u[:] = t[1:-2:2]
    w = t[::2]
    w[1:] = w[:-1]
    out[:12] = t


@case(vector())
def backwards(out, t):
    u = t[::-1]
    u[1:] = u[:-1]
    v = u[::2]
    v[:-2] = v[2:]
    out[:12] = t


@case(vector())
def odd_and_even_do_not_meet(out, t):
    even = t[::2]
    odd = t[1::2]
    even[:] = odd[::-1] + even[0]
    odd[:] = even[::-1]
    out[:12] = t


@case(matrix())
def row_under_a_name(out, p):
    r = p[2]
    r[1:] = p[2, :-1]
    p[2, 2:] = r[:-2]
    r[:-1] = p[2, 1:]
    out[:30] = p.ravel()


@case(matrix())
def columns_under_names(out, p):
    x = p[:, 0]
    y = p[:, 1]
    z = p[:, 2]
    y[:] = x + z
    z[1:] = p[:-1, 2]
    out[:30] = p.ravel()


@case(matrix())
def run_time_columns(out, p):
    for j in range(1, p.shape[1] - 1):
        x = p[:, j - 1]
        y = p[:, j]
        z = p[:, j + 1]
        y[:] = x + z
    out[:30] = p.ravel()


@case(matrix())
def blocks(out, p):
    a = p[1:, 1:]
    b = p[:-1, :-1]
    a[...] = b
    c = p[:-1, 1:]
    d = p[1:, :-1]
    c[...] = d
    d[...] = c
    out[:30] = p.ravel()


@case(matrix())
def blocks_side_by_side(out, p):
    left = p[:, :3]
    right = p[:, 3:]
    left[...] = right + left
    right[...] = left[::-1]
    out[:30] = p.ravel()


@case(matrix())
def transposed(out, p):
    q = p.T
    a = q[1:]
    a[...] = q[:-1]
    b = q[:, 1:]
    b[...] = q[:, :-1]
    out[:30] = p.ravel()


@case(cube())
def three_dimensions(out, p):
    a = p[1:, 1:, 1:]
    b = p[:-1, :-1, :-1]
    a[...] = b
    c = p[:, :, 1:]
    c[...] = p[:, :, :-1]
    d = p[:-1]
    d[...] = p[1:]
    out[:60] = p.ravel()


@case(vector())
def tuple_of_views(out, t):
    pair = (t[1:], t[:-1])
    pair[0][:] = pair[1]
    pair[1][:] = pair[0] + 1
    out[:12] = t


@case(vector())
def loop_over_views(out, t):
    for u, v in ((t[1:], t[:-1]), (t[:-2], t[2:])):
        u[:] = v
    out[:12] = t


@case(vector(), vector(), True)
@case(vector(), vector(), False)
def chosen_array(out, t, s, which):
    a = t if which else s
    a[1:] = t[:-1]
    t[:-1] = a[1:]
    out[:12] = t
    out[12:24] = s


@gpu.jit(device=True)
def tail(a, n):
    return a[n:]


@gpu.jit(device=True)
def copy(target, source):
    target[:] = source


@gpu.jit(device=True)
def add_through(views):
    views[0][:] = views[1] + views[2]


@case(vector())
def view_of_a_function(out, t):
    u = tail(t, 2)
    u[:] = t[:-2]
    tail(t, 1)[:] = t[:-1]
    out[:12] = t


@case(vector())
def arguments_of_a_function(out, t):
    copy(t[1:], t[:-1])
    copy(t[:-1], t[1:])
    u = t[3:]
    copy(u, t[:-3])
    out[:12] = t


@case(vector())
def tuple_argument_of_a_function(out, t):
    add_through((t[2:], t[2:], t[:-2]))
    out[:12] = t


@case(vector(), vector())
def swapped_names(out, t, s):
    now = t
    then = s
    for _ in range(3):
        then[1:-1] = now[:-2] + now[2:]
        then, now = now, then
    out[:12] = t
    out[12:24] = s


@case(vector())
def expression_under_a_name(out, t):
    e = t[:-1] * 2
    t[1:] = e
    out[:12] = t


@case(vector())
def item_by_item(out, t):
    u = t[2:]
    t[:10] += u
    u -= t[:10]
    np.add(u, t[:-2], u)
    out[:12] = t


@case(vector(12, np.complex128))
def parts_of_complex(out, z):
    re = z.real
    im = z.imag
    im[1:] = re[:-1]
    re[:] = im
    re[1:] = z.real[:-1]
    out[:12] = z.real
    out[12:24] = z.imag


@pytest.mark.parametrize("function, arguments, options", CASES)
def test_as_numpy(function, arguments, options):
    as_python.check(function, *arguments, size=64, **options)


def test_shared_and_local_arrays():
    @gpu.jit
    def kernel(out, n):
        tile = gpu.shared.array(16, np.float32)
        mine = gpu.local.array(16, np.int32)
        for i in range(16):
            tile[i] = i
            mine[i] = i
        a = tile[1:n]
        a[:] = tile[: n - 1]
        b = mine[: n - 1]
        b[:] = mine[1:n]
        c = tile[n:]
        c[:] = mine[n:] + tile[0]
        out[0, :] = tile
        out[1, :] = mine

    out = np.zeros((2, 16), np.float32)
    kernel[1, 1](out, 10)
    np.testing.assert_array_equal(out[0], [0, *range(9), *range(10, 16)])
    np.testing.assert_array_equal(out[1], [*range(1, 10), 9, *range(10, 16)])


def test_parts_of_the_dynamic_shared_memory():
    @gpu.jit
    def kernel(out, n):
        a = gpu.shared.array(0, np.float32)
        b = gpu.shared.array(0, np.float32)[n:]
        a[:] = 1
        b[:n] = a[:n] + 1
        a[1:10] = b[n - 1 :]
        out[:] = a[: out.size]

    out = np.zeros(8, np.float32)
    kernel[1, 1, 0, 16 * 4](out, 4)
    want = np.ones(16, np.float32)
    want[4:8] = 2
    want[1:10] = want[7:16].copy()
    np.testing.assert_array_equal(out, want[:8])


@pytest.mark.parametrize("layout", ["C", "F", "steps", "reversed"])
def test_layouts_of_arguments(layout):
    @gpu.jit
    def kernel(p, i, j):
        a = p[i:, j:]
        b = p[: p.shape[0] - i, : p.shape[1] - j]
        a[...] = b
        b[...] = a + 1

    p = {
        "C": lambda: matrix(),
        "F": lambda: np.asfortranarray(matrix()),
        "steps": lambda: matrix(10, 12)[1::2, ::2],
        "reversed": lambda: matrix()[::-1, ::-1],
    }[layout]()
    for i, j in ((1, 0), (0, 1), (1, 1), (2, 3), (0, 0)):
        want = p.copy()
        kernel.py_func(want, i, j)
        kernel[1, 1](p, i, j)
        np.testing.assert_array_equal(p, want)


def check_failure(kernel, *arguments, says):
    """The launch raises, and nothing is written."""
    before = [a.copy() for a in arguments]
    with pytest.raises((RuntimeError, ValueError), match=says):
        kernel[1, 1](*arguments)
    for array, was in zip(arguments, before, strict=True):
        np.testing.assert_array_equal(array, was)


def test_what_has_no_order_is_reported():
    @gpu.jit
    def mirrored(t):
        u = t[::-1]
        t[:] = u

    @gpu.jit
    def from_both_sides(t):
        u = t[1:-1]
        v = t[2:]
        u[:] = t[:-2] + v

    @gpu.jit
    def repeated(p):
        r = p[1]
        p[:, :] -= r

    for kernel, argument in ((mirrored, vector()), (from_both_sides, vector()), (repeated, matrix())):
        check_failure(kernel, argument, says="what is read overlaps what is written")


@pytest.mark.parametrize(
    "statement",
    [
        "a -= a.mean(axis=1, keepdims=True)",
        "a -= a.mean(axis=0, keepdims=True)",
        "a /= a.sum(axis=0)",
        "a[:] = a - a.mean(axis=1, keepdims=True)",
        "a[:] = (a - a.min(axis=1, keepdims=True)) / (a.max(axis=1, keepdims=True) - a.min(axis=1, keepdims=True))",
        "a[:] = np.exp(a - a.max(axis=1, keepdims=True))",
        "a[:, :] = a.mean(axis=1)[:, None]",
        "a[:, 0] = a.sum(axis=1)",
        "a[:, -1] -= a.sum(axis=1)",
        "a[0] = a.sum(axis=0)",
        "a[2] = a.mean(axis=0)",
        "a[1] *= (a * a).sum(axis=0) + a[1]",
        "a[:] = a[0]",
        "a[:] = a[1]",
        "a[:] = a[-1] * 2",
        "a -= a[1]",
        "a -= a[n]",
        "a[:] = a * a[0] - a[0]",
        "a[:] = a[n] - a",
        "a[:, :] -= a[:, 0:1]",
        "a[:, :] = a[:, 2:3]",
        "a[1:] = a[1]",
        "a[1:, 1:] += a[1, 1:]",
        "a[1:, :] -= a[n]",
        "m = a.mean(axis=1, keepdims=True)\n    a[:] = a - m",
    ],
)
def test_what_is_read_once_for_a_row_or_a_column(statement):
    """Each number that stays the same along a dimension is read before the elements along it are written."""
    kernel = as_kernel(statement)
    for layout in ("C", "F", "steps"):
        a = np.array(np.random.default_rng(5).integers(1, 9, (8, 10)) + 0.5)
        a = {"C": a[:4, :5].copy(), "F": np.asfortranarray(a[:4, :5]), "steps": a[::2, ::2]}[layout]
        want = a.copy()
        kernel.py_func(want, 2)
        kernel[1, 1](a, 2)
        np.testing.assert_allclose(a, want, rtol=1e-14)


@pytest.mark.parametrize(
    "statement",
    [
        "a[:] = a.T",
        "a[...] = a @ a",
        "a[:] = a - a.mean(axis=0) - a.mean(axis=1)[:, None]",
        "a[:] = a[0] + a[:, 0:1]",
        "a -= a.sum(axis=0)[:, None]",
        "a[:] = (a[0] * a).sum(axis=1)[:, None]",
        "a[:] = a[::-1]",
    ],
)
def test_what_needs_a_temporary_array(statement):
    with pytest.raises(lanewise.CompileError, match="needs a temporary array"):
        as_kernel(statement)[1, 1](np.ones((3, 3)), 1)


def as_kernel(statement):
    space = {"np": np}
    exec(f"def k(a, n):\n    {statement}\n", space)
    return gpu.jit(space["k"])


def test_lists_are_no_tuples_of_indices():
    for statement in ("a[[0, 1]] = 0", "a[0, 0] = a[[0, 1]]", "a[[0, 1], 0] = 1", "a[0] = (a + 1)[[0, 1]]"):
        with pytest.raises(lanewise.CompileError, match="indexing with a list"):
            as_kernel(statement)[1, 1](np.ones((3, 3)), 1)
