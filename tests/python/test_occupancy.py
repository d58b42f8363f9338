"""How large launches can be and should be, launch attributes, forall."""

import lanewise
import numpy as np
import pytest
from lanewise import _core, gpu


def make(target, **options):
    @gpu.jit(target=target, **options)
    def fill(x, value):
        i = gpu.grid(1)
        if i < x.size:
            x[i] = value

    return fill


def test_forall_takes_what_suits_the_device(target):
    fill, x = make(target), np.zeros(5000, np.float32)
    fill.forall(x.size)(x, 2)
    assert np.all(x == 2)
    threads = fill.suggested_block()
    assert 32 <= threads <= 1024
    assert make(target, launch_bounds=64)[1, 64](x, 1) is None
    bounded = make(target, launch_bounds=64)
    bounded.forall(x.size)(x, 3)
    assert np.all(x == 3) and bounded.suggested_block() == 64
    assert "for 5000 threads" in repr(fill.forall(5000))


def test_what_a_multiprocessor_holds(target):
    fill = make(target)
    with pytest.raises(ValueError, match="not compiled"):
        fill.max_active_blocks(64)
    signature = "void(float32[::1], int64)"
    if target != "cuda":
        with pytest.raises(lanewise.LaunchError, match="only GPUs have multiprocessors"):
            fill.max_active_blocks(64, signature=signature)
        with pytest.raises(lanewise.LaunchError, match="only GPUs have clusters"):
            fill.max_active_clusters(2, 64, signature=signature)
        return
    assert fill.max_active_blocks(64, signature=signature) >= fill.max_active_blocks((1024,)) > 0
    with pytest.raises(lanewise.LaunchError, match="1024 is the limit"):
        fill.max_active_blocks((64, 32))
    if _core.cuda_status()[2] >= 90:
        assert fill.max_active_clusters(2, 64) >= fill.max_active_clusters(8, 64) > 0
    else:
        with pytest.raises(lanewise.LaunchError, match="and has none; sm_90 and newer do"):
            fill.max_active_clusters(2, 64)


def test_attributes_of_launches(target):
    fill, x = make(target), np.zeros(64, np.float32)
    launch = fill.configure(2, 32, priority=-1, overlaps_previous=True)
    if target != "cuda":
        with pytest.raises(lanewise.LaunchError, match="a priority of -1 was asked for; only CUDA devices"):
            launch(x, 4)
        with pytest.raises(lanewise.LaunchError, match="overlap with the previous launch was asked for; only CUDA"):
            fill.configure(2, 32, overlaps_previous=True)(x, 4)
        return
    launch(x, 4)
    assert np.all(x == 4)


@pytest.mark.parametrize(
    "options, error, words",
    [
        ({"priority": 1.5}, TypeError, "the priority must be an int, not 1.5"),
        ({"overlaps_previous": 3}, TypeError, "overlaps_previous must be True or False, not 3"),
        ({"cluster": "2"}, TypeError, "the cluster must be an int"),
        ({"cluster": (1, 2, 3, 4)}, ValueError, "the cluster has 4 dimensions"),
    ],
)
def test_attributes_that_cannot_be(options, error, words):
    with pytest.raises(error, match=words):
        make("cpu").configure(1, 1, **options)


@pytest.mark.parametrize(
    "options, error, words",
    [
        ({"cluster_dims": 17}, ValueError, "cluster_dims must be 1 to 16, not 17"),
        ({"cluster_dims": (4, 4, 2)}, ValueError, "are 32 blocks; 16 is the limit"),
        ({"cluster_dims": ()}, ValueError, "cluster_dims must be blocks along x"),
        ({"cluster_dims": 1.5}, TypeError, "cluster_dims must be an int, not 1.5"),
        ({"cluster_dims": 2, "launch_bounds": (64, 1, 2)}, ValueError, "leave the third number of launch_bounds out"),
        ({"launch_bounds": (64, 1, 17)}, ValueError, "the cluster of launch_bounds must be 1 to 16, not 17"),
    ],
)
def test_clusters_that_cannot_be(options, error, words):
    with pytest.raises(error, match=words):
        gpu.jit(**options)


def test_clusters_in_ptx():
    fill = make("cpu").py_func
    types = "void(float32[::1], int64)"
    ptx = gpu.compile_ptx(fill, types, cc=(9, 0), cluster_dims=(2, 2))[0]
    assert ".reqnctapercluster 2, 2, 1" in ptx and ".explicitcluster" in ptx
    ptx = gpu.compile_ptx(fill, types, cc=(9, 0), launch_bounds=(128, 1, 4))[0]
    assert ".maxclusterrank 4" in ptx
    with pytest.raises(lanewise.TargetError, match=r"clusters of \(2, 1, 1\) blocks, which sm_80 does not have: sm_90"):
        gpu.compile_ptx(fill, types, cc=(8, 0), cluster_dims=2)


def test_forall_in_clusters(target):
    if target != "cuda" or _core.cuda_status()[2] < 90:
        pytest.skip("needs sm_90")
    fill = make(target, cluster_dims=3)
    for count, tpb in ((100, 0), (100, 32), (5000, 64), (1, 1), (0, 0)):
        x = np.zeros(count, np.float32)
        fill.forall(count, tpb)(x, 2)
        assert np.all(x == 2)
    with pytest.raises(lanewise.LaunchError, match=r"lie along x, clusters of \(1, 2, 1\) blocks do not: launch it with a grid"):
        make(target, cluster_dims=(1, 2)).forall(100)(x, 2)


def test_more_shared_memory_than_there_is(target):
    fill, signature = make(target), "void(float32[::1], int64)"
    asks = [
        lambda n: fill.suggested_block(n, signature=signature),
        lambda n: fill.max_cooperative_grid_blocks(32, n, signature=signature),
    ]
    if target == "cuda":
        asks += [
            lambda n: fill.forall(100, sharedmem=n)(np.zeros(100, np.float32), 2),
            lambda n: fill.max_active_blocks(32, n, signature=signature),
        ]
        if _core.cuda_status()[2] >= 90:
            asks.append(lambda n: fill.max_active_clusters(2, 32, n, signature=signature))
    for ask in asks:
        for most in (10**9, 2**63 - 1) if target == "cuda" else ():
            with pytest.raises(lanewise.LaunchError, match=f"bytes of shared memory \\(0 static, {most} dynamic\\); "):
                ask(most)
        with pytest.raises(lanewise.LaunchError, match="is negative"):
            ask(-1)


def test_integers_that_are_too_large():
    fill = make("cpu")
    for ask, words in (
        (lambda: fill.configure(1, 32, priority=2**40), "the priority is too large: 1099511627776"),
        (lambda: fill.configure(1, 32, priority=-(2**40)), "the priority is too small: -1099511627776"),
        (lambda: fill.forall(2**70), "the number of tasks is too large: 1180591620717411303424"),
        (lambda: fill.forall(1, 2**70), "the number of threads per block is too large"),
        (lambda: fill.max_active_blocks(2**70), "the size of the block is too large"),
        (lambda: fill.suggested_block(2**63), "the number of bytes of dynamic shared memory is too large"),
    ):
        with pytest.raises(lanewise.LaunchError, match=words):
            ask()
    with pytest.raises(lanewise.LaunchError, match="a grid of"):
        fill.forall(2**63 - 1, 1)(np.zeros(1, np.float32), 2)


def test_grid_barriers_do_not_overlap_the_previous_launch(target):
    @gpu.jit(target=target)
    def wait(x):
        x[0] = 1
        gpu.cg.this_grid().sync()

    refusal = "it cannot overlap the work in front" if target == "cuda" else "only CUDA devices have that"
    with pytest.raises(lanewise.LaunchError, match=refusal):
        wait.configure(1, 32, overlaps_previous=True)(np.zeros(1))


@pytest.mark.parametrize("cc, error", [((2**70, 0), ValueError), ((7, -1), ValueError), (75, TypeError), ((7.5, 0), TypeError), ((7,), TypeError)])
def test_compute_capabilities_that_cannot_be(cc, error):
    with pytest.raises(error, match="cc"):
        gpu.compile_ptx(make("cpu").py_func, "void(float32[::1], int64)", cc=cc)
