"""Ctrl-C ends a grid that runs on the CPU between two blocks."""

import os
import signal
import threading
import time

import numpy as np
import pytest
from lanewise import gpu


@gpu.jit(target="cpu")
def slow(out, turns):
    x = 0.5
    for _ in range(turns):
        x = x * x - 1.5
    out[gpu.blockIdx.x] = x


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c(threads):
    out = np.zeros(100_000)
    before = gpu.get_num_threads()
    gpu.set_num_threads(threads)
    try:
        slow[4, 1](out, 10)
        out[:] = 0
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        start = time.monotonic()
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            slow[out.size, 1](out, 2_000_000)  # some milliseconds a block: minutes altogether
        assert time.monotonic() - start < 20
        assert out[0] != 0 and out[-1] == 0  # some blocks were run, others not
        slow[2, 1](out, 1)  # the pool is as before
        assert out[0] == out[1] == 0.5 * 0.5 - 1.5
    finally:
        gpu.set_num_threads(before)
