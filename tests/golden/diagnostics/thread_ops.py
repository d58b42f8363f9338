from lanewise import gpu


@gpu.jit("void(float32[::1], uint16[::1])")
def k(out, narrow):
    gpu.shfl_sync(0xFFFFFFFF, out[0], 1.5)
    gpu.ballot_sync(1.5, True)
    gpu.reduce_add_sync(0xFFFFFFFF, out[0])
    gpu.popc(out[0])
    out[0].bit_count()
    gpu.ldcg(out[0], 1)
    gpu.stcg(out, (0, 1), 2.0)
    gpu.atomic.inc(out, 0, 1)
    gpu.atomic.max(narrow, 0, 1)
    gpu.syncwarp(1, 2)
    gpu.syncthreads_count()

#= thread_ops.py:6:39: error: `gpu.shfl_sync`: argument 3 must be an integer, not float [argument-type]
#=     6 |     gpu.shfl_sync(0xFFFFFFFF, out[0], 1.5)
#=       |                                       ^~~
#= thread_ops.py:7:21: error: `gpu.ballot_sync`: argument 1 must be an integer, not float [argument-type]
#=     7 |     gpu.ballot_sync(1.5, True)
#=       |                     ^~~
#= thread_ops.py:8:37: error: `gpu.reduce_add_sync`: argument 2 must be an integer, not float32 [argument-type]
#=     8 |     gpu.reduce_add_sync(0xFFFFFFFF, out[0])
#=       |                                     ^~~~~~
#= hint: floats depend on the order: add what `gpu.shfl_down_sync` brings, in a loop over 16, 8, 4, 2, 1
#= thread_ops.py:9:14: error: `gpu.popc`: argument 1 must be an integer, not float32 [argument-type]
#=     9 |     gpu.popc(out[0])
#=       |              ^~~~~~
#= thread_ops.py:10:5: error: `int.bit_count`: argument 1 must be an integer, not float32 [argument-type]
#=    10 |     out[0].bit_count()
#=       |     ^~~~~~
#= thread_ops.py:11:14: error: `gpu.ldcg`: argument 1 must be an array, not float32 [argument-type]
#=    11 |     gpu.ldcg(out[0], 1)
#=       |              ^~~~~~
#= hint: pass the array and the index apart: `gpu.ldcg(a, i)`
#= thread_ops.py:12:19: error: float32[::1] has 1 dimension, but is indexed with 2 [index-count]
#=    12 |     gpu.stcg(out, (0, 1), 2.0)
#=       |                   ^~~~~~
#= thread_ops.py:5:7: note: `out` is float32[::1]: the type of this argument
#=     5 | def k(out, narrow):
#=       |       ^~~
#= thread_ops.py:13:20: error: `gpu.atomic.inc` does not work on float32[::1] [atomic-type]
#=    13 |     gpu.atomic.inc(out, 0, 1)
#=       |                    ^~~
#= thread_ops.py:5:7: note: `out` is float32[::1]: the type of this argument
#=     5 | def k(out, narrow):
#=       |       ^~~
#= hint: it works on 32- and 64-bit integers
#= thread_ops.py:14:20: error: `gpu.atomic.max` does not work on uint16[::1] [atomic-type]
#=    14 |     gpu.atomic.max(narrow, 0, 1)
#=       |                    ^~~~~~
#= thread_ops.py:5:12: note: `narrow` is uint16[::1]: the type of this argument
#=     5 | def k(out, narrow):
#=       |            ^~~~~~
#= hint: integers of fewer than 32 bits have no atomics: collect in an int32 array
#= thread_ops.py:15:5: error: `gpu.syncwarp` wants 0 to 1 arguments, not 2 [argument-count]
#=    15 |     gpu.syncwarp(1, 2)
#=       |     ^~~~~~~~~~~~~~~~~~
#= thread_ops.py:16:5: error: `gpu.syncthreads_count` wants 1 argument, not 0 [argument-count]
#=    16 |     gpu.syncthreads_count()
#=       |     ^~~~~~~~~~~~~~~~~~~~~~~
