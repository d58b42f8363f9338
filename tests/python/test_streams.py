"""Streams, events, callbacks and graphs."""

import asyncio
import os
import threading
import time

import numpy as np
import pytest
from lanewise import CudaError, LaunchError, LaunchTypeError, LaunchValueError, gpu

CUDA_ONLY = pytest.mark.skipif("LANEWISE_CUDA_DRIVER" not in os.environ, reason="needs a CUDA driver")


def make_add(target):
    @gpu.jit(target=target)
    def add(x, v):
        i = gpu.grid(1)
        if i < x.size:
            x[i] += v

    return add


def test_work_on_one_stream_runs_in_order(target):
    add, stream = make_add(target), gpu.stream(target=target)
    d = gpu.to_device(np.zeros(64, np.int32), stream=stream, target=target)
    for v in range(10):
        add[2, 32, stream](d, v)
    out = d.copy_to_host(stream=stream)
    stream.synchronize()
    assert out.tolist() == [45] * 64
    assert stream.query()


def test_host_arrays_on_a_stream_come_back_by_themselves(target):
    add, stream = make_add(target), gpu.stream(target=target)
    x = np.arange(40, dtype=np.int64)
    add[2, 32, stream](x, 5)
    assert x.tolist() == list(range(5, 45))


def test_copies_of_every_layout_on_a_stream(target):
    stream = gpu.stream(target=target)
    host = np.arange(24.0).reshape(4, 6)
    d = gpu.to_device(host, stream=stream, target=target)
    d[1:3, ::2].copy_to_device(np.full((2, 3), -1.0), stream=stream)
    part = d[::-1, 1:].copy_to_host(stream=stream)
    stream.synchronize()
    host[1:3, ::2] = -1
    assert np.array_equal(part, host[::-1, 1:])
    e = gpu.device_array_like(d, stream=stream)
    e.copy_to_device(d, stream=stream)
    stream.synchronize()
    assert np.array_equal(e.copy_to_host(), host)


def test_default_streams_and_handles(target):
    add = make_add(target)
    for stream, handle in [(gpu.default_stream(target=target), 0), (gpu.legacy_default_stream(target=target), 1),
                           (gpu.per_thread_default_stream(target=target), 2)]:  # fmt: skip
        assert (stream.handle, int(stream), bool(stream)) == (handle, handle, handle != 0)
        d = gpu.to_device(np.zeros(8), target=target)
        add[1, 8, stream](d, 3)
        stream.synchronize()
        assert d.copy_to_host().tolist() == [3] * 8
    own = gpu.stream(target=target)
    other = gpu.external_stream(own.handle, target=target)
    assert other == own and hash(other) == hash(own) and other.__cuda_stream__() == (0, own.handle)
    other.synchronize()
    assert "external stream" in repr(other) and target in repr(own)


def test_a_stream_waits_for_an_event_of_another(target):
    add = make_add(target)
    first, second = gpu.stream(target=target), gpu.stream(non_blocking=True, priority=0, target=target)
    d = gpu.to_device(np.zeros(8, np.int32), target=target)
    done = gpu.event(timing=False, target=target)
    add[1, 8, first](d, 3)
    done.record(first)
    second.wait(done)
    add[1, 8, second](d, 4)
    out = d.copy_to_host(stream=second)
    second.synchronize()
    assert out.tolist() == [7] * 8 and done.query()
    done.wait(0)
    gpu.synchronize(target)


def test_events_measure_time(target):
    start, end = gpu.event(target=target), gpu.event(target=target)
    start.record()
    time.sleep(0.02)
    end.record()
    end.synchronize()
    assert 0 <= start.elapsed_time(end) < 5000
    assert gpu.event_elapsed_time(start, end) == start.elapsed_time(end)
    if target == "cpu":
        assert start.elapsed_time(end) >= 19


def test_event_misuse_is_an_error(target):
    plain, timed = gpu.event(timing=False, target=target), gpu.event(target=target)
    with pytest.raises((LaunchError, CudaError), match="recorded|timing"):
        timed.elapsed_time(gpu.event(target=target))
    plain.record()
    timed.record()
    timed.synchronize()
    with pytest.raises((LaunchError, CudaError), match="timing"):
        plain.elapsed_time(timed)


def test_callbacks_come_after_the_work_and_before_synchronize_returns(target):
    add, stream = make_add(target), gpu.stream(target=target)
    seen = []
    d = gpu.to_device(np.zeros(8), target=target)
    add[1, 8, stream](d, 1)
    stream.add_callback(lambda *arguments: seen.append(arguments), "x")
    stream.add_callback(lambda s, status, arg: seen.append(arg))
    stream.synchronize()
    assert seen == [(stream, 0, "x"), None]
    with pytest.raises(LaunchTypeError, match="callable"):
        stream.add_callback(3)


def test_a_callback_may_use_the_stream_and_may_fail(target):
    stream, seen = gpu.stream(target=target), []

    def call(s, status, arg):
        s.synchronize()
        seen.append(s.query())

    stream.add_callback(call)
    stream.synchronize()
    assert seen == [True]


def test_async_done(target):
    add, stream = make_add(target), gpu.stream(target=target)
    d = gpu.to_device(np.zeros(8), target=target)

    async def run():
        add[1, 8, stream](d, 2)
        done = stream.async_done()
        while not done.done():
            stream.query()
            await asyncio.sleep(0.001)
        return await done

    assert asyncio.run(asyncio.wait_for(run(), 20)) is stream
    assert d.copy_to_host().tolist() == [2] * 8


def test_auto_synchronize(target):
    add, stream = make_add(target), gpu.stream(target=target)
    d = gpu.to_device(np.zeros(8), target=target)
    with stream.auto_synchronize() as same:
        assert same is stream
        add[1, 8, stream](d, 2)
    assert stream.query()


def test_streams_of_many_threads(target):
    add = make_add(target)
    results, errors = {}, []

    def work(number):
        try:
            stream = gpu.stream(target=target)
            d = gpu.to_device(np.zeros(32, np.int64), stream=stream, target=target)
            for _ in range(20):
                add[1, 32, stream](d, number)
            out = d.copy_to_host(stream=stream)
            stream.synchronize()
            results[number] = out.tolist()
        except Exception as error:  # noqa: BLE001 - shown by the assertion
            errors.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert not errors and results == {n: [20 * n] * 32 for n in range(8)}


def test_wrong_streams_are_refused(target):
    add = make_add(target)
    d = gpu.to_device(np.zeros(8), target=target)
    with pytest.raises(LaunchTypeError, match="kernel `add`.*stream"):
        add[1, 8, "fast"]
    with pytest.raises(LaunchTypeError, match="copy_to_host.*stream"):
        d.copy_to_host(stream="fast")
    with pytest.raises(LaunchError, match="handle"):
        d.copy_to_host(stream=-1)
    with pytest.raises(LaunchTypeError, match="Event.record.*stream"):
        gpu.event(target=target).record(1.5)


def test_profiling(target):
    with gpu.profiling(target=target):
        make_add(target)[1, 1](np.zeros(1), 1)
    gpu.profile_start(target)
    gpu.profile_stop(target)


@CUDA_ONLY
def test_a_graph_runs_what_was_captured():
    add, stream = make_add("cuda"), gpu.stream(target="cuda")
    d = gpu.to_device(np.zeros(8, np.int32), target="cuda")
    add[1, 8, stream](d, 0)  # compiled and loaded
    with stream.capture() as graph:
        for v in (1, 10, 100):
            add[1, 8, stream](d, v)
    assert d.copy_to_host().tolist() == [0] * 8
    for _ in range(3):
        graph.launch(stream)
    stream.synchronize()
    assert d.copy_to_host().tolist() == [333] * 8


@CUDA_ONLY
def test_a_graph_refuses_host_arrays_and_the_stream_goes_on():
    add, stream = make_add("cuda"), gpu.stream(target="cuda")
    x = np.zeros(8, np.int32)
    with pytest.raises(LaunchError, match="kernel `add`.*graph.*device memory"):
        with stream.capture():
            add[1, 8, stream](x, 1)
    for refused in (lambda: stream.add_callback(print), lambda: gpu.device_array(8, stream=stream, target="cuda")):
        with pytest.raises(LaunchError, match="callback|captured: allocate it before"):
            with stream.capture():
                refused()
    add[1, 8, stream](x, 1)
    assert x.tolist() == [1] * 8
    with pytest.raises(RuntimeError, match="not captured yet"):
        gpu.Graph().launch(stream)


def test_graphs_are_for_cuda(target):
    if target == "cuda":
        pytest.skip("shown by the graph tests")
    with pytest.raises(LaunchError, match="CUDA"):
        with gpu.stream(target=target).capture():
            pass


@CUDA_ONLY
def test_streams_of_destroyed_handles_and_other_targets():
    d = gpu.to_device(np.zeros(8), target="cuda")
    with pytest.raises(CudaError, match="INVALID_HANDLE"):
        make_add("cuda")[1, 8, 0x1234560](d, 1)
    with pytest.raises(LaunchError, match="target"):
        gpu.stream(target="cuda").wait(gpu.event(target="cpu"))
    with pytest.raises(LaunchError, match="target"):
        gpu.stream(target="cpu").wait(gpu.event(target="cuda"))


def test_a_configuration_keeps_its_stream(target):
    add, d = make_add(target), gpu.to_device(np.zeros(8), target=target)
    add[1, 8, gpu.stream(target=target)](d, 1)
    add.forall(8, stream=gpu.stream(target=target))(d, 1)
    configured = add[1, 8, gpu.stream(target=target)]
    others = [gpu.stream(target=target) for _ in range(3)]
    configured(d, 1)
    gpu.synchronize(target)
    assert d.copy_to_host().tolist() == [3] * 8 and len(others) == 3


def test_later_callbacks_come_after_one_that_raises(target, monkeypatch):
    stream, seen, told = gpu.stream(target=target), [], []
    monkeypatch.setattr(threading, "excepthook", lambda args: told.append(args.exc_value))

    def fail(stream, status, arg):
        raise arg

    errors = [ValueError("no such thing"), *([SystemExit(3)] if target == "cuda" else [])]
    for error in errors:
        stream.add_callback(fail, error)
        stream.add_callback(lambda *a: seen.append(1))
        waiter = threading.Thread(target=stream.synchronize, daemon=True)
        waiter.start()
        waiter.join(30)
        assert not waiter.is_alive()
    assert len(seen) == len(errors) and told == errors
    if target != "cuda":
        with pytest.raises(KeyboardInterrupt):  # the caller's own thread
            stream.add_callback(fail, KeyboardInterrupt())


def test_a_loop_that_is_closed_before_the_stream_is_done(target, capsys):
    stream = gpu.stream(target=target)
    release = threading.Event()

    async def leave():
        stream.add_callback(lambda *a: release.wait(30)) if target == "cuda" else None
        stream.async_done()

    asyncio.run(leave())
    release.set()
    stream.synchronize()
    assert "Error" not in capsys.readouterr().err

    async def stay():
        return await asyncio.wait_for(stream.async_done(), 30)

    assert asyncio.run(stay()) is stream


def test_many_threads_add_callbacks_to_one_stream(target):
    stream, seen = gpu.stream(target=target), []

    def work(number):
        for i in range(50):
            stream.add_callback(lambda s, status, arg: seen.append(arg), (number, i))
            if i % 10 == 0:
                stream.synchronize()

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    stream.synchronize()
    assert sorted(seen) == [(n, i) for n in range(8) for i in range(50)]


def test_what_is_no_event_and_no_priority_is_refused(target):
    stream, event = gpu.stream(target=target), gpu.event(target=target)
    for wrong in (None, 3, "x", stream):
        for call in (stream.wait, event.elapsed_time, lambda e: gpu.event_elapsed_time(e, event)):
            with pytest.raises(LaunchTypeError, match="an event is needed"):
                call(wrong)
    for wrong in ("x", 1.5, None):
        with pytest.raises(LaunchTypeError, match="the priority must be an int"):
            gpu.stream(priority=wrong, target=target)
    with pytest.raises(LaunchValueError, match="no priority"):
        gpu.stream(priority=2**40, target=target)


@CUDA_ONLY
def test_streams_of_another_target_are_refused():
    # Work that nothing orders would give wrong numbers.
    d, stream = gpu.to_device(np.zeros(8), target="cuda"), gpu.stream(target="cpu")
    for call in (
        lambda: make_add("cuda")[1, 8, stream], lambda: make_add("cpu")[1, 8, gpu.stream(target="cuda")],
        lambda: d.copy_to_host(stream=stream), lambda: d.copy_to_device(np.zeros(8), stream=stream),
        lambda: gpu.event(target="cuda").record(stream), lambda: gpu.event(target="cuda").wait(stream),
        lambda: gpu.event(target="cpu").record(gpu.stream(target="cuda")),
        lambda: gpu.device_array(3, stream=stream, target="cuda"),
    ):  # fmt: skip
        with pytest.raises(LaunchValueError, match="target"):
            call()


@CUDA_ONLY
def test_a_graph_keeps_what_it_uses():
    stream = gpu.stream(target="cuda")
    kernel = make_add("cuda")
    d, other = (gpu.to_device(np.full(8, v, np.int32), target="cuda") for v in (0, 7))
    for array in (d, other):
        kernel[1, 8, stream](array, 0)
    with stream.capture() as graph:
        kernel[1, 8, stream](other[4:], 5)
        d.copy_to_device(other, stream=stream)
        kernel[1, 8, stream](d, 1)
    del kernel, other, array
    filler = [gpu.to_device(np.full(8, -9, np.int32), target="cuda") for _ in range(20)]
    del filler
    gpu.close()
    for _ in range(2):
        graph.launch(stream)
    stream.synchronize()
    assert d.copy_to_host().tolist() == [8] * 4 + [18] * 4


@CUDA_ONLY
def test_a_kernel_with_raises_in_a_graph():
    @gpu.jit(target="cuda")
    def check(x):
        assert x[0] > 0, "not positive"

    stream, d = gpu.stream(target="cuda"), gpu.to_device(np.ones(1), target="cuda")
    check[1, 1, stream](d)
    with stream.capture() as graph:
        check[1, 1, stream](d)
    graph.launch(stream)
    stream.synchronize()
    del check
    d.copy_to_device(np.zeros(1))
    for _ in range(2):
        graph.launch(stream)
        with pytest.raises(Exception, match="not positive"):
            stream.synchronize()
