"""Run by test_drill.py in a process of its own, with a driver that fails the call it is told to.

Each scenario is run once for each driver call that it makes, with that call failing. Then the error must name the call
and its code, or the scenario must be right all the same; afterwards it must work again, and at the end nothing may be
left alive.
"""

import ctypes
import gc
import os
import sys

import numpy as np
from lanewise import gpu

drill = ctypes.CDLL(os.environ["LANEWISE_CUDA_DRIVER"])
drill.drill_calls.restype = drill.drill_live.restype = ctypes.c_long
drill.drill_fail.argtypes = [ctypes.c_long, ctypes.c_int]
drill.drill_failed.restype = ctypes.c_char_p
ENDERS = ["cuMemFree", "cuMemFreeHost", "cuMemHostUnregister", "cuModuleUnload", "cuStreamDestroy", "cuEventDestroy",
          "cuGraphDestroy", "cuGraphExecDestroy", "cuCtxPopCurrent"]  # fmt: skip
NAMES = {1: "CUDA_ERROR_INVALID_VALUE (1)", 2: "CUDA_ERROR_OUT_OF_MEMORY (2)"}


kept = []


@gpu.jit
def add(x, v):
    i = gpu.grid(1)
    if i < x.size:
        x[i] += v


def host_arrays():
    x = np.zeros(100, np.int32)
    add[4, 32](x, 3)
    assert x.tolist() == [3] * 100


def large_host_arrays():
    x = np.zeros(5 << 20, np.int8)
    add[1, 32](x, 3)
    assert x[:32].tolist() == [3] * 32 and not x[32:].any()


def device_arrays():
    d = gpu.to_device(np.zeros(100, np.int32))
    add[4, 32](d, 3)
    add[4, 32](d[::2], 1)
    gpu.synchronize()
    assert d.copy_to_host().tolist() == [4, 3] * 50
    e = gpu.device_array_like(d)
    e.copy_to_device(d)
    assert e.copy_to_host().tolist() == [4, 3] * 50
    gpu.close()


def kernels():
    @gpu.jit
    def fresh(x):
        i = gpu.grid(1)
        if i < x.size:
            x[i] = i
            assert i >= 0

    x = np.zeros(33)
    fresh[2, 32](x)
    assert x.tolist() == list(range(33))
    d = gpu.to_device(x)
    fresh[2, 32](d)
    gpu.synchronize()


def streams():
    stream, start, end = gpu.stream(), gpu.event(), gpu.event()
    d = gpu.to_device(np.zeros(8, np.int32), stream=stream)
    start.record(stream)
    add[1, 8, stream](d, 3)
    end.record(stream)
    gpu.stream(non_blocking=True).wait(end)
    out = d.copy_to_host(stream=stream)
    stream.add_callback(lambda *arguments: None)
    stream.synchronize()
    assert out.tolist() == [3] * 8 and start.elapsed_time(end) >= 0
    while not stream.query() or not end.query():
        pass


def graphs():
    stream = gpu.stream()
    d = gpu.to_device(np.zeros(8, np.int32))
    with stream.capture() as graph:
        add[1, 8, stream](d, 3)
    graph.launch(stream)
    graph.launch(stream)
    stream.synchronize()
    assert d.copy_to_host().tolist() == [6] * 8


def first_use_in_a_capture():
    """A kernel that waits for the grid, and one with clusters: code and counters come while the stream is captured."""

    @gpu.jit
    def turn(x):
        i = gpu.grid(1)
        value = x[(i + 1) % x.size]
        gpu.cg.this_grid().sync()
        x[i] = value

    stream = gpu.stream()
    d = gpu.to_device(np.arange(8, dtype=np.int32))
    with stream.capture() as graph:
        turn[2, 4, stream](d)
        add.configure(2, 4, stream, cluster=2, priority=0)(d, 1)
    graph.launch(stream)
    stream.synchronize()
    assert d.copy_to_host().tolist() == [2, 3, 4, 5, 6, 7, 8, 1]
    assert turn.max_active_blocks(32) > 0 and turn.suggested_block() > 0 and turn.max_active_clusters(2, 32) > 0


def host_memory():
    for make in (gpu.pinned_array, gpu.mapped_array, gpu.managed_array):
        x = make(8, np.int32)
        x[:] = 1
        add[1, 8](x, 3)
        gpu.synchronize()
        assert x.tolist() == [4] * 8
    # Memory that could not be released is never another array's.
    y, z = np.zeros(8, np.int32), np.zeros(8, np.int32)
    kept.extend([y, z])
    with gpu.pinned(y):
        add[1, 8](y, 3)
    with gpu.mapped(z):
        add[1, 8](z, 3)
        gpu.synchronize()
    assert y.tolist() == z.tolist() == [3] * 8


def devices():
    context = gpu.current_context()
    free, total = context.get_memory_info()
    assert 0 < free <= total
    gpu.gpus[0].MULTIPROCESSOR_COUNT  # noqa: B018
    with gpu.gpus[0]:
        context.synchronize()


def live():
    gc.collect()
    gpu.close()
    gc.collect()
    gpu.close()
    return {name: drill.drill_live(name.encode()) for name in ENDERS}


def run(scenario):
    for _ in range(3):
        scenario()
    before = live()
    drill.drill_fail(0, 0)
    scenario()
    calls, silent, lost, unreached = drill.drill_calls(), [], dict.fromkeys(ENDERS, 0), 0
    for code, name in NAMES.items():
        for number in range(1, calls + 1):
            drill.drill_fail(number, code)
            try:
                scenario()
            except Exception as error:  # noqa: BLE001 - looked at below
                report = f"{type(error).__name__}: {error}"
            else:
                report = None
            drill.drill_fail(0, 0)
            failed = drill.drill_failed().decode()
            if failed in lost:
                lost[failed] += 1
            if report is None and failed == "cuCtxPushCurrent":
                unreached += 1  # something to be freed could not be
            if report is None:
                silent.append(failed)
            elif failed:
                assert failed in report and name in report, f"call {number}, {failed} with {name}: {report}"
            scenario()
    after = live()
    for name in ENDERS:
        assert after[name] - before[name] <= lost[name] + unreached, f"{name}: {after[name] - before[name]} are left"
    print(calls, *sorted(set(silent) - {""}))


def leaks():
    """10,000 launches and streams, some kernels: nothing may be left."""

    def work(count):
        for _ in range(count):
            host_arrays()
            gpu.stream()
            gpu.event()
        for _ in range(count // 50):
            kernels()

    work(100)
    before = live()
    work(10000)
    after = live()
    assert after == before, f"{before} has become {after}"
    print(drill.drill_calls())


if sys.argv[1] == "leaks":
    leaks()
else:
    run(globals()[sys.argv[1]])
