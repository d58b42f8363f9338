"""Array expressions beside the loops that one would write by hand: time of an expression over that of its loop.

    LANEWISE_NUM_THREADS=1 python tests/bench/array_expressions.py
"""

import time

import numpy as np
from lanewise import gpu


@gpu.jit
def map_expression(out, a, b):
    y = gpu.grid(1)
    if y < out.shape[0]:
        out[y, :] = 0.5 * (a[y, :] + b[y, :])


@gpu.jit
def map_loop(out, a, b):
    y = gpu.grid(1)
    if y < out.shape[0]:
        for x in range(out.shape[1]):
            out[y, x] = 0.5 * (a[y, x] + b[y, x])


@gpu.jit
def sum_expression(out, a, b):
    y = gpu.grid(1)
    if y < out.shape[0]:
        out[y, 0] = (a[y, :] * b[y, :]).sum()


@gpu.jit
def sum_loop(out, a, b):
    y = gpu.grid(1)
    if y < out.shape[0]:
        s = np.float32(0)
        for x in range(out.shape[1]):
            s += a[y, x] * b[y, x]
        out[y, 0] = s


def best_time(kernel, *arguments, times=20):
    kernel[16, 64](*arguments)
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        kernel[16, 64](*arguments)
        best = min(best, time.perf_counter() - start)
    return best


def main():
    a = np.random.default_rng(1).random((1024, 1024), np.float32)
    b, out = a[::-1].copy(), np.zeros_like(a)
    for name, expression, loop in (("map", map_expression, map_loop), ("sum", sum_expression, sum_loop)):
        pairs = [(best_time(expression, out, a, b), best_time(loop, out, a, b)) for _ in range(5)]
        ours, theirs = (min(times) for times in zip(*pairs))
        print(f"{name}: {ours * 1e6:.0f} us, loop {theirs * 1e6:.0f} us, ratio {ours / theirs:.2f}")


if __name__ == "__main__":
    main()
