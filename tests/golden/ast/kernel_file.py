# Of a whole file: imports, constants and decorated functions; the rest is host code, whose names are kept.
import math
from lanewise import gpu

TILE = 16; WIDTH: int = 2 * TILE
(A, [B, *C]) = D = 1, (2, 3)
A += 1
print(f'{TILE!r}', {1: 2})


def host(x):
    yield from x


class Host:
    attribute = [
        1]


@gpu.jit
def kernel(x):
    x[0] = TILE


@dataclass
class Other:
    pass


try:
    import cupy as xp
except ImportError as error:
    xp = None
for i, j in pairs: last = i; total += j
with open(name) as file, lock:
    text: str = file.read()
host.attribute, table[0] = 1, 2
if __name__ == '__main__':
    N, M = 1, 2

    def main(): hidden = 1

#= (import 2:1-2:12 math)
#= (from 3:1-3:25 lanewise gpu)
#= (assign 5:1-5:10
#=   (targets
#=     (name 5:1-5:5 TILE))
#=   (value
#=     (int 5:8-5:10 16)))
#= (annassign 5:12-5:33
#=   (targets
#=     (name 5:12-5:17 WIDTH))
#=   (annotation
#=     (name 5:19-5:22 int))
#=   (value
#=     (binary 5:25-5:33 *
#=       (int 5:25-5:26 2)
#=       (name 5:29-5:33 TILE))))
#= (assign 6:1-6:29
#=   (targets
#=     (tuple 6:1-6:13
#=       (name 6:2-6:3 A)
#=       (list 6:5-6:12
#=         (name 6:6-6:7 B)
#=         (starred 6:9-6:11
#=           (name 6:10-6:11 C))))
#=     (name 6:16-6:17 D))
#=   (value
#=     (tuple 6:20-6:29
#=       (int 6:20-6:21 1)
#=       (tuple 6:23-6:29
#=         (int 6:24-6:25 2)
#=         (int 6:27-6:28 3)))))
#= (augassign 7:1-7:7 +=
#=   (targets
#=     (name 7:1-7:2 A))
#=   (value
#=     (int 7:6-7:7 1)))
#= (skipped 8:1-8:27)
#= (skipped 11:1-12:17 def
#=   (targets
#=     (name 11:5-11:9 host)))
#= (class 15:1-17:11 Host
#=   (body
#=     (assign 16:5-17:11
#=       (targets
#=         (name 16:5-16:14 attribute))
#=       (value
#=         (list 16:17-17:11
#=           (int 17:9-17:10 1))))))
#= (def 20:1-22:16 kernel
#=   (decorators
#=     (attribute 20:2-20:9 jit
#=       (name 20:2-20:5 gpu)))
#=   (param 21:12-21:13 x)
#=   (body
#=     (assign 22:5-22:16
#=       (targets
#=         (subscript 22:5-22:9
#=           (name 22:5-22:6 x)
#=           (int 22:7-22:8 0)))
#=       (value
#=         (name 22:12-22:16 TILE)))))
#= (skipped 25:1-27:9 class
#=   (targets
#=     (name 26:7-26:12 Other)))
#= (skipped 30:1-33:14 try
#=   (targets
#=     (name 32:23-32:28 error)
#=     (name 33:5-33:7 xp))
#=   (body
#=     (import 31:5-31:22 cupy as xp)))
#= (skipped 34:1-34:40 for
#=   (targets
#=     (name 34:5-34:6 i)
#=     (name 34:8-34:9 j)
#=     (name 34:20-34:24 last)
#=     (name 34:30-34:35 total)))
#= (skipped 35:1-36:28 with
#=   (targets
#=     (name 35:20-35:24 file)
#=     (name 36:5-36:9 text)))
#= (skipped 37:1-37:32)
#= (skipped 38:1-41:27 if
#=   (targets
#=     (name 39:5-39:6 N)
#=     (name 39:8-39:9 M)
#=     (name 41:9-41:13 main)))
