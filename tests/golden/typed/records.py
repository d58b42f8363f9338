import numpy as np

from lanewise import gpu

CELL = np.dtype([("flag", np.bool_), ("at", np.float32, 2), ("n", np.int16)])
GRID = np.dtype([("cell", CELL), ("t", "m8[s]"), ("name", "S3")], align=True)


@gpu.jit("void(record(x: float32, m: int32[2, 3])[:], packed record(b: int8, v: float64)[:])")
def k(p, q):
    i = gpu.grid(1)
    r = p[i]
    r.x += q[i].v
    r.m[1, 2] = p["m"][i, 0, 0]
    p[i] = p[i + 1]
    s = gpu.shared.array(4, GRID)
    s[i].cell.at[0] = r.x
    s[i].t = np.timedelta64(3, "m")
    s[i].name = "ab"
    q["b"] = 1

#= kernel k(p: record(x: float32, m: int32[2, 3])[:], q: packed record(b: int8, v: float64)[:]):
#=   i: int = add(mul(int(block_id_x()), int(block_dim_x())), int(thread_id_x()))
#=   r: record(x: float32, m: int32[2, 3]) = p[i]
#=   .t: float32[()] = r.x
#=   .t[] = float32(add(float64(.t[]), q[i].v[]))
#=   r.m[1, 2] = p.m[i, 0, 0]
#=   p[i][] = p[add(i, 1)]
#=   s: shared record(cell: packed record(flag: bool, at: float32[2], n: int16), t: timedelta64[s], name: S3)[::1] = shared_array<shared record(cell: packed record(flag: bool, at: float32[2], n: int16), t: timedelta64[s], name: S3)[::1]>(4,)
#=   s[i].cell.at[0] = r.x[]
#=   s[i].t[] = timedelta64[s](180)
#=   .t.1: shared S3 = s[i].name
#=   .t.2: shared uint8[::1] = .t.1.characters
#=   .t.2[0] = uint8(97)
#=   .t.2[1] = uint8(98)
#=   .t.2[2] = uint8(0)
#=   .t.3: int8[:] = q.b
#=   .t.4: int = .t.3.shape0
#=   for .t.5: int in range(0, .t.4, 1):
#=     .t.3[.t.5] = int8(1)
