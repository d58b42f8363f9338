"""What Python shows of a GPU's code: the toolkit, gpu.compile, machine code, what the driver says of a kernel."""

import os
import re
import subprocess
import sys

import lanewise
import numpy as np
import pytest
from lanewise import gpu

TOOLKIT = {name: path for name, path, _ in gpu.toolkit()}
needs_emulator = pytest.mark.skipif(not gpu.is_available(), reason="no CUDA driver or emulator")
needs_assembler = pytest.mark.skipif(
    not TOOLKIT["nvJitLink"] and not TOOLKIT["ptxas"], reason="neither nvJitLink nor ptxas is on this machine"
)
NOTHING = {f"LANEWISE_{name}": "/nonexistent" for name in
           "LIBDEVICE NVRTC NVJITLINK CUDA_INCLUDE PTXAS NVDISASM CUOBJDUMP FATBINARY".split()}


def scale(x, f):
    i = gpu.grid(1)
    if i < x.size:
        x[i] *= f


def half(x):
    return x * 0.5


SIGNATURE = "void(float32[::1], float32)"


def python(code, **environment):
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, env={**os.environ, **environment}
    )
    return done.stdout + done.stderr


# --- the toolkit


def test_toolkit_names_every_piece():
    assert list(TOOLKIT) == [
        "libdevice", "NVRTC", "nvJitLink", "the CUDA headers", "ptxas", "nvdisasm", "cuobjdump", "fatbinary"
    ]


def test_variables_come_first_and_alone(tmp_path):
    (tmp_path / "ptxas").write_text("")
    (tmp_path / "ptxas").chmod(0o755)
    said = python("from lanewise import gpu; print(gpu.toolkit())", **{**NOTHING, "LANEWISE_PTXAS": str(tmp_path)})
    assert re.findall(r"\('([^']+)', '([^']+)'", said) == [("ptxas", f"{tmp_path}/ptxas")]


@pytest.mark.parametrize(
    "below, piece",
    [
        ("cuda_nvrtc/lib/libnvrtc.so.12", "NVRTC"),
        ("cu13/lib/libnvrtc.so.13", "NVRTC"),
        ("nvjitlink/lib/libnvJitLink.so.12", "nvJitLink"),
        ("cu13/lib/libnvJitLink.so.13", "nvJitLink"),
        ("cuda_nvcc/nvvm/libdevice/libdevice.10.bc", "libdevice"),
        ("cu13/nvvm/libdevice/libdevice.10.bc", "libdevice"),
        ("cuda_runtime/include/cuda_fp16.h", "the CUDA headers"),
        ("cu13/bin/nvdisasm", "nvdisasm"),
    ],
)
def test_wheels_of_the_running_python(tmp_path, below, piece):
    """As NVIDIA's wheels for CUDA 12 and 13 lay it out, in a folder of sys.path."""
    file = tmp_path / "site-packages" / "nvidia" / below
    file.parent.mkdir(parents=True)
    file.write_text("")
    file.chmod(0o755)
    code = (
        f"import sys; sys.path.append({str(tmp_path / 'site-packages')!r})\n"
        f"from lanewise import gpu; print([path for name, path, _ in gpu.toolkit() if name == {piece!r}])"
    )
    environment = {name: "" for name in ("CUDA_HOME", "CUDA_PATH", *NOTHING)}
    found = str(file.parent if piece == "the CUDA headers" else file)
    # Wheels of this very Python may be before it on sys.path.
    said = python(code, **environment)
    assert found in said or "/nvidia/" in said


def test_cuda_home(tmp_path):
    file = tmp_path / "bin" / "cuobjdump"
    file.parent.mkdir()
    file.write_text("")
    file.chmod(0o755)
    environment = {name: "" for name in NOTHING}
    said = python("from lanewise import gpu; print(gpu.toolkit())", **environment, CUDA_HOME=str(tmp_path))
    assert f"('cuobjdump', '{file}'" in said


def test_nothing_is_touched_at_import():
    code = (
        "import lanewise.gpu\n"
        "maps = open('/proc/self/maps').read()\n"
        "print([name for name in ('libcuda', 'libnvrtc', 'libnvJitLink') if name in maps])"
    )
    assert python(code) == "[]\n"


def test_missing_libdevice_names_the_wheel():
    code = (
        "from lanewise import gpu\nimport math\n"
        "f = gpu.jit(source='def k(x):\\n    x[0] = math.sin(x[0])', target='interpreter')\n"
        "def k(x):\n    x[0] = math.sin(x[0])\n"
        "print(gpu.compile_ptx(f(k), 'void(float32[::1])'))"
    )
    said = python(code, **NOTHING)
    assert "`pip install nvidia-cuda-nvcc-cu12`" in said and "LANEWISE_LIBDEVICE" in said


# --- compile


def test_compile_makes_device_functions():
    ptx, result = gpu.compile(half, "float32(float32)")
    assert result == gpu.float32 and re.search(r"\.func +\(.*\) half\(", ptx)
    ptx, _ = gpu.compile(half, "float32(float32)", cc=(9, 0), abi_info={"abi_name": "my_half"}, lineinfo=True)
    assert re.search(r"\.func +\(.*\) my_half\(", ptx) and ".target sm_90" in ptx and ".loc" in ptx


def test_compile_makes_kernels():
    ptx, result = gpu.compile(scale, SIGNATURE, device=False, cc=(3, 5), launch_bounds=128)
    assert result == gpu.void and ".entry scale" in ptx and ".target sm_35" in ptx and ".maxntid 128" in ptx


@pytest.mark.parametrize(
    "options, says",
    [
        ({"output": "ltoir"}, 'output is "ptx" or "cubin"'),
        ({"abi": "rust"}, "unsupported ABI"),
        ({"abi": "numba"}, "the calling convention of C"),
    ],
)
def test_compile_refuses(options, says):
    with pytest.raises(ValueError, match=says):
        gpu.compile(half, "float32(float32)", **options)


@needs_assembler
def test_cubins():
    cubin, result = gpu.compile(scale, SIGNATURE, device=False, output="cubin")
    assert cubin[:4] == b"\x7fELF" and result == gpu.void


def test_without_an_assembler():
    code = (
        "from lanewise import gpu\n"
        "f = lambda x: x * 2\n"
        "gpu.compile(gpu.device(f, source='lambda x: x * 2'), 'float32(float32)', output='cubin')"
    )
    said = python(code, **NOTHING)
    assert "a cubin is made by nvJitLink or ptxas, and neither is on this machine" in said


@needs_emulator
def test_for_the_current_device():
    sm = "sm_{}{}".format(*gpu.get_current_device().compute_capability)
    assert f".target {sm}" in gpu.compile_for_current_device(half, "float32(float32)")[0]
    assert f".target {sm}" in gpu.compile_ptx_for_current_device(scale, SIGNATURE)[0]


def test_there_is_no_current_device():
    code = (
        "from lanewise import gpu\n"
        "f = lambda x: x * 2\n"
        "gpu.compile_for_current_device(gpu.device(f, source='lambda x: x * 2'), 'float32(float32)')"
    )
    said = python(code, LANEWISE_CUDA_DRIVER="/nonexistent/libcuda.so.1")
    assert "CudaError: there is no current device" in said and "no CUDA driver" in said


# --- what the driver says


@needs_emulator
def test_resources():
    @gpu.jit(target="cuda", launch_bounds=256)
    def kernel(x):
        tile = gpu.shared.array(64, gpu.float32)
        tile[gpu.threadIdx.x] = x[gpu.grid(1)]
        gpu.syncthreads()
        x[gpu.grid(1)] = tile[63 - gpu.threadIdx.x]

    with pytest.raises(ValueError, match="not compiled"):
        kernel.get_regs_per_thread()
    kernel[1, 64](np.zeros(64, np.float32))
    assert kernel.get_shared_mem_per_block() == 256
    assert kernel.get_max_threads_per_block() == 256
    assert kernel.get_regs_per_thread() > 0
    assert kernel.get_local_mem_per_thread() >= 0 and kernel.get_const_mem_size() >= 0
    kernel[1, 64](np.zeros(64, np.float64))
    by_signature = kernel.get_shared_mem_per_block()
    assert sorted(by_signature.values()) == [256, 256] and len(by_signature) == 2
    assert kernel.get_shared_mem_per_block("void(float64[::1])") == 256


def test_resources_are_a_gpus():
    kernel = gpu.jit(SIGNATURE, target="cpu")(scale)
    with pytest.raises(lanewise.LaunchError, match="kernel `scale` is not compiled for CUDA"):
        kernel.get_regs_per_thread()


@needs_assembler
def test_sass(tmp_path, monkeypatch):
    kernel = gpu.jit(SIGNATURE, target="cpu")(scale)
    fake = tmp_path / "nvdisasm"
    fake.write_text('#!/bin/sh\nhead -c 4 "$2" | od -c\n')
    fake.chmod(0o755)
    monkeypatch.setenv("LANEWISE_NVDISASM", str(fake))
    assert "E   L   F" in kernel.inspect_sass()
    monkeypatch.setenv("LANEWISE_NVDISASM", "/nonexistent")
    monkeypatch.setenv("LANEWISE_CUOBJDUMP", "/nonexistent")
    with pytest.raises(lanewise.CudaError, match="nvdisasm.*is not on this machine"):
        kernel.inspect_sass()


@pytest.mark.skipif(not TOOLKIT["nvdisasm"] and not TOOLKIT["cuobjdump"], reason="no nvdisasm and no cuobjdump")
@needs_assembler
def test_real_sass():
    assert "FMUL" in gpu.jit(SIGNATURE, target="cpu")(scale).inspect_sass()


@needs_emulator
@pytest.mark.skipif(not TOOLKIT["NVRTC"], reason="NVRTC is not on this machine")
def test_a_driver_that_is_older_than_nvrtc(tmp_path):
    """A merge has NVRTC's PTX version: a driver that does not take it, and no nvJitLink."""
    script = tmp_path / "script.py"
    script.write_text(
        "import numpy as np\nfrom lanewise import gpu\n"
        'f = gpu.cuda_function("__device__ float f(float x) { return x; }", "f", "float32(float32)")\n'
        "@gpu.jit(target='cuda')\ndef k(x):\n    x[0] = f(x[1])\n"
        "k[1, 1](np.zeros(2, np.float32))\n"
    )
    environment = {**os.environ, **NOTHING, "LANEWISE_NVRTC": TOOLKIT["NVRTC"], "PTXEMU_DRIVER": "11040"}
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120, env=environment)
    assert re.search(r"the code needs PTX (8|9)\.\d, the driver takes 7\.4 at most; it has CUDA C\+\+", done.stderr), done.stderr
    assert "nvidia-nvjitlink" in done.stderr


# --- what is there without a driver, and what assemblers say


def test_texts_without_a_driver():
    code = (
        "import numpy as np\n"
        "from lanewise import gpu\n"
        "text = 'def k(x):\\n    i = gpu.grid(1)\\n    x[i] = gpu.inline_ptx(\"add.u32 %0, %1, 1;\", gpu.uint32, x[i])\\n'\n"
        "names = {'gpu': gpu}\n"
        "exec(text, names)\n"
        "k = gpu.jit(names['k'], target='cuda', source=text)\n"
        "for show in (k.inspect_ptx, k.inspect_asm, k.inspect_llvm, k.inspect_cuda, k.inspect_ir):\n"
        "    assert 'add.u32' in show('void(uint32[::1])'), show\n"
        "k[1, 1](np.zeros(1, np.uint32))"
    )
    said = python(code, LANEWISE_CUDA_DRIVER="/nonexistent/libcuda.so.1")
    assert "CudaError: no CUDA driver: /nonexistent/libcuda.so.1" in said


def test_a_driver_that_is_not_there_is_no_silent_cpu():
    code = (
        "import numpy as np\n"
        "from lanewise import gpu\n"
        "assert not gpu.is_available()\n"
        "gpu.jit(lambda x: None, source='lambda x: None')[1, 1](np.zeros(1))"
    )
    said = python(code, LANEWISE_CUDA_DRIVER="/nonexistent/libcuda.so.1", LANEWISE_TARGET="")
    assert "CudaError: no CUDA driver: /nonexistent/libcuda.so.1" in said
    assert "unset it to use the system's driver" in said and "LANEWISE_TARGET=cpu" in said


@needs_emulator
def test_inline_ptx_that_no_assembler_takes():
    @gpu.jit(target="cuda")
    def kernel(x):
        x[0] = gpu.inline_ptx("frobnicate.u32 %0, %1;", gpu.uint32, x[0])

    line = kernel.py_func.__code__.co_firstlineno + 2
    place = rf"in the kernel's own inline PTX \(.*test_gpu_code.py, line {line}\): `frobnicate.u32 %r1, %r2`"
    with pytest.raises(lanewise.CudaError, match=place) as error:
        kernel[1, 1](np.zeros(1, np.uint32))
    assert "please report" not in str(error.value)
    try:
        gpu.compile(kernel, "void(uint32[::1])", device=False, output="cubin")
    except lanewise.CudaError as problem:
        assert "pip install" in str(problem) or "in the kernel's own inline PTX" in str(problem)


@needs_emulator
def test_linked_ptx_that_no_assembler_takes():
    ptx = """
.version 6.3
.target sm_75
.address_size 64
.visible .func (.param .b32 func_retval0) odd(.param .b32 odd_param_0)
{
    .reg .b32 %r<3>;
    frobnicate.u32 %r1, %r2;
    ret;
}
"""
    odd = gpu.declare_device("odd", "uint32(uint32)", abi="c")

    @gpu.jit(target="cuda", link=[gpu.PTXSource(ptx, "odd.ptx")])
    def kernel(x):
        x[0] = odd(x[0])

    with pytest.raises(lanewise.CudaError, match="in what is linked to the kernel, .*odd.ptx: `frobnicate.u32 %r1, %r2`") as error:
        kernel[1, 1](np.zeros(1, np.uint32))
    assert "please report" not in str(error.value)


def test_variables_are_not_named_as_functions_that_are_linked():
    first, second = (gpu.declare_device(name, "int32(int32)", abi="c") for name in "xy")
    body = "{ .reg .b32 %r1; ld.param.b32 %r1, [a]; add.s32 %r1, %r1, 1; st.param.b32 [r], %r1; ret; }"
    ptx = ".version 7.0\n.target sm_75\n.address_size 64\n"
    ptx += "\n".join(f".visible .func (.param .b32 r) {name}(.param .b32 a)\n{body}" for name in "xy")

    @gpu.jit(target="cuda", link=[gpu.PTXSource(ptx)])
    def kernel(out):
        x = out[0] * 3
        y = x * x
        for _ in range(out[1]):
            x += first(x + y)
            y += second(x)
        out[2] = x + y

    text = kernel.inspect_cuda("void(int32[::1])")
    if gpu.is_available():
        out = np.array([1, 2, 0], np.int32)
        kernel[1, 1](out)
        assert out[2] == 145  # x, y: 3, 9; 16, 26; 59, 86
    assert re.search(r"\bx\(.*\)", text) and re.search(r"\by\(.*\)", text)
    assert not re.search(r"\bint [xy]\b( =|;)", text), text
