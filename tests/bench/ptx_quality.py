"""PTX quality without a GPU: registers, spills and SASS instructions of the bench kernels, Lanewise's PTX through ptxas against nvcc -O3.

    pip install nvidia-cuda-nvdisasm           (nvcc and ptxas from a CUDA toolkit on PATH)
    python ptx_quality.py [--arch 75,80,90,120]

Fewer instructions is not "faster" (unroll factors differ): look at a row that is far off, do not tune to the count.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ap = argparse.ArgumentParser()
ap.add_argument("--arch", default="75,80,90,120")
args = ap.parse_args()
tmp = tempfile.mkdtemp()


def find_nvdisasm():
    for base in [os.path.join(p, "nvidia") for p in sys.path] + ["/usr/local/cuda/bin"]:
        for d, _, files in os.walk(base):
            if "nvdisasm" in files:
                return os.path.join(d, "nvdisasm")
    sys.exit("nvdisasm not found: pip install nvidia-cuda-nvdisasm")


DIS = find_nvdisasm()


def sass(cubin):
    """kernel -> instruction count without the NOP padding and the final self-branch"""
    text = subprocess.run([DIS, "-c", cubin], capture_output=True, text=True, check=True).stdout
    counts, name = {}, None
    for line in text.splitlines():
        m = re.match(r"\s*\.section\s+\.text\.(\w+)", line)
        if m:
            name = m.group(1)
            counts[name] = 0
        elif name and re.match(r"\s*/\*[0-9a-f]{4,}\*/", line) and "NOP" not in line:
            counts[name] += 1
    return counts


def resources(log):
    """ptxas -v output: kernel -> (registers, spill bytes)"""
    out, name = {}, None
    for line in log.splitlines():
        m = re.search(r"Compiling entry function '(\w+)'", line)
        if m:
            name = m.group(1)
        m = re.search(r"(\d+) bytes spill stores, (\d+) bytes spill loads", line)
        if m and name:
            out[name] = [0, int(m.group(1)) + int(m.group(2))]
        m = re.search(r"Used (\d+) registers", line)
        if m and name:
            out.setdefault(name, [0, 0])[0] = int(m.group(1))
    return out


def ptx_of(arch):
    """Lanewise's PTX of every bench kernel for sm_<arch>, through the package's own compile_ptx with Numba-CUDA's spelling."""
    import simt_kernels
    from lanewise import gpu

    t = gpu
    i2, f1, f2 = t.int32[:, ::1], t.float32[::1], t.float32[:, ::1]
    sig = {
        "mandelbrot": (i2, t.int32),
        "blackscholes": (f1,) * 4,
        "nbody": (f1,) * 4,
        "stencil": (f2, f2),
        "saxpy": (f1, f1, t.float32),
        "matmul": (f2,) * 3,
        "blocksum": (f1, f1),
        "blocksum_shfl": (f1, f1),
        "histogram": (t.int32[::1], t.uint8[::1]),
        "spmv": (f1, t.int32[::1], t.int32[::1], f1, f1),
        "noise": (f2,),
    }
    for name, kernel in simt_kernels.define(gpu).items():
        text, _ = gpu.compile_ptx(kernel.py_func, sig[name], cc=divmod(arch, 10))
        yield name, text


sys.path.insert(0, HERE)
for arch in map(int, args.arch.split(",")):
    cubin = os.path.join(tmp, f"nvcc{arch}.cubin")
    r = subprocess.run(
        [
            "nvcc",
            "-O3",
            f"-arch=sm_{arch}",
            "-cubin",
            "-Xptxas",
            "-v",
            os.path.join(HERE, "kernels.cu"),
            "-o",
            cubin,
        ],
        capture_output=True,
        text=True,
    )
    if r.returncode:
        sys.exit(r.stderr)
    ref, ref_n = resources(r.stderr), sass(cubin)
    print(
        f"\nsm_{arch}\n| kernel | registers nvcc | ours | ratio | instructions nvcc | ours | ratio | spills nvcc | ours |\n|---|---|---|---|---|---|---|---|---|"
    )
    for name, text in ptx_of(arch):
        path = os.path.join(tmp, f"{name}{arch}.ptx")
        with open(path, "w") as f:
            f.write(text)
        r = subprocess.run(
            ["ptxas", "-O3", f"-arch=sm_{arch}", "-v", path, "-o", path + ".cubin"],
            capture_output=True,
            text=True,
        )
        if r.returncode:
            print(f"| {name} | refused by ptxas: {r.stderr.strip().splitlines()[0][:120]} |")
            continue
        ((regs, spill),) = resources(r.stderr).values()
        (n,) = sass(path + ".cubin").values()
        print(
            f"| {name} | {ref[name][0]} | {regs} | {regs / ref[name][0]:.2f} | {ref_n[name]} | {n} | {n / ref_n[name]:.2f} | {ref[name][1]} | {spill} |"
        )
