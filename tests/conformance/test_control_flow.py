"""Loops, branches and variables: Python's meaning, one trap a test."""

import numpy as np
import pytest
from lanewise import gpu

RANGES = [
    (0, 5, 1),
    (10, 0, -1),
    (2, 1, 2),
    (1, 2, -1),
    (5, 5, 1),
    (0, 10, 3),
    (9, -1, -4),
    (0, 7, 0),
    (-3, 3, 2),
    (2**31 - 2, 2**31 + 2, 1),
    (2**63 - 3, 2**63 - 1, 2),
]


@pytest.mark.parametrize("bounds", RANGES, ids=str)
def test_range_with_run_time_bounds(bounds):
    @gpu.jit
    def kernel(lo, hi, step, out):
        n = 0
        total = 0
        last = -1
        for i in range(lo, hi, step):
            n += 1
            total += i
            last = i
        out[0] = n
        out[1] = total
        out[2] = last

    out = np.zeros(3, np.int64)
    kernel[1, 1](*bounds, out)
    turns = list(range(*bounds)) if bounds[2] else []  # step 0 runs no turn
    expected = [len(turns), sum(turns), turns[-1] if turns else -1]
    assert [int(v) % 2**64 for v in out] == [v % 2**64 for v in expected]


def test_loop_variable_keeps_its_last_value():
    @gpu.jit
    def kernel(n, out):
        i = 99
        for i in range(n):
            if i == 3:
                break
        out[0] = i

    out = np.zeros(1, np.int64)
    for n, last in ((0, 99), (2, 1), (4, 3), (10, 3)):
        kernel[1, 1](n, out)
        assert out[0] == last


def test_loop_variable_may_be_changed_in_the_body():
    @gpu.jit
    def kernel(out):
        n = 0
        for i in range(4):
            i = i * 10
            out[n] = i
            n += 1

    out = np.zeros(4, np.int64)
    kernel[1, 1](out)
    np.testing.assert_array_equal(out, [0, 10, 20, 30])


def test_else_of_for_and_while():
    @gpu.jit
    def kernel(data, wanted, out):
        for i in range(data.size):
            if data[i] == wanted:
                out[0] = i
                break
        else:
            out[0] = -1
        i = 0
        while i < data.size:
            if data[i] == wanted:
                out[1] = i
                break
            i += 1
        else:
            out[1] = -2

    data = np.array([4, 7, 9], np.int32)
    out = np.zeros(2, np.int64)
    kernel[1, 1](data, 7, out)
    np.testing.assert_array_equal(out, [1, 1])
    kernel[1, 1](data, 5, out)
    np.testing.assert_array_equal(out, [-1, -2])


def test_nested_loops_with_break_continue_and_return():
    @gpu.jit
    def kernel(limit, out):
        t = gpu.grid(1)
        if t >= out.shape[0]:
            return
        n = 0
        for i in range(10):
            if i == t:
                continue
            j = 0
            while True:
                j += 1
                if j > i:
                    break
                if i * j == limit:
                    out[t, 0] = i
                    out[t, 1] = j
                    return
                n += 1
        out[t, 0] = -1
        out[t, 1] = n

    out = np.zeros((12, 2), np.int64)
    kernel[2, 8](12, out)
    for t in range(12):
        found, n = None, 0
        for i in range(10):
            if i == t or found:
                continue
            for j in range(1, i + 1):
                if i * j == 12:
                    found = (i, j)
                    break
                n += 1
        assert tuple(out[t]) == (found or (-1, n))


def test_variable_changes_type_in_straight_line_code():
    @gpu.jit
    def kernel(out):
        x = 7
        out[0] = x // 2
        x = x / 2
        out[1] = x
        x = x > 3
        out[2] = x

    out = np.zeros(3)
    kernel[1, 1](out)
    np.testing.assert_array_equal(out, [3.0, 3.5, 1.0])


def test_types_join_where_control_flow_merges():
    @gpu.jit
    def kernel(x, out):
        t = gpu.grid(1)
        v = 0
        if t % 2 == 0:
            v = x[t]
        out[t] = v
        acc = 0
        for i in range(4):
            acc += x[i]  # starts as an int, becomes a float
        out[t] += acc

    x = np.array([0.5, 1.5, 2.5, 3.25])
    out = np.zeros(4)
    kernel[1, 4](x, out)
    np.testing.assert_array_equal(out, [0.5 + 7.75, 7.75, 2.5 + 7.75, 7.75])


def test_ternary_keeps_the_type_of_the_element():
    """Rule 4.6: a constant arm takes the other arm's type if it fits: the product wraps at 32 bits."""

    @gpu.jit
    def kernel(x, out):
        i = gpu.grid(1)
        v = x[i] if i < x.size else 0
        out[i] = v * v

    x = np.array([70000, 3], np.int32)
    out = np.zeros(4, np.int64)
    kernel[1, 4](x, out)
    np.testing.assert_array_equal(out, [np.int32(70000 * 70000 % 2**32), 9, 0, 0])


def test_right_side_of_augmented_assignment_runs_once():
    @gpu.jit(device=True)
    def count(counter):
        return gpu.atomic.add(counter, 0, 1)

    @gpu.jit
    def kernel(counter, out):
        out[count(counter)] += 10 + count(counter)

    counter, out = np.zeros(1, np.int64), np.zeros(4, np.int64)
    kernel[1, 1](counter, out)
    assert counter[0] == 2
    assert out.sum() in (10, 11) and (out != 0).sum() == 1


def test_and_or_return_operands_and_short_circuit():
    @gpu.jit
    def kernel(x, out):
        i = gpu.grid(1)
        out[i, 0] = i and x[0]
        out[i, 1] = i or x[1]
        if i < x.size and x[i] > 0:  # x[i] is not read where i is out of range
            out[i, 2] = 1
        if not (i >= x.size or x[i] <= 0):
            out[i, 3] = 1

    x = np.array([5, -7], np.int64)
    out = np.zeros((4, 4), np.int64)
    kernel[1, 4](x, out)
    np.testing.assert_array_equal(out, [[0, -7, 1, 1], [5, 1, 0, 0], [5, 2, 0, 0], [5, 3, 0, 0]])


def test_chained_comparison_evaluates_the_middle_once():
    @gpu.jit(device=True)
    def bump(counter):
        return gpu.atomic.add(counter, 0, 1)

    @gpu.jit
    def kernel(counter, out):
        out[0] = -1 < bump(counter) < 1 <= 5

    counter, out = np.zeros(1, np.int32), np.zeros(1, np.bool_)
    kernel[1, 1](counter, out)
    assert counter[0] == 1 and out[0]


def test_tuple_unpacking_swaps_and_chained_assignment():
    @gpu.jit
    def kernel(out):
        a, b = 1, 2
        a, b = b, a
        (c, d), e = (3, 4), 5
        f = g = a + 10
        out[0], out[1] = a, b
        out[2] = c * 100 + d * 10 + e
        out[3] = f + g
        out[1], out[0] = out[0], out[1]

    out = np.zeros(4, np.int64)
    kernel[1, 1](out)
    np.testing.assert_array_equal(out, [1, 2, 345, 24])


def test_two_stores_through_one_counter():
    @gpu.jit
    def kernel(out):
        i = 0
        out[i] = 1
        i += 1
        out[i] = 1
        i += 1

    out = np.zeros(3, np.int32)
    kernel[1, 1](out)
    np.testing.assert_array_equal(out, [1, 1, 0])


def test_bool_accumulates_in_a_loop():
    @gpu.jit
    def kernel(x, out):
        flag = False
        for i in range(x.size):
            flag |= x[i]
        out[0] = flag

    out = np.zeros(1, np.bool_)
    kernel[1, 1](np.array([False, True, False]), out)
    assert out[0]


def test_name_of_a_loop_variable_is_not_the_global():
    @gpu.jit
    def kernel(out):
        for shadow in range(3):
            out[shadow] = shadow

    out = np.full(3, -1, np.int64)
    kernel[1, 1](out)
    np.testing.assert_array_equal(out, [0, 1, 2])


shadow = 100


def test_element_updated_in_an_outer_loop_is_fresh_in_the_inner():
    @gpu.jit
    def kernel(x, out):
        total = 0.0
        for i in range(4):
            x[i] = x[i] + 1
            for j in range(4):
                total += x[(i + j) % 4]
        out[0] = total

    x, out = np.arange(4.0), np.zeros(1)
    ref, total = x.copy(), 0.0
    for i in range(4):
        ref[i] += 1
        total += ref.sum()
    kernel[1, 1](x, out)
    assert out[0] == total


def test_integer_powers():
    @gpu.jit
    def kernel(x, n, out):
        i = gpu.grid(1)
        out[i, 0] = x[i] ** 3
        out[i, 1] = x[i] ** n
        out[i, 2] = 2**n

    x = np.array([-2, -1, 0, 1, 3], np.int64)
    for n in (0, 1, 5, -1, -2):
        out = np.zeros((5, 3), np.int64)
        kernel[1, 5](x, n, out)
        power = {-1: (-1) ** abs(n), 1: 1}
        expected = [
            [int(v) ** 3, int(v) ** n if n >= 0 else power.get(int(v), 0), 2**n if n >= 0 else 0] for v in x
        ]
        np.testing.assert_array_equal(out, expected)


UNSIGNED_RANGES = [(0, 5, 1), (2, 11, 3), (7, 7, 1), (9, 4, 2), (0, 6, 0), (2**63, 2**63 + 5, 2), (1, 4, 2**64 - 1)]


@pytest.mark.parametrize("bounds", UNSIGNED_RANGES, ids=str)
def test_sequences_of_unsigned_ranges(bounds):
    @gpu.jit
    def kernel(lo, hi, step, out):
        n = 0
        for i in reversed(range(lo, hi, step)):
            out[0, n] = i
            n += 1
        for n, i in enumerate(range(lo, hi, step)):
            out[1, n] = i
        n = 0
        for i, j in zip(range(lo, hi, step), range(10, 0, -1)):
            out[2, n] = i
            out[3, n] = j
            n += 1

    out = np.zeros((4, 8), np.uint64)
    kernel[1, 1](*(np.uint64(b) for b in bounds), out)
    turns = list(range(*bounds)) if bounds[2] else []  # step 0 runs no turn
    rest = [0] * (8 - len(turns))
    np.testing.assert_array_equal(out[0], np.array(turns[::-1] + rest, np.uint64))
    np.testing.assert_array_equal(out[1], np.array(turns + rest, np.uint64))
    np.testing.assert_array_equal(out[2], np.array(turns + rest, np.uint64))
    np.testing.assert_array_equal(out[3], np.array(list(range(10, 10 - len(turns), -1)) + rest, np.uint64))
