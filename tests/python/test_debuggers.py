"""gdb and perf see the lines of a kernel's source."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

PROGRAM = """
import numpy as np
from lanewise import gpu

@gpu.jit(target="cpu"{options})
def smooth(out, x):
    i = gpu.grid(1)
    if 0 < i < x.size - 1:
        total = x[i - 1] + x[i]
        total += x[i + 1]
        out[i] = total / 3
    gpu.syncthreads()
    if i == 0:
        out[0] = x[0]

x, out = np.arange(1000, dtype="f4"), np.zeros(1000, "f4")
for _ in range({turns}):
    smooth[4, 256](out, x)
assert out[10] == 10
"""
FIRST = PROGRAM.splitlines().index("        total = x[i - 1] + x[i]") + 1


def write(folder, turns=1, options=", debug=True"):
    file = folder / "smooth_program.py"
    file.write_text(PROGRAM.format(options=options, turns=turns))
    return file


@pytest.mark.skipif(shutil.which("gdb") is None, reason="there is no gdb")
@pytest.mark.parametrize("lanes", ["32", "1"])
def test_gdb_stops_at_a_line_of_a_kernel(tmp_path, lanes):
    file = write(tmp_path)
    commands = [
        "set confirm off", "set breakpoint pending on", "set debuginfod enabled off", "set auto-load off",
        f"break smooth_program.py:{FIRST + 2}", "run", "backtrace 1", "info source", "continue",
    ]  # fmt: skip
    result = subprocess.run(
        ["gdb", "-q", "-batch", "-nx", *(word for line in commands for word in ("-ex", line)), "--args",
         sys.executable, str(file)],
        capture_output=True, text=True, timeout=200, env={**os.environ, "LANEWISE_CPU_LANES": lanes,
                                                          "LANEWISE_NUM_THREADS": "1"},
    )  # fmt: skip
    if "ptrace" in result.stderr and "not permitted" in result.stderr:
        pytest.skip("processes may not be traced here")
    assert re.search(rf"Breakpoint 1, .*smooth .*smooth_program.py:{FIRST + 2}", result.stdout), (
        result.stdout + result.stderr
    )
    assert "out[i] = total / 3" in result.stdout


def test_perf_gets_a_jitdump_with_lines(tmp_path):
    file = write(tmp_path, options="")
    result = subprocess.run(
        [sys.executable, str(file)], capture_output=True, text=True, timeout=200,
        env={**os.environ, "LANEWISE_PERF": "1", "JITDUMPDIR": str(tmp_path)},
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    dumps = list(pathlib.Path(tmp_path).rglob("jit-*.dump"))
    assert len(dumps) == 1
    data = dumps[0].read_bytes()
    assert data[:4] in (b"JiTD", b"DTiJ")
    assert b"lanewise::smooth\0" in data and b"smooth_program.py\0" in data


def test_nothing_is_written_unless_asked_for(tmp_path):
    file = write(tmp_path)
    environment = {name: value for name, value in os.environ.items() if name != "LANEWISE_PERF"}
    subprocess.run(
        [sys.executable, str(file)], check=True, timeout=200, env={**environment, "JITDUMPDIR": str(tmp_path)}
    )
    assert not list(pathlib.Path(tmp_path).rglob("jit-*.dump"))
