#: signature k(float32[::1], read-only float32[::1])
import numpy as np

from lanewise import gpu

TABLE = (1, 2, 3)


@gpu.jit(device=True)
def clear(a, i):
    a[i] = 0


@gpu.jit
def k(out, x):
    x[0] = 1
    gpu.atomic.add(x, 0, 1)
    clear(x, 2)

#= read_only.py:16:5: error: `x` is written to, but it is read-only float32[::1] [read-only]
#=    16 |     x[0] = 1
#=       |     ^~~~
#= read_only.py:15:12: note: this parameter is read-only
#=    15 | def k(out, x):
#=       |            ^
#= hint: pass a writable array
#= read_only.py:17:20: error: `x` is written to, but it is read-only float32[::1] [read-only]
#=    17 |     gpu.atomic.add(x, 0, 1)
#=       |                    ^
#= read_only.py:15:12: note: this parameter is read-only
#=    15 | def k(out, x):
#=       |            ^
#= hint: pass a writable array
#= read_only.py:11:5: error: `a` is written to, but it is read-only float32[::1] [read-only]
#=    11 |     a[i] = 0
#=       |     ^~~~
#= read_only.py:10:11: note: this parameter is read-only
#=    10 | def clear(a, i):
#=       |           ^
#= read_only.py:18:5: note: `clear` is called here
#=    18 |     clear(x, 2)
#=       |     ^~~~~
#= hint: pass a writable array
