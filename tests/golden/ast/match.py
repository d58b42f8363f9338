# Patterns are the expressions they look like.
#: mode function
match x, y:
    case 1 | -2: a
    case m.K if c: b
    case [a, *_] | {'k': v, **r} | P(x=1) as q:
        c
    case _: d
match = match[match]
#= (match 3:1-8:14
#=   (value
#=     (tuple 3:7-3:11
#=       (name 3:7-3:8 x)
#=       (name 3:10-3:11 y)))
#=   (case 4:5-4:19
#=     (boolop 4:10-4:16 or
#=       (int 4:10-4:11 1)
#=       (unary 4:14-4:16 -
#=         (int 4:15-4:16 2)))
#=     (body
#=       (expr 4:18-4:19
#=         (value
#=           (name 4:18-4:19 a)))))
#=   (case 5:5-5:21
#=     (attribute 5:10-5:13 K
#=       (name 5:10-5:11 m))
#=     (guard
#=       (name 5:17-5:18 c))
#=     (body
#=       (expr 5:20-5:21
#=         (value
#=           (name 5:20-5:21 b)))))
#=   (case 6:5-7:10
#=     (namedexpr 6:10-6:47 q
#=       (boolop 6:10-6:42 or
#=         (list 6:10-6:17
#=           (name 6:11-6:12 a)
#=           (starred 6:14-6:16
#=             (name 6:15-6:16 _)))
#=         (dict 6:20-6:33
#=           (string 6:21-6:24 "k")
#=           (name 6:26-6:27 v)
#=           (doublestarred 6:29-6:32
#=             (name 6:31-6:32 r)))
#=         (call 6:36-6:42 x=
#=           (name 6:36-6:37 P)
#=           (int 6:40-6:41 1))))
#=     (body
#=       (expr 7:9-7:10
#=         (value
#=           (name 7:9-7:10 c)))))
#=   (case 8:5-8:14
#=     (name 8:10-8:11 _)
#=     (body
#=       (expr 8:13-8:14
#=         (value
#=           (name 8:13-8:14 d))))))
#= (assign 9:1-9:21
#=   (targets
#=     (name 9:1-9:6 match))
#=   (value
#=     (subscript 9:9-9:21
#=       (name 9:9-9:14 match)
#=       (name 9:15-9:20 match))))
