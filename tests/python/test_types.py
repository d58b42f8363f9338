"""Types as Python objects, and the names of the kernel language on the host."""

import lanewise
import numpy as np
import pytest
from lanewise import gpu
from lanewise import gpu as cuda
from lanewise.gpu import atomic, float32, grid, int64, shared, threadIdx, uint8, void


def test_casts_give_numpy_scalars():
    assert isinstance(float32(1.5), np.float32) and float32(1.5) == 1.5
    assert isinstance(gpu.boolean(1), np.bool_)
    assert uint8(3) == 3 and int64().dtype == np.int64


@pytest.mark.parametrize(
    "made, text",
    [
        (lambda: float32, "float32"),
        (lambda: gpu.f4, "float32"),
        (lambda: gpu.u1, "uint8"),
        (lambda: gpu.bool_, "bool"),
        (lambda: gpu.intp, "int64"),
        (lambda: float32[:], "float32[:]"),
        (lambda: float32[::1], "float32[::1]"),
        (lambda: int64[:, :, ::1], "int64[:, :, ::1]"),
        (lambda: int64[::1, :], "int64[::1, :]"),
        (lambda: void(float32[:], int64), "void(float32[:], int64)"),
        (lambda: float32(float32, int64), "float32(float32, int64)"),
        (lambda: void(), "void()"),
        (lambda: void(np.float32, (int64, float32[:])), "void(float32, (int64, float32[:]))"),
    ],
)
def test_spellings(made, text):
    assert str(made()) == text == repr(made())
    assert made() == made() and hash(made()) == hash(made())


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: float32[0],
        lambda: float32[1:],
        lambda: float32[::2],
        lambda: float32[:, ::1, :],
        lambda: float32[::1, ::1],
        lambda: float32[:][:],
        lambda: float32[(slice(None),) * 9],
        lambda: void[:],
        lambda: void(3),
        lambda: float32[:](3),
        lambda: float32("x y"),
    ],
)
def test_types_that_cannot_be(wrong):
    with pytest.raises((TypeError, ValueError)):
        wrong()


def test_kernel_names_refuse_the_host():
    with pytest.raises(RuntimeError, match="gpu.grid only means something inside a kernel"):
        grid(1)
    with pytest.raises(RuntimeError, match="gpu.shared.array only means"):
        shared.array(3, float32)
    with pytest.raises(RuntimeError, match="gpu.threadIdx.x only means"):
        int(threadIdx.x)
    with pytest.raises(RuntimeError, match="gpu.syncthreads only"):
        cuda.syncthreads()
    assert "gpu.atomic.add" in repr(atomic.add)


def test_names_that_are_not_there():
    with pytest.raises(AttributeError, match="has no attribute 'no_such'"):
        gpu.no_such
    with pytest.raises(AttributeError):
        atomic.no_such
    with pytest.raises(ImportError):
        from lanewise.gpu import no_such  # noqa: F401
    with pytest.raises(AttributeError):
        lanewise.no_such


def test_imported_names_work_in_kernels(target):
    add = atomic.add

    @cuda.jit(target=target)
    def k(out):
        tile = shared.array(4, float32)
        i = threadIdx.x
        tile[i] = grid(1)
        cuda.syncthreads()
        add(out, 0, tile[3 - i])

    out = np.zeros(1, np.float32)
    k[1, 4](out)
    assert out[0] == 6


def test_aliases_of_the_module(target):
    import lanewise.gpu as g

    @g.jit(target=target)
    def k(out):
        out[g.grid(1)] = lanewise.gpu.blockDim.x

    out = np.zeros(3)
    k[1, 3](out)
    assert out.tolist() == [3, 3, 3]


def test_version():
    assert lanewise.__version__ == "0.1.0"


def test_threads_can_be_set():
    before = gpu.get_num_threads()
    try:
        gpu.set_num_threads(3)
        assert gpu.get_num_threads() == 3
        for wrong in (0, -1, 100000):
            with pytest.raises(lanewise.LaunchError):
                gpu.set_num_threads(wrong)
        with pytest.raises(TypeError):
            gpu.set_num_threads("two")
    finally:
        gpu.set_num_threads(before)
