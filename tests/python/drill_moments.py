"""Run by test_drill.py in a process of its own: what happens in the middle of a driver call, or of a stream's work."""

import ctypes
import gc
import os
import signal
import sys
import threading
import time

import numpy as np
from lanewise import gpu

drill = ctypes.CDLL(os.environ["LANEWISE_CUDA_DRIVER"])
drill.drill_live.restype = ctypes.c_long
Watcher = ctypes.CFUNCTYPE(None)
drill.drill_watch.argtypes = [ctypes.c_char_p, Watcher, ctypes.c_bool]
watchers = []


def watch(name, action, at_end=False):
    watchers.append(Watcher(action))
    drill.drill_watch(name.encode(), watchers[-1], at_end)


def make():
    @gpu.jit
    def check(x):
        i = gpu.grid(1)
        if x[i] < 0:
            raise ValueError("negative")
        x[i] += 1

    return check


@gpu.jit
def turn(x):
    i = gpu.grid(1)
    value = x[(i + 1) % x.size]
    gpu.cg.this_grid().sync()
    x[i] = value


class HeldLaunch:
    """A launch of a kernel that tells of failures, on a thread that is held inside the driver."""

    def __enter__(self):
        self.kernel, self.d, self.stream = make(), gpu.to_device(np.zeros(32)), gpu.stream()
        self.kernel[1, 32, self.stream](self.d)
        gpu.synchronize()
        self.entered, self.leave = threading.Event(), threading.Event()

        def hold():
            self.entered.set()
            self.leave.wait(60)

        watch("cuLaunchKernel", hold)
        self.thread = threading.Thread(target=lambda: self.kernel[1, 32, self.stream](self.d))
        self.thread.start()
        assert self.entered.wait(30)

    def __exit__(self, *_):
        self.leave.set()
        self.thread.join()
        assert self.d.copy_to_host().tolist() == [2.0] * 32


def fork_while_another_thread_launches():
    other, d = make(), gpu.to_device(np.zeros(32))
    other[1, 32](d)
    gpu.synchronize()
    with HeldLaunch():
        child = os.fork()
        if child == 0:
            signal.alarm(20)
            del other
            gc.collect()
            os._exit(0)
        print(os.waitpid(child, 0)[1])


def first_launch_while_another_is_held():
    others, d = [make(), make()], gpu.to_device(np.zeros(32))
    for other in others:
        other[1, 32](np.zeros(32))  # so that only the launch is left

    def work():
        others[0][1, 32, gpu.stream()](d)
        others[1][1, 32, gpu.stream()](d)
        others.pop()
        gc.collect()

    with HeldLaunch():
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        thread.join(20)
        print(thread.is_alive())
    thread.join()


def stream_with_the_handle_of_one_that_goes():
    d = gpu.to_device(np.arange(8, dtype=np.int32))
    streams, allocated = [gpu.stream()], []
    turn[2, 4, streams[0]](d)
    handle = streams[0].handle

    def take_its_place():
        while streams[-1].handle != handle and len(streams) < 200:
            streams.append(gpu.stream())
        before = drill.drill_live(b"cuMemFree")
        turn[2, 4, streams[-1]](d)
        allocated.append(drill.drill_live(b"cuMemFree") - before)

    watch("cuStreamDestroy", take_its_place, at_end=True)
    streams[0] = gpu.stream()
    gc.collect()
    assert streams[-1].handle == handle, "no stream has taken the handle over"
    # A counter of its own, which is still its own when the other stream has gone.
    before = drill.drill_live(b"cuMemFree")
    turn[2, 4, streams[-1]](d)
    print(allocated, drill.drill_live(b"cuMemFree") - before)


def counters_of_threads():
    d = gpu.to_device(np.arange(8, dtype=np.int32))
    turn[2, 4](d)
    gpu.close()
    before = drill.drill_live(b"cuMemFree")
    for _ in range(20):
        thread = threading.Thread(target=lambda: turn[2, 4, gpu.per_thread_default_stream()](d))
        thread.start()
        thread.join()
    for _ in range(500):  # a thread that was joined may not have ended yet
        gpu.close()
        if drill.drill_live(b"cuMemFree") == before:
            break
        time.sleep(0.01)
    print(drill.drill_live(b"cuMemFree") - before, d.copy_to_host().tolist() == [(i + 21) % 8 for i in range(8)])


def arguments_that_a_stream_is_still_writing():
    @gpu.vectorize(["float64(float64, float64)"])
    def add(a, b):
        return a + b

    @gpu.jit
    def fill(x):
        x[gpu.grid(1)] = 7

    stream = gpu.stream(non_blocking=True)
    d = gpu.to_device(np.zeros(4, np.int32))
    fill[1, 4, stream](d)
    result = add(d, np.ones((2, 4)), stream=stream.handle)
    stream.synchronize()
    print(result.copy_to_host().tolist() == [[8.0] * 4] * 2)


globals()[sys.argv[1]]()
