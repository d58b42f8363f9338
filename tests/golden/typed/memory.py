# Arrays: elements, views and their layouts, indices that cannot be negative, shared, local and constant memory.
import math

import numpy as np

from lanewise import gpu


@gpu.jit("void(float32[:, ::1], float32[::1, :], int, uint8)")
def k(c, f, n, u):
    i, j = gpu.grid(2)
    c[i, j] = f[j, i] + c[-1, n] + c[u, n % 4]
    c[n // 2, math.floor(f[0, 0])] = c[gpu.threadIdx.x - 1][0]
    row = c[n]
    column = c[:, n]
    part = c[1:3]
    inner = c[1:-1, ::2]
    row[0] = column[0] + part[0, 0] + inner[0, 0] + f[:, 0][1] + c.T[0, 1] + f.T[0, 1]
    h, w = c.shape
    c[0, 0] = c.size + h * w + c.strides[0] + c.ndim
    tile = gpu.shared.array((4, 8), np.float32)
    mine = gpu.local.array(3, "int16")
    extra = gpu.shared.array(0, np.int32)
    tile[0, tile.shape[1] - 1] = mine[-1]
    gpu.syncthreads()
    extra[0] = gpu.atomic.max(extra, -1, 5) + gpu.atomic.cas(extra, n, 0, 1)
    gpu.atomic.add(tile, (0, n), 1.5)
    mine[:] = 0
    c[..., 1] = n

#= kernel k(c: float32[:, ::1], f: float32[::1, :], n: int, u: uint8):
#=   i: int = add(mul(int(block_id_x()), int(block_dim_x())), int(thread_id_x()))
#=   j: int = add(mul(int(block_id_y()), int(block_dim_y())), int(thread_id_y()))
#=   c[i, j] = add(add(f[j, i], c[-1~, n~]), c[int(u), floor_mod(n, 4)])
#=   c[floor_div(n, 2)~, int(floor(f[0, 0]))~] = c[sub(int(thread_id_x()), 1)~, :][0]
#=   row: float32[::1] = c[n~, :]
#=   column: float32[:] = c[:, n~]
#=   part: float32[:, ::1] = c[1:3, :]
#=   inner: float32[:, :] = c[1:-1, ::2]
#=   row[0] = add(add(add(add(add(column[0], part[0, 0]), inner[0, 0]), f[:, 0][1]), c.T[0, 1]), f.T[0, 1])
#=   h: int = c.shape0
#=   w: int = c.shape1
#=   c[0, 0] = float32(add(add(add(c.size, mul(h, w)), mul(c.stride0, 4)), 2))
#=   tile: shared float32[:, ::1] = shared_array<shared float32[:, ::1]>(4, 8)
#=   mine: local int16[::1] = local_array<local int16[::1]>(3,)
#=   extra: shared int32[::1] = dynamic_shared<shared int32[::1]>()
#=   tile[0, 7] = float32(mine[-1~])
#=   barrier()
#=   extra[0] = add(atomic_max(extra[-1~], int32(5)), atomic_cas(extra[n~], int32(0), int32(1)))
#=   atomic_add(tile[0, n~], float32(1.5))
#=   for .t: int in range(0, 3, 1):
#=     mine[.t] = int16(0)
#=   .t.1: float32[:] = c[:, 1]
#=   .t.2: float32 = float32(n)
#=   .t.3: int = .t.1.shape0
#=   for .t.4: int in range(0, .t.3, 1):
#=     .t.1[.t.4] = .t.2
