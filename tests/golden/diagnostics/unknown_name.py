from lanewise import gpu


@gpu.jit("void(float32[::1], int64)")
def k(out, count):
    out[0] = cuont
    out[1] = gird(1)
    out[2] = absolutely_unknown
    out[3] = opne(1)
    out[4] = ragne(1)
    out[5] = slot
    out[6] = syncthread()
    out[7] = gpu.gird(1) + gpu.threads

#= unknown_name.py:6:14: error: name `cuont` is not defined [unknown-name]
#=     6 |     out[0] = cuont
#=       |              ^~~~~
#= hint: did you mean `count`?
#= unknown_name.py:7:14: error: name `gird` is not defined [unknown-name]
#=     7 |     out[1] = gird(1)
#=       |              ^~~~
#= hint: did you mean `gpu.grid`?
#= unknown_name.py:8:14: error: name `absolutely_unknown` is not defined [unknown-name]
#=     8 |     out[2] = absolutely_unknown
#=       |              ^~~~~~~~~~~~~~~~~~
#= unknown_name.py:9:14: error: name `opne` is not defined [unknown-name]
#=     9 |     out[3] = opne(1)
#=       |              ^~~~
#= unknown_name.py:10:14: error: name `ragne` is not defined [unknown-name]
#=    10 |     out[4] = ragne(1)
#=       |              ^~~~~
#= hint: did you mean `range`?
#= unknown_name.py:11:14: error: name `slot` is not defined [unknown-name]
#=    11 |     out[5] = slot
#=       |              ^~~~
#= unknown_name.py:12:14: error: name `syncthread` is not defined [unknown-name]
#=    12 |     out[6] = syncthread()
#=       |              ^~~~~~~~~~
#= hint: did you mean `gpu.syncthreads`?
#= unknown_name.py:13:18: error: `gpu` has no attribute `gird` [unknown-attribute]
#=    13 |     out[7] = gpu.gird(1) + gpu.threads
#=       |                  ^~~~
#= hint: did you mean `grid`?
#= unknown_name.py:13:32: error: `gpu` has no attribute `threads` [unknown-attribute]
#=    13 |     out[7] = gpu.gird(1) + gpu.threads
#=       |                                ^~~~~~~
