"""Every driver call made to fail in turn: the right message, nothing lost, nothing stuck, and all works afterwards."""

import os
import pathlib
import subprocess
import sys

import pytest

DRILL = os.environ.get("LANEWISE_DRILL_DRIVER")
pytestmark = pytest.mark.skipif(not DRILL, reason="LANEWISE_DRILL_DRIVER names no driver that fails calls")
SCENARIOS = pathlib.Path(__file__).with_name("drill_scenarios.py")

# What may fail without the user being told: it ends things, or there is another way.
SILENT = {
    "cuMemFree", "cuMemFreeHost", "cuMemHostUnregister", "cuModuleUnload", "cuStreamDestroy", "cuEventDestroy",
    "cuGraphDestroy", "cuGraphExecDestroy", "cuCtxPopCurrent", "cuCtxPushCurrent", "cuCtxSynchronize",
    "cuEventSynchronize", "cuStreamSynchronize",
    "cuCtxGetCurrent", "cuCtxGetDevice", "cuDeviceGet", "cuDeviceGetMemPool", "cuMemPoolTrimTo",
    "cuPointerGetAttribute", "cuStreamIsCapturing", "cuMemAlloc", "cuMemAllocAsync", "cuMemHostAlloc",
    "cuDeviceGetUuid", "cuDeviceGetPCIBusId", "cuMemPoolGetAttribute", "cuMemPoolSetAttribute",
    "cuThreadExchangeStreamCaptureMode",
}  # fmt: skip


def run(scenario):
    """What the scenario prints."""
    result = subprocess.run(
        [sys.executable, str(SCENARIOS), scenario], capture_output=True, text=True, timeout=250,
        env={**os.environ, "LANEWISE_TARGET": "cuda", "LANEWISE_CUDA_DRIVER": DRILL,
             "DRILL_DRIVER": os.environ["LANEWISE_CUDA_DRIVER"]},
    )  # fmt: skip
    assert result.returncode == 0, result.stderr[-4000:]
    return result.stdout.split()


def test_nothing_leaks_over_ten_thousand_launches_and_streams():
    assert int(run("leaks")[0]) > 10000


@pytest.mark.parametrize(
    "scenario",
    ["host_arrays", "large_host_arrays", "device_arrays", "kernels", "streams", "graphs", "first_use_in_a_capture",
     "host_memory", "devices"],
)
def test_drill(scenario):
    calls, *silent = run(scenario)
    assert int(calls) > 0
    assert set(silent) <= SILENT
