"""datetime64 and timedelta64: NumPy's arithmetic, units, NaT."""

import numpy as np
import pytest
from lanewise import CompileError, gpu

NAT = np.timedelta64("NaT", "s")
DURATIONS = np.array([0, 3, -7, 1000, NAT], "m8[s]")
OTHERS = np.array([2500, -300, 0, NAT, 7], "m8[ms]")
DATES = np.array(["2020-02-29T12:00:01", "1969-12-31T23:59:59", "NaT", "1970-01-01", "2100-01-01"], "M8[s]")


def run(kernel, *arrays, dtype):
    out = np.zeros(arrays[0].shape, dtype)
    kernel[1, 8](*arrays, out)
    return out


def same(a, b):
    assert a.dtype == b.dtype
    np.testing.assert_array_equal(a.view(np.int64) if a.dtype.kind in "mM" else a, b.view(np.int64) if b.dtype.kind in "mM" else b)


def test_sums_and_differences():
    @gpu.jit
    def kernel(a, b, d, total, rest, later, between):
        i = gpu.grid(1)
        if i < a.size:
            total[i] = a[i] + b[i]
            rest[i] = a[i] - b[i]
            later[i] = d[i] + a[i]
            between[i] = d[i] - d[0]

    total, rest = np.zeros(5, "m8[ms]"), np.zeros(5, "m8[ms]")
    later, between = np.zeros(5, "M8[s]"), np.zeros(5, "m8[s]")
    kernel[1, 8](DURATIONS, OTHERS, DATES, total, rest, later, between)
    same(total, DURATIONS + OTHERS)
    same(rest, DURATIONS - OTHERS)
    same(later, DATES + DURATIONS)
    same(between, DATES - DATES[0])


def test_products_and_quotients():
    @gpu.jit
    def kernel(a, b, scaled, halved, real, whole, left, cut):
        i = gpu.grid(1)
        if i < a.size:
            scaled[i] = 3 * a[i]
            halved[i] = a[i] / 2
            cut[i] = a[i] * 1.5
            real[i] = a[i] / b[i]
            whole[i] = a[i] // b[i]
            left[i] = a[i] % b[i]

    scaled, halved, cut, left = (np.zeros(5, t) for t in ("m8[s]", "m8[s]", "m8[s]", "m8[ms]"))
    real, whole = np.zeros(5), np.zeros(5, np.int64)
    kernel[1, 8](DURATIONS, OTHERS, scaled, halved, real, whole, left, cut)
    with np.errstate(all="ignore"):
        same(scaled, 3 * DURATIONS)
        same(halved, DURATIONS / 2)
        same(cut, DURATIONS * 1.5)
        same(real, DURATIONS / OTHERS)
        same(whole, DURATIONS // OTHERS)
        same(left, DURATIONS % OTHERS)


@pytest.mark.parametrize("op", ["==", "!=", "<", "<=", ">", ">="])
def test_comparisons(op):
    source = f"def kernel(a, b, out):\n    i = gpu.grid(1)\n    if i < a.size:\n        out[i] = a[i] {op} b[i]\n"
    scope = {"gpu": gpu}
    exec(source, scope)
    kernel = gpu.jit(source=source)(scope["kernel"])
    for a, b in [(DURATIONS, OTHERS), (OTHERS, DURATIONS), (DURATIONS, DURATIONS), (DATES, DATES[::-1].copy())]:
        same(run(kernel, a, b, dtype=np.bool_), eval(f"a {op} b"))


HOUR = np.timedelta64(1, "h")
START = np.datetime64("2021-03-04", "D")


def test_captures_arguments_and_casts():
    @gpu.jit
    def kernel(n, day, out, flags):
        t = START + n * HOUR
        out[0] = t
        out[1] = day
        out[2] = t + np.timedelta64(90, "m")
        if t < np.datetime64(0, "s"):
            out[2] = day
        flags[0] = np.isnat(out[3])
        flags[1] = np.isnat(t)
        flags[2] = np.int64(HOUR)
        flags[3] = t.view(np.int64)

    out = np.array(["1970"] * 3 + ["NaT"], "M8[s]")
    flags = np.zeros(4, np.int64)
    kernel[1, 1](5, np.datetime64("1999-01-01"), out, flags)
    t = START + 5 * HOUR
    same(out, np.array([t, np.datetime64("1999-01-01"), t + np.timedelta64(90, "m"), np.datetime64("NaT")], "M8[s]"))
    np.testing.assert_array_equal(flags, [1, 0, 1, t.astype(np.int64)])


def test_coarser_units_round_down():
    @gpu.jit
    def kernel(a, out):
        i = gpu.grid(1)
        if i < a.size:
            out[i] = a[i]

    same(run(kernel, OTHERS, dtype="m8[s]"), OTHERS.astype("m8[s]"))
    same(run(kernel, DURATIONS, dtype="m8[25us]"), DURATIONS.astype("m8[25us]"))


def test_months_do_not_mix():
    @gpu.jit
    def kernel(a, b, out):
        out[0] = a[0] + b[0]

    with pytest.raises(CompileError, match="months and years"):
        kernel[1, 1](np.zeros(1, "m8[M]"), np.zeros(1, "m8[D]"), np.zeros(1, "m8[D]"))
    out = np.zeros(1, "m8[M]")
    kernel[1, 1](np.array([2], "m8[Y]"), np.array([3], "m8[M]"), out)
    assert out[0] == np.timedelta64(27, "M")


def test_what_times_cannot_do():
    @gpu.jit
    def dates(a, out):
        out[0] = a[0] + a[1]

    with pytest.raises(CompileError, match="datetime64"):
        dates[1, 1](DATES, DATES.copy())


def test_magnitudes_and_choices():
    @gpu.jit
    def kernel(a, b, d, size, least, most, early, late, chosen):
        i = gpu.grid(1)
        if i < a.size:
            size[i] = abs(a[i])
            least[i] = min(a[i], b[i])
            most[i] = max(a[i], b[i], np.timedelta64(1, "s"))
            early[i] = np.minimum(d[i], d[0])
            late[i] = max((d[i], d[1]))
            chosen[i] = np.where(i % 2 == 0, a[i], b[i])

    size, least, most = np.zeros(5, "m8[s]"), np.zeros(5, "m8[ms]"), np.zeros(5, "m8[ms]")
    early, late, chosen = np.zeros(5, "M8[s]"), np.zeros(5, "M8[s]"), np.zeros(5, "m8[ms]")
    kernel[1, 8](DURATIONS, OTHERS, DATES, size, least, most, early, late, chosen)
    same(size, abs(DURATIONS))
    same(least, np.fmin(DURATIONS, OTHERS))
    same(most, np.fmax(np.fmax(DURATIONS, OTHERS), np.timedelta64(1, "s")))
    same(early, np.fmin(DATES, DATES[0]))
    same(late, np.fmax(DATES, DATES[1]))
    same(chosen, np.where(np.arange(5) % 2 == 0, DURATIONS, OTHERS))


def test_astype():
    @gpu.jit
    def kernel(a, count, fine, coarse):
        i = gpu.grid(1)
        if i < a.size:
            count[i] = a[i].astype(np.int64)
            fine[i] = a[i].astype("m8[us]")
            coarse[i] = a[i].astype(np.dtype("m8[m]"))

    values = np.array([0, 61, -61, 3600, NAT], "m8[s]")
    count, fine, coarse = np.zeros(5, np.int64), np.zeros(5, "m8[us]"), np.zeros(5, "m8[m]")
    kernel[1, 8](values, count, fine, coarse)
    same(count, values.astype(np.int64))
    same(fine, values.astype("m8[us]"))
    same(coarse, values.astype("m8[m]"))


@pytest.mark.parametrize("values", [DURATIONS[:4], DURATIONS, OTHERS, DURATIONS[2:3]], ids=["all", "nat", "mixed", "one"])
def test_reductions_of_durations(values):
    @gpu.jit
    def kernel(a, out, place):
        out[0] = a.min()
        out[1] = a.max()
        out[2] = a.sum()
        out[3] = np.mean(a)
        out[4] = np.abs(a).max()
        out[5] = min(a)
        place[0] = a.argmin()
        place[1] = a.argmax()

    out, place = np.zeros(6, values.dtype), np.zeros(2, np.int64)
    kernel[1, 1](values, out, place)
    known = values[~np.isnat(values)]
    want = [values.min(), values.max(), values.sum(), values.mean(), np.abs(values).max(), known.min()]
    same(out, np.array(want, values.dtype))
    np.testing.assert_array_equal(place, [values.argmin(), values.argmax()])


def test_reductions_of_dates():
    @gpu.jit
    def kernel(d, out, place):
        out[0] = d.min()
        out[1] = d.max()
        place[0] = d.argmax()
        place[1] = d.argmin()

    for dates in (DATES, DATES[:2], DATES[3:]):
        out, place = np.zeros(2, DATES.dtype), np.zeros(2, np.int64)
        kernel[1, 1](dates, out, place)
        same(out, np.array([dates.min(), dates.max()]))
        np.testing.assert_array_equal(place, [dates.argmax(), dates.argmin()])

    @gpu.jit
    def added(d, out):
        out[0] = d.sum()

    with pytest.raises(CompileError):
        added[1, 1](DATES, np.zeros(1, DATES.dtype))


def test_functions_of_whole_arrays_of_times():
    @gpu.jit
    def kernel(a, b, size, least, chosen):
        size[:] = np.abs(a)
        least[:] = np.minimum(a, b)
        chosen[:] = np.where(a > b, a, b)

    size, least, chosen = np.zeros(5, "m8[s]"), np.zeros(5, "m8[ms]"), np.zeros(5, "m8[ms]")
    kernel[1, 1](DURATIONS, OTHERS, size, least, chosen)
    same(size, abs(DURATIONS))
    same(least, np.fmin(DURATIONS, OTHERS))
    same(chosen, np.where(DURATIONS > OTHERS, DURATIONS, OTHERS))


DATE_TEXTS = (
    "2020", "1969-02", "2020-02-29", "0001-01-01", "0000-02-29", "1600-02-29", "1900-03-01", "1969-12-31T23",
    "2020-02-29 12:30", "9999-12-31T23:59:59", "2020-02-29T12:30:15.5", "1969-12-31T23:59:59.999999",
    "2021-05-06T07:08:09.123456789", "1970-01-01T00:00:00.000000000001",
)  # fmt: skip


def test_dates_of_text():
    @gpu.jit
    def kernel(out, t):
        for i, text in enumerate(DATE_TEXTS):
            out[i] = np.int64(np.datetime64(text))
        n = len(DATE_TEXTS)
        out[n] = np.int64(np.datetime64("2020-02-29", "s"))
        out[n + 1] = np.int64(np.datetime64("2020", "D"))
        out[n + 2] = t[0] == np.datetime64("2020-01-02") and t[0] < np.datetime64("2020-01-02T01")

    out = np.zeros(len(DATE_TEXTS) + 3, np.int64)
    kernel[1, 1](out, np.array(["2020-01-02"], "M8[D]"))
    wanted = [np.datetime64(text).astype(np.int64) for text in DATE_TEXTS]
    assert out.tolist() == [*wanted, 1582934400, 18262, 1]


@pytest.mark.parametrize("text", ["2020-13", "2021-02-29", "2020-02-29T", "2020-02-29T24", "x", "2020-02-29T12:30Z"])
def test_texts_that_are_no_dates(text):
    @gpu.jit
    def kernel(out):
        out[0] = np.int64(np.datetime64(text))

    with pytest.raises(CompileError, match="2024-02-29T12:30"):
        kernel[1, 1](np.zeros(1, np.int64))
