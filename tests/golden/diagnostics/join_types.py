from lanewise import gpu


@gpu.jit("void(float32[::1], float64[::1], int64)")
def k(out, wide, n):
    if n > 1:
        y = out
    else:
        y = wide
    if n > 2:
        z = (1, 2)
    else:
        z = 3
    out[0] = y[0]
    out[1] = z
    t = ()
    for i in range(n):
        t = t + (i,)
    out[2] = len(t)
    s = out
    e = out + 1
    for i in range(n):
        s = s + out
        e = e + out

#= join_types.py:14:14: error: `y` is float32[::1] on one path and float64[::1] on another [join-types]
#=    14 |     out[0] = y[0]
#=       |              ^
#= join_types.py:7:9: note: one of the two here
#=     7 |         y = out
#=       |         ^
#= join_types.py:9:9: note: the other one here
#=     9 |         y = wide
#=       |         ^
#= hint: use a name of its own for each
#= join_types.py:15:14: error: `z` is (int, int) on one path and int on another [join-types]
#=    15 |     out[1] = z
#=       |              ^
#= join_types.py:11:9: note: one of the two here
#=    11 |         z = (1, 2)
#=       |         ^
#= join_types.py:13:9: note: the other one here
#=    13 |         z = 3
#=       |         ^
#= hint: use a name of its own for each
#= join_types.py:18:13: error: `t` is () on one path and (int,) on another [join-types]
#=    18 |         t = t + (i,)
#=       |             ^
#= join_types.py:16:5: note: one of the two here
#=    16 |     t = ()
#=       |     ^
#= join_types.py:18:9: note: the other one here
#=    18 |         t = t + (i,)
#=       |         ^
#= hint: use a name of its own for each
#= join_types.py:23:13: error: `s` is float32[::1] on one path and an array expression (float32[:]) on another [join-types]
#=    23 |         s = s + out
#=       |             ^
#= join_types.py:20:5: note: one of the two here
#=    20 |     s = out
#=       |     ^
#= join_types.py:23:9: note: the other one here
#=    23 |         s = s + out
#=       |         ^
#= hint: an expression of whole arrays has no memory of its own: make `s` an array, `s = gpu.local.array(n, dtype)`, and write `s[:] = ...`
#= join_types.py:24:13: error: `e` is an array expression (float32[:]) on one path and another one on another [join-types]
#=    24 |         e = e + out
#=       |             ^
#= join_types.py:21:5: note: one of the two here
#=    21 |     e = out + 1
#=       |     ^
#= join_types.py:24:9: note: the other one here
#=    24 |         e = e + out
#=       |         ^
#= hint: an expression of whole arrays has no memory of its own: make `e` an array, `e = gpu.local.array(n, dtype)`, and write `e[:] = ...`
