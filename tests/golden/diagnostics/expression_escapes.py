from lanewise import gpu


@gpu.jit(device=True)
def first(x):
    return x[0]


@gpu.jit(device=True)
def doubled(x):
    return x * 2


@gpu.jit("void(float32[::1], float32[::1])")
def k(out, a):
    out[0] = first(a + 1)
    out[1] = doubled(a)[0]
    t = a + 1
    t[0] = 5
    t[1:] += 1
    p = (t, 1)
    (a + 1).fill(0)
    (a + 1).reshape(2, 2)

#= expression_escapes.py:16:20: error: an array expression (float32[:]) cannot be passed to a device function: it has no memory of its own [expression-escapes]
#=    16 |     out[0] = first(a + 1)
#=       |                    ^~~~~
#= hint: assign it to an array first: `t = gpu.local.array(n, dtype)`, `t[:] = ...`
#= expression_escapes.py:11:12: error: an array expression (float32[:]) cannot be returned: it has no memory of its own [expression-escapes]
#=    11 |     return x * 2
#=       |            ^~~~~
#= expression_escapes.py:17:14: note: `doubled` is called here
#=    17 |     out[1] = doubled(a)[0]
#=       |              ^~~~~~~
#= hint: assign it to an array first: `t = gpu.local.array(n, dtype)`, `t[:] = ...`
#= expression_escapes.py:19:5: error: an array expression (float32[:]) cannot be written to: it has no memory of its own [expression-escapes]
#=    19 |     t[0] = 5
#=       |     ^~~~
#= hint: assign it to an array first: `t = gpu.local.array(n, dtype)`, `t[:] = ...`
#= expression_escapes.py:20:5: error: an array expression (float32[:]) cannot be written to: it has no memory of its own [expression-escapes]
#=    20 |     t[1:] += 1
#=       |     ^~~~~
#= hint: assign it to an array first: `t = gpu.local.array(n, dtype)`, `t[:] = ...`
#= expression_escapes.py:21:9: error: an array expression (float32[:]) cannot be kept in a tuple: it has no memory of its own [expression-escapes]
#=    21 |     p = (t, 1)
#=       |         ^~~~~~
#= hint: assign it to an array first: `t = gpu.local.array(n, dtype)`, `t[:] = ...`
#= expression_escapes.py:22:5: error: an array expression (float32[:]) cannot be filled: it has no memory of its own [expression-escapes]
#=    22 |     (a + 1).fill(0)
#=       |     ^~~~~~~~~~~~~~~
#= hint: assign it to an array first: `t = gpu.local.array(n, dtype)`, `t[:] = ...`
#= expression_escapes.py:23:5: error: an array expression (float32[:]) cannot be reshaped: it has no memory of its own [expression-escapes]
#=    23 |     (a + 1).reshape(2, 2)
#=       |     ^~~~~~~~~~~~~~~~~~~~~
#= hint: assign it to an array first: `t = gpu.local.array(n, dtype)`, `t[:] = ...`
