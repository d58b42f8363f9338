from lanewise import gpu


@gpu.jit("void(int32[::1])")
def flag(out):
    s = gpu.shared.array(2, "int32")
    t = gpu.threadIdx.x
    if t == 0:
        while s[0] == 0:
            pass
        out[0] = s[1]
    else:
        s[1] = 3
        s[0] = 1


@gpu.jit("void(int32[::1])")
def polled_by_atomic(out):
    s = gpu.shared.array(2, "int32")
    while True:
        seen = gpu.atomic.add(s, 0, 0)
        if seen > 3:
            break
    out[0] = 1


@gpu.jit("void(int32[::1], int32[::1])")
def held_lock(lock, out):
    while gpu.atomic.cas(lock, 0, 0, 1) != 0:
        pass
    out[0] += 1
    gpu.syncthreads()
    gpu.atomic.exch(lock, 0, 0)


@gpu.jit("void(int32[::1], int32[::1])")
def fine(lock, out):
    s = gpu.shared.array(2, "int32")
    t = gpu.threadIdx.x
    while gpu.atomic.exch(lock, 0, 1) != 0:
        gpu.nanosleep(10)
    out[0] += 1
    gpu.atomic.exch(lock, 0, 0)
    tries = 0
    while s[0] == 0 and tries < 100:
        tries += 1
    gpu.syncthreads()
    if t == 0:
        while gpu.atomic.cas(lock, 1, 0, 1) != 0:
            pass
    gpu.syncthreads()
    while s[0] < 3:
        gpu.syncthreads()
        if t == 0:
            s[0] += 1
        gpu.syncthreads()
    while out[gpu.blockIdx.x] == 0:
        pass

#= waiting_loop.py:9:9: error: a thread waits here for another thread of its block, which may not run before this one goes on [waiting-loop]
#=     9 |         while s[0] == 0:
#=       |         ^~~~~~~~~~~~~~~~
#= waiting_loop.py:9:15: note: only another thread can change this
#=     9 |         while s[0] == 0:
#=       |               ^~~~
#= hint: wait at a barrier instead: `gpu.syncthreads()`
#= waiting_loop.py:20:5: error: a thread waits here for another thread of its block, which may not run before this one goes on [waiting-loop]
#=    20 |     while True:
#=       |     ^~~~~~~~~~~
#= waiting_loop.py:21:16: note: only another thread can change this
#=    21 |         seen = gpu.atomic.add(s, 0, 0)
#=       |                ^~~~~~~~~~~~~~~~~~~~~~~
#= hint: wait at a barrier instead: `gpu.syncthreads()`
#= waiting_loop.py:29:5: error: a thread waits here for another thread of its block, which may not run before this one goes on [waiting-loop]
#=    29 |     while gpu.atomic.cas(lock, 0, 0, 1) != 0:
#=       |     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
#= waiting_loop.py:32:5: note: threads that have the lock wait here for those that have not
#=    32 |     gpu.syncthreads()
#=       |     ^~~~~~~~~~~~~~~~~
#= hint: let one thread of the block take the lock, or give it back before
