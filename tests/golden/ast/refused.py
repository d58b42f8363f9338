# Statements the language does not have are kept as what they are, without their blocks.
#: mode function
with a as b:
    c = (1,
         2)
try:
    d
except E:
    e
else:
    f
finally:
    g
class C(D):
    def h(self): pass
async def i(): await j
async for k in l:
    m
type N[T] = list[T]
o = yield
#= (with 3:1-5:12 with)
#= (try 6:1-13:6 try)
#= (class 14:1-15:22 C)
#= (with 16:1-16:23 async)
#= (with 17:1-18:6 async)
#= (class 19:1-19:20 N)
#= (assign 20:1-20:10
#=   (targets
#=     (name 20:1-20:2 o))
#=   (value
#=     (yield 20:5-20:10)))
