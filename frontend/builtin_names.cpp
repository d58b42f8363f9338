// Tables of types and constants by name. Functions are those of the PY column of ir/ops.def and of
// infer/builtins.def; a module has an attribute if one of these begins with it.
#include "frontend/builtin_names.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numbers>
#include <set>

#include "frontend/library.h"
#include "ir/diagnostics.h"

namespace lanewise::frontend {
namespace {

struct NamedType {
  std::string_view name;
  ir::Type type;
};

// `int`, `float` and `bool` are Python's and not here; `long` and `intp` have 64 bits, as on every 64-bit
// Linux.
constexpr NamedType kTypes[] = {
    {"b1", ir::kBool},       {"bool_", ir::kBool},  {"boolean", ir::kBool},  {"double", ir::kF64},
    {"f2", ir::kF16},        {"f4", ir::kF32},      {"f8", ir::kF64},        {"float16", ir::kF16},
    {"float32", ir::kF32},   {"float64", ir::kF64}, {"half", ir::kF16},      {"i1", ir::kI8},
    {"i2", ir::kI16},        {"i4", ir::kI32},      {"i8", ir::kI64},        {"int16", ir::kI16},
    {"int32", ir::kI32},     {"int64", ir::kI64},   {"int8", ir::kI8},       {"int_", ir::kI64},
    {"intc", ir::kI32},      {"intp", ir::kI64},    {"longlong", ir::kI64},  {"short", ir::kI16},
    {"single", ir::kF32},    {"u1", ir::kU8},       {"u2", ir::kU16},        {"u4", ir::kU32},
    {"u8", ir::kU64},        {"uint", ir::kU64},    {"uint16", ir::kU16},    {"uint32", ir::kU32},
    {"uint64", ir::kU64},    {"uint8", ir::kU8},    {"uintc", ir::kU32},     {"uintp", ir::kU64},
    {"ulonglong", ir::kU64}, {"ushort", ir::kU16},  {"bfloat16", ir::kBF16},
};

// Names that mean something else, or nothing, in the other vocabulary.
constexpr NamedType kNumpyTypes[] = {
    {"bool", ir::kBool}, {"byte", ir::kI8}, {"long", ir::kI64}, {"ubyte", ir::kU8}, {"ulong", ir::kU64}};
constexpr NamedType kNumbaTypes[] = {{"byte", ir::kU8},   {"char", ir::kI8},    {"float_", ir::kF32},
                                     {"long_", ir::kI64}, {"size_t", ir::kU64}, {"ssize_t", ir::kI64},
                                     {"uchar", ir::kU8},  {"ulong", ir::kU64}};

// Complex types by their parts.
constexpr NamedType kComplexTypes[] = {{"c16", ir::kF64},       {"c8", ir::kF32},
                                       {"cdouble", ir::kF64},   {"complex128", ir::kF64},
                                       {"complex64", ir::kF32}, {"csingle", ir::kF32}};

// What vector types are called after: "float32x4", and CUDA's "float4".
constexpr NamedType kVectorNames[] = {{"int8", ir::kI8},    {"int16", ir::kI16},  {"int32", ir::kI32},
                                      {"int64", ir::kI64},  {"uint8", ir::kU8},   {"uint16", ir::kU16},
                                      {"uint32", ir::kU32}, {"uint64", ir::kU64}, {"float32", ir::kF32},
                                      {"float64", ir::kF64}};
constexpr NamedType kCudaNames[] = {{"char", ir::kI8},       {"uchar", ir::kU8},  {"short", ir::kI16},
                                    {"ushort", ir::kU16},    {"int", ir::kI32},   {"uint", ir::kU32},
                                    {"long", ir::kI64},      {"ulong", ir::kU64}, {"longlong", ir::kI64},
                                    {"ulonglong", ir::kU64}, {"float", ir::kF32}, {"double", ir::kF64}};

struct NamedFloat {
  std::string_view name;
  double value;
};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr NamedFloat kMathFloats[] = {{"e", std::numbers::e},
                                      {"inf", kInfinity},
                                      {"nan", kNan},
                                      {"pi", std::numbers::pi},
                                      {"tau", 2 * std::numbers::pi}};
constexpr NamedFloat kNumpyFloats[] = {{"NINF", -kInfinity},
                                       {"NaN", kNan},
                                       {"PINF", kInfinity},
                                       {"e", std::numbers::e},
                                       {"euler_gamma", std::numbers::egamma},
                                       {"inf", kInfinity},
                                       {"nan", kNan},
                                       {"pi", std::numbers::pi}};

// Names that no other table has: values and classes that inference knows by name, and what Numba and Python
// have and kernels do not. Those are Builtins nevertheless: inference says that they are missing, which helps
// more than "no such name".
constexpr std::string_view kOtherNames[] = {
    "collections.namedtuple", "enum.Enum",          "enum.Flag",           "enum.IntEnum",
    "enum.IntFlag",           "enum.StrEnum",       "enum.auto",           "functools.partial",
    "gpu.cuda_function",      "gpu.declare_device", "gpu.warpsize",        "numpy.complexfloating",
    "numpy.floating",         "numpy.generic",      "numpy.inexact",       "numpy.integer",
    "numpy.ndarray",          "numpy.number",       "numpy.signedinteger", "typing.NamedTuple",
    "numpy.unsignedinteger"};

template <class Row, size_t N>
const Row* find(const Row (&rows)[N], std::string_view name) {
  auto at = std::ranges::find(rows, name, &Row::name);
  return at == std::end(rows) ? nullptr : at;
}

template <class Row, size_t N>
void add_names(const Row (&rows)[N], std::vector<std::string>& out) {
  for (const Row& row : rows) out.emplace_back(row.name);
}

HostValue dtype(const ElementType& type) { return {HostValue::DType{type, false}}; }
HostValue builtin(std::string name) { return {HostValue::Builtin{std::move(name)}}; }

bool has_numba_types(std::string_view module) {
  return module == "gpu" || module == "gpu.types" || module == "numba" || module == "numba.types" ||
         module == "numba.core.types";
}

// "gpu" -> {"atomic", "grid", ...}, "gpu.atomic" -> {"add", ...}
using NameTree = std::map<std::string, std::set<std::string>, std::less<>>;

void add_path(NameTree& tree, std::string_view path) {
  for (size_t dot = path.find('.'); dot != path.npos;) {
    size_t next = std::min(path.find('.', dot + 1), path.size());
    tree[std::string(path.substr(0, dot))].emplace(path.substr(dot + 1, next - dot - 1));
    dot = next == path.size() ? path.npos : next;
  }
}

const NameTree& name_tree() {
  static const NameTree kTree = [] {
    NameTree tree;
#define PY_NONE ""
#define PY_OPERATOR(text) ""
#define PY_NAME(text) text
    static constexpr std::string_view kOpNames[] = {
#define OP(Enum, text, sig, effect, regions, PY, NVVM, HOST, doc) PY,
#include "ir/ops.def"
    };
#undef PY_NONE
#undef PY_OPERATOR
#undef PY_NAME
    for (std::string_view rest : kOpNames) {
      for (size_t space; !rest.empty(); rest = rest.substr(std::min(space + 1, rest.size()))) {
        space = std::min(rest.find(' '), rest.size());
        add_path(tree, rest.substr(0, space));
      }
    }
    static constexpr std::string_view kBuiltins[] = {
#define BUILTIN(name, handler, arguments, of) name,
#define OPERATOR(name, op, unary) "numpy." name, "operator." name,
#define INPLACE(name, op) "operator." name,
#include "frontend/infer/builtins.def"
    };
    for (std::string_view path : kBuiltins) add_path(tree, path);
    for (std::string_view path : kOtherNames) add_path(tree, path);
    for (const std::string& path : library_names()) add_path(tree, path);
    return tree;
  }();
  return kTree;
}

// Modules that only lead to others.
std::optional<HostValue> submodule(const std::string& module, const std::string& name) {
  if ((module == "lanewise" && name == "gpu") || (module == "numba" && name == "cuda")) return builtin("gpu");
  if (module == "numba" && (name == "jit" || name == "njit")) return builtin("numba." + name);
  if (module == "numba" && name == "types") return builtin("numba.types");
  if (module == "numba" && name == "core") return builtin("numba.core");
  if (module == "numba.core" && name == "types") return builtin("numba.types");
  if (module == "gpu" && (name == "types" || name == "jit" || name == "device"))
    return builtin("gpu." + name);
  return std::nullopt;
}

}  // namespace

std::optional<ElementType> type_of_name(std::string_view name) {
  if (const NamedType* row = find(kTypes, name)) return row->type;
  if (const NamedType* row = find(kComplexTypes, name)) return ElementType::complex(row->type);
  return std::nullopt;
}

std::optional<ElementType> vector_type_of_name(std::string_view name) {
  if (name.size() < 4 || name.back() < '1' || name.back() > '4') return std::nullopt;
  auto lanes = static_cast<unsigned>(name.back() - '0');
  std::string_view rest = name.substr(0, name.size() - 1);
  const NamedType* row =
      rest.ends_with('x') ? find(kVectorNames, rest.substr(0, rest.size() - 1)) : find(kCudaNames, rest);
  return row ? std::optional(ElementType::vector(row->type, lanes)) : std::nullopt;
}

std::vector<std::string> type_names() {
  std::vector<std::string> out;
  add_names(kTypes, out);
  add_names(kComplexTypes, out);
  return out;
}

std::optional<HostValue> builtin_module_attribute(const std::string& module, const std::string& name) {
  if (std::optional<HostValue> found = submodule(module, name)) return found;
  if (module == "numpy" || has_numba_types(module)) {
    bool lacks = module == "numpy" && name == "bfloat16";  // which ml_dtypes has
    if (std::optional<ElementType> type = type_of_name(name); type && !lacks) return dtype(*type);
    if (std::optional<ElementType> type = vector_type_of_name(name); type && module != "numpy")
      return dtype(*type);
    const NamedType* own = module == "numpy" ? find(kNumpyTypes, name) : find(kNumbaTypes, name);
    if (own) return dtype(own->type);
  }
  if (module == "ml_dtypes" && name == "bfloat16") return dtype(ir::kBF16);
  if (module == "cmath" && (name == "infj" || name == "nanj"))
    return HostValue{HostValue::Complex{0, name == "infj" ? kInfinity : kNan, ir::kVoid}};
  if (module == "math" || module == "cmath")
    if (const NamedFloat* row = find(kMathFloats, name)) return HostValue{row->value};
  if (module == "numpy") {
    if (const NamedFloat* row = find(kNumpyFloats, name)) return HostValue{row->value};
    if (name == "True_" || name == "False_")
      return HostValue{HostValue::Typed{ir::kBool, int64_t{name == "True_"}}};
    if (name == "newaxis") return HostValue{HostValue::None{}};
  }
  auto known = name_tree().find(module);
  if (known != name_tree().end() && known->second.contains(name)) return builtin(module + "." + name);
  // NumPy has far more names than kernels know. What is no misspelling of a known one is taken to be there.
  bool open = module == "numpy" || module.starts_with("numpy.") || module == "gpu.libdevice";
  if (!open || name.starts_with("__") || !ir::nearest_name(name, builtin_module_names(module)).empty())
    return std::nullopt;
  return builtin(module + "." + name);
}

std::vector<std::string> builtin_module_names(const std::string& module) {
  std::vector<std::string> out;
  if (auto known = name_tree().find(module); known != name_tree().end())
    out.assign(known->second.begin(), known->second.end());
  if (module == "numpy" || has_numba_types(module)) {
    add_names(kTypes, out);
    add_names(kComplexTypes, out);
    if (module == "numpy") {
      add_names(kNumpyTypes, out);
    } else {
      add_names(kNumbaTypes, out);
    }
  }
  if (module == "ml_dtypes") out.emplace_back("bfloat16");
  if (module == "math" || module == "cmath") add_names(kMathFloats, out);
  if (module == "numpy") add_names(kNumpyFloats, out);
  for (const char* name : {"gpu", "cuda", "types", "core", "jit", "njit", "device"})
    if (submodule(module, name)) out.emplace_back(name);
  std::ranges::sort(out);
  auto repeats = std::ranges::unique(out);
  out.erase(repeats.begin(), repeats.end());
  return out;
}

std::optional<HostValue> builtin_module(const std::string& dotted_name) {
  size_t dot = dotted_name.find('.');
  std::string root = dotted_name.substr(0, dot);
  static constexpr std::string_view kRoots[] = {"cmath",    "collections", "enum",      "functools",
                                                "lanewise", "math",        "ml_dtypes", "numba",
                                                "numpy",    "operator",    "typing"};
  if (std::ranges::find(kRoots, root) == std::end(kRoots)) return std::nullopt;
  std::string name = root;
  while (dot != std::string::npos) {
    size_t next = dotted_name.find('.', dot + 1);
    std::string part = dotted_name.substr(dot + 1, next == std::string::npos ? next : next - dot - 1);
    std::optional<HostValue> found = builtin_module_attribute(name, part);
    auto* module = found ? std::get_if<HostValue::Builtin>(&found->value) : nullptr;
    if (!module) return std::nullopt;
    name = module->name;
    dot = next;
  }
  return builtin(name);
}

}  // namespace lanewise::frontend
