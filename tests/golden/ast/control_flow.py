# Blocks, their `else`s, and `elif` as an `if` in the `else`.
#: mode function
if a:
    pass
elif b: c; d
else:
    e
for i, (j, *k) in x, y:
    if i: break
    continue
else:
    f
while (n := g()): n
#= (if 3:1-7:6
#=   (value
#=     (name 3:4-3:5 a))
#=   (body
#=     (pass 4:5-4:9))
#=   (else
#=     (if 5:1-7:6
#=       (value
#=         (name 5:6-5:7 b))
#=       (body
#=         (expr 5:9-5:10
#=           (value
#=             (name 5:9-5:10 c)))
#=         (expr 5:12-5:13
#=           (value
#=             (name 5:12-5:13 d))))
#=       (else
#=         (expr 7:5-7:6
#=           (value
#=             (name 7:5-7:6 e)))))))
#= (for 8:1-12:6
#=   (targets
#=     (tuple 8:5-8:15
#=       (name 8:5-8:6 i)
#=       (tuple 8:8-8:15
#=         (name 8:9-8:10 j)
#=         (starred 8:12-8:14
#=           (name 8:13-8:14 k)))))
#=   (value
#=     (tuple 8:19-8:23
#=       (name 8:19-8:20 x)
#=       (name 8:22-8:23 y)))
#=   (body
#=     (if 9:5-9:16
#=       (value
#=         (name 9:8-9:9 i))
#=       (body
#=         (break 9:11-9:16)))
#=     (continue 10:5-10:13))
#=   (else
#=     (expr 12:5-12:6
#=       (value
#=         (name 12:5-12:6 f)))))
#= (while 13:1-13:20
#=   (value
#=     (namedexpr 13:7-13:17 n
#=       (call 13:13-13:16
#=         (name 13:13-13:14 g))))
#=   (body
#=     (expr 13:19-13:20
#=       (value
#=         (name 13:19-13:20 n)))))
