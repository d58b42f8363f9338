"""Processes that end, or fork, while work is going on, and threads that free what others wait for."""

import os
import subprocess
import sys
import textwrap

import pytest

CUDA_ONLY = pytest.mark.skipif("LANEWISE_CUDA_DRIVER" not in os.environ, reason="needs a CUDA driver")

PREAMBLE = """
import gc, os, sys, threading, time
import numpy as np
from lanewise import gpu

@gpu.jit
def add(x, v):
    i = gpu.grid(1)
    if i < x.size:
        for k in range(20):
            x[i] += v
"""


def run(tmp_path, target, program, **environment):
    path = tmp_path / "program.py"
    path.write_text(PREAMBLE + textwrap.dedent(program))
    return subprocess.run(
        [sys.executable, str(path)], capture_output=True, text=True, timeout=120,
        env={**os.environ, "LANEWISE_TARGET": target, **environment},
    )  # fmt: skip


@pytest.mark.parametrize("pause", [0.05, 0.2])
def test_threads_that_launch_while_the_interpreter_ends(tmp_path, target, pause):
    # Python ends threads that want its lock then; C++ frames must not be unwound by that.
    done = run(
        tmp_path, target,
        f"""
        started = threading.Barrier(7)
        def work():
            stream = gpu.stream()
            x = np.zeros(300)
            d = gpu.to_device(x, stream=stream)
            add[2, 256](x, 1)
            started.wait()
            while True:
                add[2, 256](x, 1)
                add[2, 256, stream](d, 1)
                d.copy_to_host()
                stream.add_callback(lambda *a: None)
                stream.synchronize()
        for _ in range(6):
            threading.Thread(target=work, daemon=True).start()
        started.wait()
        time.sleep({pause})
        print("end")
        """,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")


@CUDA_ONLY
@pytest.mark.parametrize("lazy", [False, True])
def test_an_end_with_work_and_callbacks_that_were_not_waited_for(tmp_path, lazy):
    done = run(
        tmp_path, "cuda",
        """
        stream, event = gpu.stream(), gpu.event()
        d = gpu.to_device(np.zeros(1000), stream=stream)
        shared = gpu.mapped_array(100)
        for i in range(5):
            add[4, 256, stream](d, 1)
            add[1, 100, stream](shared, 1)
            stream.add_callback(lambda *a: add[1, 1](np.zeros(1), 1))
        event.record(stream)
        class Cycle: pass
        cycle = Cycle()
        cycle.self = cycle
        cycle.all = stream, event, d, shared, gpu.pinned_array(10), gpu.managed_array(10), add
        print("end")
        """,
        **({"PTXEMU_LAZY": "1"} if lazy else {}),
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")


@CUDA_ONLY
def test_every_object_of_cuda_says_in_a_forked_child_what_is_wrong(tmp_path):
    done = run(
        tmp_path, "cuda",
        """
        stream, event, x = gpu.stream(), gpu.event(), np.zeros(8)
        event.record(stream)
        d, mapped, managed = gpu.to_device(x), gpu.mapped_array(8), gpu.managed_array(8)
        for array in (d, mapped, managed, x):
            add[1, 8, stream](array, 0)
        with stream.capture() as graph:
            add[1, 8, stream](d, 1)
        calls = [
            stream.synchronize, stream.query, lambda: stream.wait(event), lambda: stream.add_callback(print),
            lambda: stream.capture().__enter__(), event.synchronize, event.query, lambda: event.record(stream),
            lambda: event.elapsed_time(event), lambda: graph.launch(stream), d.copy_to_host,
            lambda: d.copy_to_device(x), lambda: d.copy_to_device(gpu.device_array(8)), d.get_ipc_handle,
            lambda: add[1, 8](d, 1), lambda: add[1, 8](mapped, 1), lambda: add[1, 8](x.astype(np.int8), 1),
            gpu.synchronize, gpu.close, gpu.stream, gpu.event, lambda: gpu.pinned_array(3),
            lambda: gpu.pinned(x).__enter__(), lambda: gpu.select_device(0), gpu.current_context,
        ]
        child = os.fork()
        if child == 0:
            for number, call in enumerate(calls):
                try:
                    call()
                    print(number, "went through")
                except Exception as error:
                    if "before this process was forked" not in str(error):
                        print(number, repr(error))
            del stream, event, d, mapped, managed, graph, calls, call, array
            gc.collect()
            sys.exit(0)
        print(os.waitpid(child, 0)[1])
        graph.launch(stream)
        stream.synchronize()
        print(d.copy_to_host().tolist())
        """,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, f"0\n{[20.0] * 8}\n", "")


@CUDA_ONLY
@pytest.mark.parametrize("lazy", [False, True])
def test_kernels_that_failed_are_freed_while_others_raise_it(tmp_path, lazy):
    # What failed knows its kernel's function, for which the interpreter's lock is needed.
    done = run(
        tmp_path, "cuda",
        """
        raised = []
        arrays = [gpu.to_device(np.full(32, -1.0)) for n in range(8)]
        def work(number):
            stream, d = gpu.stream(), arrays[number]
            for i in range(40):
                @gpu.jit
                def check(x):
                    if x[gpu.grid(1)] < number:
                        raise ValueError("too small")
                for call in (lambda: check[1, 32, stream](d), stream.synchronize if i % 3 else lambda: None):
                    try:
                        call()
                    except ValueError:
                        raised.append(number)
                if i % 4 == 0:
                    gc.collect()
        threads = [threading.Thread(target=work, args=(n,), daemon=True) for n in range(8)]
        [t.start() for t in threads]
        [t.join(50) for t in threads]
        assert not any(t.is_alive() for t in threads)
        print(len(raised) > 8)
        """,
        **({"PTXEMU_LAZY": "1"} if lazy else {}),
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")


@CUDA_ONLY
def test_close_raises_what_nobody_waited_for(tmp_path):
    done = run(
        tmp_path, "cuda",
        """
        @gpu.jit
        def check(x):
            assert x[0] > 0, "not positive"
        check[1, 1](gpu.to_device(np.zeros(1)))
        for _ in range(2):
            try:
                gpu.close()
                print("closed")
            except AssertionError as error:
                print(str(error).splitlines()[0])
        """,
        PTXEMU_LAZY="1",
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "not positive\nclosed\n", "")


def test_a_child_that_compiles_while_the_parents_threads_did(tmp_path):
    # What another thread holds inside LLVM at the fork, nobody in the child would ever give back.
    done = run(
        tmp_path, "cpu",
        """
        def make(factor):
            @gpu.jit
            def scale(x):
                i = gpu.grid(1)
                if i < x.size:
                    for k in range(3):
                        x[i] += factor
            return scale
        stop = threading.Event()
        def work(number):
            while not stop.is_set():
                make(number)[1, 32](np.zeros(8, np.float32))
        threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
        [t.start() for t in threads]
        for _ in range(8):
            child = os.fork()
            if child == 0:
                x = np.zeros(4)
                make(7)[1, 4](x)
                os._exit(0 if x.tolist() == [21] * 4 else 1)
            give_up = time.time() + 60
            while (ended := os.waitpid(child, os.WNOHANG))[0] == 0 and time.time() < give_up:
                time.sleep(0.01)
            if ended[0] == 0:
                os.kill(child, 9)
            print(ended[0] == child and ended[1])
        stop.set()
        [t.join() for t in threads]
        """,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "0\n" * 8, "")
