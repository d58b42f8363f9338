from lanewise import gpu


@gpu.jit("void(float32[::1], float32[:, ::1])")
def k(out, m):
    out[0] = m[0]
    out[1] = (1, 2)
    out[2] = None

#= store_type.py:6:14: error: float32[::1] cannot be stored in an element of type float32 [store-type]
#=     6 |     out[0] = m[0]
#=       |              ^~~~
#= store_type.py:7:14: error: (int, int) cannot be stored in an element of type float32 [store-type]
#=     7 |     out[1] = (1, 2)
#=       |              ^~~~~~
#= store_type.py:8:14: error: None cannot be stored in an element of type float32 [store-type]
#=     8 |     out[2] = None
#=       |              ^~~~
