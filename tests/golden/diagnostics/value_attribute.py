import collections

from lanewise import gpu

P = collections.namedtuple("P", "x y")


@gpu.jit("void(float32[::1], float32x2, complex64)")
def k(out, v, z):
    p = P(1, 2)
    p.x = 5
    v.x = 5
    z.real = 5
    p._replace(z=1)
    p._replace(1)
    out.size = 5

#= value_attribute.py:11:7: error: not part of the kernel language: assigning to `x` of P(x: int, y: int), which is a value [not-in-language]
#=    11 |     p.x = 5
#=       |       ^
#= value_attribute.py:10:5: note: `p` became P(x: int, y: int) here
#=    10 |     p = P(1, 2)
#=       |     ^
#= hint: make a new one: `p = p._replace(x=...)`
#= value_attribute.py:12:7: error: not part of the kernel language: assigning to `x` of float32x2, which is a value [not-in-language]
#=    12 |     v.x = 5
#=       |       ^
#= value_attribute.py:9:12: note: `v` is float32x2: the type of this argument
#=     9 | def k(out, v, z):
#=       |            ^
#= hint: make a new one: `v = gpu.float32x2(...)`
#= value_attribute.py:13:7: error: not part of the kernel language: assigning to `real` of complex64, which is a value [not-in-language]
#=    13 |     z.real = 5
#=       |       ^~~~
#= value_attribute.py:9:15: note: `z` is complex64: the type of this argument
#=     9 | def k(out, v, z):
#=       |               ^
#= hint: make a new one: `z = complex(...)`
#= value_attribute.py:14:18: error: `_replace` has no use for the keyword argument `z` [unknown-keyword]
#=    14 |     p._replace(z=1)
#=       |                  ^
#= value_attribute.py:15:5: error: `_replace` wants fields by name, not 1 [argument-count]
#=    15 |     p._replace(1)
#=       |     ^~~~~~~~~~~~~
#= value_attribute.py:16:9: error: not part of the kernel language: assigning to this attribute [not-in-language]
#=    16 |     out.size = 5
#=       |         ^~~~
#= value_attribute.py:9:7: note: `out` is float32[::1]: the type of this argument
#=     9 | def k(out, v, z):
#=       |       ^~~
#= hint: fields of records can be assigned to, and elements with `a[i] = x`
