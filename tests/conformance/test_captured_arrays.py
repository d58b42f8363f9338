"""Captured arrays of every size: constants of the kernel, copied when it is compiled. On CUDA those that constant memory
has no room for are device memory that the launches hand over."""

import numpy as np
import pytest
from lanewise import gpu

SIZES = [5, 16384, 16385, 300_000]  # float32; 16384 fill constant memory


@pytest.mark.parametrize("size", SIZES)
def test_read_by_every_thread(size):
    table = (np.arange(size) * 0.5).astype(np.float32)

    @gpu.jit
    def kernel(out, index):
        i = gpu.grid(1)
        out[i] = table[index[i]] + table[-1] + table.size

    index = np.random.default_rng(size).integers(-size, size, 96)
    expected = table[index] + table[-1] + np.float32(size)
    for _ in range(2):
        out = np.zeros(96, np.float32)
        kernel[3, 32](out, index)
        np.testing.assert_array_equal(out, expected)
        table[:] = -1  # too late


def test_several_and_one_chosen_at_run_time():
    small = np.arange(4, dtype=np.int64)
    large = np.arange(40_000, dtype=np.int64).reshape(200, 200) * 3
    other = -np.arange(40_000, dtype=np.int64).reshape(200, 200)[::-1]
    record = np.zeros(9000, [("a", np.int32), ("b", np.float64)])
    record["a"], record["b"] = np.arange(9000), np.arange(9000) / 8

    @gpu.jit
    def kernel(out, which):
        i = gpu.grid(1)
        chosen = large if which[i] else other
        out[i, 0] = chosen[i, 2 * i] + small[i % 4]
        out[i, 1] = record[i * 100].a
        out[i, 2] = record[8999 - i].b * 8
        out[i, 3] = chosen[i, 10:20].sum()

    which = np.arange(64) % 3 == 0
    out = np.zeros((64, 4), np.int64)
    kernel[2, 32](out, which)
    i = np.arange(64)
    chosen = np.where(which[:, None], large[:64], other[:64])
    expected = [chosen[i, 2 * i] + i % 4, i * 100, 8999 - i, chosen[:, 10:20].sum(1)]
    np.testing.assert_array_equal(out, np.stack(expected, 1))


def test_in_functions_that_call_themselves_and_fail():
    large = np.arange(50_000) ** 2

    @gpu.jit(device=True)
    def down(n):
        if large[n] == 49_999**2:
            raise IndexError("the last", n)
        return large[n] if n < 2 else down(n - 2) + large[n]

    @gpu.jit
    def kernel(out):
        i = gpu.threadIdx.x
        out[i] = down(i + out[i])

    out = np.zeros(32, np.int64)
    kernel[1, 32](out)
    expected = [sum(k * k for k in range(i, -1, -2)) for i in range(32)]
    np.testing.assert_array_equal(out, expected)
    out[:] = 0
    out[7] = 49_999 - 7
    with pytest.raises(IndexError, match=r"^\('the last', 49999\)"):
        kernel[1, 32](out)


def test_several_variants_and_kernels_that_go():
    for turn in range(12):
        large = np.full(1_000_000, turn)

        @gpu.jit
        def kernel(out, start):
            i = gpu.grid(1)
            out[i] = large[i + start] + out[0] * 0

        for start in (0, 2**31):
            out = np.zeros(64, np.int64)
            kernel[2, 32](out, start - (start and 2**31))
            np.testing.assert_array_equal(out, turn)
        device = gpu.to_device(np.zeros(64, np.int64))
        kernel[2, 32](device, 5)
        del kernel  # the launch may still run
        np.testing.assert_array_equal(device.copy_to_host(), turn)
