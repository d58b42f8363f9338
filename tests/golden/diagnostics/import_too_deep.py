# Each module imports the next.
#: module m0 from m1 import f
#: module m1 from m2 import f
#: module m2 from m3 import f
#: module m3 from m4 import f
#: module m4 from m5 import f
#: module m5 from m6 import f
#: module m6 from m7 import f
#: module m7 from m8 import f
#: module m8 from m9 import f
#: module m9 from m10 import f
#: module m10 from m11 import f
#: module m11 from m12 import f
#: module m12 from m13 import f
#: module m13 from m14 import f
#: module m14 from m15 import f
#: module m15 from m16 import f
#: module m16 from m17 import f
#: module m17 from m18 import f
#: module m18 from m19 import f
#: module m19 from m20 import f
#: module m20 from m21 import f
#: module m21 from m22 import f
#: module m22 from m23 import f
#: module m23 from m24 import f
#: module m24 from m25 import f
#: module m25 from m26 import f
#: module m26 from m27 import f
#: module m27 from m28 import f
#: module m28 from m29 import f
#: module m29 from m30 import f
#: module m30 from m31 import f
#: module m31 from m32 import f
#: module m32 from m33 import f
#: module m33 from m34 import f
#: module m34 N = 1
from lanewise import gpu
from m0 import f


@gpu.jit("void(float32[:], int64)")
def k(x, n):
    x[0] = f(n)

#= import_too_deep.py:43:12: error: kernels cannot use `f`: it is imported through more than 32 other modules [unusable-name]
#=    43 |     x[0] = f(n)
#=       |            ^
#= m31.py:1:17: note: assigned here, in host code
#=     1 | from m32 import f
#=       |                 ^
#= hint: give its value when compiling: -Df=VALUE, or Options::constants
