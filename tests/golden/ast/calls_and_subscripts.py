# Arguments: positional ones come before the named ones in the tree, wherever they were written.
#: mode function
f(a, *b, c=1, **d)
kernel[grid, block](x)[0].y
a[i, :, 1:, ::2, ...]
a[(i, j)]
[x * y for x, y in zip(a, b) if x if y for z in x]
sum(x for x in a)
#= (expr 3:1-3:19
#=   (value
#=     (call 3:1-3:19 c=
#=       (name 3:1-3:2 f)
#=       (name 3:3-3:4 a)
#=       (starred 3:6-3:8
#=         (name 3:7-3:8 b))
#=       (doublestarred 3:15-3:18
#=         (name 3:17-3:18 d))
#=       (int 3:12-3:13 1))))
#= (expr 4:1-4:28
#=   (value
#=     (attribute 4:1-4:28 y
#=       (subscript 4:1-4:26
#=         (call 4:1-4:23
#=           (subscript 4:1-4:20
#=             (name 4:1-4:7 kernel)
#=             (name 4:8-4:12 grid)
#=             (name 4:14-4:19 block))
#=           (name 4:21-4:22 x))
#=         (int 4:24-4:25 0)))))
#= (expr 5:1-5:22
#=   (value
#=     (subscript 5:1-5:22
#=       (name 5:1-5:2 a)
#=       (name 5:3-5:4 i)
#=       (slice 5:6-5:7
#=         ()
#=         ()
#=         ())
#=       (slice 5:9-5:11
#=         (int 5:9-5:10 1)
#=         ()
#=         ())
#=       (slice 5:13-5:16
#=         ()
#=         ()
#=         (int 5:15-5:16 2))
#=       (ellipsis 5:18-5:21))))
#= (expr 6:1-6:10
#=   (value
#=     (subscript 6:1-6:10
#=       (name 6:1-6:2 a)
#=       (tuple 6:3-6:9
#=         (name 6:4-6:5 i)
#=         (name 6:7-6:8 j)))))
#= (expr 7:1-7:51
#=   (value
#=     (comprehension 7:1-7:51 list
#=       (binary 7:2-7:7 *
#=         (name 7:2-7:3 x)
#=         (name 7:6-7:7 y))
#=       (tuple 7:12-7:16
#=         (name 7:12-7:13 x)
#=         (name 7:15-7:16 y))
#=       (call 7:20-7:29
#=         (name 7:20-7:23 zip)
#=         (name 7:24-7:25 a)
#=         (name 7:27-7:28 b))
#=       (boolop 7:33-7:39 and
#=         (name 7:33-7:34 x)
#=         (name 7:38-7:39 y))
#=       (name 7:44-7:45 z)
#=       (name 7:49-7:50 x)
#=       ())))
#= (expr 8:1-8:18
#=   (value
#=     (call 8:1-8:18
#=       (name 8:1-8:4 sum)
#=       (comprehension 8:5-8:17 generator
#=         (name 8:5-8:6 x)
#=         (name 8:11-8:12 x)
#=         (name 8:16-8:17 a)
#=         ()))))
