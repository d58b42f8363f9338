"""Looking inside: IR, LLVM IR, assembly, PTX; compile_ptx."""

import io

import numpy as np
import pytest
from lanewise import CompileError, LaunchError, LaunchTypeError, gpu


@gpu.jit(device=True)
def twice(x):
    return x + x


def make_axpy(target):
    @gpu.jit(target=target)
    def axpy(a, x, y):
        i = gpu.grid(1)
        if i < x.size:
            y[i] += twice(a) * x[i]

    return axpy


def test_one_specialisation_gives_its_text():
    axpy = make_axpy("cpu")
    axpy[1, 4](np.float32(2), np.ones(4, np.float32), np.ones(4, np.float32))
    assert "axpy" in axpy.inspect_ir()
    assert "define" in axpy.inspect_llvm()
    assert ".text" in axpy.inspect_asm()
    assert ".visible .entry axpy(" in axpy.inspect_ptx()
    assert 'extern "C" __global__ void axpy(' in axpy.inspect_cuda()


def test_several_specialisations_give_a_dict():
    axpy = make_axpy("cpu")
    for dtype in (np.float32, np.float64):
        axpy[1, 4](2.0, np.ones(4, dtype), np.ones(4, dtype))
    texts = axpy.inspect_ir()
    assert list(texts) == axpy.signatures == [
        "(float, float32[::1], float32[::1])",
        "(float, float64[::1], float64[::1])",
    ]
    assert "f64" in texts[axpy.signatures[1]]
    assert axpy.inspect_ir(axpy.signatures[0]) == texts[axpy.signatures[0]]


def test_a_signature_compiles():
    axpy = make_axpy("cpu")
    with pytest.raises(ValueError, match="`axpy` is not compiled"):
        axpy.inspect_ir()
    assert "axpy" in axpy.inspect_ir("void(float32, float32[:], float32[:])")
    assert axpy.signatures == ["(float32, float32[:], float32[:])"]
    with pytest.raises(LaunchTypeError, match="2 arguments, but `axpy` takes 3"):
        axpy.inspect_ir("void(float32, float32[:])")


def test_compile_ptx():
    ptx, result = gpu.compile_ptx(make_axpy(None), "void(float32, float32[::1], float32[::1])")
    assert ".target sm_80" in ptx and ".visible .entry axpy(" in ptx and "fma.rn.f32" in ptx
    assert result == gpu.void


@pytest.mark.parametrize("cc", [(3, 5), (7, 5), (9, 0), (12, 0)])
def test_compile_ptx_for_any_architecture(cc):
    ptx, _ = gpu.compile_ptx(make_axpy(None), (gpu.float32, gpu.float32[:], gpu.float32[:]), cc=cc)
    assert f".target sm_{cc[0]}{cc[1]}" in ptx


def test_compile_ptx_of_a_plain_function():
    def k(out):
        out[0] = 1

    assert ".entry k(" in gpu.compile_ptx(k, "void(float32[:])")[0]


def test_compile_ptx_options():
    def k(x, out):
        out[0] = x[0] * x[1] + x[2]

    with_fma = gpu.compile_ptx(k, "void(float32[::1], float32[::1])")[0]
    without = gpu.compile_ptx(k, "void(float32[::1], float32[::1])", fma=False)[0]
    assert "fma.rn.f32" in with_fma
    assert "fma.rn.f32" not in without


def test_compile_ptx_options_of_cuda_code():
    def k(x, out):
        i = gpu.grid(1)
        if i < x.size:
            out[i] = x[i] * 3

    types = "void(float32[::1], float32[::1])"
    plain = gpu.compile_ptx(k, types)[0]
    for word in (".maxntid", ".minnctapersm", ".maxnreg", ".loc", ".nc"):
        assert word not in plain
    bounded = gpu.compile_ptx(k, types, launch_bounds=(128, 3), lineinfo=True)[0]
    assert ".maxntid 128" in bounded and ".minnctapersm 3" in bounded and ".loc" in bounded
    assert ".maxnreg 40" in gpu.compile_ptx(gpu.jit(max_registers=40)(k), types)[0]
    assert "mul.ftz.f32" in gpu.compile_ptx(k, types, ftz=True)[0]
    checked = gpu.compile_ptx(k, types, checked_launch=True)[0]
    assert "ld.global.nc" in checked and "setp.ge.s64" not in checked
    with pytest.raises(TypeError, match="checked_launch must be"):
        gpu.compile_ptx(k, types, checked_launch="yes")


def test_compile_ptx_errors():
    def k(out):
        out[0] = nowhere  # noqa: F821

    with pytest.raises(CompileError, match="nowhere"):
        gpu.compile_ptx(k, "void(float32[:])")
    with pytest.raises(LaunchError, match="not a signature"):
        gpu.compile_ptx(k, "void(float32[:]")
    with pytest.raises(TypeError):
        gpu.compile_ptx(k, 3)
    with pytest.raises(TypeError):
        gpu.compile_ptx(3, "void()")
    with pytest.raises(Exception, match="(?i)sm_13|architecture|capability"):
        gpu.compile_ptx(make_axpy(None), "void(float32, float32[:], float32[:])", cc=(1, 3))


def test_target_information(target):
    assert gpu.current_target() in ("cpu", "cuda", "interpreter")
    assert isinstance(gpu.is_available(), bool)
    if target == "cuda":
        assert gpu.is_available()


def test_detect_prints_a_report(capsys):
    assert gpu.detect() == gpu.is_available()
    assert capsys.readouterr().out.strip()


def test_overloads(target):
    @gpu.jit(target=target)
    def scale(x, a):
        x[gpu.grid(1)] *= a

    assert scale.overloads == {}
    scale[1, 4](np.ones(4, np.float32), 2)
    scale[1, 4](np.ones(4), 2)
    assert list(scale.overloads) == scale.signatures and len(scale.overloads) == 2
    first = next(iter(scale.overloads.values()))
    assert "scale" in repr(first) and "float32" in first.signature
    if target == "cuda":
        assert first.regs_per_thread >= 0 and first.shared_mem_per_block == 0 and first.max_threads_per_block > 0
        assert first.const_mem_size >= 0 and first.local_mem_per_thread >= 0
        assert "scale" in first.inspect_asm() and "scale" in first.inspect_llvm()
    said = io.StringIO()
    scale.inspect_types(file=said)
    assert said.getvalue().count("def scale(x, a):") == 2 and ": ptr<f32" in said.getvalue()


def test_specialize(target):
    @gpu.jit(target=target)
    def scale(x, a=3):
        x[gpu.grid(1)] *= a

    x = np.ones(4, np.float32)
    special = scale.specialize(x, 2)
    assert len(special.signatures) == 1 and scale.signatures == []
    special[1, 4](x, 2)
    assert x.tolist() == [2] * 4
    assert len(scale.specialize(x).signatures) == 1
    with pytest.raises(LaunchTypeError, match="`scale`"):
        special[1, 4](x.astype(np.int64), 2)
    with pytest.raises(LaunchTypeError, match="argument `x`: a list cannot be passed"):
        scale.specialize([1], 2)
