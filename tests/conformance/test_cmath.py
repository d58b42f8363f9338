"""cmath.* and NumPy's functions of complex numbers, against Python's cmath on values all over the plane, on the
branch cuts with both zeros, and at special values."""

import cmath
import math
import warnings

import numpy as np
import pytest
from lanewise import gpu

ONE_ARGUMENT = ["acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "log", "log10"]
ONE_ARGUMENT += ["sin", "sinh", "sqrt", "tan", "tanh"]
NUMPY_NAMES = {"acos": "arccos", "acosh": "arccosh", "asin": "arcsin", "asinh": "arcsinh"}
NUMPY_NAMES |= {"atan": "arctan", "atanh": "arctanh"}


def plane(dtype):
    """Sizes from tiny to large in all directions, along the axes, and on both sides of the branch cuts."""
    rng = np.random.default_rng(7)
    sizes = 10.0 ** rng.uniform(-3, 1.2, 300)
    values = list(sizes * np.exp(1j * rng.uniform(-np.pi, np.pi, 300)))
    for x in (-3.0, -1.0, -0.5, -0.0, 0.0, 0.25, 1.0, 2.0, 7.0):
        for y in (-2.0, -0.0, 0.0, 0.75, 5.0):
            values += [complex(x, y), complex(y, x)]
    return np.array(values, dtype)


def reference(name, z):
    """The value at z by Python; nan where Python raises."""
    try:
        return getattr(cmath, name)(complex(z))
    except (ValueError, OverflowError, ZeroDivisionError):
        return complex(math.nan, math.nan)


def make_kernel(function):
    @gpu.jit
    def kernel(z, out):
        i = gpu.grid(1)
        if i < z.size:
            out[i] = function(z[i])

    return kernel


def run(function, z, dtype=None):
    out = np.zeros(z.size, dtype or z.dtype)
    make_kernel(function)[(z.size + 63) // 64, 64](z, out)
    return out


@pytest.mark.parametrize("name", ONE_ARGUMENT)
@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_values_all_over_the_plane(name, dtype):
    z = plane(dtype)
    got = run(getattr(cmath, name), z)
    want = np.array([reference(name, v) for v in z])
    known = np.isfinite(want)
    eps = np.finfo(dtype).eps
    error = np.abs(got[known].astype(complex) - want[known])
    scale = np.maximum(np.abs(want[known]), np.finfo(dtype).tiny)
    worst = np.argmax(error / scale)
    assert error[worst] <= 8 * eps * scale[worst], (z[known][worst], got[known][worst], want[known][worst])
    # The same side of every cut: parts agree in sign, zeros included, where Python's are not tiny by chance.
    for part in (np.real, np.imag):
        g, w = part(got[known]), part(want[known])
        clear = (np.abs(w) > 16 * eps * scale) | ((w == 0) & (g == 0))
        np.testing.assert_array_equal(np.signbit(g[clear]), np.signbit(w[clear]), err_msg=str(z[known][clear]))


@pytest.mark.parametrize("name", ONE_ARGUMENT)
def test_numpy_names(name):
    z = plane(np.complex128)[:40]
    numpy_name = NUMPY_NAMES.get(name, name)
    np.testing.assert_array_equal(run(getattr(np, numpy_name), z), run(getattr(cmath, name), z))


PARTS = (-math.inf, -2.0, -0.0, 0.0, 2.0, math.inf, math.nan)
SPECIAL = [complex(x, y) for x in PARTS for y in PARTS]


@pytest.mark.parametrize("name", ONE_ARGUMENT)
def test_special_values(name):
    z = np.array(SPECIAL)
    got = run(getattr(cmath, name), z)
    for at, value in zip(z, got):
        want = reference(name, at)
        if cmath.isnan(want) and not cmath.isinf(want) and cmath.isfinite(at):
            continue  # Python raises: a pole
        for g, w in ((value.real, want.real), (value.imag, want.imag)):
            if math.isnan(w):
                assert math.isnan(g) or cmath.isnan(at) or cmath.isinf(at), (at, value, want)
            elif math.isinf(w):  # of a NaN part Annex G leaves the sign open
                assert math.isinf(g) and (g == w or cmath.isnan(at)), (at, value, want)
            elif w == 0:
                assert g == 0 or (math.isnan(g) and cmath.isnan(at)), (at, value, want)
            else:
                size = max(abs(w), abs(want) if cmath.isfinite(want) else 0)
                assert abs(g - w) <= 8 * 2.3e-16 * size or (cmath.isnan(at) and math.isnan(g)), (at, value, want)



def test_poles():
    z = np.array([0j, 1 + 0j, -1 + 0j])
    log, atanh = run(cmath.log, z), run(cmath.atanh, z)
    assert log[0].real == -math.inf
    assert atanh[1].real == math.inf and atanh[2].real == -math.inf


def test_polar_form_and_kinds():
    @gpu.jit
    def kernel(z, f, c, b):
        i = gpu.grid(1)
        if i < z.size:
            r, phi = cmath.polar(z[i])
            f[0, i] = r
            f[1, i] = phi
            f[2, i] = cmath.phase(z[i])
            c[0, i] = cmath.rect(r, phi)
            c[1, i] = cmath.log(z[i], 2 + 1j)
            c[2, i] = cmath.exp(1j * f[1, i])
            c[3, i] = cmath.sqrt(f[1, i] - 10)
            c[4, i] = cmath.infj.imag > 0 and cmath.pi
            b[0, i] = cmath.isnan(z[i])
            b[1, i] = cmath.isinf(z[i])
            b[2, i] = cmath.isfinite(z[i])
            b[3, i] = np.isnan(z[i])

    z = np.array([3 + 4j, -1j, -2, complex(math.nan, 1), complex(1, math.inf)])
    f, c, b = np.zeros((3, 5)), np.zeros((5, 5), complex), np.zeros((4, 5), bool)
    kernel[1, 8](z, f, c, b)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        phi = np.angle(z)
        np.testing.assert_allclose(f, [np.abs(z), phi, phi], rtol=1e-15)
        np.testing.assert_allclose(c[0, :3], z[:3], rtol=1e-15, atol=1e-15)
        np.testing.assert_allclose(c[1, :3], np.log(z[:3]) / np.log(2 + 1j), rtol=1e-15)
        np.testing.assert_allclose(c[2, :3], np.exp(1j * phi[:3]), rtol=1e-15)
        np.testing.assert_allclose(c[3, :3], np.sqrt(phi[:3] - 10 + 0j), rtol=1e-15)
    np.testing.assert_array_equal(c[4], math.pi)
    np.testing.assert_array_equal(b, [np.isnan(z), np.isinf(z), np.isfinite(z), np.isnan(z)])


def test_functions_of_python_numbers_keep_the_data_narrow():
    @gpu.jit
    def kernel(x, out, same):
        i = gpu.grid(1)
        w = cmath.exp(1j * 0.25 * i)
        out[i] = w * x[i]
        same[0] = (w * x[i]).dtype == np.complex64
        same[1] = cmath.exp(1j * x[i]).dtype == np.complex64

    x, out, same = np.arange(4, dtype=np.float32), np.zeros(4, np.complex64), np.zeros(2, bool)
    kernel[1, 4](x, out, same)
    np.testing.assert_allclose(out, np.exp(0.25j * np.arange(4)) * x, rtol=1e-6)
    assert same.all()


def test_large_and_tiny_arguments():
    z = np.array([1e200 + 1e200j, 1e-200 + 1e-200j, 1e-310j, 710 + 0.75j, -710 - 1j, 1e300 + 0j])
    root, log, exp = run(cmath.sqrt, z), run(cmath.log, z), run(cmath.exp, z[3:5])
    np.testing.assert_allclose(root, [reference("sqrt", v) for v in z], rtol=1e-15)
    np.testing.assert_allclose(log, [reference("log", v) for v in z], rtol=1e-15)
    np.testing.assert_allclose(exp[0], cmath.exp(709 + 0.75j) * math.e, rtol=1e-13)  # exp(710) alone is infinite
