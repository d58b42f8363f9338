// What compiled kernels may call, with addresses taken here: nothing is looked up by name in the process,
// which may export other functions of these names or none.
#include <math.h>
#include <sched.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <time.h>

#include "codegen/host/jit.h"

// The compiler's helpers for float16, in registers that only compiled code knows: the addresses are enough.
extern "C" {
void __extendhfsf2();
void __truncsfhf2();
void __truncdfhf2();
}

namespace lanewise::codegen::host {
namespace {

template <class Function>
void* address(Function* function) {
  return reinterpret_cast<void*>(function);
}

}  // namespace

// One argument and two: float64 and float32.
#define UNARY(name)                                               \
  {#name, address(static_cast<double (*)(double)>(::name))}, {    \
#name "f", address(static_cast <float (*)(float)>(::name##f)) \
  }
#define BINARY(name)                                                     \
  {#name, address(static_cast<double (*)(double, double)>(::name))}, {   \
#name "f", address(static_cast <float (*)(float, float)>(::name##f)) \
  }

const RuntimeSymbol kRuntimeSymbols[] = {
    UNARY(acos),
    UNARY(acosh),
    UNARY(asin),
    UNARY(asinh),
    UNARY(atan),
    UNARY(atanh),
    UNARY(cbrt),
    UNARY(ceil),
    UNARY(cos),
    UNARY(cosh),
    UNARY(erf),
    UNARY(erfc),
    UNARY(exp),
    UNARY(exp2),
    UNARY(expm1),
    UNARY(floor),
    UNARY(j0),
    UNARY(j1),
    UNARY(log),
    UNARY(log10),
    UNARY(log1p),
    UNARY(log2),
    UNARY(nearbyint),
    UNARY(rint),
    UNARY(round),
    UNARY(roundeven),
    UNARY(sin),
    UNARY(sinh),
    UNARY(sqrt),
    UNARY(tan),
    UNARY(tanh),
    UNARY(trunc),
    UNARY(y0),
    UNARY(y1),
    BINARY(atan2),
    BINARY(copysign),
    BINARY(fmax),
    BINARY(fmin),
    BINARY(fmod),
    BINARY(hypot),
    BINARY(nextafter),
    BINARY(pow),
    BINARY(remainder),
    {"fma", address(static_cast<double (*)(double, double, double)>(::fma))},
    {"fmaf", address(static_cast<float (*)(float, float, float)>(::fmaf))},
    {"ldexp", address(static_cast<double (*)(double, int)>(::ldexp))},
    {"ldexpf", address(static_cast<float (*)(float, int)>(::ldexpf))},
    {"jn", address(static_cast<double (*)(int, double)>(::jn))},
    {"jnf", address(static_cast<float (*)(int, float)>(::jnf))},
    {"yn", address(static_cast<double (*)(int, double)>(::yn))},
    {"ynf", address(static_cast<float (*)(int, float)>(::ynf))},
    // Clocks and the processor that runs: codegen/host/memory.cpp.
    {"clock_gettime", address(static_cast<int (*)(clockid_t, timespec*)>(::clock_gettime))},
    {"sched_getcpu", address(static_cast<int (*)()>(::sched_getcpu))},
    {"get_nprocs_conf", address(static_cast<int (*)()>(::get_nprocs_conf))},
    // LLVM makes these of other calls.
    {"exp10", address(static_cast<double (*)(double)>(::exp10))},
    {"exp10f", address(static_cast<float (*)(float)>(::exp10f))},
    {"sincos", address(static_cast<void (*)(double, double*, double*)>(::sincos))},
    {"sincosf", address(static_cast<void (*)(float, float*, float*)>(::sincosf))},
    {"memcpy", address(static_cast<void* (*)(void*, const void*, size_t)>(::memcpy))},
    {"memmove", address(static_cast<void* (*)(void*, const void*, size_t)>(::memmove))},
    {"memset", address(static_cast<void* (*)(void*, int, size_t)>(::memset))},
    {"__extendhfsf2", address(&::__extendhfsf2)},
    {"__truncsfhf2", address(&::__truncsfhf2)},
    {"__truncdfhf2", address(&::__truncdfhf2)},
};
const size_t kRuntimeSymbolCount = sizeof kRuntimeSymbols / sizeof kRuntimeSymbols[0];

}  // namespace lanewise::codegen::host
