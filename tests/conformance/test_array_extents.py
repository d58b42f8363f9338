"""Arrays used together whose extents only run time knows: those that differ are reported, and nothing is read or
written outside of an array."""

import numpy as np
import pytest
from lanewise import gpu


def guarded(n, dtype=np.float64):
    """An array inside of a larger one, whose other elements must stay."""
    around = np.full(n + 16, -7, dtype)
    return around, around[8 : 8 + n]


@gpu.jit
def assigned(out, a, b):
    out[:] = a


@gpu.jit
def added(out, a, b):
    out[:] = a + b


@gpu.jit
def added_to(out, a, b):
    out += a


@gpu.jit
def with_out(out, a, b):
    np.multiply(a, b, out)


@gpu.jit
def of_three(out, a, b):
    out[:] = a * 2 + (b - a) / 4


@gpu.jit
def scaled_sum(out, a, b):
    out[:] = (a * b).sum()


@gpu.jit
def product(out, a, b):
    out[:] = a @ b


@gpu.jit
def place(out, a, b):
    out[:] = (a - b).argmax()


@gpu.jit
def one_element(out, a, b):
    out[:] = (a + b)[1]


@gpu.jit
def item(out, a, b):
    out[:] = (a + b).item(1)


@gpu.jit
def in_a_loop(out, a, b):
    total = 0.0
    for x in a + b:
        total += x
    out[:] = total


@gpu.jit
def rows(out, a, b):
    for row in a[:, None] * b[None, :]:
        out[:] = row


@gpu.jit
def items(out, a, b):
    out[:] = a[0], b[0], 3, 4


@gpu.jit
def chosen(out, a, b):
    out[:] = np.where(a > 2, a, b)


@gpu.jit
def under_a_name(out, a, b):
    e = a + b
    out[:] = e - a


@gpu.jit
def at_most_one(out, a, b):
    out[:] = a[4:5] + b


KERNELS = [
    assigned,
    added,
    added_to,
    with_out,
    of_three,
    scaled_sum,
    product,
    place,
    one_element,
    item,
    in_a_loop,
    rows,
    items,
    chosen,
    under_a_name,
    at_most_one,
]


def fits(kernel, out, a, b):
    """What NumPy says; repeating what has one element is not done where only run time knows of it."""
    if kernel is at_most_one:
        return len(a) > 4 and len(b) == len(out)
    if kernel is items:
        return len(out) == 4
    if kernel is rows:
        return len(b) == len(out)
    sizes = {len(a)} if kernel in (assigned, added_to) else {len(a), len(b)}
    if kernel not in (scaled_sum, product, place, one_element, item, in_a_loop):
        sizes.add(len(out))
    return len(sizes) == 1


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k.py_func.__name__)
@pytest.mark.parametrize(
    "sizes", [(4, 4, 4), (4, 3, 4), (4, 4, 3), (3, 4, 4), (4, 1, 4), (4, 4, 1), (1, 4, 4), (6, 6, 6)]
)
def test_extents_are_compared(kernel, sizes):
    around, out = guarded(sizes[0])
    a, b = (guarded(n)[1] for n in sizes[1:])
    a[:] = np.arange(1, len(a) + 1)
    b[:] = 5
    want = np.array(around)
    good = fits(kernel, out, a, b)
    if good:
        kernel.py_func(want[8 : 8 + len(out)], a, b)
        kernel[1, 1](out, a, b)
    else:
        with pytest.raises(ValueError, match="extents . and . do not go together"):
            kernel[1, 1](out, a, b)
    if good or kernel in (
        assigned,
        added,
        added_to,
        with_out,
        of_three,
        items,
        chosen,
        under_a_name,
        at_most_one,
    ):
        np.testing.assert_array_equal(around, want)
    np.testing.assert_array_equal(around[:8], -7)
    np.testing.assert_array_equal(around[8 + len(out) :], -7)


def test_matrices():
    @gpu.jit
    def kernel(out, a, b):
        out[...] = a @ b

    for m, k, n in ((2, 3, 4), (1, 1, 1), (3, 1, 2)):
        a, b, out = np.arange(m * k * 1.0).reshape(m, k), np.ones((k, n)), np.zeros((m, n))
        kernel[1, 1](out, a, b)
        np.testing.assert_array_equal(out, a @ b)
        kept = out.copy()
        for other in (np.ones((k + 1, n)), np.ones((k, n + 1))):
            with pytest.raises(ValueError, match="do not go together"):
                kernel[1, 1](out, a, other)
            np.testing.assert_array_equal(out, kept)


def test_columns_and_rows_of_one_element():
    """What is known to be one is repeated, whatever the other extent is."""

    @gpu.jit
    def kernel(out, a, b):
        out[...] = a[:, None] * b[None, :] + a[:1] - b[None, -1:]

    a, b = np.arange(4.0), np.arange(1.0, 6.0)
    out = np.zeros((4, 5))
    kernel[1, 1](out, a, b)
    np.testing.assert_array_equal(out, a[:, None] * b[None, :] + a[:1] - b[None, -1:])


def test_the_first_failure_of_a_launch_is_reported():
    @gpu.jit
    def kernel(out, a):
        i = gpu.grid(1)
        out[i, :] = a[: i + 3]
        gpu.syncthreads()
        out[i, 0] += 1

    out, a = np.zeros((4, 5)), np.ones(9)
    with pytest.raises(ValueError, match=r"`out\[i, :\]`: extents 3 and 5 do not"):
        kernel[2, 2](out, a)
