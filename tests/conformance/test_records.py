"""Records: fields by name, places in memory, packed and nested dtypes, sub-arrays, whole records, atomics."""

import numpy as np
import pytest
from lanewise import CompileError, LaunchError, LaunchTypeError, gpu

ALIGNED = np.dtype(
    [("id", np.int32), ("pos", np.float64), ("flag", np.bool_), ("m", np.float32, (2, 3)), ("n", np.int16)],
    align=True,
)
PACKED = np.dtype(
    [("flag", np.bool_), ("pos", np.float64), ("id", np.int32), ("n", np.int16), ("m", np.float32, (2, 3))]
)
NESTED = np.dtype(
    [("at", [("x", np.float32), ("y", np.float32)]), ("k", np.int64), ("inner", ALIGNED)], align=True
)
NATURAL = np.dtype(
    [("x", np.float32), ("y", np.float32), ("c", np.uint32)]
)  # not marked as aligned, but it is


def make(dtype, n, seed=1):
    """Records with other bytes in every field."""
    rng = np.random.default_rng(seed)
    array = np.zeros(n, dtype)

    def fill(a):
        for name in a.dtype.names:
            field = a[name]
            if field.dtype.names:
                fill(field)
            elif field.dtype == np.bool_:
                field[...] = rng.integers(0, 2, field.shape)
            else:
                field[...] = rng.integers(-100, 100, field.shape)

    fill(array)
    return array


@pytest.mark.parametrize("dtype", [ALIGNED, PACKED], ids=["aligned", "packed"])
def test_fields_are_read_and_written(dtype):
    @gpu.jit
    def kernel(p, out):
        i = gpu.grid(1)
        if i < p.size:
            out[i] = p[i]["pos"] * 2 + p[i].id
            p[i].pos += 0.5
            p[i]["id"] -= 3
            p[i]["flag"] = not p[i].flag
            p[i].m[1, 2] = p[i].m[0, -1] + p[i]["n"]

    p = make(dtype, 9)
    q = p.copy()
    out = np.zeros(9)
    kernel[2, 8](p, out)
    np.testing.assert_array_equal(out, q["pos"] * 2 + q["id"])
    q["m"][:, 1, 2] = q["m"][:, 0, -1] + q["n"]
    q["pos"] += 0.5
    q["id"] -= 3
    q["flag"] = ~q["flag"]
    np.testing.assert_array_equal(p, q)


def test_a_record_is_a_place():
    @gpu.jit(device=True)
    def move(r, by):
        r.pos += by
        return r

    @gpu.jit
    def kernel(p, q):
        i = gpu.grid(1)
        if i < p.size:
            r = p[i] if i % 2 == 0 else q[i]
            s = move(r, 10.0)
            s.id = i

    p, q = make(ALIGNED, 8), make(ALIGNED, 8, seed=2)
    wanted_p, wanted_q = p.copy(), q.copy()
    for i in range(8):
        (wanted_p if i % 2 == 0 else wanted_q)["pos"][i] += 10
        (wanted_p if i % 2 == 0 else wanted_q)["id"][i] = i
    kernel[1, 8](p, q)
    np.testing.assert_array_equal(p, wanted_p)
    np.testing.assert_array_equal(q, wanted_q)


@pytest.mark.parametrize("dtype", [ALIGNED, PACKED], ids=["aligned", "packed"])
def test_fields_of_whole_arrays_are_views(dtype):
    @gpu.jit(device=True)
    def total(a):
        s = 0.0
        for v in a:
            s += v
        return s

    @gpu.jit
    def kernel(p, out):
        out[0] = total(p["pos"])
        out[1] = total(p.id[1:-1])
        out[2] = p["m"][3, 1, 2]
        out[3] = p.m.shape[0] * 100 + p.m.shape[1] * 10 + p.m.shape[2]
        p["n"][2:5] = 77
        p.flag = True

    p = make(dtype, 9)
    q = p.copy()
    out = np.zeros(4)
    kernel[1, 1](p, out)
    np.testing.assert_array_equal(out, [q["pos"].sum(), q["id"][1:-1].sum(), q["m"][3, 1, 2], 923])
    q["n"][2:5] = 77
    q["flag"] = True
    np.testing.assert_array_equal(p, q)


def test_nested_records():
    @gpu.jit
    def kernel(p):
        i = gpu.grid(1)
        if i < p.size:
            p[i].at.x = p[i]["at"]["y"] + 1
            p[i].inner.m[0, 1] += p[i].k
            p.inner.pos[i] *= 2
            inner = p[i].inner
            inner.id = -inner.id

    p = make(NESTED, 7)
    q = p.copy()
    kernel[1, 8](p)
    q["at"]["x"] = q["at"]["y"] + 1
    q["inner"]["m"][:, 0, 1] += q["k"]
    q["inner"]["pos"] *= 2
    q["inner"]["id"] *= -1
    np.testing.assert_array_equal(p, q)


@pytest.mark.parametrize(
    "dtype", [ALIGNED, PACKED, NESTED, NATURAL], ids=["aligned", "packed", "nested", "natural"]
)
def test_whole_records_are_copied(dtype):
    @gpu.jit
    def kernel(p, q):
        i = gpu.grid(1)
        if i < p.size:
            p[i] = q[p.size - 1 - i]

    p, q = make(dtype, 6), make(dtype, 6, seed=3)
    kernel[1, 8](p, q)
    np.testing.assert_array_equal(p, q[::-1])


def test_a_tuple_fills_a_record():
    @gpu.jit
    def kernel(p):
        i = gpu.grid(1)
        if i < p.size:
            p[i] = (i, 2 * i, 7)

    p = np.zeros(5, NATURAL)
    kernel[1, 8](p)
    np.testing.assert_array_equal(p, np.array([(i, 2 * i, 7) for i in range(5)], NATURAL))


@pytest.mark.parametrize("dtype", [ALIGNED, PACKED, NATURAL], ids=["aligned", "packed", "natural"])
def test_shared_and_local_records(dtype):
    @gpu.jit
    def kernel(p, out):
        tile = gpu.shared.array(8, dtype)
        mine = gpu.local.array(2, dtype)
        i = gpu.threadIdx.x
        tile[i] = p[i]
        gpu.syncthreads()
        mine[0] = tile[7 - i]
        mine[1] = mine[0]
        out[i] = mine[1]

    p = make(dtype, 8)
    out = np.zeros(8, dtype)
    kernel[1, 8](p, out)
    np.testing.assert_array_equal(out, p[::-1])


TABLE = make(ALIGNED, 5, seed=4)
ONE = TABLE[3]


def test_captured_records():
    @gpu.jit
    def kernel(out):
        i = gpu.grid(1)
        if i < 5:
            out[i] = TABLE[i].pos + TABLE["id"][i] + ONE.m[1, 1]

    out = np.zeros(5)
    kernel[1, 8](out)
    np.testing.assert_array_equal(out, TABLE["pos"] + TABLE["id"] + TABLE["m"][3, 1, 1])


def test_record_arguments_are_references():
    @gpu.jit
    def kernel(r, z):
        r.pos = 5
        r.m[0, 0] += 1
        z.id = 9

    p = make(ALIGNED, 3)
    q = p.copy()
    alone = np.zeros((), ALIGNED)
    kernel[1, 1](p[1], alone)
    q["pos"][1] = 5
    q["m"][1, 0, 0] += 1
    np.testing.assert_array_equal(p, q)
    assert alone["id"] == 9


@pytest.mark.parametrize("step", [1, 2, -1])
def test_strided_record_arrays(step):
    @gpu.jit
    def kernel(p):
        i = gpu.grid(1)
        if i < p.size:
            p[i].id = i
            p["pos"][i] = -i

    p = make(ALIGNED, 10)
    q = p.copy()
    view = p[::step]
    kernel[1, 16](view)
    q["id"][::step] = np.arange(view.size)
    q["pos"][::step] = -np.arange(view.size)
    np.testing.assert_array_equal(p, q)


@pytest.mark.parametrize("dtype", [ALIGNED, PACKED], ids=["aligned", "packed"])
def test_field_views_as_arguments(dtype):
    @gpu.jit
    def kernel(x, m):
        i = gpu.grid(1)
        if i < x.size:
            x[i] = 2 * x[i] + m[i, 1, 0]

    p = make(dtype, 6)
    q = p.copy()
    kernel[1, 8](p["pos"], p["m"])
    q["pos"] = 2 * q["pos"] + q["m"][:, 1, 0]
    np.testing.assert_array_equal(p, q)


@pytest.mark.parametrize("dtype", [np.int16, np.float32, np.int64, np.float64, np.uint32])
def test_misaligned_arrays(dtype):
    @gpu.jit
    def kernel(a, out):
        i = gpu.grid(1)
        if i < a.size:
            out[i] = a[i]
            a[i] = a[i] * 2

    raw = np.zeros(8 * np.dtype(dtype).itemsize + 1, np.uint8)
    a = raw[1:].view(dtype)
    a[:] = np.arange(8) - 3 if np.dtype(dtype).kind != "u" else np.arange(8)
    out = np.zeros(8, dtype)
    before = a.copy()
    kernel[1, 8](a, out)
    np.testing.assert_array_equal(out, before)
    np.testing.assert_array_equal(a, before * 2)


@pytest.mark.parametrize("dtype", [ALIGNED, PACKED], ids=["aligned", "packed"])
def test_an_array_may_be_one_layout_or_the_other(dtype):
    @gpu.jit
    def kernel(p, b, out, which):
        a = p["pos"]
        if which:
            a = b
        out[0] = a[2]

    p = make(dtype, 4)
    b = np.arange(4.0) + 100
    for which, wanted in [(False, p["pos"][2]), (True, 102)]:
        out = np.zeros(1)
        kernel[1, 1](p, b, out, which)
        assert out[0] == wanted


def test_atomics_on_fields():
    dtype = np.dtype([("n", np.int32), ("x", np.float32), ("m", np.int64, 3)], align=True)

    @gpu.jit
    def kernel(p):
        i = gpu.grid(1)
        gpu.atomic.add(p["n"], i % 2, 1)
        gpu.atomic.add(p["x"], 0, 0.5)
        gpu.atomic.max(p[1].m, 2, i)
        gpu.atomic.add(p.m, (0, 1), 2)

    p = np.zeros(2, dtype)
    kernel[4, 32](p)
    np.testing.assert_array_equal(p["n"], [64, 64])
    np.testing.assert_array_equal(p["x"], [64, 0])
    np.testing.assert_array_equal(p["m"], [[0, 256, 0], [0, 0, 127]])


def test_atomics_on_misaligned_fields_are_refused():
    @gpu.jit
    def kernel(p):
        gpu.atomic.add(p["id"], 0, 1)

    dtype = np.dtype([("flag", np.bool_), ("id", np.int32)])
    with pytest.raises(CompileError, match="(?s)atomic.*align=True"):
        kernel[1, 1](np.zeros(2, dtype))


def test_unknown_fields():
    @gpu.jit
    def kernel(p):
        p[0].poss = 1

    with pytest.raises(CompileError, match="(?s)no field `poss`.*did you mean `pos`"):
        kernel[1, 1](make(ALIGNED, 1))

    @gpu.jit
    def other(p):
        p["identity"][0] = 1

    with pytest.raises(CompileError, match="no field `identity`"):
        other[1, 1](make(ALIGNED, 1))


def test_dtypes_that_differ_only_in_alignment_are_two():
    fields = [("a", np.int8), ("b", np.float64)]
    packed, aligned = np.dtype(fields), np.dtype(fields, align=True)

    @gpu.jit
    def kernel(p, out):
        out[0] = p[1].b

    for dtype in (packed, aligned, packed):
        p = np.zeros(2, dtype)
        p["b"] = [3, 4.25]
        out = np.zeros(1)
        kernel[1, 1](p, out)
        assert out[0] == 4.25


def test_foreign_dtypes_are_refused():
    @gpu.jit
    def kernel(p):
        p[0].x = 1

    swapped = np.zeros(2, [("x", ">f4")])
    with pytest.raises(LaunchTypeError, match="`p`.*`x`.*byte-swapped"):
        kernel[1, 1](swapped)
    with pytest.raises(LaunchTypeError, match="masked"):
        kernel[1, 1](np.ma.zeros(2, NATURAL))
    with pytest.raises(LaunchTypeError, match="object"):
        kernel[1, 1](np.zeros(2, [("x", object)]))


def test_broadcast_records_and_empty_ones():
    @gpu.jit
    def kernel(p, out):
        i = gpu.grid(1)
        if i < p.size:
            out[i] = p[i].x

    one = np.zeros(1, NATURAL)
    one["x"] = 5
    out = np.zeros(4, np.float32)
    kernel[1, 8](np.broadcast_to(one, 4), out)
    np.testing.assert_array_equal(out, 5)
    kernel[1, 8](np.zeros(0, NATURAL), out)


def test_read_only_records():
    @gpu.jit
    def reads(p, out):
        out[0] = p[0].x

    @gpu.jit
    def writes(p):
        p[0].x = 1

    p = np.ones(2, NATURAL)
    p.flags.writeable = False
    out = np.zeros(1)
    reads[1, 1](p, out)
    assert out[0] == 1
    with pytest.raises(LaunchError, match="read-only"):
        writes[1, 1](p)


def test_device_arrays_of_records():
    @gpu.jit
    def kernel(p):
        i = gpu.grid(1)
        if i < p.size:
            p[i].x += p[i].c

    p = make(NATURAL, 6)
    p["c"] = np.arange(6)
    d = gpu.to_device(p)
    kernel[1, 8](d)
    kernel[1, 8](d[::2])
    q = p.copy()
    q["x"] += q["c"]
    q["x"][::2] += q["c"][::2]
    np.testing.assert_array_equal(d.copy_to_host(), q)


def test_views_of_bytes_that_are_aligned():
    """As far as it is known where they begin, elements are whole: atomics work, which bytes do not have."""

    @gpu.jit
    def kernel(out):
        i = gpu.threadIdx.x
        pool = gpu.shared.array(0, np.uint8)
        counts = pool[:16].view(np.int32)
        width = out.size * 8
        sums = pool[16 : 16 + width].view(np.float64)
        rest = pool[16 + width :].view(np.float32)
        if i < 4:
            counts[i] = 0
        sums[i] = 0
        rest[i] = 0
        gpu.syncthreads()
        gpu.atomic.add(counts, i % 4, 1)
        gpu.atomic.add(sums, i // 2, 1.5)
        gpu.atomic.add(rest, i // 4, i)
        gpu.syncthreads()
        out[i] = counts[i % 4] + sums[i] + rest[i]

    out = np.zeros(8)
    kernel[1, 8, 0, 16 + 8 * 8 + 8 * 4](out)
    want = np.full(8, 2.0)
    want[:4] += 3
    want[0] += 0 + 1 + 2 + 3
    want[1] += 4 + 5 + 6 + 7
    np.testing.assert_array_equal(out, want)


def test_views_that_begin_anywhere():
    @gpu.jit
    def kernel(out, k):
        pool = gpu.local.array(32, np.uint8)
        for i in range(32):
            pool[i] = i
        tail = pool[k:]
        out[0] = tail[:4].view(np.uint32)[0]
        for turn in range(2):
            pool = pool[3:]
            out[1 + turn] = pool[:4].view(np.uint32)[0]

    out = np.zeros(3, np.uint32)
    kernel[1, 1](out, 5)
    np.testing.assert_array_equal(out, [0x08070605, 0x06050403, 0x09080706])


def test_views_of_other_types():
    @gpu.jit
    def kernel(a, p, out):
        bits = a.view(np.uint32)
        out[0] = bits[1]
        halves = a.view(np.uint16)
        out[1] = halves.size
        out[2] = halves[3]
        out[3] = p.view(np.uint8).size
        s = gpu.shared.array(16, np.uint8)
        w = s.view(np.int32)
        w[1] = -2
        out[4] = s[4]
        out[5] = a.itemsize + a.nbytes * 10
        out[6] = p["y"].strides[0] * 100 + p.strides[0]

    a = np.array([1.5, -2.5, 3], np.float32)
    p = make(NATURAL, 4)
    out = np.zeros(7, np.int64)
    kernel[1, 1](a, p, out)
    u = a.view(np.uint16)
    np.testing.assert_array_equal(out, [a.view(np.uint32)[1], 6, u[3], 48, 254, 124, 1212])


@pytest.mark.parametrize("dtype", [ALIGNED, PACKED], ids=["aligned", "packed"])
def test_fields_shifted_within_themselves(dtype):
    @gpu.jit
    def kernel(p):
        p["pos"][1:] = p["pos"][:-1]
        p["pos"][:-1] = p["n"][1:]
        p["m"][:, :, 1:] = p["m"][:, :, :-1]
        p["m"][1:] = p["m"][:-1]
        p["id"][:-1] = p["id"][1:] * 2
        p[2]["m"][1, :-1] = p[2]["m"][1, 1:]

    p = make(dtype, 6)
    want = p.copy()
    kernel.py_func(want)
    kernel[1, 1](p)
    np.testing.assert_array_equal(p, want)

    @gpu.jit
    def turned(p):
        p["pos"][::-1] = p["pos"]

    with pytest.raises(CompileError, match="needs-temporary"):
        turned[1, 1](p)


def test_sub_arrays_of_records_shifted():
    inner = np.dtype([("a", np.int16), ("b", np.float32, (2, 2))])
    dtype = np.dtype([("x", np.float64), ("all", inner, (3,))])

    @gpu.jit
    def kernel(p):
        p["all"][:, 1:] = p["all"][:, :-1]
        p["all"]["a"][:, :-1] = p["all"]["a"][:, 1:]
        p["all"]["b"][1:] = p["all"]["b"][:-1]

    p = np.zeros(4, dtype)
    p["all"]["a"] = np.arange(12).reshape(4, 3)
    p["all"]["b"] = np.arange(48).reshape(4, 3, 2, 2)
    want = p.copy()
    kernel.py_func(want)
    kernel[1, 1](p)
    np.testing.assert_array_equal(p, want)


@pytest.mark.parametrize("offset", [0, 1])
def test_parts_of_misaligned_complex_numbers(offset):
    dtype = np.dtype(
        [("pad", np.int8, (offset,)), ("z", np.complex64), ("w", np.complex128), ("end", np.int8)]
    )

    @gpu.jit
    def kernel(p, out):
        p["z"].imag[:] = 5
        p["z"].real[0] += 1
        p["w"].imag[1:] = p["w"].imag[:-1]
        out[:] = p["z"].real + p["z"].imag + p["w"].imag

    p, out = np.zeros(4, dtype), np.zeros(4)
    p["z"], p["w"] = np.arange(4) + 1j, np.arange(4) * (1 - 2j)
    want, wanted = p.copy(), np.zeros(4)
    kernel.py_func(want, wanted)
    kernel[1, 1](p, out)
    np.testing.assert_array_equal(p, want)
    np.testing.assert_array_equal(out, wanted)


def test_misaligned_arrays_transposed():
    @gpu.jit
    def kernel(a, p, out, field):
        out[...] = a.T
        a.T[0, 1] = 7
        a.swapaxes(0, 1)[1] = 8
        field[...] = p["m"].transpose(2, 1, 0)[:, :, 1] + p["m"].T[:, :, 0]

    a = np.frombuffer(bytearray(b"x" + np.arange(6.0).tobytes()), np.float64, offset=1).reshape(2, 3)
    want, p = a.copy(), make(PACKED, 3)
    out, field = np.zeros((3, 2)), np.zeros((3, 2))
    kernel[1, 1](a, p, out, field)
    np.testing.assert_array_equal(out, want.T)
    np.testing.assert_array_equal(field, p["m"].T[:, :, 1] + p["m"].T[:, :, 0])
    want.T[0, 1], want.T[1] = 7, 8
    np.testing.assert_array_equal(a, want)

    @gpu.jit
    def reshaped(p, out):
        out[0] = p["pos"].reshape(3, 1)[1, 0]

    with pytest.raises(CompileError, match="not-contiguous"):
        reshaped[1, 1](p, np.zeros(1))


def test_a_tuple_for_every_record_of_a_view():
    dtype = np.dtype([("x", np.float32), ("n", np.int16), ("v", np.float64, 2), ("at", [("a", np.int8), ("b", np.int64)])])

    @gpu.jit
    def kernel(p, q, k):
        p[1:] = (3.5, k, 2.0, (4, 5))
        q[:, 1] = (0.25, 7, p[0]["v"][1], (k, k))

    p, q = make(dtype, 5), make(dtype, 6).reshape(3, 2)
    want_p, want_q = p.copy(), q.copy()
    want_p[1:] = (3.5, 9, (2.0, 2.0), (4, 5))
    want_q[:, 1] = (0.25, 7, (p[0]["v"][1],) * 2, (9, 9))
    kernel[1, 1](p, q, 9)
    np.testing.assert_array_equal(p, want_p)
    np.testing.assert_array_equal(q, want_q)
