from lanewise import gpu


@gpu.jit("void(float32[::1], int64)")
def k(out, n):
    a = missing + 1
    b = a * 2
    c, d = b
    for i in range(a):
        out[i] = c
    if a:
        out[d] = helper(a, b)
    while b < a:
        a += 1
    out[n] = a[b]

#= inference_no_cascade.py:6:9: error: name `missing` is not defined [unknown-name]
#=     6 |     a = missing + 1
#=       |         ^~~~~~~
#= inference_no_cascade.py:12:18: error: name `helper` is not defined [unknown-name]
#=    12 |         out[d] = helper(a, b)
#=       |                  ^~~~~~
