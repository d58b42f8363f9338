"""gpu.cuda_function, gpu.declare_device and link=: CUDA C++ and other device code in kernels.

Results come from the PTX emulator; NVRTC must be on the machine.
"""

import math
import os
import pathlib
import re
import subprocess
import sys

import lanewise
import numpy as np
import pytest
from lanewise import gpu

TOOLKIT = {name: path for name, path, _ in gpu.toolkit()}
needs_nvrtc = pytest.mark.skipif(not TOOLKIT["NVRTC"], reason="NVRTC is not on this machine")
on_cuda = pytest.mark.skipif(
    not gpu.is_available() or not TOOLKIT["NVRTC"], reason="no CUDA driver or emulator, or no NVRTC"
)
SIGNATURE = "void(float32[::1], float32[::1])"


cuda_jit = gpu.jit(target="cuda")


def kernel_of(function):
    @gpu.jit
    def kernel(x, y):
        i = gpu.grid(1)
        if i < x.size:
            y[i] = function(x[i])

    return kernel


def ptx_of(function, **options):
    return gpu.compile_ptx(kernel_of(function), SIGNATURE, **options)[0]


def compile_error(function, **options):
    with pytest.raises(lanewise.CompileError) as caught:
        ptx_of(function, **options)
    return str(caught.value)


SQUARE = "__device__ float square(float x) { return x * x; }"


@on_cuda
def test_scalars_of_every_type():
    source = """
    __device__ long long mixed(bool b, signed char c, unsigned char d, short e, unsigned short f, int g, unsigned h,
                               long long i, unsigned long long j, float k, double l) {
      return b + 2 * c + 3 * d + 4 * e + 5 * f + 6 * g + 7ll * h + 8 * i + 9 * (long long)j + (long long)(10 * k) +
             (long long)(11 * l);
    }
    """
    types = "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float32 float64".split()
    mixed = gpu.cuda_function(source, "mixed", f"int64({', '.join(types)})")

    @cuda_jit
    def kernel(out, b, c, d, e, f, g, h, i, j, k, m):
        out[0] = mixed(b, c, d, e, f, g, h, i, j, k, m)

    values = [True, -3, 250, -300, 65000, -70000, 4_000_000_000, -(2**40), 2**41, 1.5, -2.25]
    out = np.zeros(1, np.int64)
    kernel[1, 1](out, *(np.dtype(t).type(v) for t, v in zip(types, values)))
    products = [n * v for n, v in zip(range(1, 10), values)] + [math.trunc(10 * 1.5), math.trunc(11 * -2.25)]
    assert out[0] == sum(products)


@on_cuda
@pytest.mark.parametrize("kind", ["int8", "uint8", "int16", "uint16", "bool"])
def test_small_results(kind):
    c_type = {"int8": "signed char", "uint8": "unsigned char", "int16": "short", "uint16": "unsigned short", "bool": "bool"}
    source = f"__device__ {c_type[kind]} narrow(int x) {{ return ({c_type[kind]})x; }}"
    narrow = gpu.cuda_function(source, "narrow", f"{kind}(int32)")

    @cuda_jit
    def kernel(x, y):
        i = gpu.grid(1)
        if i < x.size:
            y[i] = narrow(x[i])

    x = np.array([0, 1, -1, 127, 128, 255, 256, 40000, -40000], np.int32)
    y = np.zeros(x.size, np.int64)
    kernel[1, 32](x, y)
    np.testing.assert_array_equal(y, x.astype(kind).astype(np.int64))


@on_cuda
def test_arrays_and_views_are_addresses():
    source = """
    template <class T> __device__ T total(const T* x, int n) { T s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
    __device__ void scale(float* x, int n) { for (int i = 0; i < n; ++i) x[i] *= 2; }
    """
    total = gpu.cuda_function(source, "total<float>", "float32(read-only float32[::1], int32)")
    scale = gpu.cuda_function(source, "scale", "void(float32[::1], int32)")

    @cuda_jit
    def kernel(x, y):
        shared = gpu.shared.array(4, gpu.float32)
        local = gpu.local.array(4, gpu.float32)
        for i in range(4):
            shared[i] = x[i]
            local[i] = x[i] + 1
        scale(shared, 4)
        scale(local[1:], 2)
        y[0] = total(x, x.size)
        y[1] = total(x[2:], 3)
        y[2] = total(shared, 4)
        y[3] = total(local, 4)

    x = np.arange(10, dtype=np.float32)
    x.flags.writeable = False  # the function promises that it only reads it
    y = np.zeros(4, np.float32)
    kernel[1, 1](x, y)
    assert y.tolist() == [45, 2 + 3 + 4, 2 * (0 + 1 + 2 + 3), 1 + 2 * 2 + 2 * 3 + 4]


@on_cuda
def test_structs_complex_numbers_vectors_and_half():
    source = """
    #include <cuda_fp16.h>
    __device__ float2 turn(float2 z) { return make_float2(-z.y, z.x); }
    __device__ float4 add(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
    __device__ __half twice(__half h) { return h + h; }
    struct Both { double large; int small; };
    __device__ Both both(int i) { return {i * 0.5, i + 1}; }
    """
    turn = gpu.cuda_function(source, "turn", "complex64(complex64)")
    add = gpu.cuda_function(source, "add", "float32x4(float32x4, float32x4)")
    twice = gpu.cuda_function(source, "twice", "float16(float16)")
    both = gpu.cuda_function(source, "both", "(float64, int32)(int32)")

    @cuda_jit
    def kernel(z, v, h, d):
        z[0] = turn(z[0])
        s = add(gpu.float32x4(v[0], v[1], v[2], v[3]), gpu.float32x4(1, 2, 3, 4))
        v[0], v[1], v[2], v[3] = s.x, s.y, s.z, s.w
        h[0] = twice(h[0])
        large, small = both(7)
        d[0], d[1] = large, small

    z, v = np.array([3 + 4j], np.complex64), np.array([10, 20, 30, 40], np.float32)
    h, d = np.array([1.25], np.float16), np.zeros(2)
    kernel[1, 1](z, v, h, d)
    assert z[0] == -4 + 3j and v.tolist() == [11, 22, 33, 44] and h[0] == 2.5 and d.tolist() == [3.5, 8]


@on_cuda
def test_names_of_sources_do_not_meet():
    """Two sources with the same names inside, and a kernel and a helper called like them."""
    one = "static __device__ float helper(float x) { return x + 1; } __device__ float f(float x) { return helper(x); }"
    two = "static __device__ float helper(float x) { return x + 2; } __device__ float f(float x) { return helper(x); }"
    first = gpu.cuda_function(one, "f", "float32(float32)")
    second = gpu.cuda_function(two, "f", "float32(float32)")

    @cuda_jit
    def helper(x, y):
        y[0] = first(x[0])
        y[1] = second(x[0])

    x, y = np.array([10], np.float32), np.zeros(2, np.float32)
    helper[1, 1](x, y)
    assert y.tolist() == [11, 12]


@on_cuda
def test_functions_of_one_source_share_its_variables():
    source = """
    __device__ int counter = 40;
    __constant__ int steps[2] = {1, 100};
    __device__ void count() { atomicAdd(&counter, steps[0]); }
    __device__ int value() { return counter + steps[1]; }
    """
    count = gpu.cuda_function(source, "count", "void()")
    value = gpu.cuda_function(source, "value", "int32()")

    @cuda_jit
    def kernel(out):
        count()
        gpu.syncthreads()
        out[gpu.threadIdx.x] = value()

    out = np.zeros(32, np.int32)
    kernel[1, 32](out)
    assert out.tolist() == [40 + 32 + 100] * 32


@on_cuda
def test_barriers_and_shared_memory_inside():
    source = """
    __device__ int sum(int mine) {
      __shared__ int parts[64];
      parts[threadIdx.x] = mine;
      __syncthreads();
      for (int step = 32; step > 0; step /= 2) {
        if (threadIdx.x < step) parts[threadIdx.x] += parts[threadIdx.x + step];
        __syncthreads();
      }
      return parts[0];
    }
    """
    block_sum = gpu.cuda_function(source, "sum", "int32(int32)")

    @cuda_jit
    def kernel(x, y):
        y[gpu.grid(1)] = block_sum(x[gpu.grid(1)])

    x, y = np.arange(64, dtype=np.int32), np.zeros(64, np.int32)
    kernel[1, 64](x, y)
    assert y.tolist() == [sum(range(64))] * 64


@on_cuda
def test_printf_beside_print(capfd):
    hello = gpu.cuda_function('__device__ void hello(int i) { printf("from C %d\\n", i); }', "hello", "void(int32)")

    @cuda_jit
    def kernel():
        print("from Python")
        hello(7)

    kernel[1, 1]()
    gpu.synchronize()
    assert "from C 7" in capfd.readouterr().out


@needs_nvrtc
def test_only_what_is_called_is_taken_over():
    unused = "".join(f"__device__ float other{i}(float x) {{ return x + {i}; }}\n" for i in range(5))
    text = ptx_of(gpu.cuda_function(unused + SQUARE, "square", "float32(float32)"))
    assert "other" not in text and "lanewise_types" not in text and ".extern .func" not in text


@needs_nvrtc
def test_fast_math_and_fma_reach_the_source():
    source = "__device__ float f(float x) { return expf(x) * x + 1; }"
    assert "fma.rn" in ptx_of(gpu.cuda_function(source, "f", "float32(float32)"))
    assert "fma.rn.f32 \t%f" not in ptx_of(gpu.cuda_function(source, "f", "float32(float32)"), fma=False).split("lanewise_call")[-1]
    assert "ex2.approx.ftz" in ptx_of(gpu.cuda_function(source, "f", "float32(float32)"), fastmath=True)


@needs_nvrtc
def test_options_and_include_folders(tmp_path):
    (tmp_path / "amount.h").write_text("#define AMOUNT 3.0f\n")
    source = '#include "amount.h"\n__device__ float f(float x) { return x * AMOUNT + EXTRA; }'
    function = gpu.cuda_function(source, "f", "float32(float32)", options=["-DEXTRA=0.5f"], include_dirs=[tmp_path])
    assert "0f3F000000" in ptx_of(function)


@needs_nvrtc
def test_a_file(tmp_path):
    path = tmp_path / "square.cu"
    path.write_text('#include "amount.h"\n' + SQUARE)
    (tmp_path / "amount.h").write_text("")
    assert "lanewise_call_square" in ptx_of(gpu.cuda_function(path, "square", "float32(float32)"))
    path.write_text("__device__ float square(float x)\n{\n  return x * y;\n}\n")
    said = compile_error(gpu.cuda_function(str(path), "square", "float32(float32)"))
    assert f'{path}:3:14: error: in CUDA C++: identifier "y" is undefined [cuda-source]' in said


@needs_nvrtc
def test_errors_name_this_file_and_line():
    function = gpu.cuda_function("""
        __device__ float square(float x) {
            return x * nothing;  // the error
        }
    """, "square", "float32(float32)")
    text = pathlib.Path(__file__).read_text()
    line = text[: text.index("nothing;  // the error")].count("\n") + 1
    said = compile_error(function)
    assert f'{__file__}:{line}:24: error: in CUDA C++: identifier "nothing" is undefined' in said
    assert "^~~~~~~" in said


@needs_nvrtc
@pytest.mark.parametrize(
    "source, name, signature, says",
    [
        (SQUARE, "sqare", "float32(float32)", "there is no function `sqare` [cuda-source]"),
        (SQUARE, "sqare", "float32(float32)", "did you mean `square`?"),
        ("int unused;", "f", "float32(float32)", "it has no functions"),
        (SQUARE, "square", "float32(float32)", None),
        (SQUARE, "square", "float64(float32)", "is float(float), and its signature says double(float)"),
        (SQUARE + "__device__ double square(double x) { return x; }", "square", "float32(float32)", "is overloaded"),
        ("__device__ int f(float x) { return 1; }", "f", "float32(float32)", "says float(float)"),
        ("__device__ float f(float x, float y) { return 1; }", "f", "float32(float32)", "is float(float, float)"),
        ("__device__ float f(float* x) { return 1; }", "f", "float32(float32)", "is float(float*)"),
        ("struct S { int a[3]; }; __device__ float f(S) { return 1; }", "f", "float32(float32)", "a class of 12 bytes"),
        ("#error not today", "f", "float32(float32)", "not today"),
        ('#include "no_such.h"\n' + SQUARE, "square", "float32(float32)", 'cannot open source file "no_such.h"'),
    ],
)
def test_source_and_signature(source, name, signature, says):
    function = gpu.cuda_function(source, name, signature)
    if says is None:
        assert ".func" in ptx_of(function)
    else:
        assert says in compile_error(function)


@needs_nvrtc
def test_a_promise_to_read_only():
    source = "__device__ float f(float* x) { return *x; }"
    function = gpu.cuda_function(source, "f", "float32(read-only float32[::1])")

    @cuda_jit
    def kernel(x):
        x[0] = function(x)

    with pytest.raises(lanewise.CompileError, match=re.escape("`f` is float(float*), and its signature says float(const float*)")):
        gpu.compile_ptx(kernel, "void(float32[::1])")


@pytest.mark.parametrize(
    "name, signature, says",
    [
        ("f", "float32(flot32)", "did you mean `float32`"),
        ("f", "(float32)", "does not say what `f` returns"),
        ("f", "float32[:](float32)", "cannot be float32[:]"),
        ("f", "float32((int32, int32))", "hand over the items one by one"),
        ("f g", "float32(float32)", "not the name of a C++ function"),
        ("f<int>; int g", "float32(float32)", "not the name of a C++ function"),
    ],
)
def test_bad_descriptions(name, signature, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        gpu.cuda_function(SQUARE, name, signature)


def test_wrong_types_of_arguments():
    with pytest.raises(TypeError, match="source must be CUDA C"):
        gpu.cuda_function(3, "f", "void()")
    with pytest.raises(TypeError, match="lists of texts"):
        gpu.cuda_function(SQUARE, "f", "void()", options="-DN")
    with pytest.raises(ValueError, match="NUL"):
        gpu.cuda_function("\0", "f", "void()")
    with pytest.raises(TypeError, match="fallback must be a function"):
        gpu.cuda_function(SQUARE, "f", "void()", fallback=3)


def test_other_targets_want_a_fallback():
    with pytest.raises(lanewise.CompileError, match=r"`square` is written in CUDA C\+\+.*\[cuda-function\]"):
        gpu.jit(SIGNATURE, target="cpu")(kernel_of(gpu.cuda_function(SQUARE, "square", "float32(float32)")).py_func)
    for target in ("cpu", "interpreter"):
        square = gpu.cuda_function(SQUARE, "square", "float32(float32)", fallback=lambda x: x * x)
        kernel = gpu.jit(target=target)(kernel_of(square).py_func)
        x, y = np.arange(5, dtype=np.float32), np.zeros(5, np.float32)
        kernel[1, 32](x, y)
        np.testing.assert_array_equal(y, x * x)
    assert square(3.0) == 9.0
    with pytest.raises(RuntimeError, match="only kernels on CUDA"):
        gpu.cuda_function(SQUARE, "square", "float32(float32)")(3.0)


@needs_nvrtc
def test_architectures_of_nvrtc():
    """One that NVRTC does not have is an error that says which it has, whatever its version."""
    square = gpu.cuda_function(SQUARE, "square", "float32(float32)")
    with pytest.raises(lanewise.CudaError, match=r"no NVRTC here compiles CUDA C\+\+ for sm_35"):
        ptx_of(square, cc=(3, 5))
    assert ".target sm_90" in ptx_of(square, cc=(9, 0))


@needs_nvrtc
def test_options_that_nvrtc_refuses():
    with pytest.raises(lanewise.CudaError, match="unrecognized option --nonsense"):
        ptx_of(gpu.cuda_function(SQUARE, "square", "float32(float32)", options=["--nonsense"]))


def compile_with_nvrtc(tmp_path, nvrtc):
    script = tmp_path / "script.py"
    script.write_text(
        "from lanewise import gpu\n"
        f"f = gpu.cuda_function({SQUARE!r}, 'square', 'float32(float32)')\n"
        "@gpu.jit\ndef k(x):\n    x[0] = f(x[1])\n"
        "print(gpu.compile_ptx(k, 'void(float32[::1])')[0])\n"
    )
    environment = {**os.environ, "LANEWISE_NVRTC": str(nvrtc)}
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120, env=environment)
    return done.stdout + done.stderr


def test_missing_and_broken_nvrtc(tmp_path):
    said = compile_with_nvrtc(tmp_path, tmp_path)
    assert "NVRTC (compiles CUDA C++) is not on this machine: `pip install nvidia-cuda-nvrtc" in said
    assert str(tmp_path / "libnvrtc.so.13") in said
    broken = tmp_path / "libnvrtc.so.12"
    broken.write_text("not a library")
    said = compile_with_nvrtc(tmp_path, tmp_path)
    assert f"{broken} cannot be used" in said and "Traceback" in said
    source = tmp_path / "stub.c"
    source.write_text("int nvrtcVersion(int* a, int* b) { return 1; }")
    subprocess.run(["gcc", "-shared", "-o", broken, source], check=True)
    assert "it has no nvrtcGetNumSupportedArchs" in compile_with_nvrtc(tmp_path, tmp_path)


# --- what is linked

C_SQUARE = 'extern "C" __device__ float square(float x) { return x * x; }'
NUMBA_SQUARE = 'extern "C" __device__ int square(float* result, float x) { *result = x * x; return 0; }'


def run_square(function, **options):
    kernel = gpu.jit(target="cuda", **options)(kernel_of(function).py_func)
    x, y = np.arange(5, dtype=np.float32), np.zeros(5, np.float32)
    kernel[1, 32](x, y)
    np.testing.assert_array_equal(y, x * x)


@on_cuda
@pytest.mark.parametrize("abi, source", [("c", C_SQUARE), ("numba", NUMBA_SQUARE)])
def test_linked_sources(tmp_path, abi, source):
    path = tmp_path / "square.cu"
    path.write_text(source)
    declared = gpu.declare_device("square", "float32(float32)", abi=abi)
    run_square(declared, link=[path])
    run_square(declared, link=gpu.CUSource(source))
    run_square(gpu.declare_device("square", "float32(float32)", abi=abi, link=[path]))


@on_cuda
def test_linked_ptx():
    ptx = """
.version 6.3
.target sm_75
.address_size 64
.visible .func (.param .b32 func_retval0) square(.param .b32 square_param_0)
{
    .reg .f32 %f<3>;
    ld.param.f32 %f1, [square_param_0];
    mul.f32 %f2, %f1, %f1;
    st.param.f32 [func_retval0+0], %f2;
    ret;
}
"""
    run_square(gpu.declare_device("square", "float32(float32)", abi="c"), link=[gpu.PTXSource(ptx)])


@on_cuda
def test_linked_files_call_each_other():
    first = 'extern "C" __device__ float inner(float x); extern "C" __device__ float square(float x) { return inner(x); }'
    second = 'extern "C" __device__ float inner(float x) { return x * x; }'
    declared = gpu.declare_device("square", "float32(float32)", abi="c")
    run_square(declared, link=[gpu.CUSource(first, "first.cu"), gpu.CUSource(second, "second.cu")])
    with pytest.raises(lanewise.TargetError, match="calls `inner`, which nothing that is linked to it defines"):
        ptx_of(declared, link=[gpu.CUSource(first, "first.cu")])


@needs_nvrtc
@pytest.mark.parametrize(
    "link, says",
    [
        ([], "calls `square`, which nothing that is linked to it defines: name the file"),
        ([gpu.CUSource(C_SQUARE.replace("square", "sqare"))], "did you mean `sqare`?"),
        ([gpu.CUSource(SQUARE)], 'C++ functions need extern "C"'),
        ([gpu.PTXSource("hello")], "<PTXSource>: malformed PTX: unexpected `hello`"),
        ([gpu.PTXSource(".version 7.0\n.target sm_80\n.visible .func square(")], "a statement is not ended"),
        ([gpu.PTXSource("")], "it has no .version"),
        ([gpu.CUSource(C_SQUARE, "a.cu"), gpu.CUSource(C_SQUARE, "b.cu")], "`square` is defined in a.cu and in b.cu"),
    ],
)
def test_what_cannot_be_linked(link, says):
    with pytest.raises(lanewise.TargetError) as caught:
        ptx_of(gpu.declare_device("square", "float32(float32)", abi="c"), link=link)
    assert says in str(caught.value)


def test_bad_links(tmp_path):
    declared = gpu.declare_device("square", "float32(float32)", abi="c")
    with pytest.raises(lanewise.LaunchError, match="no kind of device code"):
        ptx_of(declared, link=["x.txt"])
    with pytest.raises(lanewise.LaunchError, match="cannot read"):
        ptx_of(declared, link=[tmp_path / "none.cu"])
    with pytest.raises(TypeError, match="link wants paths"):
        ptx_of(declared, link=[3])
    with pytest.raises(TypeError, match="wants bytes or text"):
        gpu.Cubin(3)
    with pytest.raises(ValueError, match="abi is"):
        gpu.declare_device("f", "void()", abi="rust")
    with pytest.raises(ValueError, match="integers, bool, float32"):
        gpu.declare_device("f", "complex64(complex64)", abi="c")
