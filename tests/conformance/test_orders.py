"""Orders and scopes of atomics, atomic loads and stores, fences: the values are those of the relaxed ones, and what one
block publishes another reads."""

import lanewise
import numpy as np
import pytest
from lanewise import gpu

ORDERS = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"]
SCOPES = ["block", "device", "system"]
INTS = ["int32", "uint32", "int64", "uint64"]
FLOATS = ["float16", "float32", "float64"]


def kernel_of(order, scope, floats):
    @gpu.jit
    def each(memory, x, old):
        s = gpu.shared.array(16, memory.dtype)
        mine = gpu.local.array(16, memory.dtype)
        for i in range(16):
            s[i] = memory[i]
            mine[i] = memory[i]
        a = gpu.atomic
        old[0] = a.add(memory, 0, x, order=order, scope=scope)
        old[1] = a.sub(memory, 1, x, order=order, scope=scope)
        old[2] = a.min(memory, 2, x, order=order, scope=scope)
        old[3] = a.max(memory, 3, x, order=order, scope=scope)
        old[4] = a.nanmin(memory, 4, x, order=order, scope=scope)
        old[5] = a.nanmax(memory, 5, x, order=order, scope=scope)
        old[6] = a.exch(memory, 6, x, order=order, scope=scope)
        old[7] = a.cas(memory, 7, memory[7], x, order=order, scope=scope)
        if not floats:
            old[8] = a.and_(memory, 8, x, order=order, scope=scope)
            old[9] = a.or_(memory, 9, x, order=order, scope=scope)
            old[10] = a.xor(memory, 10, x, order=order, scope=scope)
            old[11] = a.inc(memory, 11, x, order=order, scope=scope)
            old[12] = a.dec(memory, 12, x, order=order, scope=scope)
        gpu.syncthreads()
        old[13] = a.add(s, 13, x, order=order, scope=scope)
        old[14] = a.max(s, 14, x, order=order, scope=scope)
        gpu.syncthreads()
        memory[13] = s[13]
        memory[14] = s[14]
        old[15] = a.add(mine, 15, x, order=order, scope=scope)
        memory[15] = mine[15]

    return each


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("scope", SCOPES)
def test_every_atomic_with_every_order(order, scope):
    for dtype in INTS + FLOATS:
        floats = dtype in FLOATS
        memory = np.arange(20, 36).astype(dtype)
        x = np.dtype(dtype).type(24)
        old = np.zeros_like(memory)
        given = memory.copy()
        kernel_of(order, scope, floats)[1, 1](memory, x, old)
        left = given.copy()
        left[0] += 24
        left[1:2] -= x  # which wraps
        left[2], left[3], left[4], left[5] = min(22, 24), max(23, 24), min(24, 24), max(25, 24)
        left[6] = left[7] = 24
        if not floats:
            left[8], left[9], left[10] = 28 & 24, 29 | 24, 30 ^ 24
            left[11] = 0 if 31 >= 24 else 32
            left[12] = 24 if 32 > 24 else 31
        left[13] += 24
        left[14] = max(34, 24)
        left[15] += 24
        kept = given.copy()
        if floats:
            kept[8:13] = 0
        np.testing.assert_array_equal(memory, left, err_msg=dtype)
        np.testing.assert_array_equal(old, kept, err_msg=dtype)


LOADS = ["relaxed", "acquire", "seq_cst"]
STORES = ["relaxed", "release", "seq_cst"]


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", *INTS, *FLOATS])
def test_loads_and_stores(dtype):
    values = np.array([1, 0, 1, 1, 0, 1, 0, 1, 1] if dtype == "bool" else range(101, 110), dtype)
    for order_index in range(3):
        load, store = LOADS[order_index], STORES[order_index]
        for scope in SCOPES:

            @gpu.jit
            def copy(a, b, c):
                t = gpu.threadIdx.x
                s = gpu.shared.array(9, a.dtype)
                mine = gpu.local.array(3, a.dtype)
                gpu.atomic.store(s, t, gpu.atomic.load(a, t, order=load, scope=scope), order=store, scope=scope)
                gpu.syncthreads()
                gpu.atomic.store(mine, 1, gpu.atomic.load(s, 8 - t, order=load), order=store)
                gpu.atomic.store(b, (t // 3, t % 3), gpu.atomic.load(mine, -2, order=load), order=store, scope=scope)
                gpu.atomic.store(c, -1 - t, gpu.atomic.load(b, (t // 3, t % 3), order=load), order=store)

            b, c = np.zeros((3, 3), dtype), np.zeros(9, dtype)
            copy[1, 9](values, b, c)
            np.testing.assert_array_equal(b.ravel(), values[::-1])
            np.testing.assert_array_equal(c, values)


@gpu.jit
def chain(data, flags, out):
    # Block b waits for what block b - 1 published, adds one and publishes it.
    b = gpu.blockIdx.x
    t = gpu.threadIdx.x
    if t == 0:
        if b > 0:
            while gpu.atomic.load(flags, b - 1, order="acquire") == 0:
                pass
            data[b] = data[b - 1] + 1
        else:
            data[0] = 5
        gpu.atomic.store(flags, b, 1, order="release")
    gpu.syncthreads()
    out[b, t] = data[b]


def test_one_block_publishes_to_the_next():
    blocks = 50
    data, flags = np.zeros(blocks, np.int64), np.zeros(blocks, np.int32)
    out = np.zeros((blocks, 40), np.int64)
    chain[blocks, 40](data, flags, out)
    np.testing.assert_array_equal(out, np.repeat(np.arange(5, 5 + blocks), 40).reshape(blocks, 40))


@gpu.jit
def fenced_chain(data, flags, out):
    b = gpu.blockIdx.x
    if gpu.threadIdx.x == 0:
        if b > 0:
            while gpu.atomic.load(flags, b - 1) == 0:
                pass
            gpu.atomic.fence("acquire", "device")
            data[b] = data[b - 1] * 2
        else:
            data[0] = 1
        gpu.atomic.fence("release")
        gpu.atomic.store(flags, b, 1)
        gpu.atomic.fence()
        gpu.atomic.fence(scope="block", order="acq_rel")
        gpu.atomic.fence("seq_cst", "system")
        out[b] = data[b]


def test_fences_publish_too():
    blocks = 20
    data, flags, out = np.zeros(blocks, np.int64), np.zeros(blocks, np.int32), np.zeros(blocks, np.int64)
    fenced_chain[blocks, 3](data, flags, out)
    np.testing.assert_array_equal(out, 2 ** np.arange(blocks))


@gpu.jit
def look_back(x, sums, status, out):
    # A scan in one pass: each block adds what the blocks before it have, as soon as it is known.
    s = gpu.shared.array(64, np.int64)
    before = gpu.shared.array(1, np.int64)
    b, t = gpu.blockIdx.x, gpu.threadIdx.x
    i = gpu.grid(1)
    s[t] = x[i]
    gpu.syncthreads()
    step = 1
    while step < 64:
        got = s[t - step] if t >= step else 0
        gpu.syncthreads()
        s[t] += got
        gpu.syncthreads()
        step *= 2
    if t == 0:
        sums[b, 0] = s[63]
        gpu.atomic.store(status, b, 1, order="release")
        total = 0
        p = b - 1
        while p >= 0:
            state = gpu.atomic.load(status, p, order="acquire")
            if state == 2:
                total += sums[p, 1]
                break
            if state == 1:
                total += sums[p, 0]
                p -= 1
        sums[b, 1] = total + s[63]
        gpu.atomic.store(status, b, 2, order="release")
        before[0] = total
    gpu.syncthreads()
    out[i] = before[0] + s[t]


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_decoupled_look_back(threads):
    if gpu.current_target() == "cpu":
        gpu.set_num_threads(threads)
    blocks = 40
    x = np.random.default_rng(3).integers(-50, 50, 64 * blocks)
    sums, status, out = np.zeros((blocks, 2), np.int64), np.zeros(blocks, np.int32), np.zeros_like(x)
    look_back[blocks, 64](x, sums, status, out)
    np.testing.assert_array_equal(out, np.cumsum(x))


@gpu.jit
def locked(lock, counter):
    # Each thread takes the lock and gives it back: no two of them at once.
    done = False
    while not done:
        if gpu.atomic.cas(lock, 0, 0, 1, order="acquire") == 0:
            counter[0] += 1
            gpu.atomic.exch(lock, 0, 0, order="release")
            done = True


def test_a_lock_that_every_thread_takes():
    lock, counter = np.zeros(1, np.int32), np.zeros(1, np.int64)
    locked[4, 70](lock, counter)
    assert counter[0] == 280 and lock[0] == 0


@gpu.jit
def system_wide(a):
    gpu.atomic.add(a, 0, 1, scope="system")


def test_system_scope_needs_sm_60():
    assert "atom.sys" in gpu.compile_ptx(system_wide, "void(int32[::1])", cc=(6, 0))[0]
    with pytest.raises(lanewise.TargetError, match="system scope, which sm_53 does not have: sm_60 and newer do"):
        gpu.compile_ptx(system_wide, "void(int32[::1])", cc=(5, 3))
