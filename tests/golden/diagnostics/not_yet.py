from lanewise import gpu


@gpu.jit("void(float32[::1], float32[:, ::1])")
def k(out, m):
    out[0] = m.sum()
    z = 1.5j
    print(out)
    print(f'{out[0]:{3}}')
    total = m + m
    m += 1

#= not_yet.py:6:16: error: not supported yet: the array method `sum` [not-yet]
#=     6 |     out[0] = m.sum()
#=       |                ^~~
#= hint: write the loop over the elements
#= not_yet.py:7:9: error: not supported yet: complex numbers [not-yet]
#=     7 |     z = 1.5j
#=       |         ^~~~
#= hint: keep the real and the imaginary part in two variables
<<<<<<< HEAD
#= not_yet.py:11:11: error: not supported yet: printing a whole array [not-yet]
#=    11 |     print(out)
#=       |           ^~~
#= not_yet.py:7:7: note: `out` is float32[::1]: the type of this argument
#=     7 | def k(out, m):
#=       |       ^~~
#= hint: print its elements: `print(a[0], a[1])`, or loop over them
#= not_yet.py:12:14: error: not supported yet: a format that holds values [not-yet]
#=    12 |     print(f'{out[0]:{3}}')
#=       |              ^~~~~~
#= hint: write the width and the precision as numbers
#= not_yet.py:13:15: error: not supported yet: arithmetic on whole arrays [not-yet]
#=    13 |     total = m + m
=======
#= not_yet.py:8:5: error: not supported yet: `assert` [not-yet]
#=     8 |     assert out[0] > 0
#=       |     ^~~~~~~~~~~~~~~~~
#= hint: test on the host, or write a flag into an array
#= not_yet.py:9:5: error: not supported yet: `print()` [not-yet]
#=     9 |     print(out[0])
#=       |     ^~~~~~~~~~~~~
#= hint: write the value into an array and print it on the host
#= not_yet.py:10:15: error: not supported yet: arithmetic on whole arrays [not-yet]
#=    10 |     total = m + m
>>>>>>> 668b3cc (Golden diagnostics of what kernels do not have)
#=       |               ^
#= not_yet.py:10:13: note: this is float32[:, ::1]
#=    10 |     total = m + m
#=       |             ^
#= not_yet.py:5:12: note: `m` is float32[:, ::1]: the type of this argument
#=     5 | def k(out, m):
#=       |            ^
#= hint: loop over the elements: `out[i] = a[i] + b[i]`
#= not_yet.py:11:5: error: not supported yet: arithmetic on whole arrays [not-yet]
#=    11 |     m += 1
#=       |     ^~~~~~
#= not_yet.py:11:5: note: this is float32[:, ::1]
#=    11 |     m += 1
#=       |     ^
#= not_yet.py:5:12: note: `m` is float32[:, ::1]: the type of this argument
#=     5 | def k(out, m):
#=       |            ^
#= hint: loop over the elements: `out[i] = a[i] + b[i]`
<<<<<<< HEAD
=======
#= not_yet.py:12:5: error: not supported yet: `raise` [not-yet]
#=    12 |     raise ValueError
#=       |     ^~~~~~~~~~~~~~~~
#= hint: write a code into an array and raise on the host
>>>>>>> 668b3cc (Golden diagnostics of what kernels do not have)
