from lanewise import gpu


@gpu.jit(device=True)
def a(x, x):
    return x


@gpu.jit(device=True)
def b(x=1, y):
    return x + y


@gpu.jit(device=True)
def c(**x, y):
    return y


@gpu.jit(device=True)
def d(x, *, y, *z):
    return y

#= invalid_parameters.py:5:10: error: parameter `x` occurs twice [invalid-parameters]
#=     5 | def a(x, x):
#=       |          ^
#= invalid_parameters.py:10:12: error: parameter `y` without a default follows one with a default [invalid-parameters]
#=    10 | def b(x=1, y):
#=       |            ^
#= invalid_parameters.py:15:12: error: a parameter follows `**` [invalid-parameters]
#=    15 | def c(**x, y):
#=       |            ^
#= invalid_parameters.py:20:16: error: a second `*` among the parameters [invalid-parameters]
#=    20 | def d(x, *, y, *z):
#=       |                ^
