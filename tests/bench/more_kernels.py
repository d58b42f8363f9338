"""More kernels as people write them (tiles, scans, sorting, sparse rows by warps, dynamic programming) on Lanewise's
CPU engine beside plain C loops (more_kernels.c): to find what is slower than it should be.

    taskset -c 0 python tests/bench/more_kernels.py --threads 1 [--only NAME,...] [--rounds 5] [--cc clang-22]

Each result is compared with scalar C's first. Columns: milliseconds of scalar C, then speed relative to it of clang -O3
with its vectoriser, and of Lanewise. None should be below 0.8.
"""

import argparse
import ctypes
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import time

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--threads", type=int, default=os.cpu_count())
parser.add_argument("--only", default="")
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--cc", default="clang-22")
arguments = parser.parse_args()
os.environ.setdefault("LANEWISE_NUM_THREADS", str(arguments.threads))
import numpy as np  # noqa: E402
from lanewise import gpu  # noqa: E402

f32, i32 = np.float32, np.int32


@gpu.jit
def triad(a, b, c, s):
    i = gpu.grid(1)
    if i < a.size:
        a[i] = b[i] + s * c[i]


@gpu.jit
def sum_by_turns(total, x):
    s = f32(0)
    for i in range(gpu.grid(1), x.size, gpu.gridsize(1)):
        s += x[i]
    gpu.atomic.add(total, 0, s)


@gpu.jit(device=True)
def cnd(d):
    k = 1.0 / (1.0 + 0.2316419 * abs(d))
    w = ((((1.330274429 * k - 1.821255978) * k + 1.781477937) * k - 0.356563782) * k + 0.31938153) * k
    c = 0.39894228 * math.exp(-0.5 * d * d) * w
    return 1.0 - c if d > 0 else c


@gpu.jit
def blackscholes64(call, S, K, T):
    i = gpu.grid(1)
    if i < call.size:
        r = 0.02
        v = 0.30
        sq = math.sqrt(T[i])
        d1 = (math.log(S[i] / K[i]) + (r + 0.5 * v * v) * T[i]) / (v * sq)
        d2 = d1 - v * sq
        call[i] = S[i] * cnd(d1) - K[i] * math.exp(-r * T[i]) * cnd(d2)


@gpu.jit
def nbody_tiled(ax, X, Y, Z):
    tile = gpu.shared.array((3, 256), f32)
    i, t = gpu.grid(1), gpu.threadIdx.x
    x, y, z = X[i], Y[i], Z[i]
    a = f32(0)
    for base in range(0, X.size, 256):
        tile[0, t] = X[base + t]
        tile[1, t] = Y[base + t]
        tile[2, t] = Z[base + t]
        gpu.syncthreads()
        for j in range(256):
            dx = tile[0, j] - x
            dy = tile[1, j] - y
            dz = tile[2, j] - z
            q = f32(1) / math.sqrt(dx * dx + dy * dy + dz * dz + f32(1e-3))
            a += dx * q * q * q
        gpu.syncthreads()
    ax[i] = a


@gpu.jit
def matmul32(C, A, B):
    a = gpu.shared.array((32, 32), f32)
    b = gpu.shared.array((32, 32), f32)
    tx, ty = gpu.threadIdx.x, gpu.threadIdx.y
    x, y = gpu.grid(2)
    s = f32(0)
    for k in range(0, A.shape[1], 32):
        a[ty, tx] = A[y, k + tx]
        b[ty, tx] = B[k + ty, x]
        gpu.syncthreads()
        for j in range(32):
            s += a[ty, j] * b[j, tx]
        gpu.syncthreads()
    C[y, x] = s


@gpu.jit
def scan(out, x):
    s = gpu.shared.array(256, f32)
    i, t = gpu.grid(1), gpu.threadIdx.x
    s[t] = x[i]
    gpu.syncthreads()
    step = 1
    while step < 256:
        v = s[t - step] if t >= step else f32(0)
        gpu.syncthreads()
        s[t] += v
        gpu.syncthreads()
        step *= 2
    out[i] = s[t]


@gpu.jit
def scan_shfl(out, x):
    sums = gpu.shared.array(8, f32)
    i, t = gpu.grid(1), gpu.threadIdx.x
    v = x[i]
    lane = t % 32
    for k in range(5):
        other = gpu.shfl_up_sync(0xFFFFFFFF, v, 1 << k)
        if lane >= 1 << k:
            v += other
    if lane == 31:
        sums[t // 32] = v
    gpu.syncthreads()
    before = f32(0)
    for w in range(t // 32):
        before += sums[w]
    out[i] = v + before


@gpu.jit
def stencil3d(out, a):
    x, y, z = gpu.grid(3)
    n = a.shape[0]
    if 0 < x < n - 1 and 0 < y < n - 1 and 0 < z < n - 1:
        out[z, y, x] = f32(0.4) * a[z, y, x] + f32(0.1) * (
            a[z, y, x - 1] + a[z, y, x + 1] + a[z, y - 1, x] + a[z, y + 1, x] + a[z - 1, y, x] + a[z + 1, y, x]
        )


@gpu.jit
def spmv_warp(y, ptr, col, val, x):
    row = gpu.grid(1) // 32
    if row < y.size:
        s = f32(0)
        for j in range(ptr[row] + gpu.laneid, ptr[row + 1], 32):
            s += val[j] * x[col[j]]
        for k in (16, 8, 4, 2, 1):
            s += gpu.shfl_down_sync(0xFFFFFFFF, s, k)
        if gpu.laneid == 0:
            y[row] = s


@gpu.jit
def raymarch(out):
    x, y = gpu.grid(2)
    h, w = out.shape
    if x < w and y < h:
        dx = (f32(x) - f32(0.5) * w) / w
        dy = (f32(y) - f32(0.5) * h) / h
        k = f32(1) / math.sqrt(dx * dx + dy * dy + f32(1))
        dx *= k
        dy *= k
        dz = k
        t = f32(0)
        hit = f32(0)
        for step in range(64):
            px = dx * t
            py = dy * t
            pz = dz * t - f32(3)
            qx = px - f32(4) * math.floor(px / f32(4) + f32(0.5))
            d = min(math.sqrt(qx * qx + py * py + pz * pz) - f32(1), py + f32(1.5))
            if d < f32(1e-3):
                hit = f32(1) / (f32(1) + f32(0.1) * t * t)
                break
            t += d
            if t > f32(20):
                break
        out[y, x] = hit


@gpu.jit
def bitonic(x):
    s = gpu.shared.array(512, f32)
    base, t = gpu.blockIdx.x * 512, gpu.threadIdx.x
    s[t] = x[base + t]
    gpu.syncthreads()
    k = 2
    while k <= 512:
        j = k // 2
        while j > 0:
            other = t ^ j
            if other > t:
                p, q = s[t], s[other]
                if (p > q) == ((t & k) == 0):
                    s[t] = q
                    s[other] = p
            gpu.syncthreads()
            j //= 2
        k *= 2
    x[base + t] = s[t]


@gpu.jit
def transpose(out, a):
    tile = gpu.shared.array((32, 33), f32)
    tx, ty = gpu.threadIdx.x, gpu.threadIdx.y
    x, y = gpu.blockIdx.x * 32 + tx, gpu.blockIdx.y * 32
    for k in range(ty, 32, 8):
        tile[k, tx] = a[y + k, x]
    gpu.syncthreads()
    x, y = gpu.blockIdx.y * 32 + tx, gpu.blockIdx.x * 32
    for k in range(ty, 32, 8):
        out[y + k, x] = tile[tx, k]


@gpu.jit
def needleman(score, a, b):
    table = gpu.shared.array((65, 65), i32)
    p, t = gpu.blockIdx.x, gpu.threadIdx.x
    table[0, t + 1] = -2 * (t + 1)
    table[t + 1, 0] = -2 * (t + 1)
    if t == 0:
        table[0, 0] = 0
    gpu.syncthreads()
    for d in range(127):
        i = t + 1
        j = d - t + 1
        if 1 <= j <= 64:
            match = table[i - 1, j - 1] + (1 if a[p, i - 1] == b[p, j - 1] else -1)
            gap = max(table[i - 1, j], table[i, j - 1]) - 2
            table[i, j] = max(match, gap)
        gpu.syncthreads()
    if t == 0:
        score[p] = table[64, 64]


rng = np.random.default_rng(1)
N, SMALL, BODIES, SIDE, CUBE, ROWS, PAIRS = 1 << 22, 1 << 14, 4096, 512, 160, 1 << 15, 4096
x = rng.random(N, dtype="f4")
y = rng.random(N, dtype="f4")
price = [rng.uniform(*ends, N // 4) for ends in ((5, 30), (1, 100), (0.25, 10))]
position = [rng.random(BODIES, dtype="f4") for _ in range(3)]
square = [rng.random((SIDE, SIDE), dtype="f4") for _ in range(2)]
big = rng.random((2048, 2048), dtype="f4")
cube = rng.random((CUBE, CUBE, CUBE), dtype="f4")
ends = np.concatenate([[0], np.cumsum(rng.integers(0, 200, ROWS))]).astype("i4")
sparse = [ends, rng.integers(0, ROWS, ends[-1]).astype("i4"), rng.random(ends[-1], dtype="f4"), x[:ROWS].copy()]
texts = [rng.integers(0, 4, (PAIRS, 64), dtype="u1") for _ in range(2)]
empty = np.zeros


# name: (result before, C function, its arguments after the result, our launch)
CASES = {
    "triad": (empty(N, "f4"), "triad", [x, y, 3.0, N], lambda o: triad[N // 256, 256](o, x, y, f32(3))),
    "triad in cache": (empty(SMALL, "f4"), "triad", [x, y, 3.0, SMALL],
                       lambda o: triad[SMALL // 256, 256](o, x, y, f32(3))),
    "sum by turns": (empty(1, "f4"), "sum", [x, N], lambda o: sum_by_turns[32, 256](o, x)),
    "blackscholes64": (empty(N // 4), "blackscholes64", [*price, N // 4],
                       lambda o: blackscholes64[N // 1024, 256](o, *price)),
    "nbody tiled": (empty(BODIES, "f4"), "nbody", [*position, BODIES],
                    lambda o: nbody_tiled[BODIES // 256, 256](o, *position)),
    "matmul 32x32": (empty((SIDE, SIDE), "f4"), "matmul", [*square, SIDE],
                     lambda o: matmul32[(SIDE // 32, SIDE // 32), (32, 32)](o, *square)),
    "scan by steps": (empty(N, "f4"), "scan_by_steps", [x, N], lambda o: scan[N // 256, 256](o, x)),
    "  beside one sum": (empty(N, "f4"), "scan", [x, N], lambda o: scan[N // 256, 256](o, x)),
    "scan by shuffles": (empty(N, "f4"), "scan", [x, N], lambda o: scan_shfl[N // 256, 256](o, x)),
    "stencil 3-D": (empty((CUBE,) * 3, "f4"), "stencil3d", [cube, CUBE],
                    lambda o: stencil3d[(CUBE // 32, CUBE // 4, CUBE // 2), (32, 4, 2)](o, cube)),
    "spmv by warps": (empty(ROWS, "f4"), "spmv", [*sparse, ROWS], lambda o: spmv_warp[ROWS // 8, 256](o, *sparse)),
    "ray march": (empty((512, 512), "f4"), "raymarch", [512, 512], lambda o: raymarch[(16, 64), (32, 8)](o)),
    "bitonic sort": (x[: 1 << 20], "bitonic", [1 << 20], lambda o: bitonic[(1 << 20) // 512, 512](o)),
    "transpose": (empty((2048, 2048), "f4"), "transpose", [big, 2048],
                  lambda o: transpose[(64, 64), (32, 8)](o, big)),
    "needleman-wunsch": (empty(PAIRS, "i4"), "needleman", [*texts, PAIRS], lambda o: needleman[PAIRS, 64](o, *texts)),
}  # fmt: skip


def library(*options):
    path = tempfile.mktemp(suffix=".so")
    source = pathlib.Path(__file__).with_name("more_kernels.c")
    subprocess.check_call([arguments.cc, "-O3", "-march=native", "-ffp-contract=fast", "-fno-math-errno", "-fveclib=libmvec",
                           *options, "-shared", "-fPIC", str(source), "-o", path, "-lm"])  # fmt: skip
    return ctypes.CDLL(path)


def c_call(lib, function, result, others):
    kinds = {np.ndarray: lambda a: ctypes.c_void_p(a.ctypes.data), float: ctypes.c_float, int: ctypes.c_int}
    values = [kinds[type(value)](value) for value in (result, *others)]
    return lambda: getattr(lib, function)(*values)


def best_of(calls):
    """Milliseconds of each, in turns; a call that takes less than a millisecond is repeated."""
    times = [float("inf")] * len(calls)
    for _ in range(arguments.rounds):
        for i, (prepare, call) in enumerate(calls):
            prepare()
            begin = time.perf_counter()
            call()
            took = time.perf_counter() - begin
            turns = max(1, int(1e-3 / max(took, 1e-7)))
            if turns > 1:
                begin = time.perf_counter()
                for _ in range(turns):
                    call()
                took = (time.perf_counter() - begin) / turns
            times[i] = min(times[i], took * 1e3)
    return times


def main():
    scalar, vector = library("-fno-vectorize", "-fno-slp-vectorize"), library()
    print(f"{'':18} {'scalar, ms':>11} {'clang':>8} {'lanewise':>9}")
    for name, (start, function, others, launch) in CASES.items():
        if arguments.only and name not in arguments.only.split(","):
            continue
        expected, theirs, ours = start.copy(), start.copy(), start.copy()
        c_call(scalar, function, expected, others)()
        launch(ours)
        if not np.allclose(ours, expected, rtol=2e-4, atol=1e-4 * max(1, abs(expected).max())):
            wrong = np.abs(ours - expected).max()
            print(f"{name:18} WRONG by {wrong}")
            continue

        def reset(array, start=start):
            return lambda: array.__setitem__(..., start)

        milliseconds = best_of([
            (reset(expected), c_call(scalar, function, expected, others)),
            (reset(theirs), c_call(vector, function, theirs, others)),
            (reset(ours), lambda: launch(ours)),  # noqa: B023
        ])  # fmt: skip
        base = milliseconds[0]
        print(f"{name:18} {base:11.3f} {base / milliseconds[1]:8.2f} {base / milliseconds[2]:9.2f}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
