# Layout mistakes and misplaced keywords.
#: mode function
if a:
b = 1
c = 2
    d = 3
else:
    e = 4
f = 5 if g
class = 6
break
#= recovery_lines.py:4:1: error: expected an indented block after `if` [expected-block]
#=     4 | b = 1
#=       | ^
#= recovery_lines.py:6:5: error: unexpected indentation [unexpected-indent]
#=     6 |     d = 3
#=       |     ^
#= recovery_lines.py:7:1: error: expected an expression, found `else` [syntax]
#=     7 | else:
#=       | ^~~~
#= recovery_lines.py:9:11: error: expected `else`, found the end of the line [syntax]
#=     9 | f = 5 if g
#=       |           ^
#= recovery_lines.py:10:7: error: expected the class's name, found `=` [syntax]
#=    10 | class = 6
#=       |       ^
#= recovery_lines.py:11:1: error: `break` outside a loop [misplaced-statement]
#=    11 | break
#=       | ^~~~~
#= (if 3:1-3:6
#=   (value
#=     (name 3:4-3:5 a)))
#= (assign 4:1-4:6
#=   (targets
#=     (name 4:1-4:2 b))
#=   (value
#=     (int 4:5-4:6 1)))
#= (assign 5:1-5:6
#=   (targets
#=     (name 5:1-5:2 c))
#=   (value
#=     (int 5:5-5:6 2)))
#= (error 7:1-8:10
#=   (body
#=     (assign 8:5-8:10
#=       (targets
#=         (name 8:5-8:6 e))
#=       (value
#=         (int 8:9-8:10 4)))))
#= (error 9:1-9:11)
#= (error 10:1-10:10)
#= (break 11:1-11:6)
