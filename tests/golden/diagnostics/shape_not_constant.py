from lanewise import gpu

N = 16


@gpu.jit("void(float32[::1], int64)")
def k(out, n):
    good = gpu.shared.array((N, N + 1), "float32")
    a = gpu.shared.array(n, "float32")
    size = 8
    b = gpu.local.array((size, 2), "float32")
    size += 1
    c = gpu.local.array(-1, "float32")
    d = gpu.shared.array((0, 4), "float32")

#= shape_not_constant.py:9:26: error: an array's shape must be made of positive constants; int64 is not [shape-not-constant]
#=     9 |     a = gpu.shared.array(n, "float32")
#=       |                          ^
#= shape_not_constant.py:7:12: note: `n` is int64: the type of this argument
#=     7 | def k(out, n):
#=       |            ^
#= hint: use a literal, a module-level or captured constant, or a variable assigned once from such
#= shape_not_constant.py:11:26: error: an array's shape must be made of positive constants; int is not [shape-not-constant]
#=    11 |     b = gpu.local.array((size, 2), "float32")
#=       |                          ^~~~
#= shape_not_constant.py:10:5: note: `size` became int here
#=    10 |     size = 8
#=       |     ^~~~
#= hint: use a literal, a module-level or captured constant, or a variable assigned once from such
#= shape_not_constant.py:13:25: error: an array's shape must be made of positive constants; -1 is not [shape-not-constant]
#=    13 |     c = gpu.local.array(-1, "float32")
#=       |                         ^~
#= hint: use a literal, a module-level or captured constant, or a variable assigned once from such
#= shape_not_constant.py:14:26: error: an array's shape must be made of positive constants; (0, 4) is not [shape-not-constant]
#=    14 |     d = gpu.shared.array((0, 4), "float32")
#=       |                          ^~~~~~
#= hint: only a one-dimensional shared array may have size 0: it is the dynamic shared memory of the launch
