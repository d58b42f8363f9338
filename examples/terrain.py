"""Terrain analysis on a real elevation model, with every result checked against NumPy.

The model is the fault-line DEM that ships with matplotlib: 344 x 403 heights in metres, a point each three
arc seconds. Five kernels: hillshade and slope (2-D grid, guards, math), a Gaussian blur (shared-memory tile
with a halo, barriers, an early return), a histogram (shared memory, atomics) and the extrema (tree reduction).

    python examples/terrain.py [terrain.png]

Runs where LANEWISE_TARGET says, else on a GPU if there is one, else on the CPU.
"""

import math
import os
import sys
import time

import numpy as np
from lanewise import gpu

BLOCK = 16  # threads of a 2-D block, each way
RADIUS = 4  # of the blur
TILE = BLOCK + 2 * RADIUS
BINS = 64
THREADS = 256  # of a 1-D block


@gpu.jit(device=True)
def gradient(dem, r, c, dx, dy):
    """Central differences of the height, dimensionless: (east, north)."""
    east = (dem[r, c + 1] - dem[r, c - 1]) / (2 * dx)
    north = (dem[r - 1, c] - dem[r + 1, c]) / (2 * dy)
    return east, north


@gpu.jit
def hillshade(dem, dx, dy, azimuth, altitude, out):
    """Brightness, 0 to 1, of the surface under a sun at `azimuth`, `altitude` (radians); 0 on the border."""
    c, r = gpu.grid(2)
    height, width = dem.shape
    if 0 < r < height - 1 and 0 < c < width - 1:
        east, north = gradient(dem, r, c, dx, dy)
        steepness = math.atan(math.hypot(east, north))
        aspect = math.atan2(-east, -north)
        light = math.sin(altitude) * math.cos(steepness) + math.cos(altitude) * math.sin(
            steepness
        ) * math.cos(azimuth - aspect)
        out[r, c] = max(light, 0.0)


@gpu.jit
def slope(dem, dx, dy, out):
    """Steepness in degrees; 0 on the border."""
    c, r = gpu.grid(2)
    height, width = dem.shape
    if 0 < r < height - 1 and 0 < c < width - 1:
        east, north = gradient(dem, r, c, dx, dy)
        out[r, c] = math.degrees(math.atan(math.sqrt(east * east + north * north)))


@gpu.jit
def blur(dem, weights, out):
    """Weighted mean over a square of 2 * RADIUS + 1 points; the border is extended."""
    tile = gpu.shared.array((TILE, TILE), np.float32)
    c, r = gpu.grid(2)
    tx, ty = gpu.threadIdx.x, gpu.threadIdx.y
    height, width = dem.shape
    left, top = gpu.blockIdx.x * BLOCK - RADIUS, gpu.blockIdx.y * BLOCK - RADIUS
    for y in range(ty, TILE, BLOCK):
        for x in range(tx, TILE, BLOCK):
            tile[y, x] = dem[min(max(top + y, 0), height - 1), min(max(left + x, 0), width - 1)]
    gpu.syncthreads()
    if r >= height or c >= width:
        return
    total = np.float32(0.0)
    for y in range(2 * RADIUS + 1):
        row = np.float32(0.0)
        for x in range(2 * RADIUS + 1):
            row += weights[x] * tile[ty + y, tx + x]
        total += weights[y] * row
    out[r, c] = total


@gpu.jit
def histogram(dem, low, scale, counts):
    """Counts of heights in BINS bins of width 1 / scale from `low` up."""
    local = gpu.shared.array(BINS, np.int32)
    for b in range(gpu.threadIdx.x, BINS, gpu.blockDim.x):
        local[b] = 0
    gpu.syncthreads()
    for i in range(gpu.grid(1), dem.size, gpu.gridsize(1)):
        b = int((dem[i] - low) * scale)
        gpu.atomic.add(local, min(max(b, 0), BINS - 1), 1)
    gpu.syncthreads()
    for b in range(gpu.threadIdx.x, BINS, gpu.blockDim.x):
        gpu.atomic.add(counts, b, local[b])


@gpu.jit
def extrema(dem, lowest, highest):
    """The least and the greatest height, by a tree in each block and one atomic a block."""
    low = gpu.shared.array(THREADS, np.float32)
    high = gpu.shared.array(THREADS, np.float32)
    t = gpu.threadIdx.x
    lo, hi = dem[0], dem[0]
    for i in range(gpu.grid(1), dem.size, gpu.gridsize(1)):
        lo = min(lo, dem[i])
        hi = max(hi, dem[i])
    low[t] = lo
    high[t] = hi
    gpu.syncthreads()
    half = THREADS // 2
    while half > 0:
        if t < half:
            low[t] = min(low[t], low[t + half])
            high[t] = max(high[t], high[t + half])
        gpu.syncthreads()
        half //= 2
    if t == 0:
        gpu.atomic.min(lowest, 0, low[0])
        gpu.atomic.max(highest, 0, high[0])


def load_elevation():
    """Heights in metres (float32), and the size of a cell east and north in metres."""
    from matplotlib.cbook import get_sample_data

    data = get_sample_data("jacksboro_fault_dem.npz")
    degree = 111_200.0  # metres of latitude
    latitude = math.radians(0.5 * (float(data["ymin"]) + float(data["ymax"])))
    return (
        data["elevation"].astype(np.float32),
        float(data["dx"]) * degree * math.cos(latitude),
        float(data["dy"]) * degree,
    )


class Report:
    """Runs each kernel cold (compile and run) and warm, and keeps a table."""

    def __init__(self):
        self.rows = []

    def run(self, kernel, grid, block, args, written):
        """Launches; `written` are the arguments the kernel changes, left as after one launch."""
        before = [array.copy() for array in written]
        start = time.perf_counter()
        kernel[grid, block](*args)
        gpu.synchronize()
        cold = time.perf_counter() - start
        best = math.inf
        for _ in range(5):
            for array, old in zip(written, before):
                array[...] = old
            start = time.perf_counter()
            kernel[grid, block](*args)
            gpu.synchronize()
            best = min(best, time.perf_counter() - start)
        self.rows.append((kernel.__name__, 1e3 * (cold - best), 1e3 * best))

    def check(self, name, got, expected, tolerance):
        worst = float(np.max(np.abs(np.asarray(got, np.float64) - expected)))
        if not worst <= tolerance:
            sys.exit(f"{name}: differs from NumPy by {worst}, allowed is {tolerance}")

    def print(self):
        print(f"{'kernel':<12}{'compile ms':>12}{'run ms':>10}   all checked against NumPy")
        for name, compile_ms, run_ms in self.rows:
            print(f"{name:<12}{compile_ms:>12.2f}{run_ms:>10.3f}")


def numpy_gradient(dem, dx, dy):
    """What `gradient` computes, for the inner points."""
    dem = dem.astype(np.float64)
    return (dem[1:-1, 2:] - dem[1:-1, :-2]) / (2 * dx), (dem[:-2, 1:-1] - dem[2:, 1:-1]) / (2 * dy)


def numpy_blur(dem, weights):
    padded = np.pad(dem.astype(np.float64), RADIUS, mode="edge")
    rows = sum(w * padded[:, i : i + dem.shape[1]] for i, w in enumerate(weights))
    return sum(w * rows[i : i + dem.shape[0]] for i, w in enumerate(weights))


def analyse(dem, dx, dy, report):
    """Runs all kernels, checks them, returns (hillshade, slope, blurred, histogram, (lowest, highest))."""
    height, width = dem.shape
    grid, block = ((width + BLOCK - 1) // BLOCK, (height + BLOCK - 1) // BLOCK), (BLOCK, BLOCK)
    east, north = numpy_gradient(dem, dx, dy)
    azimuth, altitude = math.radians(315), math.radians(45)

    shade = np.zeros_like(dem)
    report.run(hillshade, grid, block, (dem, dx, dy, azimuth, altitude, shade), [shade])
    steepness = np.arctan(np.hypot(east, north))
    light = math.sin(altitude) * np.cos(steepness) + math.cos(altitude) * np.sin(steepness) * np.cos(
        azimuth - np.arctan2(-east, -north)
    )
    report.check("hillshade", shade[1:-1, 1:-1], np.maximum(light, 0), 1e-5)

    degrees = np.zeros_like(dem)
    report.run(slope, grid, block, (dem, dx, dy, degrees), [degrees])
    report.check("slope", degrees[1:-1, 1:-1], np.degrees(steepness), 1e-4)

    weights = np.exp(-0.5 * (np.arange(-RADIUS, RADIUS + 1) / 2.0) ** 2).astype(np.float32)
    weights /= weights.sum()
    smooth = np.zeros_like(dem)
    report.run(blur, grid, block, (dem, weights, smooth), [smooth])
    report.check("blur", smooth, numpy_blur(dem, weights), 1e-3)

    lowest, highest = np.full(1, np.inf, np.float32), np.full(1, -np.inf, np.float32)
    flat = dem.ravel()
    report.run(extrema, 32, THREADS, (flat, lowest, highest), [lowest, highest])
    report.check("extrema", [lowest[0], highest[0]], [dem.min(), dem.max()], 0)

    low, scale = float(lowest[0]), BINS / (float(highest[0]) - float(lowest[0]))
    counts = np.zeros(BINS, np.int32)
    report.run(histogram, 32, THREADS, (flat, low, scale, counts), [counts])
    bins = ((flat - np.float32(low)) * np.float32(scale)).astype(np.int64)
    report.check("histogram", counts, np.bincount(np.clip(bins, 0, BINS - 1), minlength=BINS), 0)
    return shade, degrees, smooth, counts, (low, float(highest[0]))


def draw(path, dem, shade, degrees, smooth, counts, extent):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib import colormaps
    from matplotlib.colors import Normalize

    low, high = extent
    relief = colormaps["gist_earth"](Normalize(low - 0.25 * (high - low), high)(dem))[..., :3]
    relief *= (0.35 + 0.65 * shade / shade.max())[..., None]
    figure, axes = plt.subplots(2, 2, figsize=(11, 9), layout="constrained")
    axes[0, 0].imshow(relief)
    axes[0, 0].set_title("shaded relief")
    axes[0, 1].set_title("slope, degrees")
    figure.colorbar(axes[0, 1].imshow(degrees, cmap="magma"), ax=axes[0, 1], shrink=0.8)
    axes[1, 0].set_title("Gaussian blur, m")
    figure.colorbar(axes[1, 0].imshow(smooth, cmap="gist_earth"), ax=axes[1, 0], shrink=0.8)
    axes[1, 1].bar(
        np.linspace(low, high, BINS, endpoint=False), counts, width=(high - low) / BINS, align="edge"
    )
    axes[1, 1].set_title(f"heights, {low:.0f} m to {high:.0f} m")
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    figure.savefig(path, dpi=100)
    print(f"wrote {path}")


def main():
    dem, dx, dy = load_elevation()
    report = Report()
    results = analyse(dem, dx, dy, report)
    print(
        f"{dem.shape[0]} x {dem.shape[1]} heights, cells of {dx:.0f} m x {dy:.0f} m, target {gpu.current_target()}"
    )
    report.print()
    if len(sys.argv) > 1:
        draw(sys.argv[1], dem, *results)


if __name__ == "__main__":
    main()
