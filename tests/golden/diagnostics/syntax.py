# Several mistakes in one run: the parser goes on with the next statement.
from lanewise import gpu


@gpu.jit("void(float32[:], int64)")
def k(x, n):
    x[0] = n +
    if n = 1:
        x[0] = 1
    x[1] = n n
    for i range(n):
        x[i] = 0

#= syntax.py:7:15: error: expected an expression, found the end of the line [syntax]
#=     7 |     x[0] = n +
#=       |               ^
#= syntax.py:8:10: error: expected `:`, found `=` [syntax]
#=     8 |     if n = 1:
#=       |          ^
#= hint: comparison is `==`, assignment inside an expression is `:=`
#= syntax.py:10:14: error: expected the end of the statement, found `n` [syntax]
#=    10 |     x[1] = n n
#=       |              ^
#= syntax.py:11:11: error: expected `in`, found `range` [syntax]
#=    11 |     for i range(n):
#=       |           ^~~~~
