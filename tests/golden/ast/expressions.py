# Precedence and associativity.
#: mode function
a + b * -c ** -d ** e - f
a | b ^ c & d << e + f
not a == b and c or d is not e not in f
x if a < b <= c else lambda y, z=1, *w: y
~a.b[i](c) // d % e @ f
(a, (b)), [c, *d], {e: f, **g}, {h, i}, (), ...
(n := 10) + 0xFF, 1.5e3, 2j, 18446744073709551616, True, None
'one ' "string" r'\n', b'\xff'
#= (expr 3:1-3:26
#=   (value
#=     (binary 3:1-3:26 -
#=       (binary 3:1-3:22 +
#=         (name 3:1-3:2 a)
#=         (binary 3:5-3:22 *
#=           (name 3:5-3:6 b)
#=           (unary 3:9-3:22 -
#=             (binary 3:10-3:22 **
#=               (name 3:10-3:11 c)
#=               (unary 3:15-3:22 -
#=                 (binary 3:16-3:22 **
#=                   (name 3:16-3:17 d)
#=                   (name 3:21-3:22 e)))))))
#=       (name 3:25-3:26 f))))
#= (expr 4:1-4:23
#=   (value
#=     (binary 4:1-4:23 |
#=       (name 4:1-4:2 a)
#=       (binary 4:5-4:23 ^
#=         (name 4:5-4:6 b)
#=         (binary 4:9-4:23 &
#=           (name 4:9-4:10 c)
#=           (binary 4:13-4:23 <<
#=             (name 4:13-4:14 d)
#=             (binary 4:18-4:23 +
#=               (name 4:18-4:19 e)
#=               (name 4:22-4:23 f))))))))
#= (expr 5:1-5:40
#=   (value
#=     (boolop 5:1-5:40 or
#=       (boolop 5:1-5:17 and
#=         (unary 5:1-5:11 not
#=           (compare 5:5-5:11 ==
#=             (name 5:5-5:6 a)
#=             (name 5:10-5:11 b)))
#=         (name 5:16-5:17 c))
#=       (compare 5:21-5:40 is not not in
#=         (name 5:21-5:22 d)
#=         (name 5:30-5:31 e)
#=         (name 5:39-5:40 f)))))
#= (expr 6:1-6:42
#=   (value
#=     (ternary 6:1-6:42
#=       (compare 6:6-6:16 < <=
#=         (name 6:6-6:7 a)
#=         (name 6:10-6:11 b)
#=         (name 6:15-6:16 c))
#=       (name 6:1-6:2 x)
#=       (lambda 6:22-6:42
#=         (param 6:29-6:30 y)
#=         (param 6:32-6:33 z
#=           (default
#=             (int 6:34-6:35 1)))
#=         (param 6:38-6:39 w *)
#=         (name 6:41-6:42 y)))))
#= (expr 7:1-7:24
#=   (value
#=     (binary 7:1-7:24 @
#=       (binary 7:1-7:20 %
#=         (binary 7:1-7:16 //
#=           (unary 7:1-7:11 ~
#=             (call 7:2-7:11
#=               (subscript 7:2-7:8
#=                 (attribute 7:2-7:5 b
#=                   (name 7:2-7:3 a))
#=                 (name 7:6-7:7 i))
#=               (name 7:9-7:10 c)))
#=           (name 7:15-7:16 d))
#=         (name 7:19-7:20 e))
#=       (name 7:23-7:24 f))))
#= (expr 8:1-8:48
#=   (value
#=     (tuple 8:1-8:48
#=       (tuple 8:1-8:9
#=         (name 8:2-8:3 a)
#=         (name 8:5-8:8 b))
#=       (list 8:11-8:18
#=         (name 8:12-8:13 c)
#=         (starred 8:15-8:17
#=           (name 8:16-8:17 d)))
#=       (dict 8:20-8:31
#=         (name 8:21-8:22 e)
#=         (name 8:24-8:25 f)
#=         (doublestarred 8:27-8:30
#=           (name 8:29-8:30 g)))
#=       (set 8:33-8:39
#=         (name 8:34-8:35 h)
#=         (name 8:37-8:38 i))
#=       (tuple 8:41-8:43)
#=       (ellipsis 8:45-8:48))))
#= (expr 9:1-9:62
#=   (value
#=     (tuple 9:1-9:62
#=       (binary 9:1-9:17 +
#=         (namedexpr 9:1-9:10 n
#=           (int 9:7-9:9 10))
#=         (int 9:13-9:17 255))
#=       (float 9:19-9:24 1500)
#=       (imaginary 9:26-9:28 2)
#=       (int 9:30-9:50 overflow)
#=       (true 9:52-9:56)
#=       (none 9:58-9:62))))
#= (expr 10:1-10:31
#=   (value
#=     (tuple 10:1-10:31
#=       (string 10:1-10:22 "one string\\n")
#=       (bytes 10:24-10:31 "ÿ"))))
