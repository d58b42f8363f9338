# Every simple statement.
#: mode function
a = b, *c = d
x[i].y @= 2; z: float32[:] = w
n: int
del a, (b), c[0]
global g, h; nonlocal k
assert a, 'message'
raise E(a) from b
import numpy as np, a.b
from ..pkg.mod import (f as g, h,)
from m import *
pass
return
#= (assign 3:1-3:14
#=   (targets
#=     (name 3:1-3:2 a)
#=     (tuple 3:5-3:10
#=       (name 3:5-3:6 b)
#=       (starred 3:8-3:10
#=         (name 3:9-3:10 c))))
#=   (value
#=     (name 3:13-3:14 d)))
#= (augassign 4:1-4:12 @=
#=   (targets
#=     (attribute 4:1-4:7 y
#=       (subscript 4:1-4:5
#=         (name 4:1-4:2 x)
#=         (name 4:3-4:4 i))))
#=   (value
#=     (int 4:11-4:12 2)))
#= (annassign 4:14-4:31
#=   (targets
#=     (name 4:14-4:15 z))
#=   (annotation
#=     (subscript 4:17-4:27
#=       (name 4:17-4:24 float32)
#=       (slice 4:25-4:26
#=         ()
#=         ()
#=         ())))
#=   (value
#=     (name 4:30-4:31 w)))
#= (annassign 5:1-5:7
#=   (targets
#=     (name 5:1-5:2 n))
#=   (annotation
#=     (name 5:4-5:7 int)))
#= (del 6:1-6:17
#=   (targets
#=     (name 6:5-6:6 a)
#=     (name 6:8-6:11 b)
#=     (subscript 6:13-6:17
#=       (name 6:13-6:14 c)
#=       (int 6:15-6:16 0))))
#= (global 7:1-7:12 g h)
#= (nonlocal 7:14-7:24 k)
#= (assert 8:1-8:20
#=   (value
#=     (name 8:8-8:9 a))
#=   (extra
#=     (string 8:11-8:20 "message")))
#= (raise 9:1-9:18
#=   (value
#=     (call 9:7-9:11
#=       (name 9:7-9:8 E)
#=       (name 9:9-9:10 a)))
#=   (extra
#=     (name 9:17-9:18 b)))
#= (import 10:1-10:24 numpy as np a.b as a)
#= (from 11:1-11:35 .. pkg.mod f as g h)
#= (from 12:1-12:16 m *)
#= (pass 13:1-13:5)
#= (return 14:1-14:7)
