import enum

import numpy as np
from lanewise import gpu

DT = np.dtype([("x", np.float32), ("n", np.int16, (2, 3)), ("name", "S4")], align=True)
STEP = np.timedelta64(5, "ms")


class Mode(enum.IntEnum):
    SET = 0
    ADD = 1


@gpu.jit("void(record(x: float32, n: int16[2, 3], name: S4)[::1], datetime64[ms][:], timedelta64[s], U3[:], int64)")
def step(p, when, by, names, mode):
    i = gpu.grid(1)
    here = gpu.local.array(2, DT)
    r = p[i]
    if mode == Mode.ADD and not np.isnat(when[i]):
        r.x += r["n"][1, 2] + here.size
        when[i] += by * 2 + STEP
    here[0] = r
    if names[i] == "abc" or r.name != "ab":
        p["x"][i] = (when[i] - when[0]) / STEP
    r.n[...] = r.n * (2 if mode else 3) - 1
    gpu.atomic.add(p["x"], 0, when.view(np.int64)[i] % 7)
