from lanewise import gpu
import numpy as np


@gpu.jit("void(float32[:, ::1], float32[::1], int32[::1], int64)")
def k(m, a, n, i):
    if a > 0:
        n[0] = 1
    n[0] = a + 1
    n[:] = n[n > 2]
    a[n] = 1
    n[0] = a.copy()[0] + m.flatten()[0]
    a[:] = m.sum(axis=i)
    a[:] = m.sum(axis=2)
    n[0] = np.zeros(i)[0]
    n[:] = a & 1
    a[:] = np.sum(a, where=n)
    n[0] = max(m)
    a.sort()
    a[:] = (a + 1)[1:]
    a[:] = m - m.mean(axis=0)
    s = gpu.shared.array(4, np.float32, alignment=12)
    t = gpu.local.array(4, np.float32, alignment=16)
    m[:, :] = m.transpose(0, 0)

#= array_expressions.py:7:8: error: an array expression (bool[:]) is neither true nor false [condition-type]
#=     7 |     if a > 0:
#=       |        ^~~~~
#= hint: `(...).any()` or `.all()` says it of all elements; `a.size > 0` of the size
#= array_expressions.py:9:12: error: an array expression (float32[:]) cannot be stored in an element of type int32 [store-type]
#=     9 |     n[0] = a + 1
#=       |            ^~~~~
#= array_expressions.py:10:14: error: not part of the kernel language: indexing with a mask [not-in-language]
#=    10 |     n[:] = n[n > 2]
#=       |              ^~~~~
#= hint: loop over the elements and test each, or choose with `np.where(mask, a, b)`
#= array_expressions.py:11:7: error: not part of the kernel language: indexing with an array [not-in-language]
#=    11 |     a[n] = 1
#=       |       ^
#= hint: loop over the indices
#= array_expressions.py:12:12: error: not part of the kernel language: `copy()`, which makes a new array [not-in-language]
#=    12 |     n[0] = a.copy()[0] + m.flatten()[0]
#=       |            ^~~~~~~~
#= hint: `t = gpu.local.array(n, dtype)`, `t[:] = a` copies into an array of fixed size
#= array_expressions.py:12:26: error: not part of the kernel language: `flatten()`, which makes a new array [not-in-language]
#=    12 |     n[0] = a.copy()[0] + m.flatten()[0]
#=       |                          ^~~~~~~~~~~
#= hint: `.ravel()` is a view of a contiguous array; `.flat` goes over any
#= array_expressions.py:13:23: error: not part of the kernel language: an axis that is not constant [not-in-language]
#=    13 |     a[:] = m.sum(axis=i)
#=       |                       ^
#= hint: write the loop, or one statement an axis
#= array_expressions.py:14:23: error: index 2 is out of range for length 2 [index-range]
#=    14 |     a[:] = m.sum(axis=2)
#=       |                       ^
#= array_expressions.py:15:21: error: an array's shape must be made of positive constants; int64 is not [shape-not-constant]
#=    15 |     n[0] = np.zeros(i)[0]
#=       |                     ^
#= array_expressions.py:6:16: note: `i` is int64: the type of this argument
#=     6 | def k(m, a, n, i):
#=       |                ^
#= hint: kernels cannot allocate: the shape of an array of a thread's own must be known when it is compiled; pass larger ones as arguments
#= array_expressions.py:16:14: error: `&` does not work on float32 and int [operand-types]
#=    16 |     n[:] = a & 1
#=       |              ^
#= hint: convert with `int(x)`, or a cast such as `np.uint32(x)`
#= array_expressions.py:17:28: error: `numpy.sum` has no use for the keyword argument `where` [unknown-keyword]
#=    17 |     a[:] = np.sum(a, where=n)
#=       |                            ^
#= array_expressions.py:18:16: error: `max`: argument 1 must be an array of one dimension, not float32[:, ::1] [argument-type]
#=    18 |     n[0] = max(m)
#=       |                ^
#= hint: `np.max()` is of all elements
#= array_expressions.py:19:5: error: not part of the kernel language: the array method `sort` [not-in-language]
#=    19 |     a.sort()
#=       |     ^~~~~~~~
#= hint: write the loop over the elements
#= array_expressions.py:20:12: error: not part of the kernel language: slicing an array expression [not-in-language]
#=    20 |     a[:] = (a + 1)[1:]
#=       |            ^~~~~~~~~~~
#= hint: slice its operands: `a[1:] + b[1:]`
#= array_expressions.py:21:5: error: arrays of shapes (?,) and (?, ?) do not go together [shape-mismatch]
#=    21 |     a[:] = m - m.mean(axis=0)
#=       |     ^~~~
#= array_expressions.py:22:51: error: `gpu.shared.array`: the alignment must be a constant power of two of at least 8, not 12 [argument-type]
#=    22 |     s = gpu.shared.array(4, np.float32, alignment=12)
#=       |                                                   ^~
#= array_expressions.py:24:30: error: `transpose`: an axis must be a constant from 0 to 1, each once, not 0 [argument-type]
#=    24 |     m[:, :] = m.transpose(0, 0)
#=       |                              ^
