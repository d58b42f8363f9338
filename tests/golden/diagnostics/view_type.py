import numpy as np

from lanewise import gpu


@gpu.jit("void(float32[:], float32[::1], timedelta64[M], timedelta64[D], datetime64[D][:])")
def k(x, y, months, days, dates):
    a = x.view(np.float64)
    b = gpu.local.array(3, np.float32).view(np.float64)
    c = y.view("what")
    dates[0] = months + days
    dates[0] = dates[1] + dates[2]
    dates[1] = days
    d = days * days

#= view_type.py:8:9: error: float32[:] cannot be seen as elements of type float64 [view-type]
#=     8 |     a = x.view(np.float64)
#=       |         ^~~~~~~~~~~~~~~~~~
#= view_type.py:7:7: note: `x` is float32[:]: the type of this argument
#=     7 | def k(x, y, months, days, dates):
#=       |       ^
#= hint: elements of another size need a C-contiguous array
#= view_type.py:9:9: error: local float32[::1] cannot be seen as elements of type float64 [view-type]
#=     9 |     b = gpu.local.array(3, np.float32).view(np.float64)
#=       |         ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
#= hint: 12 bytes are not a multiple of 8
#= view_type.py:10:16: error: `view`: the dtype must be a type such as np.int32, not a string [argument-type]
#=    10 |     c = y.view("what")
#=       |                ^~~~~~
#= view_type.py:11:23: error: `+` does not work on timedelta64[M] and timedelta64[D] [operand-types]
#=    11 |     dates[0] = months + days
#=       |                       ^
#= view_type.py:7:13: note: `months` is timedelta64[M]: the type of this argument
#=     7 | def k(x, y, months, days, dates):
#=       |             ^~~~~~
#= view_type.py:7:21: note: `days` is timedelta64[D]: the type of this argument
#=     7 | def k(x, y, months, days, dates):
#=       |                     ^~~~
#= hint: months and years have no fixed length in other units
#= view_type.py:12:25: error: `+` does not work on datetime64[D] and datetime64[D] [operand-types]
#=    12 |     dates[0] = dates[1] + dates[2]
#=       |                         ^
#= view_type.py:13:16: error: timedelta64[D] cannot be stored in an element of type datetime64[D] [store-type]
#=    13 |     dates[1] = days
#=       |                ^~~~
#= view_type.py:7:21: note: `days` is timedelta64[D]: the type of this argument
#=     7 | def k(x, y, months, days, dates):
#=       |                     ^~~~
#= view_type.py:14:14: error: `*` does not work on timedelta64[D] and timedelta64[D] [operand-types]
#=    14 |     d = days * days
#=       |              ^
#= view_type.py:7:21: note: `days` is timedelta64[D]: the type of this argument
#=     7 | def k(x, y, months, days, dates):
#=       |                     ^~~~
#= view_type.py:7:21: note: `days` is timedelta64[D]: the type of this argument
#=     7 | def k(x, y, months, days, dates):
#=       |                     ^~~~
