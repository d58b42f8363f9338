"""Clusters of blocks: their places, barriers, shapes of launches; CUDA of sm_90 only."""

import lanewise
import numpy as np
import pytest
from lanewise import gpu

HAS_CLUSTERS = gpu.current_target() == "cuda" and gpu.get_current_device().compute_capability >= (9, 0)
needs_clusters = pytest.mark.skipif(not HAS_CLUSTERS, reason="needs a device with clusters")


def place_kernel(**options):
    @gpu.jit("void(int32[:, ::1], int32[::1])", **options)
    def places(out, sums):
        cluster = gpu.cg.this_cluster()
        block = gpu.cg.this_grid().block_rank()
        x, y, z = cluster.block_index()
        nx, ny, nz = cluster.dim_blocks()
        thread = cluster.thread_rank()
        if gpu.threadIdx.x == 0:
            out[block, 0] = cluster.block_rank()
            out[block, 1] = cluster.num_blocks()
            out[block, 2] = x + 10 * y + 100 * z
            out[block, 3] = nx + 10 * ny + 100 * nz
            out[block, 4] = thread
            out[block, 5] = cluster.num_threads()
        cluster.barrier_arrive()
        cluster.barrier_wait()
        # All blocks of the cluster have written: along x they follow each other.
        if gpu.threadIdx.x == 0:
            total = 0
            for i in range(nx):
                total += out[block - x + i, 4]
            sums[block] = total
        cluster.sync()

    return places


def expected(grid, cluster, threads):
    rows, sums = [], []
    for z in range(grid[2]):
        for y in range(grid[1]):
            for x in range(grid[0]):
                i, j, k = x % cluster[0], y % cluster[1], z % cluster[2]
                rank = i + cluster[0] * (j + cluster[1] * k)
                count = cluster[0] * cluster[1] * cluster[2]
                rows.append([rank, count, i + 10 * j + 100 * k, cluster[0] + 10 * cluster[1] + 100 * cluster[2],
                             rank * threads, count * threads])
                first = rank - i
                sums.append(sum((first + n) * threads for n in range(cluster[0])))
    return np.array(rows, np.int32), np.array(sums, np.int32)


@needs_clusters
@pytest.mark.parametrize("grid, cluster", [((4, 1, 1), (2, 1, 1)), ((4, 2, 2), (2, 2, 2)), ((3, 4, 1), (3, 2, 1)), ((2, 2, 1), (1, 1, 1))])
@pytest.mark.parametrize("compiled", [False, True])
def test_places_in_clusters(grid, cluster, compiled):
    places = place_kernel(cluster_dims=cluster) if compiled else place_kernel()
    blocks = grid[0] * grid[1] * grid[2]
    out, sums = np.zeros((blocks, 6), np.int32), np.zeros(blocks, np.int32)
    launch = places[grid, 64] if compiled else places[grid, 64, 0, 0, cluster]
    launch(out, sums)
    rows, totals = expected(grid, cluster, 64)
    np.testing.assert_array_equal(out, rows)
    np.testing.assert_array_equal(sums, totals)


@needs_clusters
def test_a_launch_without_clusters_has_clusters_of_one_block():
    places = place_kernel()
    out, sums = np.zeros((3, 6), np.int32), np.zeros(3, np.int32)
    places[3, 32](out, sums)
    rows, totals = expected((3, 1, 1), (1, 1, 1), 32)
    np.testing.assert_array_equal(out, rows)
    np.testing.assert_array_equal(sums, totals)


@needs_clusters
def test_clusters_that_cannot_be():
    places = place_kernel(cluster_dims=4)
    out, sums = np.zeros((8, 6), np.int32), np.zeros(8, np.int32)
    for grid, asked, words in [
        (6, None, r"clusters of \(4, 1, 1\) blocks: a grid of \(6, 1, 1\) .* along x it must be a multiple of 4"),
        (8, 2, r"clusters of \(2, 1, 1\) blocks: the kernel is compiled for clusters of \(4, 1, 1\)"),
        (34, 17, r"each of x, y, z may be 1 to 16"),
        (48, (4, 3, 2), r"have 24; 16 is the limit"),
        (8, 0, r"each of x, y, z may be 1 to 16"),
    ]:
        with pytest.raises(lanewise.LaunchError, match=words):
            places[grid, 32, 0, 0, asked](out, sums)
    bounded = place_kernel(launch_bounds=(64, 1, 2))
    with pytest.raises(lanewise.LaunchError, match="4 blocks, and the kernel's launch_bounds allow 2"):
        bounded[8, 32, 0, 0, 4](out, sums)
    bounded[8, 32, 0, 0, 2](out, sums)
    assert out[0, 1] == 2


@needs_clusters
def test_how_many_clusters_there_can_be():
    places = place_kernel()
    assert places.max_active_clusters(2, 64) >= places.max_active_clusters(8, 64) > 0


@pytest.mark.skipif(HAS_CLUSTERS, reason="the device has clusters")
def test_where_there_are_none():
    @gpu.jit
    def kernel(x):
        x[gpu.grid(1)] = 1

    x = np.zeros(64, np.float32)
    for launch in (lambda: kernel[2, 32, 0, 0, 2](x), lambda: gpu.jit(cluster_dims=2)(kernel.py_func)[2, 32](x)):
        with pytest.raises((lanewise.LaunchError, lanewise.TargetError), match=r"clusters of \(2, 1, 1\) blocks"):
            launch()
    with pytest.raises((lanewise.CompileError, lanewise.TargetError), match="CUDA only|sm_90 or newer"):
        place_kernel()
