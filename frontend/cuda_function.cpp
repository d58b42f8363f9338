// Device functions in CUDA C++: their signature in, what inference and the CUDA engine must know of them out.
//
// A kernel does not call the user's function itself but a bridge, C++ that is compiled together with it. So
// the user's function may be overloaded or a template, small types cross by value in the way that LLVM hands
// them over (float16 as its bits, complex numbers and vectors part by part), and the C++ compiler tells which
// types the function really has.
#include <algorithm>
#include <cctype>

#include "frontend/frontend.h"

namespace lanewise::frontend {
namespace {

// Types as numbers: kind << 8 | size, for C++ and for us. The prelude makes the same of C++ types.
enum Kind : uint32_t { kSigned = 1, kUnsigned, kFloating, kBoolean, kNothing = 6, kClass, kCharacter };
constexpr uint32_t kPointer = 0x10000, kToConst = 0x20000, kMaxSize = 255;

constexpr std::string_view kPrelude = R"cuda(
namespace lanewise_bridge {
template <class T> struct code { static constexpr unsigned value = 0x700u + (sizeof(T) < 255 ? sizeof(T) : 255); };
#define LANEWISE_CODE(kind, T) template <> struct code<T> { static constexpr unsigned value = (kind << 8) + sizeof(T); };
LANEWISE_CODE(1, signed char) LANEWISE_CODE(1, short) LANEWISE_CODE(1, int) LANEWISE_CODE(1, long)
LANEWISE_CODE(1, long long) LANEWISE_CODE(2, unsigned char) LANEWISE_CODE(2, unsigned short) LANEWISE_CODE(2, unsigned)
LANEWISE_CODE(2, unsigned long) LANEWISE_CODE(2, unsigned long long) LANEWISE_CODE(3, float) LANEWISE_CODE(3, double)
LANEWISE_CODE(4, bool) LANEWISE_CODE(8, char)
#undef LANEWISE_CODE
template <> struct code<void> { static constexpr unsigned value = 0x600u; };
template <class T> struct code<const T> : code<T> {};
template <class T> struct code<volatile T> : code<T> {};
template <class T> struct code<T&> : code<T> {};
template <class T> struct code<T&&> : code<T> {};
template <class T> struct code<T*> { static constexpr unsigned value = 0x10000u | code<T>::value; };
template <class T> struct code<const T*> { static constexpr unsigned value = 0x30000u | code<T>::value; };
template <class T> struct plain { using type = T; };
template <class T> struct plain<const T> : plain<T> {};
template <class T> struct plain<T&> : plain<T> {};
template <class T> struct plain<T&&> : plain<T> {};
template <unsigned N, class... A> struct nth;
template <unsigned N, class First, class... Rest> struct nth<N, First, Rest...> : nth<N - 1, Rest...> {};
template <class First, class... Rest> struct nth<0, First, Rest...> : plain<First> {};
template <class F> struct types;
template <class R, class... A> struct types<R (*)(A...)> {
  unsigned codes[1 + sizeof...(A)] = {code<R>::value, code<A>::value...};
  template <unsigned N> using parameter = typename nth<N, A...>::type;
};
#if __cplusplus >= 201703L
template <class R, class... A> struct types<R (*)(A...) noexcept> : types<R (*)(A...)> {};
#endif
template <class To, class From> __device__ To as(const From& from) {
  static_assert(sizeof(To) == sizeof(From), "the size of a type differs");
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}
}
)cuda";

uint64_t fnv(uint64_t hash, std::string_view text) {
  for (unsigned char c : text) hash = (hash ^ c) * 0x100000001b3u;
  return (hash ^ 0xff) * 0x100000001b3u;
}

std::string hex(uint64_t value) {
  std::string out;
  for (int shift = 28; shift >= 0; shift -= 4) out += "0123456789abcdef"[(value >> shift) & 15];
  return out;
}

bool is_identifier_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// A name that can be called in C++: "f", "ns::f", "f<float, 2>".
bool is_function_name(std::string_view name) {
  size_t angle = name.find('<');
  std::string_view plain = name.substr(0, angle);
  bool good = !plain.empty() && !std::isdigit(static_cast<unsigned char>(plain[0])) &&
              std::ranges::all_of(plain, [](char c) { return is_identifier_char(c) || c == ':'; });
  if (angle == name.npos) return good;
  return good && name.ends_with('>') && name.find_first_of(";{}\n\"'") == name.npos;
}

// How a scalar crosses: bool as a byte, 16-bit floats as their bits.
std::string cuda_type(ir::Type type) {
  if (type.is_bool()) return "bool";
  if (type.is_float() && type.bits == 16) return "unsigned short";
  if (type.is_float()) return type.bits == 32 ? "float" : "double";
  std::string_view name = type.bits == 8    ? "char"
                          : type.bits == 16 ? "short"
                          : type.bits == 32 ? "int"
                                            : "long long";
  return (type.is_signed() ? "signed " : "unsigned ") + std::string(name);
}

bool crosses_as_itself(const ValueType& type) {
  return (type.is_scalar() || type.is_time()) && !(type.scalar.is_float() && type.scalar.bits == 16);
}

uint32_t scalar_code(ir::Type type) {
  uint32_t size = type.element_size();
  if (type.is_bool()) return kBoolean << 8 | size;
  if (type.is_float()) return (size == 2 ? kClass : kFloating) << 8 | size;
  return (type.is_signed() ? kSigned : kUnsigned) << 8 | size;
}

// The size of a struct of these scalars, laid out as C++ does.
unsigned struct_size(const std::vector<ir::Type>& parts) {
  unsigned at = 0, alignment = 1;
  for (ir::Type part : parts) {
    unsigned size = part.element_size();
    at = (at + size - 1) / size * size + size;
    alignment = std::max(alignment, size);
  }
  return (at + alignment - 1) / alignment * alignment;
}

uint32_t type_code(const ValueType& type) {
  if (type.is_array()) {
    const ElementType& element = type.element;
    uint32_t pointee = element.is_scalar() || element.is_time()
                           ? scalar_code(element.scalar)
                           : kClass << 8 | std::min(element.size(), kMaxSize);
    return kPointer | (type.writable ? 0 : kToConst) | pointee;
  }
  if (type.kind == ValueType::Kind::None) return kNothing << 8;
  if (type.is_scalar() || type.is_time()) return scalar_code(type.scalar);
  return kClass << 8 | struct_size(flatten(type));
}

bool can_be_result(const ValueType& type) {
  if (type.is_array() || type.kind == ValueType::Kind::Error) return false;
  return !type.is_tuple() ||
         (!type.items.empty() &&
          std::ranges::all_of(type.items, [](const ValueType& item) { return crosses_as_itself(item); }));
}

class Bridge {
 public:
  Bridge(const CudaFunctionText& text, const CudaFunction& function, const std::string& id)
      : text_(text), f_(function), id_(id) {}

  std::string run() {
    std::vector<std::string> arguments;
    for (size_t i = 0; i < f_.params.size(); ++i) arguments.push_back(argument(i));
    std::string result = result_type();
    types();
    out_ += "#ifndef LANEWISE_TYPES_ONLY\n" + structs_ + "extern \"C\" __device__ " + result +
            " lanewise_call_" + id_ + "(" + parameters_ + ") {\n  using types = " + types_of() + ";\n";
    call(arguments, result);
    return out_ + "}\n#endif\n";
  }

 private:
  std::string types_of() const { return "lanewise_bridge::types<decltype(&" + f_.name + ")>"; }

  // Tells the types of the user's function, and those that the signature wants.
  void types() {
    if (text_.numba_abi) declare_numba();
    std::vector<uint32_t> wanted = {type_code(f_.result)};
    if (text_.numba_abi) wanted = {kSigned << 8 | 4, kPointer | type_code(f_.result)};
    if (text_.numba_abi && f_.result.kind == ValueType::Kind::None) wanted[1] = kPointer | kNothing << 8;
    for (const ValueType& param : f_.params) wanted.push_back(type_code(param));
    std::string numbers;
    for (uint32_t code : wanted) numbers += (numbers.empty() ? "" : ", ") + std::to_string(code);
    out_ += "extern \"C\" __device__ const unsigned lanewise_wanted_" + id_ + "[] = {" + numbers + "};\n";
    out_ += "extern \"C\" __device__ const " + types_of() + " lanewise_types_" + id_ + " = {};\n";
  }

  // Numba's convention: a status as the result, and the result's address as the first argument.
  void declare_numba() {
    if (!text_.source.empty()) return;
    std::string params = result_type() == "void" ? "void*" : result_type() + "*";
    for (const ValueType& param : f_.params)
      params += ", " + (param.is_array() ? "void*" : cuda_type(param.scalar));
    out_ += structs_ + "extern \"C\" __device__ int " + f_.name + "(" + params + ");\n";
    structs_.clear();
  }

  // Adds the parameters of one argument and gives the C++ that makes the argument of them.
  std::string argument(size_t index) {
    const ValueType& type = f_.params[index];
    std::string name = "a" + std::to_string(index),
                wanted = "types::parameter<" + std::to_string(index + (text_.numba_abi ? 1 : 0)) + ">";
    auto parameter = [&](const std::string& of, const std::string& called) {
      parameters_ += (parameters_.empty() ? "" : ", ") + of + " " + called;
    };
    if (type.is_array()) {
      parameter(type.writable ? "void*" : "const void*", name);
      return "(" + wanted + ")" + name;
    }
    std::vector<ir::Type> parts = flatten(type);
    if (parts.size() == 1) {
      parameter(cuda_type(parts[0]), name);
      return crosses_as_itself(type) ? name : "lanewise_bridge::as<" + wanted + ">(" + name + ")";
    }
    std::string items;
    for (size_t i = 0; i < parts.size(); ++i) {
      std::string part = name + "_" + std::to_string(i);
      parameter(cuda_type(parts[i]), part);
      items += (i ? ", " : "") + part;
    }
    std::string of =
        cuda_type(parts[0]) + " " + name + "[" + std::to_string(parts.size()) + "] = {" + items + "};\n";
    locals_ += "  " + of;
    return "lanewise_bridge::as<" + wanted + ">(" + name + ")";
  }

  std::string result_type() {
    std::vector<ir::Type> parts = flatten(f_.result);
    if (parts.empty()) return "void";
    if (parts.size() == 1) return cuda_type(parts[0]);
    structs_ = "struct lanewise_result_" + id_ + " {";
    for (size_t i = 0; i < parts.size(); ++i)
      structs_ += " " + cuda_type(parts[i]) + " v" + std::to_string(i) + ";";
    structs_ += " };\n";
    return "lanewise_result_" + id_;
  }

  void call(const std::vector<std::string>& arguments, const std::string& result) {
    std::string list;
    for (const std::string& argument : arguments) list += (list.empty() ? "" : ", ") + argument;
    out_ += locals_;
    if (text_.numba_abi) {
      bool nothing = result == "void";
      if (!nothing) out_ += "  " + result + " result;\n";
      std::string address = nothing ? "nullptr" : "(types::parameter<0>)&result";
      out_ += "  " + f_.name + "(" + address + (list.empty() ? "" : ", ") + list + ");\n";
      if (!nothing) out_ += "  return result;\n";
      return;
    }
    std::string value = f_.name + "(" + list + ")";
    if (result == "void")
      out_ += "  " + value + ";\n";
    else if (crosses_as_itself(f_.result))
      out_ += "  return " + value + ";\n";
    else
      out_ += "  return lanewise_bridge::as<" + result + ">(" + value + ");\n";
  }

  const CudaFunctionText& text_;
  const CudaFunction& f_;
  std::string id_, out_, parameters_, locals_, structs_;
};

std::string code_text(uint32_t code) {
  if (code & kPointer) return (code & kToConst ? "const " : "") + code_text(code & 0xffff) + "*";
  uint32_t size = code & kMaxSize;
  switch (code >> 8) {
    case kSigned: return size == 1 ? "signed char" : size == 2 ? "short" : size == 4 ? "int" : "long long";
    case kUnsigned:
      return size == 1   ? "unsigned char"
             : size == 2 ? "unsigned short"
             : size == 4 ? "unsigned"
                         : "unsigned long long";
    case kFloating: return size == 4 ? "float" : "double";
    case kBoolean: return "bool";
    case kCharacter: return "char";
    case kNothing: return "void";
    default: return "(a class of " + std::to_string(size) + " bytes)";
  }
}

bool codes_match(uint32_t found, uint32_t wanted) {
  if (found == wanted) return true;
  if ((found & kPointer) != (wanted & kPointer)) return false;
  if ((wanted & kToConst) && !(found & kToConst)) return false;
  uint32_t a = found & 0xffff, b = wanted & 0xffff;
  if ((found & kPointer) && (a >> 8 == kNothing || b >> 8 == kNothing)) return true;
  if ((a & kMaxSize) != (b & kMaxSize)) return false;
  bool integer = b >> 8 == kSigned || b >> 8 == kUnsigned;
  // A `char` is either; of classes only the size is known: __half, float2, enums.
  return a == b || (a >> 8 == kCharacter && integer) || ((found & kPointer) && a >> 8 == kClass);
}

}  // namespace

HostValue::Cuda make_cuda_function(const CudaFunctionText& text, std::string& problem) {
  auto refuse = [&](std::string why) {
    problem = std::move(why);
    return HostValue::Cuda();
  };
  if (!is_function_name(text.name)) return refuse("`" + text.name + "` is not the name of a C++ function");
  ir::Diagnostics diagnostics;
  std::optional<ParsedSignature> signature = parse_signature(text.signature, {}, diagnostics);
  if (!signature) {
    const ir::Diagnostic& d = diagnostics.all().front();
    return refuse(d.message + (d.hint.empty() ? "" : " (" + d.hint + ")"));
  }
  auto made = std::make_shared<CudaFunction>();
  made->name = text.name;
  made->params = signature->arguments;
  if (signature->result) made->result = *signature->result;
  made->fallback = text.fallback;
  if (!signature->result && signature->name != "void")
    return refuse("the signature `" + text.signature + "` does not say what `" + text.name +
                  "` returns: write \"void(...)\" or the type of the result");
  if (!can_be_result(made->result))
    return refuse("the result of `" + text.name + "` cannot be " + to_string(made->result) +
                  ": functions in CUDA C++ return a number, a vector, a tuple of numbers, or nothing");
  for (size_t i = 0; i < made->params.size(); ++i)
    if (made->params[i].is_tuple() || made->params[i].kind == ValueType::Kind::None)
      return refuse("argument " + std::to_string(i + 1) + " of `" + text.name + "` cannot be " +
                    to_string(made->params[i]) + ": hand over the items one by one");
  std::string options;
  for (const std::string& option : text.options) options += option + "\n";
  uint64_t hash = fnv(fnv(fnv(fnv(0xcbf29ce484222325u, text.source), text.signature), options), text.name);
  std::string id;
  for (char c : text.name.substr(0, 60)) id += is_identifier_char(c) ? c : '_';
  id += "_" + hex(hash ^ hash >> 32);
  made->code.file = text.file;
  made->code.source = text.source;
  made->code.first_line = text.first_line;
  made->code.options = text.options;
  uint32_t operand = 0;
  for (const ValueType& param : made->params) {
    if (param.is_array() && !param.writable) made->code.read_only.push_back(operand);
    operand += param.is_array() ? 1 : static_cast<uint32_t>(flatten(param).size());
  }
  bool plain = text.source.empty() && !text.numba_abi;
  if (plain) {
    // What is linked has C's calling convention itself, as long as every type crosses as it is.
    bool simple = std::ranges::all_of(
        made->params, [](const ValueType& p) { return p.is_array() || crosses_as_itself(p); });
    if (!simple || (made->result.kind != ValueType::Kind::None && !crosses_as_itself(made->result)))
      return refuse("`" + text.name +
                    "`: functions that are linked take and return integers, bool, float32, "
                    "float64 and arrays only");
    made->code.symbol = text.name;
  } else {
    made->code.symbol = "lanewise_call_" + id;
    made->code.bridge = Bridge(text, *made, id).run();
  }
  return made;
}

std::string_view cuda_bridge_prelude() { return kPrelude; }

bool cuda_types_match(const std::vector<uint32_t>& types, const std::vector<uint32_t>& wanted) {
  return std::ranges::equal(types, wanted, codes_match);
}

std::string cuda_types_text(const std::vector<uint32_t>& types) {
  std::string out = types.empty() ? "?" : code_text(types[0]);
  out += "(";
  for (size_t i = 1; i < types.size(); ++i) out += (i > 1 ? ", " : "") + code_text(types[i]);
  return out + ")";
}

}  // namespace lanewise::frontend
