"""The same kernels, unchanged, in Numba's CUDA simulator and on Lanewise's CPU engine: time of a thread in each.

    python tests/bench/simulator.py [--python PYTHON_WITH_NUMBA]

Without a GPU the simulator is what Numba-CUDA programs run on. Each gets sizes that suit it (the simulator some
thousand threads, Lanewise some million); results are compared with NumPy's.
"""

import argparse
import json
import os
import subprocess
import sys

PROGRAM = """
import json, sys, time
import numpy as np
if sys.argv[1] == "numba":
    from numba import cuda
else:
    from lanewise import gpu as cuda
f32 = np.float32

@cuda.jit
def saxpy(y, x, a):
    i = cuda.grid(1)
    if i < y.size:
        y[i] = y[i] + a * x[i]

@cuda.jit
def blocksum(out, x):
    s = cuda.shared.array(64, f32)
    t = cuda.threadIdx.x
    s[t] = x[cuda.grid(1)]
    cuda.syncthreads()
    k = 32
    while k > 0:
        if t < k:
            s[t] += s[t + k]
        cuda.syncthreads()
        k //= 2
    if t == 0:
        out[cuda.blockIdx.x] = s[0]

@cuda.jit
def stencil(out, a):
    x, y = cuda.grid(2)
    h, w = a.shape
    if 0 < x < w - 1 and 0 < y < h - 1:
        out[y, x] = f32(0.25) * (a[y - 1, x] + a[y + 1, x] + a[y, x - 1] + a[y, x + 1])

threads = int(sys.argv[2])
side = int(threads ** 0.5)
x = np.random.default_rng(1).random(threads, dtype="f4")
image = x[: side * side].reshape(side, side)

def run(name):
    if name == "saxpy":
        y = np.ones(threads, "f4")
        launch, check = (lambda: saxpy[threads // 64, 64](y, x, f32(2))), lambda: True
        launch(); assert np.allclose(y, 1 + 2 * x)
    elif name == "blocksum":
        out = np.zeros(threads // 64, "f4")
        launch = lambda: blocksum[threads // 64, 64](out, x)
        launch(); assert np.allclose(out, x.reshape(-1, 64).sum(1), rtol=1e-5)
    else:
        out = np.zeros_like(image)
        launch = lambda: stencil[(side // 8, side // 8), (8, 8)](out, image)
        launch()
        want = 0.25 * (image[:-2, 1:-1] + image[2:, 1:-1] + image[1:-1, :-2] + image[1:-1, 2:])
        assert np.allclose(out[1:-1, 1:-1], want)
    best = 1e9
    for _ in range(int(sys.argv[3])):
        t = time.perf_counter()
        launch()
        best = min(best, time.perf_counter() - t)
    return best / threads

print(json.dumps({name: run(name) for name in ("saxpy", "blocksum", "stencil")}))
"""


def run(python, who, threads, rounds, **environment):
    result = subprocess.run(
        [python, "-c", "import sys; path = sys.argv.pop(1); exec(compile(open(path).read(), path, 'exec'))",
         write(), who, str(threads), str(rounds)],
        capture_output=True, text=True, env={**os.environ, **environment},
    )  # fmt: skip
    if result.returncode:
        sys.exit(f"{who}: {result.stderr[-2000:]}")
    return json.loads(result.stdout.splitlines()[-1])


def write():
    """The program as a file: kernels need their text."""
    import tempfile

    path = os.path.join(tempfile.gettempdir(), "simulator_kernels.py")
    with open(path, "w") as file:
        file.write(PROGRAM)
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", default=sys.executable, help="a Python that has numba")
    arguments = parser.parse_args()
    simulated = run(arguments.python, "numba", 64 * 64, 2, NUMBA_ENABLE_CUDASIM="1")
    ours = run(sys.executable, "lanewise", 4096 * 4096, 5, LANEWISE_TARGET="cpu")
    print(f"{'':10} {'simulator':>14} {'lanewise':>14} {'ratio':>12}   (a thread)")
    for name, seconds in simulated.items():
        print(f"{name:10} {seconds * 1e6:11.2f} us {ours[name] * 1e9:11.3f} ns {seconds / ours[name]:12,.0f}")


if __name__ == "__main__":
    main()
