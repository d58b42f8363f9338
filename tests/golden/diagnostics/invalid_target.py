from lanewise import gpu


@gpu.jit("void(float32[:], int64)")
def k(x, n):
    n + 1 = 2
    3 = n
    f(n) += 1
    x[0], n * 2 = 1, 2

#= invalid_target.py:6:5: error: cannot assign to an expression [invalid-target]
#=     6 |     n + 1 = 2
#=       |     ^~~~~
#= invalid_target.py:7:5: error: cannot assign to a literal [invalid-target]
#=     7 |     3 = n
#=       |     ^
#= invalid_target.py:8:5: error: cannot assign to a call [invalid-target]
#=     8 |     f(n) += 1
#=       |     ^~~~
#= invalid_target.py:9:11: error: cannot assign to an expression [invalid-target]
#=     9 |     x[0], n * 2 = 1, 2
#=       |           ^~~~~
