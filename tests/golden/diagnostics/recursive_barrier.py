from lanewise import gpu


@gpu.jit(device=True)
def both(n, v):
    gpu.syncthreads()
    if n == 0:
        return v
    return both(n - 1, gpu.shfl_xor_sync(0xFFFFFFFF, v, 1))


@gpu.jit(device=True)
def scratch(n):
    s = gpu.shared.array(4, "int32")
    s[0] = n
    return s[0]


@gpu.jit(device=True)
def outer(n):
    if n <= 0:
        return 0
    return scratch(n) + outer(n - 1)


@gpu.jit("void(int64[::1])")
def k(out):
    out[0] = both(3, 1)
    out[1] = outer(2)

#= recursive_barrier.py:6:5: error: `both` calls itself, and this is a barrier [recursive-barrier]
#=     6 |     gpu.syncthreads()
#=       |     ^~~~~~~~~~~~~~~~~
#= recursive_barrier.py:5:5: note: this function calls itself
#=     5 | def both(n, v):
#=       |     ^~~~
#= hint: write the recursion as a loop
#= recursive_barrier.py:9:24: error: `both` calls itself, and this is a warp operation [recursive-barrier]
#=     9 |     return both(n - 1, gpu.shfl_xor_sync(0xFFFFFFFF, v, 1))
#=       |                        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
#= recursive_barrier.py:5:5: note: this function calls itself
#=     5 | def both(n, v):
#=       |     ^~~~
#= hint: write the recursion as a loop
#= recursive_barrier.py:14:9: error: `outer` calls itself, and this is a shared array [recursive-barrier]
#=    14 |     s = gpu.shared.array(4, "int32")
#=       |         ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
#= recursive_barrier.py:20:5: note: this function calls itself
#=    20 | def outer(n):
#=       |     ^~~~~
#= hint: write the recursion as a loop
