"""The command line of kc: what goes to which stream, exit statuses, which kernels of a file are compiled.

KC is the program under test.
"""

import json
import os
import pathlib
import random
import re
import shutil
import subprocess

import pytest

KC = os.environ["KC"]
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"

SAXPY = """
from lanewise import gpu
from lanewise.gpu import float32

@gpu.jit
def saxpy(a: float32, x: float32[::1], y: float32[::1]):
    i = gpu.grid(1)
    if i < y.size:
        y[i] += a * x[i]
"""

UNTYPED = """
from lanewise import gpu

@gpu.jit
def scale(x, f):
    i = gpu.grid(1)
    if i < x.size:
        x[i] *= f
"""

TWO = """
from lanewise import gpu

@gpu.jit("void(float32[::1])")
def first(x):
    x[gpu.grid(1)] = 1

@gpu.jit("void(int32[::1])")
def second(x):
    x[gpu.grid(1)] = 2
"""


def kc(*arguments, stdin=None, cwd=None):
    return subprocess.run([KC, *map(str, arguments)], input=stdin, capture_output=True, text=True, timeout=120, cwd=cwd)


def good(*arguments, **keywords):
    done = kc(*arguments, **keywords)
    assert done.returncode == 0, done.stderr
    return done.stdout


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


# --- which kernels, which types


def test_types_from_signature(write):
    path = write(UNTYPED)
    for signature in ("scale(float32[::1], float32)", "void(float32[::1], float32)", "(f4[::1], f4)"):
        assert "kernel scale(x: float32[::1], f: float32):" in good(path, "--emit", "typed", "--signature", signature)


def test_two_signatures_of_one_kernel(write):
    path, one, two = write(UNTYPED), "scale(float32[::1], float32)", "scale(float64[::1], float64)"
    for second in (two, "void(float64[::1], float64)"):
        done = kc(path, "--signature", one, "--signature", second)
        assert done.returncode == 2 and done.stdout == ""
        assert f"two signatures for kernel `scale`: `{one}` and `{second}`" in done.stderr
    # Of two kernels each has its own.
    both = ("--signature", "first(float64[::1])", "--signature", "void(int16[::1])")
    assert "kernel first(x: float64[::1])" in good(write(TWO), "--kernel", "first", "--emit", "typed", *both[:2])
    assert kc(write(TWO), "-o", f"{path.parent}/", *both).returncode == 0


def test_signature_goes_before_annotations(write):
    out = good(write(SAXPY), "--emit", "typed", "--signature", "saxpy(float64, float64[::1], float64[::1])")
    assert "kernel saxpy(a: float64," in out


@pytest.mark.parametrize(
    "signature",
    [
        "scale(float32[::1])",
        "scale(float32[::1], float33)",
        "scale(float32[::1], float32",
        "float32(float32[::1], float32)",
        "void(float32[::1], float32, int64)",
        "",
    ],
)
def test_bad_signature(write, signature):
    done = kc(write(UNTYPED), "--signature", signature)
    assert done.returncode == 1, done.stdout
    assert "error: " in done.stderr and done.stdout == ""


def test_signature_of_another_kernel_or_with_a_result(write):
    path = write(UNTYPED)
    done = kc(path, "--kernel", "scale", "--signature", "shrink(float32[::1], float32)")
    assert done.returncode == 1 and "there is no kernel `shrink`" in done.stderr
    done = kc(write(UNTYPED.replace("@gpu.jit", '@gpu.jit("shrink(float32[::1], float32)")')))
    assert "the signature is for `shrink`, the kernel is called `scale` [signature-name]" in done.stderr
    done = kc(path, "--signature", "int32(float32[::1], float32)")
    assert done.returncode == 1
    assert (
        "<signature>:1:1: error: kernel `scale` cannot have a result; the signature says int32 [signature-result]"
        in done.stderr
    )


def test_kernel_without_types_says_the_way_out(write):
    path = write(UNTYPED)
    done = kc(path)
    assert done.returncode == 1
    assert f"{path}:5:5: error: kernel `scale` has no argument types [no-argument-types]" in done.stderr
    assert '--signature, such as "scale(float32[::1], float32)"' in done.stderr


def test_untyped_kernel_is_left_out_beside_typed_ones(write):
    done = kc(write(TWO.replace('("void(int32[::1])")', "")))
    assert done.returncode == 0 and ".entry first(" in done.stdout
    assert "`second`" in done.stderr
    done = kc(write(TWO.replace('("void(int32[::1])")', "")), "--kernel", "second")
    assert done.returncode == 1 and "no-argument-types" in done.stderr


def test_several_kernels(write, tmp_path):
    path = write(TWO)
    done = kc(path)
    assert done.returncode == 2 and "`first`, `second`" in done.stderr and done.stdout == ""
    only = good(path, "--kernel", "second")
    assert ".entry second(" in only and ".entry first(" not in only
    out = tmp_path / "ptx"
    good(path, "-o", f"{out}/")
    assert sorted(p.name for p in out.iterdir()) == ["first.ptx", "second.ptx"]
    assert ".entry second(" in (out / "second.ptx").read_text()
    good(path, "-o", out, "--emit", "ir")
    assert (out / "first.ir").exists()


def test_misspelt_kernel(write):
    done = kc(write(TWO), "--kernel", "secnd")
    assert done.returncode == 1 and "did you mean `second`?" in done.stderr


def test_file_without_kernels(write):
    done = kc(write("import os\nprint(os.getcwd())\n"))
    assert done.returncode == 1 and "@gpu.jit" in done.stderr


LANGUAGE = """
from collections import namedtuple

import numpy as np
from lanewise import gpu
from lanewise.gpu.random import philox_uniform_float32, xoroshiro128p_uniform_float32

Pair = namedtuple("Pair", "first second")
DT = np.dtype([("x", np.float32), ("n", np.int16)], align=True)


@gpu.jit(device=True)
def both(z, b=None, *more):
    return Pair(abs(z), len(more) if b is None else b)


@gpu.jit("void(complex64[::1], bfloat16[:], float32[:, ::1])")
def numbers(z, b, out):
    i = gpu.grid(1)
    v = gpu.float32x4(z[i].real, 1, 2, b[i])
    p = both(z[i], v.w)
    out[i, :] = out[i, :] * 0.5 + p.first
    out[i, 0] = (v * p.second).y + z.imag.sum()


@gpu.jit("void(record(x: float32, n: int16)[::1], record(s0: uint64, s1: uint64)[::1], Tuple(int32, UniTuple(float32, 2)))")
def records(p, states, t):
    i = gpu.grid(1)
    here = gpu.shared.array(32, DT)
    here[i] = p[i]
    gpu.syncthreads()
    p[i] = (philox_uniform_float32(1, i) + t[1][i % 2], here[i].n + t[0])
    p[i].x += xoroshiro128p_uniform_float32(states, i) + gpu.shfl_xor_sync(0xFFFFFFFF, p[i].x, 1)
    assert p[i].n < 100, f"{p[i].n} is too much"
"""


@pytest.mark.parametrize("emit", ["ptx", "ir", "typed", "asm", "llvm", "cuda"])
def test_the_whole_language(write, emit):
    path = write(LANGUAGE)
    for kernel in ("numbers", "records"):
        assert kernel in good(path, "--kernel", kernel, "--emit", emit, *(["--cpu"] if emit == "asm" else []))


def test_signatures_of_the_whole_language(write):
    out = good(write(LANGUAGE), "--kernel", "records", "--emit", "typed")
    assert "kernel records(p: record(x: float32, n: int16)[::1], states: record(s0: uint64, s1: uint64)[::1]," in out
    assert "t: (int32, (float32, float32))" in out
    ptx = good(write(LANGUAGE), "--kernel", "records", "--emit", "ptx")
    # two arrays of records, each a pointer and a length, and three scalars
    assert len(re.findall(r"^\s*\.param \.\w+ .*records_param_\d+", ptx, re.M)) == 7


def test_cuda_cpp(write):
    text = good(write(SAXPY), "--emit", "cuda", "--arch", "sm_80", "--launch-bounds", "256,2", "--ftz")
    assert text.startswith("// saxpy: CUDA C++ by Lanewise. Compile with -arch=compute_80 -ftz=true\n")
    assert 'extern "C" __global__ void __launch_bounds__(256, 2) saxpy(float a, const float *x,' in text
    assert "    y[i] += a * x[i];\n" in text


# --- diagnostics


def test_several_errors_in_one_run(write):
    path = write(TWO.replace("= 1", "= one").replace("= 2", "= two"))
    done = kc(path, "-o", f"{path.parent}/out/")
    assert done.returncode == 1
    assert f"{path}:6:22: error: " in done.stderr and f"{path}:10:22: error: " in done.stderr
    assert "^" in done.stderr
    assert not list((path.parent / "out").glob("*")) if (path.parent / "out").exists() else True


def test_several_errors_in_one_kernel(write):
    done = kc(write(SAXPY.replace("y.size", "n").replace("x[i]", "z[i]")))
    assert done.returncode == 1
    assert "`n`" in done.stderr and "`z`" in done.stderr
    assert done.stderr.count(" error: ") == 2


def test_syntax_error(write):
    path = write(SAXPY.replace("if i < y.size:", "if i < y.size"))
    done = kc(path)
    assert done.returncode == 1 and re.search(rf"{re.escape(str(path))}:8:\d+: error: ", done.stderr)


def test_warnings_do_not_stop_and_can_be_turned_off(write):
    path = write(SAXPY.replace("        y[i] += a * x[i]", "        n = 1\n    y[0] = n"))
    done = kc(path)
    assert done.returncode == 0 and ".entry saxpy(" in done.stdout
    assert f"{path}:10:12: warning: " in done.stderr and "[maybe-unbound]" in done.stderr
    done = kc(path, "-w")
    assert done.returncode == 0 and done.stderr == ""


# --- constants, imports, options


CONSTANT = """
from lanewise import gpu

TILE = 4

@gpu.jit("void(int32[::1])")
def fill(x):
    x[gpu.threadIdx.x] = TILE
"""


def test_define(write):
    path = write(CONSTANT)
    assert "int32(4)" in good(path, "--emit", "typed")
    for option in (["-DTILE=7"], ["-D", "TILE=7"], ["--define", "TILE=3 + 4"], ["--define=TILE=np.int32(7)"]):
        assert "int32(7)" in good(path, "--emit", "typed", *option), option


@pytest.mark.parametrize(
    "value", ["", "foo()", "1 +", "os.getcwd()", "1\nimport os", "[", "1 if", "{}", "'", "#", "1);x=(2"]
)
def test_bad_define(write, value):
    done = kc(write(CONSTANT), f"-DTILE={value}")
    assert done.returncode == 1 and "is not the text of a constant [bad-constant]" in done.stderr, done.stdout


def test_define_of_a_kernel(write):
    done = kc(write(CONSTANT), "-Dfill=3")
    assert done.returncode == 1 and done.stdout == ""
    assert "-Dfill=3: `fill` is a kernel" in done.stderr


def test_values_of_other_modules_have_no_define(write):
    write("Q = open('q').read()\n\ndef abs(x):\n    return x\n", "b.py")
    path = write(CONSTANT.replace("TILE = 4", "import b").replace("= TILE", "= b.Q + b.abs(1)"))
    done = kc(path)
    assert done.returncode == 1 and "kernels cannot use `b.Q`: it is computed by host code" in done.stderr
    assert "-D" not in done.stderr and "decorate it with `@gpu.jit(device=True)`" in done.stderr


def test_imported_kernel_modules(write, tmp_path):
    helper = "from lanewise import gpu\n\n@gpu.jit(device=True)\ndef twice(v):\n    return v + v\n"
    kernel = CONSTANT.replace("TILE = 4", "from helpers.maths import twice").replace("TILE", "twice(21)")
    write(helper, "beside/helpers/maths.py")
    beside = write(kernel, "beside/main.py")
    assert ".entry fill(" in good(beside)
    elsewhere = write(kernel, "elsewhere/main.py")
    assert kc(elsewhere).returncode == 1
    assert ".entry fill(" in good(elsewhere, "-I", tmp_path / "beside")
    assert ".entry fill(" in good(elsewhere, f"-I{tmp_path / 'beside'}")


def test_error_in_an_imported_module_names_its_file(write):
    helper = write("from lanewise import gpu\n\n@gpu.jit(device=True)\ndef twice(v):\n    return v + w\n", "helpers.py")
    path = write(CONSTANT.replace("TILE = 4", "from helpers import twice").replace("TILE", "twice(21)"))
    done = kc(path)
    assert done.returncode == 1 and f"{helper}:5:16: error: " in done.stderr


def test_fma_and_fast_math(write):
    path = write(SAXPY.replace("y[i] += a * x[i]", "y[i] = a * x[i] + y[i] / a"))
    assert "fma.rn.f32" in good(path)
    assert "fma.rn.f32" not in good(path, "--no-fma")
    assert "div.rn.f32" in good(path)
    assert "div.rn.f32" not in good(path, "--fast-math")


def test_line_info(write):
    assert re.search(r"^\s*\.loc\s", good(write(SAXPY), "--line-info"), re.M)


def test_options_of_cuda_code(write):
    path = write(SAXPY)
    plain = good(path)
    for word in (".maxntid", ".minnctapersm", ".maxnreg", "ftz", ".nc"):
        assert word not in plain
    bounded = good(path, "--launch-bounds", "128,3")
    assert ".maxntid 128" in bounded and ".minnctapersm 3" in bounded
    assert ".maxnreg 40" in good(path, "--max-registers", "40")
    assert "fma.rn.ftz.f32" in good(path, "--ftz")
    assert "ld.global.nc" in good(path, "--checked-launch")


def test_example_kernel_file():
    assert ".visible .entry saxpy(" in good(EXAMPLES / "saxpy_kernel.py", "--arch", "sm_80")


# --- nothing crashes


def test_mutated_files_end_in_status_0_or_1(write):
    rng = random.Random(7)
    words = [*"()[]{}:,;=+-*/%<>@.\"'#\\\n\t", "if ", "for ", "def ", "\n    ", "1e999", "0x", "gpu.", "lambda ", "ä"]
    for number in range(60):
        text = list(SAXPY + CONSTANT)
        for _ in range(rng.randint(1, 6)):
            at = rng.randrange(len(text))
            if rng.random() < 0.5:
                text[at] = rng.choice(words)
            else:
                del text[at : at + rng.randint(1, 20)]
        path = write("".join(text), f"m{number}.py")
        done = kc(path, "-o", f"{path.parent}/out/", "--emit", rng.choice(["tokens", "ast", "ptx", "ir"]))
        assert done.returncode in (0, 1), (done.returncode, done.stderr, "".join(text))
        assert "internal error" not in done.stderr, (done.stderr, "".join(text))


@pytest.mark.parametrize(
    "statement",
    [
        "x[0] = " + "(" * 5000 + "1" + ")" * 5000,
        "x[0] = " + "-" * 20000 + "1",
        "x[0] = " + " + ".join(["x[0]"] * 20000),
        "x[0] = " + "x[" * 5000 + "0" + "]" * 5000,
        "x[0] = " + "1 if x[0] else " * 5000 + "2",
        "x[0] = " + " and ".join(["x[0]"] * 5000),
        "if x[0] == 0:\n        pass" + "".join(f"\n    elif x[0] == {i}:\n        x[0] = {i}" for i in range(5000)),
        "\n".join("    " * i + "if x[0]:" for i in range(1, 99)) + "\n" + "    " * 99 + "x[0] = 1",
        "x[0] = " + "(lambda: " * 3000 + "1" + ")()" * 3000,
        "x[0] = 1\n    " * 20000 + "pass",
    ],
    ids=["parentheses", "signs", "sum", "subscripts", "ternary", "and", "elif", "if", "lambda", "long"],
)
def test_deep_and_long_input(write, statement):
    path = write(TWO.replace("x[gpu.grid(1)] = 1", statement.lstrip()))
    done = kc(path, "--kernel", "first", "--emit", "ir")
    assert done.returncode in (0, 1), (done.returncode, done.stderr[-2000:])
    assert "internal error" not in done.stderr, done.stderr[-2000:]


def test_diagnostics_as_json(write):
    path = write("""
from lanewise import gpu

@gpu.jit(device=True)
def inner(x):
    return x & 1

@gpu.jit("void(float32[::1])")
def k(x):
    x[0] = inner(x[1])
""")
    done = kc(path, "--diagnostics=json")
    assert done.returncode == 1 and done.stdout == ""
    (error,) = json.loads(done.stderr)
    place = {"file": str(path), "line": 6, "column": 14, "end_line": 6, "end_column": 15}
    assert error["id"] == "operand-types" and error["severity"] == "error"
    assert error["message"] == "`&` does not work on float32 and int"
    assert error["hint"].startswith("convert with")
    assert {key: error[key] for key in place} == place
    assert error["labels"][0]["text"].startswith("`x` is float32") and error["labels"][0]["line"] == 5
    assert error["call_chain"][0]["text"] == "`inner` is called here" and error["call_chain"][0]["line"] == 10
    assert error["rendered"].startswith(f"{path}:6:14: error: ")


def test_json_is_one_document_whatever_happens(write, tmp_path):
    assert json.loads(kc(write(SAXPY), "--diagnostics", "json").stderr) == []
    (failure,) = json.loads(kc(tmp_path / "none.py", "--diagnostics", "json").stderr)
    assert "cannot read" in failure["message"] and failure["severity"] == "error"
    latin = tmp_path / "latin.py"
    latin.write_bytes(b"x = '\xe9'\n")
    assert json.loads(kc(latin, "--diagnostics", "json").stderr)[0]["id"] == "invalid-utf8"
    assert kc(write(SAXPY), "--diagnostics", "xml").returncode == 2


def test_performance_notes_are_off_by_default(write):
    path = write("""
from lanewise import gpu

@gpu.jit("void(float32[:, ::1])")
def k(a):
    i, j = gpu.grid(2)
    a[i, j] = 1
""")
    assert kc(path).stderr == ""
    done = kc(path, "--performance-notes")
    assert done.returncode == 0 and "performance: " in done.stderr and "[uncoalesced-access]" in done.stderr


BAD_TEXTS = {
    "latin-1": (SAXPY + "# \u00fc\n").encode("latin-1"),
    "declared latin-1": ("# -*- coding: latin-1 -*-\n" + SAXPY + "# \u00fc\n").encode("latin-1"),
    "utf-16": SAXPY.encode("utf-16"),
    "nul": (SAXPY + "\0").encode(),
    "brackets": (SAXPY + "    y[0] = " + "(" * 10_000 + "1" + ")" * 10_000 + "\n").encode(),
    "open brackets": (SAXPY + "    y[0] = " + "[" * 10_000 + "\n").encode(),
    "and": (SAXPY + "    y[0] = " + " and ".join(["a"] * 20_000) + "\n").encode(),
    "compare": (SAXPY + "    y[0] = " + " < ".join(["a"] * 20_000) + "\n").encode(),
    "arguments": (SAXPY + "    y[0] = max(" + ", ".join(["a"] * 20_000) + ")\n").encode(),
    "patterns": (SAXPY + "    match y.size:\n        case " + "|".join(map(str, range(20_000))) + ": pass\n").encode(),
    "blocks": (SAXPY + "".join("    " * (n + 1) + "if a:\n" for n in range(2000))).encode(),
    "tabs": (SAXPY + "    if a:\n\ty[0] = 1\n        y[0] = 2\n").encode(),
    "f-strings": (SAXPY + "    print(" + "f'{" * 300 + "1" + "}'" * 300 + ")\n").encode(),
}


@pytest.mark.parametrize("name", BAD_TEXTS)
def test_texts_that_are_no_good_end_soon(tmp_path, name):
    path = tmp_path / "bad.py"
    path.write_bytes(BAD_TEXTS[name])
    done = subprocess.run([KC, path, "--emit", "ptx"], capture_output=True, timeout=60)
    assert done.returncode == 1, done.stderr[-500:]
    assert b"bad.py:" in done.stderr and b"error:" in done.stderr


def test_a_large_file(write):
    host = "".join(f"x{i} = {{'a': [{i}, (2, 3)], 'b': f'{{{i}}}'}}\n" for i in range(30_000))
    assert ".entry saxpy(" in good(write(host + SAXPY), "--emit", "ptx")


def test_print_and_raise(write):
    text = good(write(SAXPY + "        print(f'{y[i]:.2f}', i)\n    assert a > 0, 'a'\n"), "--emit", "ptx")
    assert "vprintf" in text
    ir = good(write(SAXPY + "    if a < 0:\n        raise ValueError('a is', a)\n"), "--emit", "ir")
    assert "message 0 @ValueError : \"('a is', {})\"" in ir and "report 0 %a" in ir
    done = kc(write(SAXPY + "        print(f'{y[i]:,}')\n"), "--emit", "ptx")
    assert done.returncode == 1 and "CUDA's printf does not have" in done.stderr


MACHINE = """
from lanewise import gpu

@gpu.jit("void(uint32[::1])")
def lanes(x):
    x[gpu.grid(1)] = gpu.inline_ptx("mov.u32 %0, %%laneid;", gpu.uint32)

@gpu.jit("void(int32[::1])")
def meets(x):
    i = gpu.grid(1)
    x[i] = 1
    gpu.cg.this_grid().sync()
    x[i] += x[0]
"""


def test_inline_ptx_is_for_cuda(write):
    assert "%laneid;" in good(write(MACHINE), "--kernel", "lanes", "-o", "-")
    assert "ptx 0 : " in good(write(MACHINE), "--cpu", "--emit", "ir", "--kernel", "lanes", "-o", "-")
    for kind in ("asm", "llvm"):
        refused = kc(write(MACHINE), "--cpu", "--emit", kind, "--kernel", "lanes", "-o", "-")
        assert refused.returncode == 1
        assert ":6:22: error: inline PTX runs on CUDA only, and this is compiled for the CPU [cuda-only]" in refused.stderr


def test_object_files_have_no_grid_barriers(write, tmp_path):
    assert ".red.or" in good(write(MACHINE), "--kernel", "meets", "-o", "-")
    refused = kc(write(MACHINE), "--kernel", "meets", "-o", tmp_path / "meets.o")
    assert refused.returncode == 1 and "waits for the whole grid, for which an object file has no runtime" in refused.stderr
