import numpy as np

from lanewise import gpu


@gpu.jit(device=True)
def settle(tile, t):
    if t < 16:
        gpu.syncthreads()
    return tile[0]


@gpu.jit("void(float32[::1], int32)")
def k(x, n):
    tile = gpu.shared.array(32, np.float32)
    t = gpu.threadIdx.x
    tile[t] = x[t]
    if t < 16:
        gpu.syncthreads()
    turns = n
    if x[t] > 0:
        turns = 3
    for i in range(turns):
        gpu.syncthreads()
    while tile[t] > 0:
        tile[t] -= 1
        gpu.syncthreads()
    x[0] = settle(tile, t)
    x[t] = tile[31 - t]


# All threads take these alike, or those that do not have nothing more to do.
@gpu.jit("void(float32[::1], int32)")
def good(x, n):
    tile = gpu.shared.array(32, np.float32)
    i = gpu.grid(1)
    if gpu.blockIdx.x > 3:
        gpu.syncthreads()
    for step in range(n):
        gpu.syncthreads()
    if i >= x.size:
        return
    gpu.syncthreads()
    if i < n:
        tile[gpu.threadIdx.x] = x[i]
        gpu.syncthreads()
        x[i] = tile[0]

#= divergent_barrier.py:19:9: warning: some threads may not reach this barrier: it is in a branch that not all of them take alike [divergent-barrier]
#=    19 |         gpu.syncthreads()
#=       |         ^~~~~~~~~~~~~~~~~
#= divergent_barrier.py:18:8: note: the condition is not the same for all threads of a block
#=    18 |     if t < 16:
#=       |        ^~~~~~
#= hint: move the barrier out of the `if`, so that all threads reach it
#= divergent_barrier.py:24:9: warning: some threads may not reach this barrier: it is in a loop that not all of them take alike [divergent-barrier]
#=    24 |         gpu.syncthreads()
#=       |         ^~~~~~~~~~~~~~~~~
#= divergent_barrier.py:23:14: note: the number of turns is not the same for all threads of a block
#=    23 |     for i in range(turns):
#=       |              ^~~~~~~~~~~~
#= hint: let all threads make the same number of turns, and test inside the loop which of them work
#= divergent_barrier.py:27:9: warning: some threads may not reach this barrier: it is in a loop that not all of them take alike [divergent-barrier]
#=    27 |         gpu.syncthreads()
#=       |         ^~~~~~~~~~~~~~~~~
#= divergent_barrier.py:25:11: note: the number of turns is not the same for all threads of a block
#=    25 |     while tile[t] > 0:
#=       |           ^~~~~~~~~~~
#= hint: let all threads make the same number of turns, and test inside the loop which of them work
#= divergent_barrier.py:9:9: warning: some threads may not reach this barrier: it is in a branch that not all of them take alike [divergent-barrier]
#=     9 |         gpu.syncthreads()
#=       |         ^~~~~~~~~~~~~~~~~
#= divergent_barrier.py:8:8: note: the condition is not the same for all threads of a block
#=     8 |     if t < 16:
#=       |        ^~~~~~
#= hint: move the barrier out of the `if`, so that all threads reach it
