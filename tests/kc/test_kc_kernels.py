"""Which kernels of a file kc compiles, for which types, with which constants, imports and options."""

import re

import pytest
from kc_support import CONSTANT, EXAMPLES, SAXPY, TWO, UNTYPED, good, kc

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


# --- constants, imports, options


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
