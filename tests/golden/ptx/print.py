# print is a call of the driver's vprintf, in pieces of 32 values; with no launch to tell, of a report only the end of
# the thread is left.
#: sm 75
#: contains .extern .func  (.param .b32 func_retval0) vprintf
#: count 2 call.uni (retval0)
#: lacks ValueError
from lanewise import gpu


@gpu.jit("void(int64[:])")
def k(a):
    print(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14], a[15], a[16],
          a[17], a[18], a[19], a[20], a[21], a[22], a[23], a[24], a[25], a[26], a[27], a[28], a[29], a[30], a[31], a[32])
    if a[0] < 0:
        raise ValueError("below", a[0])
    a[1] = 1
