import math

from lanewise import gpu


@gpu.jit("void(float32[:, ::1], int64)")
def k(out, n):
    out[0, 0] = math.sinn(n)
    out[0, 1] = gpu.threadIdx.w
    out[0, 2] = gpu.thredIdx.x
    out[0, 3] = out.shap[0]
    out[0, 4] = n.shape[0]

#= unknown_attribute.py:8:22: error: `math` has no attribute `sinn` [unknown-attribute]
#=     8 |     out[0, 0] = math.sinn(n)
#=       |                      ^~~~
#= hint: did you mean `sin`?
#= unknown_attribute.py:9:31: error: `gpu.threadIdx` has no attribute `w` [unknown-attribute]
#=     9 |     out[0, 1] = gpu.threadIdx.w
#=       |                               ^
#= hint: it has `x`, `y` and `z`
#= unknown_attribute.py:10:21: error: `gpu` has no attribute `thredIdx` [unknown-attribute]
#=    10 |     out[0, 2] = gpu.thredIdx.x
#=       |                     ^~~~~~~~
#= hint: did you mean `threadIdx`?
#= unknown_attribute.py:11:21: error: float32[:, ::1] has no attribute `shap` [unknown-attribute]
#=    11 |     out[0, 3] = out.shap[0]
#=       |                     ^~~~
#= unknown_attribute.py:7:7: note: `out` is float32[:, ::1]: the type of this argument
#=     7 | def k(out, n):
#=       |       ^~~
#= hint: did you mean `shape`?
#= unknown_attribute.py:12:19: error: int64 has no attribute `shape` [unknown-attribute]
#=    12 |     out[0, 4] = n.shape[0]
#=       |                   ^~~~~
#= unknown_attribute.py:7:12: note: `n` is int64: the type of this argument
#=     7 | def k(out, n):
#=       |            ^
#= hint: this is one number, not an array
