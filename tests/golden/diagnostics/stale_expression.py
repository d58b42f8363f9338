from lanewise import gpu


@gpu.jit("void(float32[::1], float32[::1], float32[::1])")
def k(out, a, b):
    t = a + b
    out[0] = t[0]
    out[1] = t.sum()
    u = a * b
    for i in range(3):
        out[i] = u[i]
    a[0] = 1
    out[2] = t[1]
    for i in range(3):
        b[i] = u[i]

#= stale_expression.py:13:14: error: an array expression is evaluated here, but what it reads may have been written since [stale-expression]
#=    13 |     out[2] = t[1]
#=       |              ^
#= hint: assign it to an array where it is made: `t = gpu.local.array(n, dtype)`, `t[:] = ...`
#= stale_expression.py:15:16: error: an array expression is evaluated here, but what it reads may have been written since [stale-expression]
#=    15 |         b[i] = u[i]
#=       |                ^
#= hint: assign it to an array where it is made: `t = gpu.local.array(n, dtype)`, `t[:] = ...`
