import collections

from lanewise import gpu

Point = collections.namedtuple("Point", "x y")


@gpu.jit(device=True)
def f(x, **rest):
    return x


@gpu.jit("void(int64[::1], int64)")
def k(out, n):
    a = [i for i in range(n)]
    b = sum(i for i in range(4) if out[i] > 0)
    c = {i for i in range(3)}
    d = {i: i for i in range(3)}
    e = dict(a=1)
    g = str(n)
    h = hasattr(n, "real")
    j = f(1, scale=2)
    p = Point(1, 2)
    o = p._replace(x=3)
    p.x = 4
    q = [0] * n
    r = sorted(out)
    s = max((), key=f)
    t = Point(1, z=2)
    u = (1, 2).size
    match n:
        case int():
            pass
        case {"a": z}:
            pass
        case (1 as v) | (2 as v):
            pass

#= not_in_language_objects.py:15:21: error: not part of the kernel language: a comprehension over something whose length is not known at compile time [not-in-language]
#=    15 |     a = [i for i in range(n)]
#=       |                     ^~~~~~~~
#= hint: write the loop; for storage use `gpu.local.array(n, dtype)`
#= not_in_language_objects.py:16:36: error: not part of the kernel language: a condition in a comprehension that is not known at compile time [not-in-language]
#=    16 |     b = sum(i for i in range(4) if out[i] > 0)
#=       |                                    ^~~~~~~~~~
#= hint: `sum(x if c else 0 for ...)` has one value for each item
#= not_in_language_objects.py:17:9: error: not part of the kernel language: sets [not-in-language]
#=    17 |     c = {i for i in range(3)}
#=       |         ^~~~~~~~~~~~~~~~~~~~~
#= hint: `x in (1, 2, 3)` tests membership
#= not_in_language_objects.py:18:9: error: not part of the kernel language: dicts [not-in-language]
#=    18 |     d = {i: i for i in range(3)}
#=       |         ^~~~~~~~~~~~~~~~~~~~~~~~
#= hint: use arrays, or a tuple of constants
#= not_in_language_objects.py:19:9: error: not part of the kernel language: `dict()` [not-in-language]
#=    19 |     e = dict(a=1)
#=       |         ^~~~~~~~~
#= hint: use arrays, or a tuple of constants
#= not_in_language_objects.py:20:9: error: not part of the kernel language: `str()` [not-in-language]
#=    20 |     g = str(n)
#=       |         ^~~~~~
#= hint: there are no strings at run time: store numbers, and format them on the host
#= not_in_language_objects.py:21:9: error: not part of the kernel language: `hasattr()` [not-in-language]
#=    21 |     h = hasattr(n, "real")
#=       |         ^~~~~~~~~~~~~~~~~~
#= hint: what an argument has is known from its type: `isinstance(x, ...)` is decided at compile time
#= not_in_language_objects.py:22:9: error: not part of the kernel language: calling a function that has a `**` parameter [not-in-language]
#=    22 |     j = f(1, scale=2)
#=       |         ^~~~~~~~~~~~~
#= hint: name the parameters: arguments may be given by name
#= not_in_language_objects.py:25:7: error: not part of the kernel language: assigning to `x` of Point(x: int, y: int), which is a value [not-in-language]
#=    25 |     p.x = 4
#=       |       ^
#= not_in_language_objects.py:23:5: note: `p` became Point(x: int, y: int) here
#=    23 |     p = Point(1, 2)
#=       |     ^
#= hint: make a new one: `p = p._replace(x=...)`
#= not_in_language_objects.py:26:9: error: not part of the kernel language: lists of a length that is known at run time only [not-in-language]
#=    26 |     q = [0] * n
#=       |         ^~~~~~~
#= hint: `gpu.local.array(n, dtype)` with a constant n gives storage to each thread
#= not_in_language_objects.py:27:9: error: not part of the kernel language: `sorted()` of int64[::1] [not-in-language]
#=    27 |     r = sorted(out)
#=       |         ^~~~~~~~~~~
#= hint: sort in a `gpu.local.array`
#= not_in_language_objects.py:28:9: error: not part of the kernel language: `max()` with a `key` [not-in-language]
#=    28 |     s = max((), key=f)
#=       |         ^~~~~~~~~~~~~~
#= hint: compare in a loop
#= not_in_language_objects.py:29:20: error: `Point` has no use for the keyword argument `z` [unknown-keyword]
#=    29 |     t = Point(1, z=2)
#=       |                    ^
#= not_in_language_objects.py:30:16: error: (int, int) has no attribute `size` [unknown-attribute]
#=    30 |     u = (1, 2).size
#=       |                ^~~~
#= hint: `len(t)` is the number of items of a tuple
#= not_in_language_objects.py:32:14: error: not part of the kernel language: `match` on class patterns [not-in-language]
#=    32 |         case int():
#=       |              ^~~~~
#= hint: use `if isinstance(x, ...)`, which is decided at compile time
#= not_in_language_objects.py:34:14: error: not part of the kernel language: `match` on mapping patterns [not-in-language]
#=    34 |         case {"a": z}:
#=       |              ^~~~~~~~
#= hint: the patterns there are: numbers, names, `|`, `as`, and tuples of these
#= not_in_language_objects.py:36:14: error: not part of the kernel language: names bound by alternatives of a pattern [not-in-language]
#=    36 |         case (1 as v) | (2 as v):
#=       |              ^~~~~~~~~~~~~~~~~~~
#= hint: bind with `(a | b) as name`
