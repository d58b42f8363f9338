"""What a CUDA device makes of Lanewise, as ratios in one run: the bench kernels beside CUDA C++ compiled by NVRTC
(tests/bench/kernels.cu), copies beside each other, and the cost of a launch.

    python tests/gpu/measure.py [--json FILE] [--scale 1.0] [--kernel NAME ...]

Every result is compared with CUDA C++'s before it is timed. Times are the device's (events), the best of several
rounds in which the two take turns. Under the emulator (LANEWISE_CUDA_DRIVER) use --scale 0.01: it shows that all runs,
the times mean nothing. Exit status 1: a result was wrong.
"""

import argparse
import ctypes
import json
import os
import pathlib
import sys
import time

import numpy as np
from lanewise import gpu

BENCH = pathlib.Path(__file__).resolve().parent.parent / "bench"
sys.path.insert(0, str(BENCH))
import ptx_quality  # noqa: E402
import simt_kernels  # noqa: E402

os.environ["LANEWISE_TARGET"] = "cuda"

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--json", help="write the figures to this file")
parser.add_argument("--scale", type=float, default=1.0, help="part of the usual problem sizes")
parser.add_argument("--rounds", type=int, default=7)
parser.add_argument("--kernel", action="append", default=[])
parser.add_argument("--wheels", default="", help="a folder that NVIDIA's wheels are installed in")


class CudaCpp:
    """kernels.cu through NVRTC and the driver."""

    def __init__(self, wheels):
        self.device = gpu.get_current_device()
        major, minor = self.device.compute_capability
        library = ptx_quality.find(r"libnvrtc\.so\.\d+", wheels)
        if library is None:
            sys.exit("no NVRTC found: pip install nvidia-cuda-nvrtc")
        ptx = ptx_quality.nvrtc_ptx(library, 10 * major + minor)
        self.driver = ctypes.CDLL(os.environ.get("LANEWISE_CUDA_DRIVER", "libcuda.so.1"))
        context, self.module = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuInit", 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), self.device.id)
        self.call("cuCtxSetCurrent", context)
        self.call("cuModuleLoadData", ctypes.byref(self.module), ptx.encode())

    def call(self, name, *arguments):
        code = getattr(self.driver, name)(*arguments)
        if code:
            sys.exit(f"{name} failed with {code}")

    def launcher(self, name, grid, block, arguments):
        function = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function), self.module, name.encode())
        kinds = {float: ctypes.c_float, int: ctypes.c_int}
        values = [kinds[type(a)](a) if type(a) in kinds else ctypes.c_void_p(a._buffer.pointer) for a in arguments]
        pointers = (ctypes.c_void_p * len(values))(*(ctypes.addressof(value) for value in values))
        sizes = [*(*grid, 1, 1)[:3], *(*block, 1, 1)[:3]]

        def launch(keep=values):
            self.call("cuLaunchKernel", function, *sizes, 0, None, pointers, None)

        return launch


def problems(scale):
    """name -> (grid, block, output, our other arguments, CUDA C++'s arguments after the output)"""
    rng = np.random.default_rng(1)
    root = scale**0.5
    count, side, width = int((1 << 24) * scale) // 256 * 256, int(4096 * root), int(2048 * root)
    matrix, bodies, rows = max(int(1024 * root) // 16, 1) * 16, int(16384 * root), int((1 << 20) * scale)
    x = rng.random(count, dtype="f4")
    price = [rng.uniform(*ends, count).astype("f4") for ends in ((5, 30), (1, 100), (0.25, 10))]
    position = [rng.random(bodies, dtype="f4") for _ in range(3)]
    image = rng.random((side, side), dtype="f4")
    square = [rng.random((matrix, matrix), dtype="f4") for _ in range(2)]
    text = rng.integers(0, 256, count, dtype="u1")
    ends = np.concatenate([[0], np.cumsum(rng.integers(0, 33, rows))]).astype("i4")
    sparse = [ends, rng.integers(0, rows, ends[-1]).astype("i4"), rng.random(ends[-1], dtype="f4"), x[:rows]]
    blocks = lambda n, size=256: ((n + size - 1) // size,)  # noqa: E731
    tiles = lambda n, size=16: blocks(n, size) * 2  # noqa: E731
    empty = lambda *shape: np.zeros(shape, "f4")  # noqa: E731
    return {
        "mandelbrot": (tiles(width), (16, 16), np.zeros((width, width), "i4"), [256], [width, width, 256]),
        "blackscholes": (blocks(count), (256,), empty(count), price, [*price, count]),
        "nbody": (blocks(bodies), (256,), empty(bodies), position, [*position, bodies]),
        "stencil": (tiles(side), (16, 16), empty(side, side), [image], [image, side, side]),
        "saxpy": (blocks(count), (256,), np.ones(count, "f4"), [x, np.float32(2)], [x, 2.0, count]),
        "matmul": (tiles(matrix), (16, 16), empty(matrix, matrix), square, [*square, matrix]),
        "blocksum": (blocks(count), (256,), empty(count // 256), [x], [x]),
        "blocksum_shfl": (blocks(count), (256,), empty(count // 256), [x], [x]),
        "histogram": ((256,), (256,), np.zeros(256, "i4"), [text], [text, count]),
        "spmv": (blocks(rows), (256,), empty(rows), sparse, [*sparse, rows]),
        "noise": (tiles(width), (16, 16), empty(width, width), [], [width, width]),
    }


def milliseconds(launch):
    start, end = gpu.event(), gpu.event()
    start.record()
    launch()
    end.record()
    end.synchronize()
    return start.elapsed_time(end)


def in_turns(rounds, *launches):
    """The best time of each, in milliseconds."""
    for launch in launches:
        launch()
    times = [[milliseconds(launch) for launch in launches] for _ in range(rounds)]
    return [min(column) for column in zip(*times)]


def measure_kernels(arguments):
    theirs = CudaCpp(arguments.wheels)
    ours = simt_kernels.define(gpu)
    rows = {}
    for name, (grid, block, output, own, other) in problems(arguments.scale).items():
        if arguments.kernel and name not in arguments.kernel:
            continue
        inputs = {}

        def device(value, inputs=inputs):
            if not isinstance(value, np.ndarray):
                return value
            return inputs.setdefault(id(value), gpu.to_device(value))

        mine, reference = gpu.to_device(output), gpu.to_device(output)
        configured, own = ours[name][grid, block], [device(value) for value in own]
        launch = theirs.launcher(name, grid, block, [reference, *(device(value) for value in other)])
        configured(mine, *own)
        launch()
        got, expected = mine.copy_to_host(), reference.copy_to_host()
        right = bool(np.allclose(got, expected, rtol=2e-5, atol=1e-5 * max(1, np.abs(expected).max())))
        mine_ms, reference_ms = in_turns(arguments.rounds, lambda: configured(mine, *own), launch)  # noqa: B023
        rows[name] = {"lanewise_ms": mine_ms, "nvrtc_ms": reference_ms, "ratio": mine_ms / reference_ms, "right": right}
        print(f"{name:14} {mine_ms:10.4f} {reference_ms:10.4f} {mine_ms / reference_ms:8.3f}  "
              f"{'' if right else 'WRONG'}", flush=True)  # fmt: skip
    return rows


def measure_copies(arguments):
    count = int((256 << 20) * arguments.scale)
    pinned, plain = gpu.pinned_array(count, np.uint8), np.zeros(count, np.uint8)
    pinned[:] = 1
    stream, one, two = gpu.stream(), gpu.device_array(count, np.uint8), gpu.device_array(count, np.uint8)
    copies = {
        "host to device, pinned": lambda: one.copy_to_device(pinned, stream=stream),
        "device to host, pinned": lambda: one.copy_to_host(pinned, stream=stream),
        "host to device, pageable": lambda: one.copy_to_device(plain, stream=stream),
        "device to host, pageable": lambda: one.copy_to_host(plain, stream=stream),
        "device to device": lambda: two.copy_to_device(one, stream=stream),
    }
    rows = {}
    for name, copy in copies.items():
        best = float("inf")
        for _ in range(arguments.rounds):
            stream.synchronize()
            begin = time.perf_counter()
            copy()
            stream.synchronize()
            best = min(best, time.perf_counter() - begin)
        rows[name] = count / best / 1e9
        print(f"{name:26} {rows[name]:8.2f} GB/s", flush=True)
    return rows


def measure_launches(rounds):
    """Microseconds of the host's time for a warm launch of arrays on the device."""

    @gpu.jit
    def four(a, b, c, d):
        i = gpu.grid(1)
        if i < a.size:
            a[i] = b[i] * c[i] + d[i]

    arrays = [gpu.to_device(np.ones(32, "f4")) for _ in range(4)]
    launch, count = four[1, 32], 1000
    best = float("inf")
    for _ in range(rounds):
        launch(*arrays)
        gpu.synchronize()
        begin = time.perf_counter()
        for _ in range(count):
            launch(*arrays)
        best = min(best, (time.perf_counter() - begin) / count)
        gpu.synchronize()
    print(f"launch of four arrays      {best * 1e6:8.2f} us", flush=True)
    return {"four arrays, us": best * 1e6}


def main():
    arguments = parser.parse_args()
    if not gpu.is_available():
        gpu.detect()
        sys.exit(77)
    print(gpu.get_current_device().name)
    print(f"{'kernel':14} {'lanewise':>10} {'NVRTC':>10} {'ratio':>8}   (ms)")
    figures = {"device": gpu.get_current_device().name, "kernels": measure_kernels(arguments)}
    figures["copies, GB/s"] = measure_copies(arguments)
    figures["launches"] = measure_launches(arguments.rounds)
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(figures, indent=1) + "\n")
    sys.exit(not all(row["right"] for row in figures["kernels"].values()))


if __name__ == "__main__":
    main()
