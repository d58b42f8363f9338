"""Clocks, registers of the machine, nanosleep, breakpoint; inline PTX, which is for CUDA only."""

import lanewise
import numpy as np
import pytest
from lanewise import gpu


@gpu.jit
def clocks(out, n):
    t0, u0, g0 = gpu.clock64(), gpu.clock(), gpu.globaltimer()
    total = 0
    for i in range(n):
        total += i * i
    gpu.nanosleep(100)
    t1, u1, g1 = gpu.clock64(), gpu.clock(), gpu.globaltimer()
    out[0], out[1], out[2], out[3] = t1 - t0, u1 - u0, g1 - g0, total


def test_clocks_grow():
    out = np.zeros(4, np.int64)
    clocks[1, 1](out, 1000)
    assert out[0] > 0 and out[1] > 0 and out[2] >= 0 and out[3] == sum(i * i for i in range(1000))
    assert out[0] < 2**40 and out[1] < 2**32 and out[2] < 10**12


@gpu.jit
def types_of_clocks(flags):
    flags[0] = isinstance(gpu.clock(), np.uint32)
    flags[1] = isinstance(gpu.clock64(), np.int64)
    flags[2] = isinstance(gpu.globaltimer(), np.int64)
    flags[3] = isinstance(gpu.smid(), np.int32)


def test_types():
    flags = np.zeros(4, np.int32)
    types_of_clocks[1, 1](flags)
    assert flags.all()


@gpu.jit
def registers(sm, warp, lanes):
    i = gpu.grid(1)
    sm[i, 0], sm[i, 1] = gpu.smid(), gpu.nsmid()
    warp[i] = gpu.warpid()
    gpu.breakpoint()
    lanes[i] = gpu.lanemask_lt() | gpu.lanemask_eq() | gpu.lanemask_gt()


@pytest.mark.skipif(gpu.current_target() == "cuda", reason="a breakpoint ends a launch without a debugger")
def test_registers():
    sm, warp, lanes = np.zeros((200, 2), np.int32), np.zeros(200, np.int32), np.zeros(200, np.uint32)
    registers[2, 100](sm, warp, lanes)
    assert np.all(sm[:, 0] >= 0) and np.all(sm[:, 0] < sm[:, 1])
    np.testing.assert_array_equal(warp, np.tile(np.arange(100) // 32, 2))
    np.testing.assert_array_equal(lanes, np.full(200, 0xFFFFFFFF))


@gpu.jit
def times_each(starts, ends):
    # A clock that is read by each thread, in a block of several.
    i = gpu.grid(1)
    starts[i] = gpu.globaltimer()
    gpu.syncthreads()
    ends[i] = gpu.globaltimer()


def test_clocks_and_barriers():
    starts, ends = np.zeros(128, np.int64), np.zeros(128, np.int64)
    times_each[2, 64](starts, ends)
    for b in range(2):
        assert starts[64 * b : 64 * b + 64].max() <= ends[64 * b : 64 * b + 64].min()


# --- inline PTX


@gpu.jit
def in_ptx(a, b, out, wide, both, halves):
    i = gpu.grid(1)
    x, y = a[i], b[i]
    # lop3 with the table 0x96 is the exclusive or of three.
    out[i] = gpu.inline_ptx("lop3.b32 %0, %1, %2, %3, 0x96;", gpu.uint32, x, y, gpu.uint32(i), pure=True)
    wide[i] = gpu.inline_ptx("mul.wide.u32 %0, %1, %2;", gpu.uint64, x, y)
    low, high = gpu.inline_ptx(
        """{
        .reg .u64 t;
        mul.wide.u32 t, %2, %3;
        mov.b64 {%0, %1}, t;
        }""",
        (gpu.uint32, gpu.uint32), x, y,
    )
    both[i, 0], both[i, 1] = low, high
    halves[i] = gpu.inline_ptx("fma.rn.f64 %0, %1, %1, 0d3FE0000000000000;", np.float64, np.float64(x & 255))


@gpu.jit
def memory_in_ptx(a, out):
    s = gpu.shared.array(32, np.int32)
    t = gpu.threadIdx.x
    gpu.inline_ptx("st.shared.s32 [%0], %1;", None, s[t:], a[t])
    gpu.syncthreads()
    out[t] = s[31 - t]
    gpu.inline_ptx("red.global.add.s32 [%0], %1;", None, out[t:], gpu.int32(1000))
    out[t] += gpu.inline_ptx("mov.u32 %0, %%laneid;", gpu.int32)


def given():
    rng = np.random.default_rng(5)
    return rng.integers(0, 2**32, 64, dtype=np.uint32), rng.integers(0, 2**32, 64, dtype=np.uint32)


@pytest.mark.skipif(gpu.current_target() != "cuda", reason="PTX")
def test_inline_ptx():
    a, b = given()
    out, wide, both, halves = np.zeros(64, np.uint32), np.zeros(64, np.uint64), np.zeros((64, 2), np.uint32), np.zeros(64)
    in_ptx[2, 32](a, b, out, wide, both, halves)
    product = a.astype(np.uint64) * b
    np.testing.assert_array_equal(out, a ^ b ^ np.arange(64, dtype=np.uint32))
    np.testing.assert_array_equal(wide, product)
    np.testing.assert_array_equal(both[:, 0], product & 0xFFFFFFFF)
    np.testing.assert_array_equal(both[:, 1], product >> 32)
    np.testing.assert_array_equal(halves, (a & 255).astype(float) ** 2 + 0.5)


@pytest.mark.skipif(gpu.current_target() != "cuda", reason="PTX")
def test_inline_ptx_reads_and_writes_memory():
    a, out = np.arange(100, 132, dtype=np.int32), np.zeros(32, np.int32)
    memory_in_ptx[1, 32](a, out)
    np.testing.assert_array_equal(out, a[::-1] + 1000 + np.arange(32))


@pytest.mark.skipif(gpu.current_target() == "cuda", reason="it runs there")
def test_inline_ptx_is_refused_elsewhere():
    a, out = np.arange(32, dtype=np.int32), np.zeros(32, np.int32)
    with pytest.raises(lanewise.CompileError, match="inline PTX runs on CUDA only(?s:.)*st.shared"):
        memory_in_ptx[1, 32](a, out)


def test_inline_ptx_as_text_for_any_target():
    ptx, _ = gpu.compile_ptx(memory_in_ptx, "void(int32[::1], int32[::1])", cc=(8, 0))
    assert "st.shared.s32 [%rd" in ptx and "mov.u32 %r" in ptx and "%laneid;" in ptx
