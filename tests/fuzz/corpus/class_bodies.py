from lanewise import gpu


class Solver:
    WEIGHT = 3

    @gpu.jit("void(float32[:])")
    def step(x):
        x[0] = 1

    class Inner: pass


def factory(scale):
    @gpu.jit
    def kernel(x):
        x[0] = scale
    return kernel


with gpu.stream() as s, \
     lock: a = b = 1
for i, (j, *k) in enumerate([1]): c += i
while False: d: int = 3
try: import cupy
except* (ValueError, TypeError) as group: e = group
else: f, g[0] = 1, 2
finally: pass
type Alias[T: int] = list[T]
x = yield_ = lambda: (yield)
