#: mode function
@gpu.jit(device=True)
def f(a, b: float32 = 1, *, c=(2, 3)):
    "docstring"
    x = y = a[0, -1:, ::2].T
    x, *rest = b
    a[i] += 1 if b else c.d
    n: int64 = 2**-3
    for i in range(10):
        if i in (1, 2) or not i < 3 <= 4:
            continue
        elif i is not None:
            break
        else:
            pass
    else:
        while (k := i) > 0:
            i -= 1
    assert a, "why"
    del x
    return f(a, *b, c=lambda v: v), -x

#= (def 2:1-21:39 f
#=   (decorators
#=     (call 2:2-2:22 device=
#=       (attribute 2:2-2:9 jit
#=         (name 2:2-2:5 gpu))
#=       (true 2:17-2:21)))
#=   (param 3:7-3:8 a)
#=   (param 3:10-3:11 b
#=     (annotation
#=       (name 3:13-3:20 float32))
#=     (default
#=       (int 3:23-3:24 1)))
#=   (param 3:29-3:30 c keyword-only
#=     (default
#=       (tuple 3:31-3:37
#=         (int 3:32-3:33 2)
#=         (int 3:35-3:36 3))))
#=   (body
#=     (expr 4:5-4:16
#=       (value
#=         (string 4:5-4:16 "docstring")))
#=     (assign 5:5-5:29
#=       (targets
#=         (name 5:5-5:6 x)
#=         (name 5:9-5:10 y))
#=       (value
#=         (attribute 5:13-5:29 T
#=           (subscript 5:13-5:27
#=             (name 5:13-5:14 a)
#=             (int 5:15-5:16 0)
#=             (slice 5:18-5:21
#=               (unary 5:18-5:20 -
#=                 (int 5:19-5:20 1))
#=               ()
#=               ())
#=             (slice 5:23-5:26
#=               ()
#=               ()
#=               (int 5:25-5:26 2))))))
#=     (assign 6:5-6:17
#=       (targets
#=         (tuple 6:5-6:13
#=           (name 6:5-6:6 x)
#=           (starred 6:8-6:13
#=             (name 6:9-6:13 rest))))
#=       (value
#=         (name 6:16-6:17 b)))
#=     (augassign 7:5-7:28 +=
#=       (targets
#=         (subscript 7:5-7:9
#=           (name 7:5-7:6 a)
#=           (name 7:7-7:8 i)))
#=       (value
#=         (ternary 7:13-7:28
#=           (name 7:18-7:19 b)
#=           (int 7:13-7:14 1)
#=           (attribute 7:25-7:28 d
#=             (name 7:25-7:26 c)))))
#=     (annassign 8:5-8:21
#=       (targets
#=         (name 8:5-8:6 n))
#=       (annotation
#=         (name 8:8-8:13 int64))
#=       (value
#=         (binary 8:16-8:21 **
#=           (int 8:16-8:17 2)
#=           (unary 8:19-8:21 -
#=             (int 8:20-8:21 3)))))
#=     (for 9:5-18:19
#=       (targets
#=         (name 9:9-9:10 i))
#=       (value
#=         (call 9:14-9:23
#=           (name 9:14-9:19 range)
#=           (int 9:20-9:22 10)))
#=       (body
#=         (if 10:9-15:17
#=           (value
#=             (boolop 10:12-10:41 or
#=               (compare 10:12-10:23 in
#=                 (name 10:12-10:13 i)
#=                 (tuple 10:17-10:23
#=                   (int 10:18-10:19 1)
#=                   (int 10:21-10:22 2)))
#=               (unary 10:27-10:41 not
#=                 (compare 10:31-10:41 < <=
#=                   (name 10:31-10:32 i)
#=                   (int 10:35-10:36 3)
#=                   (int 10:40-10:41 4)))))
#=           (body
#=             (continue 11:13-11:21))
#=           (else
#=             (if 12:9-15:17
#=               (value
#=                 (compare 12:14-12:27 is not
#=                   (name 12:14-12:15 i)
#=                   (none 12:23-12:27)))
#=               (body
#=                 (break 13:13-13:18))
#=               (else
#=                 (pass 15:13-15:17))))))
#=       (else
#=         (while 17:9-18:19
#=           (value
#=             (compare 17:15-17:27 >
#=               (namedexpr 17:15-17:23 k
#=                 (name 17:21-17:22 i))
#=               (int 17:26-17:27 0)))
#=           (body
#=             (augassign 18:13-18:19 -=
#=               (targets
#=                 (name 18:13-18:14 i))
#=               (value
#=                 (int 18:18-18:19 1)))))))
#=     (assert 19:5-19:20
#=       (value
#=         (name 19:12-19:13 a))
#=       (extra
#=         (string 19:15-19:20 "why")))
#=     (del 20:5-20:10
#=       (targets
#=         (name 20:9-20:10 x)))
#=     (return 21:5-21:39
#=       (value
#=         (tuple 21:12-21:39
#=           (call 21:12-21:35 c=
#=             (name 21:12-21:13 f)
#=             (name 21:14-21:15 a)
#=             (starred 21:17-21:19
#=               (name 21:18-21:19 b))
#=             (lambda 21:23-21:34
#=               (param 21:30-21:31 v)
#=               (name 21:33-21:34 v)))
#=           (unary 21:37-21:39 -
#=             (name 21:38-21:39 x)))))))
