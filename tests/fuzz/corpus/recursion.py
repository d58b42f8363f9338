from lanewise import gpu


@gpu.device
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


@gpu.device
def even(n): return True if n == 0 else odd(n - 1)


@gpu.device
def odd(n): return False if n == 0 else even(n - 1)


@gpu.jit("void(int64[:])")
def recursion(x):
    x[0] = fib(x[1]) + even(x[2])
