from lanewise import gpu


@gpu.jit("void(int32[::1])")
def k(out):
    async with out:
        out[0] = 1
    async def f():
        pass
    with out:
        out[0] = 1

#= async_statement.py:6:5: error: not part of the kernel language: `async` [not-in-language]
#=     6 |     async with out:
#=       |     ^~~~~
#= hint: there is nothing to wait for in a kernel
#= async_statement.py:8:5: error: not part of the kernel language: `async` [not-in-language]
#=     8 |     async def f():
#=       |     ^~~~~
#= hint: there is nothing to wait for in a kernel
#= async_statement.py:10:5: error: not part of the kernel language: `with` [not-in-language]
#=    10 |     with out:
#=       |     ^~~~
#= hint: there is nothing to enter or leave in a kernel
