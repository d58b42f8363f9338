# Orders and scopes are constants, and of a kind that the operation can have.
from lanewise import gpu


@gpu.jit
def k(a: gpu.int32[::1], z: gpu.complex64[::1], n: int):
    gpu.atomic.add(a, 0, 1, order="sequential")
    gpu.atomic.add(a, 0, 1, scope="grid")
    gpu.atomic.load(a, 0, order="release")
    gpu.atomic.store(a, 0, 1, order="acq_rel")
    gpu.atomic.fence("relaxed")
    gpu.atomic.fence("acquire", n)
    gpu.atomic.fence("acquire", "block", 3)
    gpu.atomic.add(a, 0, 1, ordering="acquire")
    gpu.atomic.load(z, 0)
    gpu.atomic.load(a)
    gpu.cg.this_grid(1).sync()
    gpu.cg.this_grid().synch()
    gpu.clock(1)

#= memory_order.py:7:35: error: `gpu.atomic.add`: `order` must be "relaxed", "acquire", "release", "acq_rel" or "seq_cst", not "sequential" [argument-type]
#=     7 |     gpu.atomic.add(a, 0, 1, order="sequential")
#=       |                                   ^~~~~~~~~~~~
#= memory_order.py:8:35: error: `gpu.atomic.add`: `scope` must be "block", "device" or "system", not "grid" [argument-type]
#=     8 |     gpu.atomic.add(a, 0, 1, scope="grid")
#=       |                                   ^~~~~~
#= memory_order.py:9:33: error: `gpu.atomic.load`: `order` must be "relaxed", "acquire" or "seq_cst", not "release" [argument-type]
#=     9 |     gpu.atomic.load(a, 0, order="release")
#=       |                                 ^~~~~~~~~
#= memory_order.py:10:37: error: `gpu.atomic.store`: `order` must be "relaxed", "release" or "seq_cst", not "acq_rel" [argument-type]
#=    10 |     gpu.atomic.store(a, 0, 1, order="acq_rel")
#=       |                                     ^~~~~~~~~
#= memory_order.py:11:22: error: `gpu.atomic.fence`: `order` must be "acquire", "release", "acq_rel" or "seq_cst", not "relaxed" [argument-type]
#=    11 |     gpu.atomic.fence("relaxed")
#=       |                      ^~~~~~~~~
#= hint: a relaxed fence orders nothing
#= memory_order.py:12:33: error: `gpu.atomic.fence`: `scope` must be "block", "device" or "system", not int [argument-type]
#=    12 |     gpu.atomic.fence("acquire", n)
#=       |                                 ^
#= memory_order.py:6:49: note: `n` is int: the type of this argument
#=     6 | def k(a: gpu.int32[::1], z: gpu.complex64[::1], n: int):
#=       |                                                 ^
#= memory_order.py:13:5: error: `gpu.atomic.fence` wants 0 arguments, not 3 [argument-count]
#=    13 |     gpu.atomic.fence("acquire", "block", 3)
#=       |     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
#= memory_order.py:14:38: error: `gpu.atomic.add` has no use for the keyword argument `ordering` [unknown-keyword]
#=    14 |     gpu.atomic.add(a, 0, 1, ordering="acquire")
#=       |                                      ^~~~~~~~~
#= memory_order.py:15:21: error: `gpu.atomic.load` does not work on complex64[::1] [atomic-type]
#=    15 |     gpu.atomic.load(z, 0)
#=       |                     ^
#= memory_order.py:6:26: note: `z` is complex64[::1]: the type of this argument
#=     6 | def k(a: gpu.int32[::1], z: gpu.complex64[::1], n: int):
#=       |                          ^
#= hint: its parts can be: `gpu.atomic.load(z.real, i)`, `z.imag`
#= memory_order.py:16:5: error: `gpu.atomic.load` wants 2 arguments, not 1 [argument-count]
#=    16 |     gpu.atomic.load(a)
#=       |     ^~~~~~~~~~~~~~~~~~
#= memory_order.py:17:5: error: `gpu.cg.this_grid` wants 0 arguments, not 1 [argument-count]
#=    17 |     gpu.cg.this_grid(1).sync()
#=       |     ^~~~~~~~~~~~~~~~~~~
#= memory_order.py:18:24: error: `gpu.cg.this_grid()` has no attribute `synch` [unknown-attribute]
#=    18 |     gpu.cg.this_grid().synch()
#=       |                        ^~~~~
#= hint: did you mean `sync`?
#= memory_order.py:19:5: error: `gpu.clock` wants 0 arguments, not 1 [argument-count]
#=    19 |     gpu.clock(1)
#=       |     ^~~~~~~~~~~~
