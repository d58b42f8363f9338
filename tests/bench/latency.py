"""Waiting times, side by side: import, first result in a fresh process, compile of one more kernel, one warm launch.

python latency.py            # each peer in a fresh process, best of 5; peers that are not installed are left out
"""

import subprocess
import sys
import textwrap

COMMON = """
import time, sys
t0 = time.perf_counter()
import numpy as np
t1 = time.perf_counter()
x = np.ones(1024, 'f4'); y = np.ones(1024, 'f4'); z = np.ones(1024, 'f4'); o = np.zeros(1024, 'f4')
def report(tag, imported, first, second, launch):
    n = 2000
    for _ in range(50): launch()
    b = 1e9
    for _ in range(5):
        s = time.perf_counter()
        for _ in range(n): launch()
        b = min(b, (time.perf_counter() - s) / n)
    print('RESULT', tag, (imported - t1) * 1e3, (first - t1) * 1e3, second * 1e3, b * 1e6)
"""

PEERS = {
    "lanewise (CPU)": """
from lanewise import gpu
ti = time.perf_counter()
@gpu.jit
def k(o, x, y, z):
    i = gpu.grid(1)
    if i < o.size: o[i] = x[i] * y[i] + z[i]
@gpu.jit
def k2(o, x, y, z):
    i = gpu.grid(1)
    if i < o.size: o[i] = x[i] * y[i] - z[i]
k[4, 256](o, x, y, z); tf = time.perf_counter()
assert o[0] == 2
s = time.perf_counter(); k2[4, 256](o, x, y, z); c = time.perf_counter() - s
f = k[4, 256]
report('lanewise', ti, tf, c, lambda: f(o, x, y, z))
""",
    "numba njit": """
import numba
ti = time.perf_counter()
@numba.njit
def k(o, x, y, z):
    for i in range(o.size): o[i] = x[i] * y[i] + z[i]
@numba.njit
def k2(o, x, y, z):
    for i in range(o.size): o[i] = x[i] * y[i] - z[i]
k(o, x, y, z); tf = time.perf_counter()
s = time.perf_counter(); k2(o, x, y, z); c = time.perf_counter() - s
report('numba', ti, tf, c, lambda: k(o, x, y, z))
""",
    "numba-cuda, compile to PTX only": """
from numba import cuda, float32
ti = time.perf_counter()
def k(o, x, y, z):
    i = cuda.grid(1)
    if i < o.size: o[i] = x[i] * y[i] + z[i]
def k2(o, x, y, z):
    i = cuda.grid(1)
    if i < o.size: o[i] = x[i] * y[i] - z[i]
sig = (float32[::1],) * 4
cuda.compile_ptx(k, sig, cc=(8, 0)); tf = time.perf_counter()
s = time.perf_counter(); cuda.compile_ptx(k2, sig, cc=(8, 0)); c = time.perf_counter() - s
print('RESULT', 'numba-cuda', (ti - t1) * 1e3, (tf - t1) * 1e3, c * 1e3, -1)
""",
    "numba simulator (1024 threads)": """
import os; os.environ['NUMBA_ENABLE_CUDASIM'] = '1'
from numba import cuda
ti = time.perf_counter()
@cuda.jit
def k(o, x, y, z):
    i = cuda.grid(1)
    if i < o.size: o[i] = x[i] * y[i] + z[i]
k[4, 256](o, x, y, z); tf = time.perf_counter()
s = time.perf_counter(); k[4, 256](o, x, y, z); c = time.perf_counter() - s
print('RESULT', 'cudasim', (ti - t1) * 1e3, (tf - t1) * 1e3, -1, c * 1e6)
""",
    "warp CPU": """
import warp as wp
wp.config.quiet = True; wp.config.kernel_cache_dir = __import__('tempfile').mkdtemp()
ti = time.perf_counter()
wp.init()
@wp.kernel(module='unique')
def k(o: wp.array(dtype=float), x: wp.array(dtype=float), y: wp.array(dtype=float), z: wp.array(dtype=float)):
    i = wp.tid()
    o[i] = x[i] * y[i] + z[i]
@wp.kernel(module='unique')
def k2(o: wp.array(dtype=float), x: wp.array(dtype=float), y: wp.array(dtype=float), z: wp.array(dtype=float)):
    i = wp.tid()
    o[i] = x[i] * y[i] - z[i]
a = [wp.array(v, dtype=float, copy=False, device='cpu') for v in (o, x, y, z)]
wp.launch(k, dim=1024, inputs=a, device='cpu'); tf = time.perf_counter()
s = time.perf_counter(); wp.launch(k2, dim=1024, inputs=a, device='cpu'); c = time.perf_counter() - s
report('warp', ti, tf, c, lambda: wp.launch(k, dim=1024, inputs=a, device='cpu'))
""",
    "taichi CPU": """
import taichi as ti_
ti = time.perf_counter()
ti_.init(arch=ti_.cpu, offline_cache=False, log_level=ti_.ERROR)
f = ti_.types.ndarray(dtype=ti_.f32, ndim=1)
@ti_.kernel
def k(o: f, x: f, y: f, z: f):
    for i in range(o.shape[0]): o[i] = x[i] * y[i] + z[i]
@ti_.kernel
def k2(o: f, x: f, y: f, z: f):
    for i in range(o.shape[0]): o[i] = x[i] * y[i] - z[i]
k(o, x, y, z); tf = time.perf_counter()
s = time.perf_counter(); k2(o, x, y, z); c = time.perf_counter() - s
report('taichi', ti, tf, c, lambda: k(o, x, y, z))
""",
    "cupy RawKernel, NVRTC compile only": """
from cupy.cuda import compiler
ti = time.perf_counter()
src = 'extern "C" __global__ void k(float*o,const float*x,const float*y,const float*z,int n){int i=blockIdx.x*blockDim.x+threadIdx.x; if(i<n) o[i]=x[i]*y[i]%sz[i];}'
compiler.compile_using_nvrtc(src % '+', arch='80'); tf = time.perf_counter()
s = time.perf_counter(); compiler.compile_using_nvrtc(src % '-', arch='80'); c = time.perf_counter() - s
print('RESULT', 'cupy', (ti - t1) * 1e3, (tf - t1) * 1e3, c * 1e3, -1)
""",
}

print(
    "| peer | import, ms (after numpy) | import to first result, ms | one more kernel, ms | warm launch, us |\n|---|---|---|---|---|"
)
for name, body in PEERS.items():
    best, error = None, ""
    for _ in range(5):
        import os
        import tempfile

        path = os.path.join(tempfile.mkdtemp(), "peer.py")
        with open(path, "w") as f:
            f.write(textwrap.dedent(COMMON) + textwrap.dedent(body))
        r = subprocess.run([sys.executable, path], capture_output=True, text=True)
        line = [l for l in r.stdout.splitlines() if l.startswith("RESULT")]
        if not line:
            error = (r.stderr.strip().splitlines() or ["no output"])[-1][:160]
            break
        v = [float(t) for t in line[0].split()[2:]]
        best = v if best is None else [min(a, b) for a, b in zip(best, v)]
    print(
        f"| {name} | "
        + (error if best is None else " | ".join("-" if b < 0 else f"{b:.1f}" for b in best))
        + " |",
        flush=True,
    )
