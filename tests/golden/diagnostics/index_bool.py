from lanewise import gpu


@gpu.jit("void(int32[::1], int32[:, ::1], bool, int64)")
def k(out, m, flag, n):
    out[True] = 1
    out[flag] = 2
    out[n > 0] = 3
    m[0, flag] = 4
    gpu.atomic.add(out, flag, 1)
    out[int(flag)] = 5

#= index_bool.py:6:9: error: an index must be an integer, not bool [index-type]
#=     6 |     out[True] = 1
#=       |         ^~~~
#= hint: `int(x)` makes it 0 or 1
#= index_bool.py:7:9: error: an index must be an integer, not bool [index-type]
#=     7 |     out[flag] = 2
#=       |         ^~~~
#= index_bool.py:5:15: note: `flag` is bool: the type of this argument
#=     5 | def k(out, m, flag, n):
#=       |               ^~~~
#= hint: `int(x)` makes it 0 or 1
#= index_bool.py:8:9: error: an index must be an integer, not bool [index-type]
#=     8 |     out[n > 0] = 3
#=       |         ^~~~~
#= hint: `int(x)` makes it 0 or 1
#= index_bool.py:9:10: error: an index must be an integer, not bool [index-type]
#=     9 |     m[0, flag] = 4
#=       |          ^~~~
#= index_bool.py:5:15: note: `flag` is bool: the type of this argument
#=     5 | def k(out, m, flag, n):
#=       |               ^~~~
#= hint: `int(x)` makes it 0 or 1
#= index_bool.py:10:25: error: an index must be an integer, not bool [index-type]
#=    10 |     gpu.atomic.add(out, flag, 1)
#=       |                         ^~~~
#= index_bool.py:5:15: note: `flag` is bool: the type of this argument
#=     5 | def k(out, m, flag, n):
#=       |               ^~~~
#= hint: `int(x)` makes it 0 or 1
