"""Vector types: float32x4 and its like, and CUDA's names for them."""

import pickle

import numpy as np
import pytest
from lanewise import gpu


def test_construction_fields_and_indices():
    @gpu.jit
    def kernel(out, ints):
        v2 = gpu.float32x2(1, 2)
        v4 = gpu.float32x4(v2, 3.0, 4.0)
        w = gpu.float4(0.5, v2, v4.w)
        same = gpu.double3(7)
        out[0] = v4.x + 10 * v4.y + 100 * v4.z + 1000 * v4.w
        out[1] = w[0] + 10 * w[1] + 100 * w[2] + 1000 * w[-1]
        out[2] = same.x + same.y + same.z
        x, y = v2
        out[3] = x - y
        out[4] = len(v4)
        total = 0.0
        for one in v4:
            total += one
        out[5] = total
        b = gpu.uchar3(250, 251, 252)
        ints[0] = b.z
        i8 = gpu.int8x2(-1, 5)
        ints[1] = i8.x + i8.y
        big = gpu.longlong2(2**40, -1)
        ints[2] = big.x + big.y

    out, ints = np.zeros(6, np.float32), np.zeros(3, np.int64)
    kernel[1, 1](out, ints)
    np.testing.assert_array_equal(out, [4321, 4210.5, 21, -1, 4, 10])
    np.testing.assert_array_equal(ints, [252, 4, 2**40 - 1])


def test_arithmetic_is_elementwise():
    @gpu.jit
    def kernel(x, out, b):
        a = gpu.float32x3(x[0], x[1], x[2])
        c = gpu.float32x3(x[3], x[4], x[5])
        s = a + c * 2 - a / c
        n = -a
        out[0, 0] = s.x
        out[0, 1] = s.y
        out[0, 2] = s.z
        t = 2 / a + n
        out[1, 0] = t.x
        out[1, 1] = t.y
        out[1, 2] = t.z
        b[0] = a == a
        b[1] = a == c
        b[2] = a != c
        b[3] = a.x.dtype == np.float32
        u = gpu.uint8x2(200, 100) + gpu.uint8x2(100, 100)
        b[4] = u.x == 300 and u.y == 200

    x = np.array([1, 2, 4, 5, 8, 16], np.float32)
    out, b = np.zeros((2, 3), np.float32), np.zeros(5, bool)
    kernel[1, 1](x, out, b)
    a, c = x[:3], x[3:]
    np.testing.assert_allclose(out, [a + c * 2 - a / c, 2 / a - a], rtol=1e-6)
    np.testing.assert_array_equal(b, [True, False, True, True, True])


def test_variables_functions_and_memory():
    @gpu.jit(device=True)
    def scaled(v, factor):
        return v * factor

    @gpu.jit
    def kernel(x, out):
        i = gpu.threadIdx.x
        tile = gpu.shared.array(8, gpu.float32x4)
        own = gpu.local.array(2, gpu.float32x4)
        v = gpu.float32x4(x[i], i, 0, 1)
        if i % 2:
            v = scaled(v, 2)
        for _ in range(i):
            v += gpu.float32x4(1, 0, 0, 0)
        tile[i] = v
        own[1] = v
        gpu.syncthreads()
        w = tile[7 - i] + own[1] if i > 3 else tile[i]
        out[i, 0] = w.x
        out[i, 1] = w.y
        out[i, 2] = w.z
        out[i, 3] = w.w

    x, out = np.arange(8, dtype=np.float32) * 10, np.zeros((8, 4), np.float32)
    kernel[1, 8](x, out)
    v = np.array([[x[i] * (1 + i % 2) + i, i * (1 + i % 2), 0, 1 + i % 2] for i in range(8)])
    want = np.array([v[7 - i] + v[i] if i > 3 else v[i] for i in range(8)])
    np.testing.assert_array_equal(out, want)


@pytest.mark.parametrize(
    "body, words",
    [
        ("v = gpu.float32x4(1, 2)", "wants 4 numbers, not 2"),
        ("v = gpu.float32x2(1, 2).z", "its components are"),
        ("v = gpu.float32x2(1, 2) + gpu.float32x3(1, 2, 3)", "as many components"),
        ("v = gpu.float32x2(1, 2) < gpu.float32x2(1, 2)", "compare components"),
        ("v = gpu.float32x2(1, 2)[2]", "out of range|outside|of size 2|2"),
        ("v = gpu.int8x2(1000, 2)", "int8"),
    ],
)
def test_mistakes(body, words):
    source = f"def kernel(out):\n    {body}\n"
    namespace = {"gpu": gpu}
    exec(source, namespace)
    with pytest.raises(Exception, match=words):
        gpu.jit(namespace["kernel"], source=source)[1, 1](np.zeros(2))


def test_as_arguments_and_elements_of_arrays():
    """Arrays of numbers whose last dimension has as many are arrays of vectors where a signature says so."""

    @gpu.jit(gpu.void(gpu.float4[::1], gpu.float32x4, gpu.float32))
    def kernel(out, v, s):
        i = gpu.grid(1)
        out[i] = out[i] * s + v

    x = np.arange(24, dtype=np.float32).reshape(6, 4)
    v = np.array([1, 2, 3, -4], np.float32)
    for vector in ((1, 2, 3, -4), gpu.float32x4(1, 2, 3, -4), gpu.float32x4(gpu.float2(1, 2), 3, -4)):
        expected = x * 2 + v
        kernel[2, 3](x, vector, 2.0)
        np.testing.assert_array_equal(x, expected)
    device = gpu.to_device(x)
    kernel[2, 3](device, gpu.float32x4(0.5), np.float32(3))
    np.testing.assert_array_equal(device.copy_to_host(), x * 3 + np.float32(0.5))

    @gpu.jit("void(int16x2[:, :], uint8x3[:])")
    def strided(pairs, colours):
        for i in range(pairs.shape[0]):
            for j in range(pairs.shape[1]):
                p = pairs[i, j]
                pairs[i, j] = gpu.int16x2(p.y, -p.x)
        for k in range(len(colours)):
            colours[k] = gpu.uchar3(colours[k].z, colours[k][0], k)

    pairs = np.arange(120, dtype=np.int16).reshape(5, 6, 4)[::2, ::-1, :2]
    colours = np.arange(30, dtype=np.uint8).reshape(10, 3)[1::3]
    turned = np.stack([pairs[..., 1], -pairs[..., 0]], -1)
    moved = np.stack([colours[:, 2], colours[:, 0], np.arange(3)], -1)
    strided[1, 1](pairs, colours)
    np.testing.assert_array_equal(pairs, turned)
    np.testing.assert_array_equal(colours, moved)


def test_without_a_signature():
    @gpu.jit
    def kernel(out, v, w):
        out[0] = v.x + w.y
        out[1] = (v + v * 2).y
        out[2] = len(w)

    out = np.zeros(3)
    kernel[1, 1](out, gpu.float2(1, 2.5), gpu.int32x2(5, 6))
    np.testing.assert_array_equal(out, [7, 7.5, 2])
    kernel[1, 1](out, gpu.double3(1, 2, 3), gpu.int8x4(5, -6, 0, 1))
    np.testing.assert_array_equal(out, [-5, 6, 4])


def test_on_the_host():
    v = gpu.float32x4(1, 2, 3, 4)
    assert gpu.float4 is gpu.float32x4 and type(v.w) is np.float32 and (v.x, v.w) == (1, 4)
    assert v == (1, 2, 3, 4) and repr(gpu.int8x2(7)) == "int8x2(7, 7)" and pickle.loads(pickle.dumps(v)) == v
    assert type(pickle.loads(pickle.dumps(v))) is type(v)
    assert str(gpu.float32x4[:, ::1]) == "float32x4[:, ::1]" and gpu.float32x2.lanes == 2
    for wrong in ((1, 2, 3), (1, 2, 3, 4, 5), ()):
        with pytest.raises(TypeError, match="4 components"):
            gpu.float32x4(*wrong)


@pytest.mark.parametrize(
    "array",
    [
        np.zeros((3, 3), np.float32),
        np.zeros((3, 4)),
        np.zeros((4, 3), np.float32).T,
        np.zeros(4, np.float32),
        np.zeros((3, 8), np.float32)[:, ::2],
        np.zeros((3, 7), np.float32)[:, :4],
    ],
    ids=["three", "float64", "apart", "one dimension", "every second", "rows of seven"],
)
def test_arrays_that_are_none_of_vectors(array):
    @gpu.jit("void(float32x4[:], float32x4)")
    def kernel(x, v):
        x[0] = v

    with pytest.raises(TypeError, match="the signature wants float32x4"):
        kernel[1, 1](array, (1, 2, 3, 4))
    good = np.zeros((3, 8), np.float32)[:, :4]
    for vector in ((1, 2, 3), (1, 2, 3, 4, 5), 7, (1j, 2, 3, 4), gpu.float32x2(1, 2)):
        with pytest.raises(TypeError, match="the signature wants float32x4"):
            kernel[1, 1](good, vector)
    kernel[1, 1](good, (1, 2, 3, 4))
    np.testing.assert_array_equal(good, [[1, 2, 3, 4], [0] * 4, [0] * 4])
