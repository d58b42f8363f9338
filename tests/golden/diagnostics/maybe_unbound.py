from lanewise import gpu


@gpu.jit("void(float32[::1], int64)")
def k(out, n):
    if n > 3:
        y = 10
    out[0] = y
    out[1] = y
    for i in range(n):
        last = out[i]
    out[2] = last
    for i in range(4):
        sure = out[i]
    out[3] = sure + i

#= maybe_unbound.py:8:14: warning: `y` is assigned on some paths only; where it is not, it reads as zero [maybe-unbound]
#=     8 |     out[0] = y
#=       |              ^
#= maybe_unbound.py:7:9: note: assigned here
#=     7 |         y = 10
#=       |         ^
#= hint: give `y` a value before the branch or loop
#= maybe_unbound.py:12:14: warning: `last` is assigned on some paths only; where it is not, it reads as zero [maybe-unbound]
#=    12 |     out[2] = last
#=       |              ^~~~
#= maybe_unbound.py:11:9: note: assigned here
#=    11 |         last = out[i]
#=       |         ^~~~
#= hint: give `last` a value before the branch or loop
