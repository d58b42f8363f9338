import numpy as np

from lanewise import gpu


@gpu.jit("void(float32[::1])")
def k(a):
    a[0] = np.sort(a)[0]
    a[1] = np.cumsum(a)[0]
    a[2] = np.random.rand()
    a[3] = np.linalg.norm(a)
    a[4] = np.concatenate((a, a))[0]
    a[5] = np.array([1, 2])[0]
    a[6] = math.sqrt(2.0)
    a[7] = gpu.threadIdx[0]
    a[8] = a.summ()
    for i in a.shape[0]:
        a[i] = 1

#= not_in_language_numpy.py:8:12: error: not part of the kernel language: `np.sort` [not-in-language]
#=     8 |     a[0] = np.sort(a)[0]
#=       |            ^~~~~~~
#= hint: sort on the host, or write the sort in a `gpu.local.array` or shared array
#= not_in_language_numpy.py:9:12: error: not part of the kernel language: `numpy.cumsum()` [not-in-language]
#=     9 |     a[1] = np.cumsum(a)[0]
#=       |            ^~~~~~~~~~~~
#= hint: keep the running value in a variable of a loop over the elements
#= not_in_language_numpy.py:10:12: error: not part of the kernel language: `numpy.random.rand()` [not-in-language]
#=    10 |     a[2] = np.random.rand()
#=       |            ^~~~~~~~~~~~~~~~
#= hint: in kernels `gpu.random` has generators: `philox_uniform_float32(seed, index)`, or `xoroshiro128p_uniform_float32(states, i)`
#= not_in_language_numpy.py:11:12: error: not part of the kernel language: `numpy.linalg.norm()` [not-in-language]
#=    11 |     a[3] = np.linalg.norm(a)
#=       |            ^~~~~~~~~~~~~~~~~
#= hint: write out the loops, or call it on the host
#= not_in_language_numpy.py:12:12: error: not part of the kernel language: `numpy.concatenate()` [not-in-language]
#=    12 |     a[4] = np.concatenate((a, a))[0]
#=       |            ^~~~~~~~~~~~~~~~~~~~~~
#= hint: kernels cannot allocate: write the parts into an array that there is, such as `out[:n] = a`
#= not_in_language_numpy.py:13:12: error: not part of the kernel language: `np.array` [not-in-language]
#=    13 |     a[5] = np.array([1, 2])[0]
#=       |            ^~~~~~~~
#= hint: make it outside of the kernel, where it becomes a constant array; storage of a thread is `gpu.local.array(n, dtype)`
#= not_in_language_numpy.py:14:12: error: name `math` is not defined [unknown-name]
#=    14 |     a[6] = math.sqrt(2.0)
#=       |            ^~~~
#= hint: import it at the top of the file: `import math`
#= not_in_language_numpy.py:15:12: error: `gpu.threadIdx` has no elements to index [not-indexable]
#=    15 |     a[7] = gpu.threadIdx[0]
#=       |            ^~~~~~~~~~~~~
#= hint: it has `x`, `y` and `z`
#= not_in_language_numpy.py:16:14: error: float32[::1] has no attribute `summ` [unknown-attribute]
#=    16 |     a[8] = a.summ()
#=       |              ^~~~
#= not_in_language_numpy.py:7:7: note: `a` is float32[::1]: the type of this argument
#=     7 | def k(a):
#=       |       ^
#= hint: did you mean `sum`?
#= not_in_language_numpy.py:17:14: error: a loop cannot go over int [not-iterable]
#=    17 |     for i in a.shape[0]:
#=       |              ^~~~~~~~~~
#= hint: did you mean `range(a.shape[0])`?
