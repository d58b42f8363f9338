#include "codegen/cuda_cpp/names.h"

#include <algorithm>
#include <iterator>

#include "codegen/codegen.h"
#include "codegen/cuda_cpp/helpers.h"

namespace lanewise::codegen {
namespace cuda_cpp {
namespace {

// Keywords of C++20, CUDA's qualifiers and variables, and functions that the text calls. Sorted.
constexpr std::string_view kReserved[] = {"abs",          "acos",
                                          "acosf",        "acosh",
                                          "acoshf",       "alignas",
                                          "alignof",      "and",
                                          "and_eq",       "asin",
                                          "asinf",        "asinh",
                                          "asinhf",       "asm",
                                          "atan",         "atan2",
                                          "atan2f",       "atanf",
                                          "atanh",        "atanhf",
                                          "atomicAdd",    "atomicAnd",
                                          "atomicCAS",    "atomicDec",
                                          "atomicExch",   "atomicInc",
                                          "atomicMax",    "atomicMin",
                                          "atomicOr",     "atomicSub",
                                          "atomicXor",    "auto",
                                          "bfloat16",     "bitand",
                                          "bitor",        "blockDim",
                                          "blockIdx",     "bool",
                                          "break",        "case",
                                          "catch",        "cbrt",
                                          "cbrtf",        "ceil",
                                          "ceilf",        "char",
                                          "char16_t",     "char32_t",
                                          "char8_t",      "class",
                                          "co_await",     "co_return",
                                          "co_yield",     "compl",
                                          "concept",      "const",
                                          "const_cast",   "consteval",
                                          "constexpr",    "constinit",
                                          "continue",     "copysign",
                                          "copysignf",    "cos",
                                          "cosf",         "cosh",
                                          "coshf",        "decltype",
                                          "default",      "delete",
                                          "do",           "double",
                                          "dynamic_cast", "dynamic_shared",
                                          "else",         "enum",
                                          "erf",          "erfc",
                                          "erfcf",        "erff",
                                          "exp",          "exp2",
                                          "exp2f",        "expf",
                                          "explicit",     "expm1",
                                          "expm1f",       "export",
                                          "extern",       "fabs",
                                          "fabsf",        "false",
                                          "float",        "float16",
                                          "floor",        "floorf",
                                          "fma",          "fmaf",
                                          "fmax",         "fmaxf",
                                          "fmin",         "fminf",
                                          "fmod",         "fmodf",
                                          "for",          "free",
                                          "frexp",        "frexpf",
                                          "friend",       "goto",
                                          "gridDim",      "hypot",
                                          "hypotf",       "if",
                                          "inline",       "int",
                                          "isfinite",     "isinf",
                                          "isnan",        "ldexp",
                                          "ldexpf",       "log",
                                          "log10",        "log10f",
                                          "log1p",        "log1pf",
                                          "log2",         "log2f",
                                          "logf",         "long",
                                          "main",         "malloc",
                                          "max",          "memcpy",
                                          "memset",       "min",
                                          "mutable",      "namespace",
                                          "new",          "nextafter",
                                          "nextafterf",   "noexcept",
                                          "not",          "not_eq",
                                          "nullptr",      "operator",
                                          "or",           "or_eq",
                                          "pow",          "powf",
                                          "printf",       "private",
                                          "protected",    "public",
                                          "register",     "reinterpret_cast",
                                          "remainder",    "remainderf",
                                          "requires",     "return",
                                          "rint",         "rintf",
                                          "rsqrt",        "rsqrtf",
                                          "short",        "signbit",
                                          "signed",       "sin",
                                          "sinf",         "sinh",
                                          "sinhf",        "sizeof",
                                          "sqrt",         "sqrtf",
                                          "static",       "static_assert",
                                          "static_cast",  "struct",
                                          "switch",       "tan",
                                          "tanf",         "tanh",
                                          "tanhf",        "template",
                                          "this",         "threadIdx",
                                          "thread_local", "throw",
                                          "true",         "trunc",
                                          "truncf",       "try",
                                          "typedef",      "typeid",
                                          "typename",     "union",
                                          "unsigned",     "using",
                                          "virtual",      "void",
                                          "volatile",     "warpSize",
                                          "wchar_t",      "while",
                                          "xor",          "xor_eq"};

}  // namespace

bool is_reserved(std::string_view name) {
  return std::binary_search(std::begin(kReserved), std::end(kReserved), name) || is_helper(name) ||
         name.starts_with("__");
}

std::string_view base_name(std::string_view hint) {
  size_t dot = hint.rfind('.');
  if (dot == hint.npos || dot == 0 || dot + 1 == hint.size()) return hint;
  bool number = hint.find_first_not_of("0123456789", dot + 1) == hint.npos;
  return number ? hint.substr(0, dot) : hint;
}

std::string Names::take(const std::string& name) {
  taken_.emplace(name, 1);
  return name;
}

std::string Names::make(std::string_view hint) {
  std::string name;
  for (char c : std::string(base_name(hint))) name += c == '.' ? '_' : c;
  name = ptx_name(name);
  if (is_reserved(name)) name += '_';
  auto [known, is_new] = taken_.emplace(name, 1);
  if (is_new) return name;
  for (;;) {
    std::string numbered = name + "_" + std::to_string(++known->second);
    if (taken_.emplace(numbered, 1).second) return numbered;
  }
}

}  // namespace cuda_cpp

std::string cuda_name(std::string_view function_name) {
  std::string name = ptx_name(function_name);
  return cuda_cpp::is_reserved(name) ? name + "_" : name;
}

}  // namespace lanewise::codegen
