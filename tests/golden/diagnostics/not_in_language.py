from lanewise import gpu


@gpu.jit("void(float32[::1])")
def k(out):
    try:
        out[0] = 1
    except ValueError:
        pass
    with out:
        pass
    d = {"a": 1}
    s = {1, 2}
    values = [1, 2]
    global x
    import os

    class Point:
        pass

#= not_in_language.py:6:5: error: not part of the kernel language: `try` [not-in-language]
#=     6 |     try:
#=       |     ^~~
#= hint: kernels cannot catch exceptions; test for the case with `if`
#= not_in_language.py:10:5: error: not part of the kernel language: `with` [not-in-language]
#=    10 |     with out:
#=       |     ^~~~
#= hint: there is nothing to enter or leave in a kernel
#= not_in_language.py:12:9: error: not part of the kernel language: dicts [not-in-language]
#=    12 |     d = {"a": 1}
#=       |         ^~~~~~~~
#= hint: use arrays, or a tuple of constants
#= not_in_language.py:13:9: error: not part of the kernel language: sets [not-in-language]
#=    13 |     s = {1, 2}
#=       |         ^~~~~~
#= hint: `x in (1, 2, 3)` tests membership
#= not_in_language.py:14:14: error: not part of the kernel language: lists [not-in-language]
#=    14 |     values = [1, 2]
#=       |              ^~~~~~
#= hint: a tuple has a fixed length; for storage that changes use `gpu.local.array(n, dtype)`
#= not_in_language.py:15:5: error: not part of the kernel language: `global` [not-in-language]
#=    15 |     global x
#=       |     ^~~~~~~~
#= hint: kernels cannot assign to names outside of them; write into an array
#= not_in_language.py:16:12: error: not part of the kernel language: importing this inside a kernel [not-in-language]
#=    16 |     import os
#=       |            ^~
#= hint: import it at the top of the file
#= not_in_language.py:18:11: error: not part of the kernel language: classes [not-in-language]
#=    18 |     class Point:
#=       |           ^~~~~
#= hint: use tuples (outside of the kernel: `collections.namedtuple`), or one array for each field
