"""kc's usage, what goes in and out, every stage and kind of file."""

import pathlib
import re
import shutil
import subprocess

import pytest
from kc_support import SAXPY, good, kc

# --- usage


def test_help_names_every_option_and_kind():
    text = good("--help")
    for word in (
        "--emit --arch --kernel --signature --define -D --include -I --fast-math --no-fma --cpu -O0 --opt-llvm "
        "--output -o --ptx-version --line-info --libdevice --python-float32 --performance-notes --diagnostics --no-warnings --help --version "
        "-lineinfo --maxrregcount --verbose -v --link devices tokens ast typed ir llvm ptx cuda cubin fatbin asm obj"
    ).split():
        assert re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text), word
    assert max(map(len, text.splitlines())) <= 110


def test_version():
    assert re.fullmatch(r"kc \(Lanewise\) \d+\.\d+\.\d+, LLVM 22\.\d+\.\d+\n", good("--version"))


@pytest.mark.parametrize(
    "arguments, says",
    [
        ([], "no kernel file"),
        (["a.py", "b.py"], "one file at a time"),
        (["--frobnicate", "a.py"], "--frobnicate"),
        (["a.py", "--emit"], "needs a value"),
        (["a.py", "--emit", "wasm"], "tokens, ast, typed, ir, llvm, ptx, cuda, cubin, fatbin, asm, obj"),
        (["a.py", "--arch", "sm_12"], "120, 121"),
        (["a.py", "--arch=80x"], "--arch"),
        (["a.py", "-DTILE"], "NAME=value"),
        (["a.py", "--emit", "obj"], "-o"),
        (["a.py", "--ptx-version", "seven"], "7.8"),
        (["a.py", "-O3"], "-O3"),
        (["a.py", "--launch-bounds", "2000"], "not a number from 1 to 1024"),
        (["a.py", "--launch-bounds", "64,x"], "not a number from 1 to 32"),
        (["a.py", "--max-registers", "0"], "not a number from 1 to 255"),
        (["a.py", "--emit", "asm", "--block", "0"], "no shape of a block"),
        (["a.py", "--emit", "asm", "--block", "64,64"], "at most 1024 threads"),
        (["a.py", "--emit", "asm", "--block", "8,8,8,8"], "no shape of a block"),
        (["a.py", "--emit", "asm", "--block", "64", "--block", "32"], "several --block"),
        (["a.py", "--emit", "asm", "--arch", "sm_80"], "--arch is for CUDA"),
        (["a.py", "--arch", "sm_80", "-o", "a.o"], "--arch is for CUDA"),
    ],
)
def test_wrong_usage_is_status_2(arguments, says):
    done = kc(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert says in done.stderr and "--help" in done.stderr


# --- input and output


def test_missing_file(tmp_path):
    done = kc(tmp_path / "none.py")
    assert done.returncode == 1 and "none.py" in done.stderr and done.stdout == ""


def test_folder_as_input(tmp_path):
    assert kc(tmp_path).returncode == 1


def test_standard_input():
    assert ".entry saxpy(" in good("-", "--arch", "sm_80", stdin=SAXPY)
    done = kc("-", stdin=SAXPY.replace("y.size", "z.size"))
    assert done.returncode == 1 and done.stderr.startswith("<stdin>:8:12: error: ")


@pytest.mark.parametrize(
    "kind, holds",
    [
        ("tokens", "saxpy"),
        ("ast", "saxpy"),
        ("typed", "kernel saxpy(a: float32, x: float32[::1], y: float32[::1]):"),
        ("ir", "saxpy"),
        ("llvm", "define ptx_kernel void @saxpy("),
        ("ptx", ".visible .entry saxpy("),
        ("asm", "saxpy"),
    ],
)
def test_every_stage(write, kind, holds):
    assert holds in good(write(SAXPY), "--emit", kind)


def test_llvm_for_the_cpu(write):
    path = write(SAXPY)
    host = good(path, "--emit", "llvm", "--cpu")
    assert "nvptx" not in host and "saxpy" in host
    assert "nvptx" in good(path, "--emit", "llvm")
    assert good(path, "--emit", "llvm", "--opt-llvm") != good(path, "--emit", "llvm")


def test_asm_is_for_the_cpu_that_was_asked_for(write):
    text = SAXPY.replace("y[i] += a * x[i]", "y[i] = x[i] * y[i] + a")
    path = write(text)
    assert "vfmadd" in good(path, "--emit", "asm", "--cpu=haswell")
    assert "vfmadd" not in good(path, "--emit", "asm", "--cpu=x86-64")


def test_code_for_a_block_shape_is_vectors(write):
    path = write(SAXPY)
    assert "<32 x float>" in good(path, "--emit", "llvm", "--block", "256")
    assert "<32 x float>" not in good(path, "--emit", "llvm", "--cpu")
    assert "zmm" in good(path, "--emit", "asm", "--block=32,8", "--cpu=skylake-avx512")
    assert "zmm" not in good(path, "--emit", "asm", "--block=32,8", "--cpu=haswell")


def test_long_kernels_have_little_code_twice(write):
    """Arms have code for all lanes beside that for some, but not two hundred of them."""
    lines = ["from lanewise import gpu", "@gpu.jit", "def ifs(x: gpu.float32[::1], at: gpu.int32[::1]):"]
    lines += ["    s = x[gpu.grid(1)]", "    j = at[gpu.grid(1)]"]
    for k in range(200):
        lines += [f"    if s > {k}:", f"        s = s * 0.5 + x[at[j + {k}]]", f"        j = at[j + {k}]"]
    lines += ["    x[gpu.grid(1)] = s"]
    code = good(write("\n".join(lines) + "\n"), "--emit", "llvm", "--block", "64")
    assert len(re.findall(r"^arm\d*:", code, re.M)) == 200
    assert 10 < len(re.findall(r"^full\d*:", code, re.M)) < 60


def test_object_file(write, tmp_path):
    out = tmp_path / "saxpy.o"
    good(write(SAXPY), "-o", out)
    assert out.read_bytes()[:4] == b"\x7fELF"
    symbols = subprocess.run(["nm", out], capture_output=True, text=True).stdout
    assert re.search(r" T saxpy$", symbols, re.M), symbols


REVERSE = """
from lanewise import gpu

@gpu.jit
def reverse(x: gpu.float32[::1], out: gpu.float32[::1], f: gpu.float32):
    s = gpu.shared.array(0, gpu.float32)
    n = gpu.blockDim.x * gpu.blockDim.y
    t = gpu.threadIdx.y * gpu.blockDim.x + gpu.threadIdx.x
    i = gpu.blockIdx.x * n + t
    s[t] = x[i] * f
    gpu.syncthreads()
    out[i] = s[n - 1 - t] + i
    if x[i] == 1e30:
        raise ValueError("too much")
"""

REVERSE_MAIN = """
#include <lanewise/object_file.h>
#include <stdio.h>

LW_OBJECT_KERNEL(reverse)

static float x[960], out[960];

static int check(int32_t width, int32_t height) {
  uint64_t parameters[] = {lw_pointer(x), 960, lw_pointer(out), 960, lw_float(0.5f)};
  int32_t n = width * height, grid[3] = {960 / n, 1, 1}, block[3] = {width, height, 1}, i;
  for (i = 0; i < 960; ++i) x[i] = (float)(3 * i), out[i] = -1;
  if (lw_object_run(reverse, &reverse_layout, parameters, grid, block, 4 * n) != 0) return 1;
  for (i = 0; i < 960; ++i)
    if (out[i] != (float)(3 * (i / n * n + n - 1 - i % n)) * 0.5f + (float)i) return 2;
  x[9] = 1e30f;
  return lw_object_run(reverse, &reverse_layout, parameters, grid, block, 4 * n) == -3 ? 0 : 3;
}

int main(void) {
  int32_t none[3] = {0, 1, 1}, one[3] = {1, 1, 1}, wide[3] = {64, 64, 1};
  printf("%d %d %d", check(64, 1), check(16, 6), check(48, 1));
  printf(" %d", (int)lw_object_run(reverse, &reverse_layout, 0, none, one, 0));
  printf(" %d\\n", (int)lw_object_run(reverse, &reverse_layout, 0, one, wide, 0));
  return 0;
}
"""


@pytest.mark.parametrize(
    "blocks, shapes",
    [([], []), (["64"], ["64x1x1"]), (["64", "16,6", "64"], ["16x6x1", "64x1x1"])],
    ids=["none", "one", "two"],
)
@pytest.mark.parametrize("compiler", ["cc -std=c99 -pedantic", "c++ -std=c++20"])
def test_programs_call_object_files(write, tmp_path, blocks, shapes, compiler):
    """The shapes of --block, and any other, give the same."""
    command = compiler.split()
    if not shutil.which(command[0]):
        pytest.skip("no C compiler")
    kernel, program = tmp_path / "reverse.o", tmp_path / "program"
    good(write(REVERSE), "-o", kernel, *(f"--block={block}" for block in blocks))
    include = pathlib.Path(__file__).parents[2] / "runtime" / "include"
    source = tmp_path / ("main.c" if command[0] == "cc" else "main.cpp")
    source.write_text(REVERSE_MAIN)
    warnings = ["-Wall", "-Wextra", "-Werror"]
    subprocess.run([*command, *warnings, f"-I{include}", source, kernel, "-o", program, "-lm"], check=True)
    assert subprocess.run([program], capture_output=True, text=True).stdout == "0 0 0 -2 -2\n"
    code = subprocess.run(["nm", kernel], capture_output=True, text=True).stdout
    assert re.search(r" R reverse_layout$", code, re.M), code
    assert re.findall(r"lanewise\.block\.(\S+)$", code, re.M) == shapes


@pytest.mark.parametrize(
    "extension, holds", [(".ptx", ".version"), (".ll", "define "), (".s", ".text"), (".ir", "saxpy")]
)
def test_kind_by_extension(write, tmp_path, extension, holds):
    out = tmp_path / ("out" + extension)
    assert good(write(SAXPY), "-o", out) == ""
    assert holds in out.read_text()


def test_unwritable_output(write, tmp_path):
    out = tmp_path / "no" / "such" / "folder" / "x.ptx"
    done = kc(write(SAXPY), "-o", out)
    assert done.returncode == 1 and str(out) in done.stderr


def test_arch_and_ptx_version(write):
    path = write(SAXPY)
    for sm in (35, 75, 80, 90, 121):
        assert f".target sm_{sm}" in good(path, "--arch", f"sm_{sm}")
    assert ".version 8.3" in good(path, "--arch", "sm_80", "--ptx-version", "8.3")
