"""kc for devices: several architectures, cubins and fatbins, the table of resources, linked code, `kc devices`."""

import os
import re
import subprocess

import pytest
from kc_support import SAXPY, TWO, good, kc

DEVICES = kc("devices").stdout
has = {name: f"  {name} " in DEVICES and "not found" not in DEVICES.split(f"  {name} ")[1].split("\n")[0]
       for name in ("NVRTC", "nvJitLink", "ptxas", "fatbinary")}
needs_nvrtc = pytest.mark.skipif(not has["NVRTC"], reason="NVRTC is not on this machine")
needs_ptxas = pytest.mark.skipif(not has["ptxas"], reason="ptxas is not on this machine")
needs_assembler = pytest.mark.skipif(
    not has["nvJitLink"] and not has["ptxas"], reason="neither nvJitLink nor ptxas is on this machine"
)
needs_fatbinary = pytest.mark.skipif(
    not has["fatbinary"] or not has["nvJitLink"] and not has["ptxas"], reason="fatbinary is not on this machine"
)
NOTHING = {"LANEWISE_NVRTC": "/nonexistent", "LANEWISE_NVJITLINK": "/nonexistent", "LANEWISE_PTXAS": "/nonexistent",
           "LANEWISE_FATBINARY": "/nonexistent", "LANEWISE_LIBDEVICE": "/nonexistent"}

CUDA = '''
from lanewise import gpu

square = gpu.cuda_function("""
__device__ float square(float x)
{
  return x * x;
}
""", "square", "float32(float32)")

@gpu.jit("void(float32[::1])")
def k(x):
    i = gpu.grid(1)
    x[i] = square(x[i])
'''

DECLARED = """
from lanewise import gpu

square = gpu.declare_device("square", "float32(float32)", abi="c")

@gpu.jit("void(float32[::1])")
def k(x):
    i = gpu.grid(1)
    x[i] = square(x[i])
"""


def without_tools(monkeypatch):
    for name, value in NOTHING.items():
        monkeypatch.setenv(name, value)


# --- devices


def test_devices():
    text = good("devices")
    for piece in ("libdevice", "NVRTC", "nvJitLink", "the CUDA headers", "ptxas", "nvdisasm", "cuobjdump", "fatbinary"):
        assert re.search(rf"^  {piece} ", text, re.M), piece
    assert re.search(r"^  13\.0 +9\.0 +580\.65 ", text, re.M)
    assert re.search(r"^  7\.0 +4\.2 +346\.46 ", text, re.M)


def test_devices_without_anything(monkeypatch):
    without_tools(monkeypatch)
    monkeypatch.setenv("LANEWISE_CUDA_DRIVER", "/nonexistent/libcuda.so.1")
    text = good("devices")
    assert "no CUDA driver" in text
    assert "not found (compiles CUDA C++): pip install nvidia-cuda-nvrtc" in text
    assert "not found (assembles PTX): pip install nvidia-cuda-nvcc" in text


# --- architectures


def test_ptx_of_several_architectures(write, tmp_path):
    good(write(SAXPY), "--arch", "sm_35", "--arch=sm_80", "--arch", "80", "-o", f"{tmp_path}/out/")
    files = {file.name: file.read_text() for file in (tmp_path / "out").iterdir()}
    assert sorted(files) == ["saxpy.sm_35.ptx", "saxpy.sm_80.ptx"]
    assert ".target sm_35" in files["saxpy.sm_35.ptx"] and ".target sm_80" in files["saxpy.sm_80.ptx"]


def test_several_architectures_want_a_folder(write):
    done = kc(write(SAXPY), "--arch", "sm_75", "--arch", "sm_80")
    assert done.returncode == 2 and "-o FOLDER/, or --emit fatbin" in done.stderr
    done = kc(write(SAXPY), "--arch", "sm_75", "--arch", "sm_80", "--emit", "ir")
    assert done.returncode == 2 and "several --arch are for PTX, cubins and fatbins" in done.stderr


@pytest.mark.parametrize("kind", ["cubin", "fatbin"])
def test_binaries_want_a_file(write, kind):
    done = kc(write(SAXPY), "--emit", kind)
    assert done.returncode == 2 and f"--emit {kind} needs -o FILE.{kind}" in done.stderr


@needs_assembler
def test_cubins(write, tmp_path):
    good(write(SAXPY), "--arch", "sm_80", "-lineinfo", "--maxrregcount=32", "-o", tmp_path / "saxpy.cubin")
    assert (tmp_path / "saxpy.cubin").read_bytes()[:4] == b"\x7fELF"
    good(write(TWO), "--arch", "sm_80", "--arch", "sm_90", "--emit", "cubin", "-o", f"{tmp_path}/out/")
    names = sorted(file.name for file in (tmp_path / "out").iterdir())
    assert names == ["first.sm_80.cubin", "first.sm_90.cubin", "second.sm_80.cubin", "second.sm_90.cubin"]


@needs_fatbinary
def test_fatbin(write, tmp_path):
    good(write(SAXPY), "--arch", "sm_80", "--arch", "sm_90", "-o", tmp_path / "saxpy.fatbin")
    data = (tmp_path / "saxpy.fatbin").read_bytes()
    assert data[:4] == bytes.fromhex("50ed55ba") and len(data) > 2000


def test_missing_tools_are_named(write, tmp_path, monkeypatch):
    without_tools(monkeypatch)
    done = kc(write(SAXPY), "-o", tmp_path / "a.cubin")
    assert done.returncode == 1
    assert "nvJitLink (links objects, cubins and LTO-IR) is not on this machine: `pip install nvidia-nvjitlink`" in done.stderr
    assert "ptxas (assembles PTX) is not on this machine" in done.stderr and "LANEWISE_PTXAS" in done.stderr
    done = kc(write(SAXPY), "-v")
    assert done.returncode == 1 and "ptxas (assembles PTX) is not on this machine" in done.stderr


def test_a_broken_assembler(write, tmp_path, monkeypatch):
    without_tools(monkeypatch)
    ptxas = tmp_path / "ptxas"
    ptxas.write_text("#!/bin/sh\necho no such luck >&2\nexit 3\n")
    ptxas.chmod(0o755)
    monkeypatch.setenv("LANEWISE_PTXAS", str(tmp_path))
    done = kc(write(SAXPY), "-o", tmp_path / "a.cubin")
    assert done.returncode == 1 and "assembling for sm_75 failed" in done.stderr and "no such luck" in done.stderr


@needs_ptxas
def test_resources(write):
    done = kc(write(SAXPY), "--arch", "sm_80", "--arch", "sm_90", "-v")
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stderr.splitlines()]
    assert rows[0][:4] == ["kernel", "arch", "registers", "shared"]
    assert [row[:2] for row in rows[1:]] == [["saxpy", "sm_80"], ["saxpy", "sm_90"]]
    assert all(4 <= int(row[2]) <= 32 and row[3:] == ["0", "0", "0", "0"] for row in rows[1:])


# --- CUDA C++


@needs_nvrtc
def test_cuda_functions(write):
    text = good(write(CUDA), "--arch", "sm_80")
    assert re.search(r"^\.func .*lanewise_call_square_", text, re.M) and ".extern .func" not in text


@needs_nvrtc
def test_errors_in_cuda_name_the_kernel_file(write):
    path = write(CUDA.replace("x * x", "x * y"))
    done = kc(path)
    assert done.returncode == 1
    assert f'{path}:7:14: error: in CUDA C++: identifier "y" is undefined [cuda-source]' in done.stderr


def test_cuda_functions_are_for_cuda(write):
    done = kc(write(CUDA), "--emit", "asm")
    assert done.returncode == 1 and "`square` is written in CUDA C++" in done.stderr


@needs_nvrtc
def test_cuda_files(write):
    write("__device__ float square(float x) { return x * x; }", "square.cu")
    path = write(re.sub('"""\n.*?"""', '"square.cu"', CUDA, flags=re.S))
    assert "lanewise_call_square" in good(path)


@needs_nvrtc
def test_linked_files(write, tmp_path):
    source = write('extern "C" __device__ float square(float x) { return x * x; }', "code.cu")
    path = write(DECLARED)
    assert re.search(r"^\.func .* square\(", good(path, "--link", source), re.M)
    done = kc(path)
    assert done.returncode == 1 and "kernel `k` calls `square`, which nothing that is linked to it defines" in done.stderr
    done = kc(path, "--link", tmp_path / "none.cu")
    assert done.returncode == 1 and "cannot read" in done.stderr
    done = kc(path, "--link", path)
    assert done.returncode == 1 and "is no kind of device code" in done.stderr


@pytest.mark.skipif(not has["nvJitLink"] or not has["NVRTC"], reason="nvJitLink and NVRTC are not on this machine")
def test_linked_cubins(write, tmp_path):
    """A device function as a relocatable object, linked into a cubin."""
    text = 'extern "C" __device__ float square(float x) { return x * x; }'
    nvcc = "/usr/local/cuda/bin/nvcc"
    if not os.path.exists(nvcc):
        pytest.skip("nvcc makes the object")
    source = write(text, "code.cu")
    subprocess.run([nvcc, "-arch=sm_80", "-rdc=true", "-cubin", source, "-o", tmp_path / "code.cubin"], check=True)
    path = write(DECLARED)
    good(path, "--arch", "sm_80", "--link", tmp_path / "code.cubin", "-o", tmp_path / "k.cubin")
    assert (tmp_path / "k.cubin").read_bytes()[:4] == b"\x7fELF"
    done = kc(path, "--arch", "sm_90", "--link", tmp_path / "code.cubin", "-o", tmp_path / "k.cubin")
    assert done.returncode == 1 and "linking device code failed" in done.stderr
    (tmp_path / "bad.cubin").write_bytes(b"not a cubin")
    done = kc(path, "--arch", "sm_80", "--link", tmp_path / "bad.cubin", "-o", tmp_path / "k.cubin")
    assert done.returncode == 1 and "linking device code failed" in done.stderr and "bad.cubin" in done.stderr


# --- clusters


def test_clusters(write):
    path = write(SAXPY)
    text = good(path, "--arch", "sm_90", "--cluster", "2,2", "-o", "-")
    assert ".reqnctapercluster 2, 2, 1" in text and ".explicitcluster" in text
    assert ".maxclusterrank 4" in good(path, "--arch", "sm_90", "--launch-bounds", "128,1,4", "-o", "-")
    assert "__cluster_dims__(2, 1, 1)" in good(path, "--arch", "sm_90", "--cluster", "2", "--emit", "cuda", "-o", "-")
    old = kc(path, "--arch", "sm_80", "--cluster", "2", "-o", "-")
    assert old.returncode == 1
    assert "`saxpy` asks for clusters of (2, 1, 1) blocks, which sm_80 does not have: sm_90 and newer do" in old.stderr
    large = kc(path, "--arch", "sm_90", "--cluster", "4,4,2", "-o", "-")
    assert large.returncode == 1 and "16 blocks is the limit" in large.stderr
    for wrong in ("17", "0", "2,2,2,2", "x", ""):
        assert kc(path, "--arch", "sm_90", f"--cluster={wrong}", "-o", "-").returncode == 2, wrong


def test_inline_ptx_for_a_newer_architecture(write):
    path = write("""
from lanewise import gpu

@gpu.jit("void(uint32[::1])")
def k(x):
    x[0] = gpu.inline_ptx("mov.u32 %0, %%cluster_ctarank;", gpu.uint32, version=78, sm=90)
""")
    assert "%cluster_ctarank" in good(path, "--arch", "sm_90", "-o", "-")
    for kind in ("ptx", "cuda"):
        old = kc(path, "--arch", "sm_80", "--emit", kind, "-o", "-")
        assert old.returncode == 1 and "instructions that need sm_90 or newer, and the code is made for sm_80" in old.stderr
