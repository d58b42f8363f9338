from lanewise import gpu


class Color:
    RED = 1


@gpu.jit("void(int32[::1], int64, bool)")
def k(out, n, flag):
    match n:
        case 1 | -2:
            out[0] = 1
        case True:
            out[0] = 2
        case None:
            out[0] = 3
        case int():
            out[0] = 4
        case (1, y):
            out[0] = y
        case [1, *rest]:
            out[0] = len(rest)
        case {"a": z}:
            out[0] = z
        case 1 | 2 as w:
            out[0] = w
        case "one" | 3:
            out[0] = 5
        case 1.5:
            out[0] = 6
        case ~3:
            out[0] = 6
        case m if m > 9:
            out[0] = m
        case _:
            out[0] = 7

#= match_patterns.py:13:14: error: not supported yet: `match` on `bool` patterns [not-yet]
#=    13 |         case True:
#=       |              ^~~~
#= hint: compare with `is` or `==` in an `if`
#= match_patterns.py:15:14: error: not supported yet: `match` on `None` patterns [not-yet]
#=    15 |         case None:
#=       |              ^~~~
#= hint: compare with `is` or `==` in an `if`
#= match_patterns.py:17:14: error: not supported yet: `match` on class patterns [not-yet]
#=    17 |         case int():
#=       |              ^~~~~
#= hint: use if/elif; the patterns there are: integers, `|` of these, and `_`
#= match_patterns.py:19:14: error: not supported yet: `match` on sequence patterns [not-yet]
#=    19 |         case (1, y):
#=       |              ^~~~~~
#= hint: use if/elif; the patterns there are: integers, `|` of these, and `_`
#= match_patterns.py:21:14: error: not supported yet: `match` on sequence patterns [not-yet]
#=    21 |         case [1, *rest]:
#=       |              ^~~~~~~~~~
#= hint: use if/elif; the patterns there are: integers, `|` of these, and `_`
#= match_patterns.py:23:14: error: not supported yet: `match` on mapping patterns [not-yet]
#=    23 |         case {"a": z}:
#=       |              ^~~~~~~~
#= hint: use if/elif; the patterns there are: integers, `|` of these, and `_`
#= match_patterns.py:25:14: error: not supported yet: `match` on `as` patterns [not-yet]
#=    25 |         case 1 | 2 as w:
#=       |              ^~~~~~~~~~
#= hint: use if/elif; the patterns there are: integers, `|` of these, and `_`
#= match_patterns.py:27:14: error: not supported yet: `match` on string patterns [not-yet]
#=    27 |         case "one" | 3:
#=       |              ^~~~~
#= hint: use if/elif; the patterns there are: integers, `|` of these, and `_`
#= match_patterns.py:29:14: error: not supported yet: `match` on non-integer patterns [not-yet]
#=    29 |         case 1.5:
#=       |              ^~~
#= hint: use if/elif; the patterns there are: integers, `|` of these, and `_`
#= match_patterns.py:31:14: error: not supported yet: `match` on non-integer patterns [not-yet]
#=    31 |         case ~3:
#=       |              ^~
#= hint: use if/elif; the patterns there are: integers, `|` of these, and `_`
#= match_patterns.py:33:14: error: not supported yet: `match` on capture patterns [not-yet]
#=    33 |         case m if m > 9:
#=       |              ^
#= hint: use if/elif; the patterns there are: integers, `|` of these, and `_`
