"""The engine's own share of a CUDA launch: microseconds of a warm launch where the driver's launch call returns at once.

    ninja drill && taskset -c 0 python tests/bench/launch.py [BUILD_FOLDER]

The driver is tests/drill in front of the emulator: cuLaunchKernel succeeds without doing anything, the other calls of
a launch (which context is current, making ours current and back) are passed on. docs/cuda.md has the figures.
"""

import os
import pathlib
import subprocess
import sys
import time


def measure():
    import numpy as np
    from lanewise import gpu

    for count in (4, 16):
        names = [f"a{i}" for i in range(count)]
        text = (f"def kernel({', '.join(names)}):\n    i = gpu.grid(1)\n    if i < a0.size:\n"
                f"        a0[i] = {' + '.join(f'{name}[i]' for name in names)}\n")  # fmt: skip
        scope = {"gpu": gpu}
        exec(text, scope)
        launch = gpu.jit(source=text)(scope["kernel"])[1, 32]
        arrays = [gpu.to_device(np.ones(32, "f4")) for _ in names]
        launch(*arrays)
        best = float("inf")
        for _ in range(7):
            begin = time.perf_counter()
            for _ in range(10000):
                launch(*arrays)
            best = min(best, (time.perf_counter() - begin) / 10000)
        print(f"{count} arrays: {best * 1e6:.2f} us")


if len(sys.argv) > 1 and sys.argv[1] == "measure":
    measure()
else:
    tests = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/release").resolve() / "tests"
    driver = {"LANEWISE_CUDA_DRIVER": tests / "drill/libcuda_drill.so", "DRILL_DRIVER": tests / "ptxemu/libcuda.so.1"}
    environment = {**os.environ, **{name: str(path) for name, path in driver.items()}, "LANEWISE_TARGET": "cuda",
                   "DRILL_SKIP": "cuLaunchKernel"}  # fmt: skip
    subprocess.run([sys.executable, __file__, "measure"], check=True, env=environment)
