"""Every driver call made to fail in turn: the right message, nothing lost, nothing stuck, and all works afterwards."""

import os
import pathlib
import subprocess
import sys

import pytest

DRILL = os.environ.get("LANEWISE_DRILL_DRIVER")
pytestmark = pytest.mark.skipif(not DRILL, reason="LANEWISE_DRILL_DRIVER names no driver that fails calls")
SCENARIOS = pathlib.Path(__file__).with_name("drill_scenarios.py")
MOMENTS = pathlib.Path(__file__).with_name("drill_moments.py")

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


def run(scenario, script=SCENARIOS, **environment):
    """What the scenario prints."""
    result = subprocess.run(
        [sys.executable, str(script), scenario], capture_output=True, text=True, timeout=250,
        env={**os.environ, "LANEWISE_TARGET": "cuda", "LANEWISE_CUDA_DRIVER": DRILL,
             "DRILL_DRIVER": os.environ["LANEWISE_CUDA_DRIVER"], **environment},
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


@pytest.mark.parametrize(
    "scenario, prints",
    [
        ("fork_while_another_thread_launches", "0"),
        ("first_launch_while_another_is_held", "False"),
        ("stream_with_the_handle_of_one_that_goes", "[1] 0"),
        ("counters_of_threads", "0 True"),
    ],
)
def test_in_the_middle_of_a_call(scenario, prints):
    assert " ".join(run(scenario, MOMENTS)) == prints


def test_work_on_a_stream_is_waited_for_before_it_is_read():
    assert run("arguments_that_a_stream_is_still_writing", MOMENTS, PTXEMU_LAZY="1") == ["True"]
