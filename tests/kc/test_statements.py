"""tests/c_api/statements.py, a kernel of most statements and types, and constants.py, through kc."""

import os
import pathlib
import subprocess

import pytest

KC = os.environ["KC"]
FILE = pathlib.Path(__file__).resolve().parents[1] / "c_api" / "statements.py"
SIGNATURE = "void(int64[::1], int32[:, ::1], datetime64[D][::1], int16[:, :, :, :, :, :, :, ::1])"


@pytest.mark.parametrize("emit", ["ptx", "ir", "typed", "asm", "llvm", "obj"])
def test_every_kind_of_output(emit, tmp_path):
    out = tmp_path / "out"
    done = subprocess.run(
        [KC, FILE, "--signature", SIGNATURE, "--emit", emit, "-o", out], capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert b"statements" in out.read_bytes()


@pytest.mark.parametrize("emit", ["ptx", "asm"])
def test_constants_of_a_file(emit, tmp_path):
    done = subprocess.run(
        [KC, FILE.with_name("constants.py"), "--signature", "void(float64[::1])", "--emit", emit, "-o", tmp_path / "out"],
        capture_output=True, text=True, timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_vectors_in_signatures(tmp_path):
    file = tmp_path / "vectors.py"
    file.write_text("from lanewise import gpu\n\n@gpu.jit\ndef k(x, v):\n    x[0] = x[1] * 2 + v\n")
    done = subprocess.run([KC, file, "--signature", "void(float32x4[::1], float4)"], capture_output=True, text=True, timeout=120)
    # The array's pointer and extent, and the four components.
    assert done.returncode == 0 and "k_param_5" in done.stdout and "k_param_6" not in done.stdout
