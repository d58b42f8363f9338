# Decorators, all kinds of parameters, annotations; the block is indented as in a class.
#: mode function
    @gpu.jit('void(float32[:])', fastmath=True)
    @other
    def f[T: int](a, b: int = 1, /, c=2, *args: x, d, e=3, **kw) -> float32:
        """The text says nothing to the compiler."""
        def helper(v): return v * 2

        return helper(a)  # the block ends below

after = 1
#= (def 3:5-9:25 f
#=   (decorators
#=     (call 3:6-3:48 fastmath=
#=       (attribute 3:6-3:13 jit
#=         (name 3:6-3:9 gpu))
#=       (string 3:14-3:32 "void(float32[:])")
#=       (true 3:43-3:47))
#=     (name 4:6-4:11 other))
#=   (param 5:19-5:20 a positional-only)
#=   (param 5:22-5:23 b positional-only
#=     (annotation
#=       (name 5:25-5:28 int))
#=     (default
#=       (int 5:31-5:32 1)))
#=   (param 5:37-5:38 c
#=     (default
#=       (int 5:39-5:40 2)))
#=   (param 5:43-5:47 args *
#=     (annotation
#=       (name 5:49-5:50 x)))
#=   (param 5:52-5:53 d keyword-only)
#=   (param 5:55-5:56 e keyword-only
#=     (default
#=       (int 5:57-5:58 3)))
#=   (param 5:62-5:64 kw **)
#=   (annotation
#=     (name 5:69-5:76 float32))
#=   (body
#=     (expr 6:9-6:53
#=       (value
#=         (string 6:9-6:53 "The text says nothing to the compiler.")))
#=     (def 7:9-7:36 helper
#=       (param 7:20-7:21 v)
#=       (body
#=         (return 7:24-7:36
#=           (value
#=             (binary 7:31-7:36 *
#=               (name 7:31-7:32 v)
#=               (int 7:35-7:36 2))))))
#=     (return 9:9-9:25
#=       (value
#=         (call 9:16-9:25
#=           (name 9:16-9:22 helper)
#=           (name 9:23-9:24 a))))))
