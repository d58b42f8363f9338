"""Devices, contexts, memory of other libraries and processes, memory managers.

What looks at the devices of the default target runs in a process of its own, on an emulated driver with two.
"""

import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from lanewise import CudaError, LaunchError, LaunchTypeError, LaunchValueError, gpu

CUDA_ONLY = pytest.mark.skipif("LANEWISE_CUDA_DRIVER" not in os.environ, reason="needs a CUDA driver")

PREAMBLE = """
import numpy as np
from lanewise import CudaError, LaunchError, gpu

@gpu.jit
def add(x, v):
    i = gpu.grid(1)
    if i < x.size:
        x[i] += v

def message(action):
    try:
        action()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "nothing was raised"
"""


def run(program, **environment):
    """What the program prints, on two CUDA devices."""
    source = PREAMBLE + textwrap.dedent(program)
    # Kernels need their text: a file, as users have it.
    result = subprocess.run(
        [sys.executable, "-c", f"import linecache; text = {source!r}; "
         "linecache.cache['program.py'] = (len(text), None, text.splitlines(True), 'program.py'); "
         "exec(compile(text, 'program.py', 'exec'))"],
        capture_output=True, text=True, timeout=120,
        env={**os.environ, "LANEWISE_TARGET": "cuda", "PTXEMU_DEVICES": "2", **environment},
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_the_cpu_is_one_device():
    assert len(gpu.gpus) == 1 and [d.id for d in gpu.gpus] == [0] and gpu.list_devices() is gpu.gpus
    device = gpu.get_current_device()
    assert device == gpu.gpus[0] == gpu.gpus.current and device.name
    assert (device.WARP_SIZE, device.MAX_THREADS_PER_BLOCK, device.MAX_GRID_DIM_Y) == (32, 1024, 65535)
    assert device.MULTIPROCESSOR_COUNT == gpu.get_num_threads()
    assert device.compute_capability == (7, 5)
    assert gpu.select_device(0) == gpu.current_context() == device.get_primary_context()
    free, total = gpu.current_context().get_memory_info()
    assert 0 < free <= total
    with gpu.gpus[0] as context:
        assert context.device == device
        context.synchronize()
    with pytest.raises(IndexError, match="no device 1"):
        gpu.gpus[1]
    with pytest.raises(IndexError):
        gpu.select_device(3)
    with pytest.raises(AttributeError, match="SPEED"):
        device.SPEED  # noqa: B018
    assert not gpu.current_context().can_access_peer(0)
    with pytest.raises(LaunchError, match="no peers"):
        gpu.current_context().enable_peer_access(0)
    with gpu.defer_cleanup(), gpu.require_context():
        gpu.close()


@CUDA_ONLY
def test_two_devices():
    assert run(
        """
        print(len(gpu.gpus), [d.id for d in gpu.gpus], gpu.get_current_device().id)
        print(gpu.gpus[0].uuid != gpu.gpus[1].uuid, gpu.gpus[1].uuid.startswith("GPU-"))
        print(gpu.gpus[1].compute_capability, gpu.gpus[1].WARP_SIZE, gpu.gpus[1].get_device_identity()["pci_bus_id"])
        with gpu.gpus[1]:
            print(gpu.get_current_device().id)
            with gpu.gpus[0]:
                print(gpu.get_current_device().id)
            print(gpu.get_current_device().id)
        print(gpu.get_current_device().id)
        """
    ).splitlines() == ["2 [0, 1] 0", "True True", "(9, 0) 32 0", "1", "0", "1", "0"]


@CUDA_ONLY
@pytest.mark.parametrize("lazy", [False, True])
def test_kernels_and_arrays_of_each_device(lazy):
    assert run(
        """
        on = []
        for number in range(2):
            with gpu.gpus[number]:
                d = gpu.to_device(np.zeros(8, np.int32))
                s = gpu.stream()
                for v in range(4):
                    add[1, 8, s](d, v + number)
                s.synchronize()
                on.append(d)
        print([d.copy_to_host().tolist() for d in on])
        x = np.zeros(8, np.int32)
        with gpu.gpus[1]:
            add[1, 8](x, 5)
        print(x.tolist())
        print(message(lambda: add[1, 8](on[1], 1)))
        on[0].copy_to_device(on[1])
        gpu.synchronize()
        print(on[0].copy_to_host().tolist())
        """,
        **({"PTXEMU_LAZY": "1"} if lazy else {}),
    ).splitlines() == [
        "[[6, 6, 6, 6, 6, 6, 6, 6], [10, 10, 10, 10, 10, 10, 10, 10]]",
        "[5, 5, 5, 5, 5, 5, 5, 5]",
        "LaunchValueError: kernel `add`, argument `x`: its memory is on CUDA device 1, but the launch is on device 0",
        "  select the device first (with gpu.gpus[1]: ...), copy the array, or enable peer access",
        "[10, 10, 10, 10, 10, 10, 10, 10]",
    ]


@CUDA_ONLY
def test_peer_access():
    assert run(
        """
        with gpu.gpus[1]:
            d = gpu.to_device(np.zeros(8, np.int32))
        class Foreign:
            __cuda_array_interface__ = d.__cuda_array_interface__
        print(message(lambda: add[1, 8](Foreign(), 1)).splitlines()[0])
        context = gpu.current_context()
        print(context.can_access_peer(1), context.can_access_peer(gpu.gpus[1]))
        context.enable_peer_access(1)
        context.enable_peer_access(gpu.gpus[1])
        add[1, 8](d, 3)
        add[1, 8](Foreign(), 4)
        print(d.copy_to_host().tolist())
        print(message(lambda: context.enable_peer_access(7)))
        """
    ).splitlines() == [
        "LaunchValueError: kernel `add`, argument `x`: its memory is on CUDA device 1, but the launch is on device 0",
        "True True",
        "[7, 7, 7, 7, 7, 7, 7, 7]",
        "LaunchValueError: there is no CUDA device 7: there are 2, counted from 0",
    ]


@CUDA_ONLY
@pytest.mark.parametrize("lazy", ["0", "1"])
def test_streams_and_memory_keep_their_device(lazy):
    assert run(
        """
        with gpu.gpus[1]:
            stream = gpu.stream()
            there = gpu.to_device(np.arange(4))
        here = gpu.to_device(np.arange(4))
        print(message(lambda: add[1, 4, stream](here, 1)))
        view = gpu.from_cuda_array_interface(there.__cuda_array_interface__, owner=there)
        print(message(lambda: add[1, 4](view, 1)).splitlines()[0])
        with gpu.gpus[1]:
            add[1, 4, stream](view, 1)
        made = gpu.to_device(np.arange(4), stream=stream)
        with gpu.gpus[1]:
            add[1, 4, stream](made, 1)
        stream.synchronize()
        print(view.copy_to_host(), made.copy_to_host())
        # The launch is on the other device's default stream.
        with gpu.gpus[1]:
            add[1, 4](there, 10)
        here.copy_to_device(there)
        print(here.copy_to_host())
        """,
        **({"PTXEMU_LAZY": "1"} if lazy == "1" else {}),
    ) == (
        "LaunchValueError: kernel `add`: the stream is of CUDA device 1, but the launch is on device 0\n"
        "  select the stream's device first\n"
        "LaunchValueError: kernel `add`, argument `x`: its memory is on CUDA device 1, but the launch is on device 0\n"
        "[1 2 3 4] [1 2 3 4]\n[11 12 13 14]\n"
    )


@CUDA_ONLY
def test_each_thread_has_its_own_device():
    assert run(
        """
        import threading
        seen = {}
        def work(number):
            gpu.select_device(number)
            x = np.zeros(8)
            for _ in range(20):
                add[1, 8](x, number + 1)
            seen[number] = gpu.get_current_device().id, x.tolist()
        threads = [threading.Thread(target=work, args=(n,)) for n in range(2)]
        [t.start() for t in threads]
        [t.join() for t in threads]
        print(seen == {n: (n, [20.0 * (n + 1)] * 8) for n in range(2)}, gpu.get_current_device().id)
        """
    ).split() == ["True", "0"]


@CUDA_ONLY
def test_a_context_that_another_library_made_current_decides():
    assert run(
        """
        import ctypes, os
        driver = ctypes.CDLL(os.environ["LANEWISE_CUDA_DRIVER"])
        context = ctypes.c_void_p()
        driver.cuInit(0)
        driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 1)
        driver.cuCtxPushCurrent_v2(context)
        print(gpu.get_current_device().id)
        d = gpu.to_device(np.zeros(4))
        add[1, 4](d, 2)
        print(d.copy_to_host().tolist())
        now = ctypes.c_void_p()
        driver.cuCtxGetCurrent(ctypes.byref(now))
        print(now.value == context.value)
        gpu.select_device(0)
        print(gpu.get_current_device().id)
        """
    ).splitlines() == ["1", "[2.0, 2.0, 2.0, 2.0]", "True", "0"]


@CUDA_ONLY
def test_memory_is_accounted_and_given_back():
    assert run(
        """
        free = lambda: gpu.current_context().get_memory_info().free
        gpu.close()
        before = free()
        d = [gpu.device_array(1 << 20, np.uint8) for _ in range(4)]
        print(before - free() == 4 << 20, gpu.current_context().get_memory_info().total == 1 << 30)
        del d
        gpu.close()
        print(free() == before)
        # More than there is, if what was dropped before were not freed.
        for _ in range(40):
            gpu.device_array(100 << 20, np.uint8)
        print(message(lambda: gpu.device_array(2 << 30, np.uint8)).splitlines()[0])
        x = np.zeros(1 << 20)
        add[4096, 256](x, 1)
        print(x.min(), x.max())
        gpu.close()
        print(free() == before)
        """,
        PTXEMU_MEM=str(1 << 30),
    ).splitlines() == [
        "True True", "True", "CudaError: cuMemAlloc failed: CUDA_ERROR_OUT_OF_MEMORY (2): out of memory", "1.0 1.0",
        "True",
    ]  # fmt: skip


@CUDA_ONLY
def test_ipc():
    d = gpu.to_device(np.arange(8.0), target="cuda")[2:]
    handle = d.get_ipc_handle()
    import pickle

    with pickle.loads(pickle.dumps(handle)) as other:
        assert other.copy_to_host().tolist() == [2, 3, 4, 5, 6, 7]
    with gpu.open_ipc_array(handle._described[0], 3, np.float64, offset=8) as other:
        assert other.copy_to_host().tolist() == [1, 2, 3]
    with pytest.raises(LaunchError, match="64 bytes, not 3"):
        with gpu.open_ipc_array(b"abc", 3, np.float64):
            pass
    with pytest.raises(LaunchError, match="CUDA only"):
        gpu.to_device(np.zeros(3), target="cpu").get_ipc_handle()


@CUDA_ONLY
def test_arrays_of_other_libraries():
    d = gpu.to_device(np.arange(24, dtype=np.float32).reshape(4, 6), target="cuda")
    assert d.__cuda_array_interface__["stream"] == 1

    class Other:
        def __init__(self, array, **changed):
            self.__cuda_array_interface__ = {**array.__cuda_array_interface__, **changed}

    assert gpu.is_cuda_array(d) and gpu.is_cuda_array(Other(d)) and not gpu.is_cuda_array(np.zeros(3))
    assert gpu.as_cuda_array(d) is d
    for view in (d, d[::-1, ::2], d.T, d[1:1]):
        shared = gpu.as_cuda_array(Other(view))
        assert np.array_equal(shared.copy_to_host(), view.copy_to_host())
        assert shared.shape == view.shape
    shared = gpu.as_cuda_array(Other(d[::-2, 3]))
    shared.copy_to_device(np.array([-1, -2], np.float32))
    assert d.copy_to_host()[:, 3].tolist() == [3, -2, 15, -1]
    stream = gpu.stream(target="cuda")
    assert gpu.as_cuda_array(Other(d, stream=stream.handle)).shape == (4, 6)
    with pytest.raises(LaunchValueError, match="stream 0"):
        gpu.as_cuda_array(Other(d, stream=0))
    with pytest.raises(LaunchTypeError, match="mask"):
        gpu.as_cuda_array(Other(d, mask=d))
    with pytest.raises(LaunchTypeError, match="ndarray has no __cuda_array_interface__"):
        gpu.as_cuda_array(np.zeros(3))


@CUDA_ONLY
def test_memory_manager():
    assert run(
        """
        log = []
        class Manager(gpu.HostOnlyCUDAMemoryManager):
            interface_version = 1
            def initialize(self):
                pass
            def memalloc(self, size):
                log.append(("alloc", self.context.id, size))
                memory = gpu._core.allocate("cuda", size, 0)
                return gpu.MemoryPointer(self.context, memory.pointer, size, owner=memory,
                                         finalizer=lambda: log.append(("free", size)))
            def get_memory_info(self):
                return gpu.MemoryInfo(5, 7)
        gpu.set_memory_manager(Manager)
        d = gpu.to_device(np.zeros(8, np.int32))
        add[1, 8](d, 3)
        print(d.copy_to_host().tolist(), gpu.current_context().get_memory_info())
        with gpu.gpus[1]:
            e = gpu.device_array(3, np.int8)
        del d, e
        print(log)
        gpu.set_memory_manager(None)
        gpu.device_array(3)
        print(len(log))
        print(message(lambda: gpu.set_memory_manager(3)))
        """
    ).splitlines() == [
        "[3, 3, 3, 3, 3, 3, 3, 3] MemoryInfo(free=5, total=7)",
        "[('alloc', 0, 32), ('alloc', 1, 3), ('free', 32), ('free', 3)]",
        "4",
        "LaunchTypeError: set_memory_manager: a subclass of BaseCUDAMemoryManager is needed, not 3",
    ]


def test_views_of_device_arrays(target):
    host = np.arange(24, dtype=np.int32).reshape(1, 4, 6, 1)
    d = gpu.to_device(host, target=target)
    assert d.squeeze().shape == (4, 6) and d.squeeze(0).shape == (4, 6, 1) and d.squeeze((0, -1)).shape == (4, 6)
    with pytest.raises(ValueError, match="axis 1 has extent 4"):
        d.squeeze(1)
    with pytest.raises(ValueError, match="axis 4 is out of bounds"):
        d.squeeze(4)
    flat = d.squeeze()
    for dtype in (np.float32, np.int16, np.int64):
        assert np.array_equal(flat.view(dtype).copy_to_host(), host.reshape(4, 6).view(dtype))
    assert np.array_equal(flat[:, :4].view(np.int64).copy_to_host(), host.reshape(4, 6)[:, :4].view(np.int64))
    with pytest.raises(ValueError, match="last axis must be contiguous"):
        flat[:, ::2].view(np.int64)
    with pytest.raises(ValueError, match="no whole elements"):
        flat[:, :3].view(np.int64)
    parts = list(d.ravel().split(10))
    assert [p.size for p in parts] == [10, 10, 4] and parts[2].copy_to_host().tolist() == [20, 21, 22, 23]
    with pytest.raises(ValueError, match="one dimension"):
        list(flat.split(2))
    with pytest.raises(ValueError, match="1 or more"):
        list(d.ravel().split(0))


def test_copies_within_one_array(target):
    d = gpu.to_device(np.arange(10), target=target)
    d[1:].copy_to_device(d[:-1])
    assert d.copy_to_host().tolist() == [0, 0, 1, 2, 3, 4, 5, 6, 7, 8]
    e = gpu.to_device(np.zeros((3, 4), np.int64), target=target)
    e.T.copy_to_device(gpu.to_device(np.arange(12).reshape(4, 3), target=target))
    assert e.copy_to_host().tolist() == np.arange(12).reshape(4, 3).T.tolist()


@CUDA_ONLY
def test_a_with_block_gives_the_choice_back():
    # What looks at a context, or selects a device for a block, leaves it to other libraries' contexts again.
    assert run(
        """
        import ctypes, os
        driver = ctypes.CDLL(os.environ["LANEWISE_CUDA_DRIVER"])
        gpu.current_context().synchronize()
        gpu.current_context().get_memory_info()
        with gpu.gpus[0]:
            pass
        context = ctypes.c_void_p()
        driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 1)
        driver.cuCtxPushCurrent_v2(context)
        print(gpu.get_current_device().id)
        with gpu.gpus[0]:
            print(gpu.get_current_device().id)
        print(gpu.get_current_device().id)
        """
    ).split() == ["1", "0", "1"]


@CUDA_ONLY
def test_memory_is_freed_after_the_work_of_all_that_use_it():
    # Memory of a stream's pool, pinned memory and memory of peers: no free waits for those by itself.
    assert run(
        """
        import gc
        total = gpu.to_device(np.zeros(1000))
        @gpu.jit
        def gather(total, x):
            i = gpu.grid(1)
            if i < x.size:
                total[i] += x[i]
        streams = [gpu.stream(non_blocking=True) for _ in range(3)]
        for round in range(8):
            for stream in streams:
                d = gpu.to_device(np.ones(1000), stream=stream)
                gather[4, 256, stream](total, d)
                del d
        gpu.synchronize()
        print(set(total.copy_to_host().tolist()))
        shared = gpu.mapped_array(1000, portable=True)
        shared[:] = 1
        with gpu.gpus[1]:
            there, stream = gpu.to_device(np.zeros(1000)), gpu.stream()
            gather[4, 256, stream](there, shared)
        del shared
        gc.collect()
        stream.synchronize()
        print(set(there.copy_to_host().tolist()))
        with gpu.gpus[1]:
            gpu.current_context().enable_peer_access(0)
        mine = [gpu.to_device(np.ones(1000)) for _ in range(12)]
        with gpu.gpus[1]:
            for array in mine:
                gather[4, 256, stream](there, array)
        del mine, array
        stream.synchronize()
        print(set(there.copy_to_host().tolist()))
        """,
        PTXEMU_LAZY="1",
    ).splitlines() == ["{24.0}", "{1.0}", "{13.0}"]


@CUDA_ONLY
def test_ipc_of_a_part_of_an_allocation():
    whole = gpu.to_device(np.arange(16.0), target="cuda")

    class Part:
        __cuda_array_interface__ = whole[4:].__cuda_array_interface__

    with gpu.as_cuda_array(Part())[2:5].get_ipc_handle() as other:
        assert other.copy_to_host().tolist() == [6, 7, 8]
    with pytest.raises(CudaError, match="allocate it without a stream"):
        gpu.to_device(np.zeros(3), stream=gpu.stream(target="cuda"), target="cuda").get_ipc_handle()
    handle = whole.get_ipc_handle()._described[0]
    with gpu.open_ipc_array(handle, 3, np.float64, strides=(-8,), offset=24) as other:
        assert other.copy_to_host().tolist() == [3, 2, 1]
    for wrong in ((-3, np.float64), (3.5, np.float64), (3, object), (3, np.float64, (3,)), (3, np.float64, (8, 8)),
                  (3, np.float64, None, -8), (3, np.float64, (-8,)), (2**61, np.float64)):  # fmt: skip
        with pytest.raises((TypeError, ValueError, MemoryError)):
            gpu.open_ipc_array(handle, *wrong).__enter__()
    for wrong in ("x" * 64, 5, None):
        with pytest.raises(LaunchTypeError, match="bytes"):
            gpu.open_ipc_array(wrong, 3, np.float64).__enter__()


@CUDA_ONLY
def test_wrong_array_interfaces_are_refused():
    d = gpu.to_device(np.arange(16.0), target="cuda")
    good = d.__cuda_array_interface__
    for changed in (
        {"shape": (-1,)}, {"shape": (1.5,)}, {"shape": 3}, {"shape": None}, {"shape": (2**62,)}, {"shape": (1,) * 9},
        {"typestr": "junk"}, {"typestr": "|O8"}, {"typestr": ">f8"}, {"typestr": None, "shape": "x"},
        {"data": 3}, {"data": (-1, False)}, {"data": ("x", False)}, {"data": (2**70, False)}, {"data": None},
        {"strides": (8, 8)}, {"strides": ()}, {"strides": (3,)}, {"strides": ("x",)}, {"strides": (2**62,)},
        {"stream": -1}, {"stream": "x"}, {"stream": 1.5},
    ):  # fmt: skip
        with pytest.raises((LaunchTypeError, LaunchValueError, MemoryError)):
            gpu.from_cuda_array_interface({**good, **changed}, owner=d)
    for missing in ("shape", "typestr", "data"):
        with pytest.raises(LaunchTypeError, match=f"there is no '{missing}'"):
            gpu.from_cuda_array_interface({name: value for name, value in good.items() if name != missing})
    assert d.copy_to_host().tolist() == list(range(16))


def test_wrong_arrays_indices_and_orders_are_refused(target):
    d = gpu.to_device(np.arange(8.0), target=target)
    read_only = np.zeros(8)
    read_only.flags.writeable = False
    for wrong in ([0.0] * 8, d, 3, "x"):
        with pytest.raises(LaunchTypeError, match="copy_to_host: a NumPy array is needed"):
            d.copy_to_host(wrong)
    for wrong in (read_only, np.broadcast_to(0.0, 8)):
        with pytest.raises(LaunchValueError, match="read-only"):
            d.copy_to_host(wrong)
    with pytest.raises(LaunchTypeError, match="`to` must be a device array"):
        gpu.to_device(np.zeros(8), to=np.zeros(8), target=target)
    for wrong in (True, np.bool_(False), None, "x", np.array([1, 2]), (np.array([1, 2]), ...)):
        with pytest.raises(IndexError, match="integers, slices"):
            d[wrong]
    for wrong in ("A", "X", None):
        with pytest.raises(LaunchValueError, match="order must be"):
            d.reshape(4, 2, order=wrong)
    for make in (gpu.device_array, gpu.pinned_array, gpu.mapped_array, gpu.managed_array):
        with pytest.raises(LaunchTypeError, match="Python objects"):
            make(3, object, target=target)
        with pytest.raises(LaunchTypeError, match="Python objects"):
            make(3, [("a", "i4"), ("b", object)], target=target)
        for shape in (2**63, 2**70, (2**40, 2**40)):
            with pytest.raises(MemoryError):
                make(shape, np.int8, target=target)
    assert gpu.pinned_array_like(d).shape == gpu.mapped_array_like([1] * 8).shape == (8,)


@CUDA_ONLY
@pytest.mark.parametrize("lazy", ["0", "1"])
def test_copies_of_every_layout_between_devices_targets_and_streams(lazy):
    assert run(
        """
        here = gpu.to_device(np.zeros(8))
        mine = gpu.stream(non_blocking=True)
        with gpu.gpus[1]:
            there, its = gpu.to_device(np.arange(8.0)), gpu.stream(non_blocking=True)
            add[1, 8, its](there, 1)
            done = gpu.event()
            done.record(its)
        mine.wait(done)
        add[1, 8, mine](here, 100)
        here[::2].copy_to_device(there[4:], stream=mine)
        here[1::2].copy_to_device(there[::2], stream=mine)
        mine.synchronize()
        print(here.copy_to_host())
        add[1, 8, mine](here, 1)
        on_cpu = gpu.to_device(here, stream=mine, target="cpu")
        print(on_cpu.copy_to_host())
        back = gpu.to_device(on_cpu, stream=mine, target="cuda")
        add[1, 8, mine](back, 1)
        mine.synchronize()
        print(back.copy_to_host(), back.target)
        print(message(lambda: there.copy_to_host(stream=mine)).splitlines()[-1].strip())
        """,
        **({"PTXEMU_LAZY": "1"} if lazy == "1" else {}),
    ).splitlines() == [
        "[5. 1. 6. 3. 7. 5. 8. 7.]", "[6. 2. 7. 4. 8. 6. 9. 8.]", "[ 7.  3.  8.  5.  9.  7. 10.  9.] cuda",
        "the stream or event was destroyed, or is of another device than the memory, the event or the graph",
    ]  # fmt: skip


@CUDA_ONLY
def test_what_memory_managers_return_is_checked():
    assert run(
        """
        class Manager(gpu.HostOnlyCUDAMemoryManager):
            interface_version = 1
            def initialize(self):
                pass
            def get_memory_info(self):
                return gpu.MemoryInfo(5, 7)
            def memalloc(self, size):
                return self.result
        gpu.set_memory_manager(Manager)
        good = gpu._core.allocate("cuda", 8, 0)
        for result in (None, 5, "x", gpu.MemoryPointer(None, None, 800), gpu.MemoryPointer(None, good.pointer, 8),
                       gpu.MemoryPointer(None, -1, 800), gpu.MemoryPointer(None, 2**70, 800)):
            Manager.result = result
            print(message(lambda: gpu.device_array(100)).split("memalloc ")[1][:20])
        """
    ).splitlines() == [
        "must return a Memory", "must return a Memory", "must return a Memory", "must return a Memory",
        "returned 8 bytes, 80", "returned the address", "returned the address",
    ]  # fmt: skip


def test_elements_and_parts_in_the_order_of_a_stream(target):
    stream = gpu.stream(target=target, non_blocking=True)
    d = gpu.to_device(np.arange(12.0).reshape(3, 4), stream=stream, target=target)
    d.setitem((1, slice(None, None, 2)), [-1, -2], stream=stream)
    d.setitem(0, d[1], stream=stream)
    d.setitem((2, 3), 5, stream=stream)
    assert d.getitem((2, 3), stream=stream) == 5 and d.getitem((0, 2), stream=stream) == -2
    assert (d.getitem(1).shape, d.getitem(...).shape, d.getitem((1, 1, ...)).shape) == ((4,), (3, 4), ())
    stream.synchronize()
    assert d.copy_to_host().tolist() == [[-1, 5, -2, 7], [-1, 5, -2, 7], [8, 9, 10, 5]]
    with pytest.raises(ValueError, match="broadcast"):
        d.setitem(0, [1, 2, 3], stream=stream)


@CUDA_ONLY
def test_a_captured_array_that_found_no_memory_is_tried_again():
    assert run(
        """
        table = np.arange(3_000_000.0)
        @gpu.jit
        def read(x):
            i = gpu.grid(1)
            if i < x.size:
                x[i] = table[i]
        x = np.zeros(4)
        held = gpu.device_array(20 << 20, np.uint8)
        for _ in range(2):
            print(message(lambda: read[1, 4](x)).splitlines()[0][-13:], x.tolist())
        del held
        gpu.close()
        read[1, 4](x)
        print(x.tolist())
        """,
        PTXEMU_MEM=str(40 << 20),
    ).splitlines() == ["out of memory [0.0, 0.0, 0.0, 0.0]"] * 2 + ["[0.0, 1.0, 2.0, 3.0]"]
