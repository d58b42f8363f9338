from lanewise import gpu


@gpu.jit("void(float32[:, ::1], float32[::1], int64)")
def k(m, t, i):
    m[:, :] = m.T
    t[1:-1] = t[:-2] + t[2:]
    t[:] = t[::-1]
    m[:, :] -= m[0] + m[:, :1]
    t[:] = m @ t
    t[i:] = t[: t.size - i]
    m[1:, :] -= m[0]
    t[1:] = t[:-1]

#= needs_temporary.py:6:5: error: `m.T` is read here in another order than it is written in, which needs a temporary array [needs-temporary]
#=     6 |     m[:, :] = m.T
#=       |     ^~~~~~~
#= needs_temporary.py:6:15: note: this is read after some of it was written
#=     6 |     m[:, :] = m.T
#=       |               ^~~
#= hint: write into another array, or copy what is read first: `t = gpu.local.array(n, dtype)`, `t[:] = m.T`
#= needs_temporary.py:7:5: error: `t[2:]` is read here in another order than it is written in, which needs a temporary array [needs-temporary]
#=     7 |     t[1:-1] = t[:-2] + t[2:]
#=       |     ^~~~~~~
#= needs_temporary.py:7:24: note: this is read after some of it was written
#=     7 |     t[1:-1] = t[:-2] + t[2:]
#=       |                        ^~~~~
#= hint: write into another array, or copy what is read first: `t = gpu.local.array(n, dtype)`, `t[:] = t[2:]`
#= needs_temporary.py:8:5: error: `t[::-1]` is read here in another order than it is written in, which needs a temporary array [needs-temporary]
#=     8 |     t[:] = t[::-1]
#=       |     ^~~~
#= needs_temporary.py:8:12: note: this is read after some of it was written
#=     8 |     t[:] = t[::-1]
#=       |            ^~~~~~~
#= hint: write into another array, or copy what is read first: `t = gpu.local.array(n, dtype)`, `t[:] = t[::-1]`
#= needs_temporary.py:9:5: error: `m[:, :1]` is read here in another order than it is written in, which needs a temporary array [needs-temporary]
#=     9 |     m[:, :] -= m[0] + m[:, :1]
#=       |     ^~~~~~~~~~~~~~~~~~~~~~~~~~
#= needs_temporary.py:9:23: note: this is read after some of it was written
#=     9 |     m[:, :] -= m[0] + m[:, :1]
#=       |                       ^~~~~~~~
#= hint: write into another array, or copy what is read first: `t = gpu.local.array(n, dtype)`, `t[:] = m[:, :1]`
#= needs_temporary.py:10:5: error: `t` is read here in another order than it is written in, which needs a temporary array [needs-temporary]
#=    10 |     t[:] = m @ t
#=       |     ^~~~
#= needs_temporary.py:10:16: note: this is read after some of it was written
#=    10 |     t[:] = m @ t
#=       |                ^
#= hint: write into another array, or copy what is read first: `t = gpu.local.array(n, dtype)`, `t[:] = t`
