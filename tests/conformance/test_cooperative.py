"""Grid barriers: all blocks of a launch meet, and what they wrote before is there after."""

import lanewise
import numpy as np
import pytest
from lanewise import gpu


@gpu.jit
def rounds(a, b, turns):
    g = gpu.cg.this_grid()
    n = a.size
    i = g.thread_rank()
    for turn in range(turns):
        if i < n:
            b[i] = a[(i + 1) % n] + 1
        g.sync()
        if i < n:
            a[i] = b[(i + 1) % n] * 2
        g.sync()


def rounds_on_host(a, turns):
    a = a.copy()
    for _ in range(turns):
        b = np.roll(a, -1) + 1
        a = np.roll(b, -1) * 2
    return a


@pytest.mark.parametrize("grid, block", [(1, 1), (1, 40), (7, 1), (7, 33), (16, 64), ((3, 2, 2), (4, 3, 2)), (5, (2, 5))])
def test_blocks_exchange(grid, block):
    threads = int(np.prod(grid)) * int(np.prod(block))
    a = np.arange(threads - threads // 5)
    wanted = rounds_on_host(a, 5)
    rounds[grid, block](a, np.zeros_like(a), 5)
    np.testing.assert_array_equal(a, wanted)


@gpu.jit
def grid_sum(x, partial, out):
    # The block's part in shared memory, which lasts over the barrier; the sum by each block alike.
    s = gpu.shared.array(1, np.int64)
    mine = gpu.local.array(3, np.int64)
    t, b = gpu.threadIdx.x, gpu.blockIdx.x
    if t == 0:
        s[0] = 0
    gpu.syncthreads()
    i = gpu.grid(1)
    for k in range(3):
        mine[k] = i * 10 + k
    own = x[i] * 3
    gpu.atomic.add(s, 0, own)
    gpu.syncthreads()
    if t == 0:
        partial[b] = s[0]
    gpu.cg.this_grid().sync()
    total = 0
    for k in range(partial.size):
        total += partial[k]
    out[i, 0] = total
    out[i, 1] = s[0]
    out[i, 2] = own
    out[i, 3] = mine[0] + mine[1] + mine[2]


@pytest.mark.parametrize("block", [5, 32, 50, 64])
def test_shared_and_local_memory_last(block):
    blocks = 9
    x = np.random.default_rng(1).integers(-99, 99, blocks * block)
    partial, out = np.zeros(blocks, np.int64), np.zeros((x.size, 4), np.int64)
    grid_sum[blocks, block](x, partial, out)
    np.testing.assert_array_equal(out[:, 0], np.full(x.size, 3 * x.sum()))
    np.testing.assert_array_equal(out[:, 1], np.repeat(3 * x.reshape(blocks, block).sum(axis=1), block))
    np.testing.assert_array_equal(out[:, 2], 3 * x)
    np.testing.assert_array_equal(out[:, 3], np.arange(x.size) * 30 + 3)


@gpu.jit
def first_threads_return(out, partial):
    t, b = gpu.threadIdx.x, gpu.blockIdx.x
    if t < 3 + b * 10:
        return
    if t == 63:
        partial[b] = b + 1
    gpu.cg.this_grid().sync()
    total = 0
    for k in range(partial.size):
        total += partial[k]
    out[b, t] = total


def test_threads_that_returned_count_as_arrived():
    out, partial = np.zeros((6, 64), np.int64), np.zeros(6, np.int64)
    first_threads_return[6, 64](out, partial)
    wanted = np.where(np.arange(64)[None, :] < 3 + 10 * np.arange(6)[:, None], 0, 21)
    np.testing.assert_array_equal(out, wanted)


@gpu.jit
def groups(out):
    g, b = gpu.cg.this_grid(), gpu.cg.this_thread_block()
    r = g.thread_rank()
    out[r, 0] = g.num_threads()
    out[r, 1] = g.size()
    out[r, 2] = g.block_rank()
    out[r, 3] = g.num_blocks()
    out[r, 4] = b.thread_rank()
    out[r, 5] = b.num_threads()
    out[r, 6] = b.size()
    out[r, 7] = g.is_valid()
    b.sync()


def test_what_groups_say():
    out = np.zeros((2 * 3 * 2 * 24, 8), np.int64)
    groups[(2, 3, 2), (4, 3, 2)](out)
    rank = np.arange(out.shape[0])
    columns = [288, 288, rank // 24, 12, rank % 24, 24, 24, 1]
    np.testing.assert_array_equal(out, np.stack([np.broadcast_to(c, rank.shape) for c in columns], axis=1))


@gpu.jit(device=True)
def all_together(grid, out, i, value):
    grid.sync()
    out[i] += value
    grid.sync()


@gpu.jit
def calls_helper(out):
    i = gpu.grid(1)
    g = gpu.cg.this_grid()
    all_together(g, out, i, 2)
    all_together(g, out, out.size - 1 - i, i)


def test_a_group_as_an_argument():
    out = np.zeros(24, np.int64)
    calls_helper[3, 8](out)
    np.testing.assert_array_equal(out, 2 + 23 - np.arange(24))


@gpu.jit
def while_changes(a, changed, turns):
    # Until nothing changes any more: the condition is the same for all blocks.
    i = gpu.grid(1)
    g = gpu.cg.this_grid()
    n = 0
    while True:
        if i == 0:
            changed[0] = 0
        g.sync()
        if i + 1 < a.size and a[i] < a[i + 1] - 1:
            gpu.atomic.add(a, i, 1)
            gpu.atomic.exch(changed, 0, 1)
        g.sync()
        again = changed[0]
        g.sync()
        n += 1
        if again == 0:
            break
    if i == 0:
        turns[0] = n


def test_a_loop_until_nothing_changes():
    a, changed, turns = np.array([0, 4, 8, 12, 16, 20, 30, 30], np.int32), np.zeros(1, np.int32), np.zeros(1, np.int32)
    while_changes[4, 2](a, changed, turns)
    assert np.all(np.diff(a) <= 1) and a[-1] == 30 and turns[0] > 3


def test_the_most_blocks_are_known_and_checked():
    a, b = np.zeros(4, np.int64), np.zeros(4, np.int64)
    rounds[2, 2](a, b, 1)
    most = rounds.max_cooperative_grid_blocks(64)
    assert most >= 16
    assert rounds.max_cooperative_grid_blocks((64, 1, 1), 0) == most
    with pytest.raises(lanewise.LaunchError, match=f"at most {most} blocks of 64 threads fit"):
        rounds[most + 1, 64](a, b, 1)


def test_many_blocks():
    rounds[1, 32](np.arange(32), np.zeros(32, np.int64), 1)  # so that it is compiled
    most = min(rounds.max_cooperative_grid_blocks(32), 2000 if gpu.current_target() == "cpu" else 24)
    a = np.arange(most * 32)
    wanted = rounds_on_host(a, 2)
    rounds[most, 32](a, np.zeros_like(a), 2)
    np.testing.assert_array_equal(a, wanted)


@gpu.jit
def some_blocks_leave(out):
    if gpu.blockIdx.x != 1:
        gpu.cg.this_grid().sync()
    out[gpu.blockIdx.x] = 1


@pytest.mark.skipif(gpu.current_target() == "cuda", reason="hangs on a GPU")
def test_a_block_that_does_not_come_is_an_error():
    with pytest.raises(lanewise.KernelError, match="divergent grid barrier(?s:.)*this_grid"):
        some_blocks_leave[4, 8](np.zeros(4, np.int32))


def test_grid_barriers_need_sm_60():
    signature = "void(int64[::1], int64[::1], int64)"
    assert ".red.or" in gpu.compile_ptx(rounds, signature, cc=(6, 0))[0]
    with pytest.raises(lanewise.TargetError, match="waits for the whole grid, which sm_52 cannot"):
        gpu.compile_ptx(rounds, signature, cc=(5, 2))


@gpu.jit
def prints(out):
    b = gpu.blockIdx.x
    if gpu.threadIdx.x == 0:
        print("before", b)
    gpu.cg.this_grid().sync()
    if gpu.threadIdx.x == 1:
        print("after", b)
        assert b < 2, "the last block"


@pytest.mark.skipif(gpu.current_target() == "cuda", reason="prints in any order")
def test_prints_and_failures(capfd):
    with pytest.raises(AssertionError, match="the last block") as caught:
        prints[3, 4](np.zeros(1, np.int32))
    assert caught.value.block == (2, 0, 0) and caught.value.thread == (1, 0, 0)
    lines = [f"{when} {b}" for b in range(3) for when in ("before", "after")]
    assert capfd.readouterr().out.splitlines() == lines
