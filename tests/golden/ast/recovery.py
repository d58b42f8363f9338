# One report for each mistake; what stands after it is read.
#: mode function
def f(x):
    a = = 1
    b = 2
    if b = 3:
        c = 4 5
    else:
        d = 6
    for e f:
        break
    g = f(x y)
    1 = h
    return a
#= recovery.py:4:9: error: expected an expression, found `=` [syntax]
#=     4 |     a = = 1
#=       |         ^
#= hint: comparison is `==`
#= recovery.py:6:10: error: expected `:`, found `=` [syntax]
#=     6 |     if b = 3:
#=       |          ^
#= hint: comparison is `==`, assignment inside an expression is `:=`
#= recovery.py:7:15: error: expected the end of the statement, found `5` [syntax]
#=     7 |         c = 4 5
#=       |               ^
#= recovery.py:10:11: error: expected `in`, found `f` [syntax]
#=    10 |     for e f:
#=       |           ^
#= recovery.py:12:13: error: expected `,` or `)`, found `y` [syntax]
#=    12 |     g = f(x y)
#=       |             ^
#= recovery.py:13:5: error: cannot assign to a literal [invalid-target]
#=    13 |     1 = h
#=       |     ^
#= (def 3:1-14:13 f
#=   (param 3:7-3:8 x)
#=   (body
#=     (error 4:5-4:12)
#=     (assign 5:5-5:10
#=       (targets
#=         (name 5:5-5:6 b))
#=       (value
#=         (int 5:9-5:10 2)))
#=     (error 6:5-9:14
#=       (body
#=         (error 7:9-7:16)
#=         (assign 9:9-9:14
#=           (targets
#=             (name 9:9-9:10 d))
#=           (value
#=             (int 9:13-9:14 6)))))
#=     (error 10:5-11:14
#=       (body
#=         (break 11:9-11:14)))
#=     (error 12:5-12:15)
#=     (error 13:5-13:10)
#=     (return 14:5-14:13
#=       (value
#=         (name 14:12-14:13 a)))))
