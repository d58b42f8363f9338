from lanewise import gpu


@gpu.jit("void(float32[::1], float32)")
def k(out, x):
    i = gpu.grid(1)
    j = i / 2
    out[j] = 1
    out[x] = 2
    for n in range(x):
        out[n] = 3

#= index_type.py:8:9: error: an index must be an integer, not float [index-type]
#=     8 |     out[j] = 1
#=       |         ^
#= index_type.py:7:5: note: `j` became float here
#=     7 |     j = i / 2
#=       |     ^
#= hint: `int(x)` truncates; `x // y` of integers stays an integer
#= index_type.py:9:9: error: an index must be an integer, not float32 [index-type]
#=     9 |     out[x] = 2
#=       |         ^
#= index_type.py:5:12: note: `x` is float32: the type of this argument
#=     5 | def k(out, x):
#=       |            ^
#= hint: `int(x)` truncates; `x // y` of integers stays an integer
#= index_type.py:10:20: error: range()'s bound must be an integer, not float32 [index-type]
#=    10 |     for n in range(x):
#=       |                    ^
#= index_type.py:5:12: note: `x` is float32: the type of this argument
#=     5 | def k(out, x):
#=       |            ^
#= hint: `int(x)` truncates; `x // y` of integers stays an integer
