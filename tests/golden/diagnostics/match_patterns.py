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
        case m if m > 9:
            out[0] = m
        case _:
            out[0] = 7

#= match_patterns.py:17:14: error: not part of the kernel language: `match` on class patterns [not-in-language]
#=    17 |         case int():
#=       |              ^~~~~
#= hint: use `if isinstance(x, ...)`, which is decided at compile time
#= match_patterns.py:23:14: error: not part of the kernel language: `match` on mapping patterns [not-in-language]
#=    23 |         case {"a": z}:
#=       |              ^~~~~~~~
#= hint: the patterns there are: numbers, names, `|`, `as`, and tuples of these
