#include "tests/support/op_instances.h"

#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

#include "ir/scalar_ops.h"

namespace lanewise::test {
namespace {

const std::vector<ir::Type> kAllScalars{ir::kBool, ir::kI8,  ir::kI16, ir::kI32, ir::kI64, ir::kU8,  ir::kU16,
                                        ir::kU32,  ir::kU64, ir::kF16, ir::kF32, ir::kF64, ir::kBF16};

std::vector<ir::Type> types_of(const ir::Slot& slot) {
  std::vector<ir::Type> types;
  for (ir::Type type : kAllScalars)
    if (ir::in_class(type, slot.bound)) types.push_back(type);
  return types;
}

// Gives the letters of a signature types, one letter after the other.
void bind(ir::OpKind kind, size_t position, std::map<char, ir::Type>& bound, std::vector<OpInstance>& out) {
  const ir::Signature& signature = ir::info(kind).signature;
  bool is_result = position == signature.operand_count;
  if (position > signature.operand_count) {
    OpInstance instance{kind, {}, {}};
    auto type = [&](const ir::Slot& slot) { return slot.letter ? bound.at(slot.letter) : slot.fixed; };
    for (size_t i = 0; i < signature.operand_count; ++i)
      instance.operands.push_back(type(signature.operands[i]));
    instance.result = type(signature.result);
    bool reinterprets = kind == ir::OpKind::Bitcast;
    if (!reinterprets || instance.operands[0].bits == instance.result.bits) out.push_back(instance);
    return;
  }
  const ir::Slot& slot = is_result ? signature.result : signature.operands[position];
  if (!slot.letter || bound.contains(slot.letter)) return bind(kind, position + 1, bound, out);
  for (ir::Type type : types_of(slot)) {
    bound[slot.letter] = type;
    bind(kind, position + 1, bound, out);
    bound.erase(slot.letter);
  }
}

std::string pointer(ir::Type type) { return ir::to_string(type.pointer(ir::Space::Global)); }

}  // namespace

std::string to_string(const OpInstance& instance) {
  std::string text(ir::info(instance.kind).text);
  for (ir::Type type : instance.operands) text.append(" ").append(ir::to_string(type));
  return text + " -> " + ir::to_string(instance.result);
}

std::vector<OpInstance> scalar_op_instances() {
  std::vector<OpInstance> out;
  for (size_t i = 0; i < ir::kOpCount; ++i) {
    std::map<char, ir::Type> bound;
    if (auto kind = static_cast<ir::OpKind>(i); ir::is_scalar_op(kind)) bind(kind, 0, bound, out);
  }
  return out;
}

std::string elementwise_kernel(const OpInstance& instance) {
  std::string params = "%n: i64", loads, operands;
  for (size_t i = 0; i < instance.operands.size(); ++i) {
    std::string name = "%a" + std::to_string(i), value = "%v" + std::to_string(i);
    params += ", " + name + ": " + pointer(instance.operands[i]) + ", " + name + ".n: i64";
    loads += "    " + value + " = load " + name + ", %i : " + ir::to_string(instance.operands[i]) + "\n";
    operands += (i ? ", " : " ") + value;
  }
  params += ", %out: " + pointer(instance.result) + ", %out.n: i64";
  return "kernel @each(" + params + ") no_contract {\n" +
         "  %t = thread_id_x : i32\n  %b = block_id_x : i32\n  %d = block_dim_x : i32\n"
         "  %t64 = cast %t : i64\n  %b64 = cast %b : i64\n  %d64 = cast %d : i64\n"
         "  %first = mul %b64, %d64 : i64\n  %i = add %first, %t64 : i64\n  %inside = lt %i, %n : bool\n"
         "  if %inside then {\n" +
         loads + "    %r = " + std::string(ir::info(instance.kind).text) + operands + " : " +
         ir::to_string(instance.result) +
         "\n    store %out, %i, %r\n    yield\n  } else {\n    yield\n  }\n  return\n}\n";
}

std::string combined_kernel(const std::vector<OpInstance>& instances) {
  std::string params, body = "  %t = thread_id_x : i32\n  %i = cast %t : i64\n";
  for (ir::Type type : kAllScalars) {
    std::string name = ir::to_string(type);
    params += params.empty() ? "%p_" : ", %p_";
    params += name + ": " + pointer(type) + ", %n_" + name + ": i64";
  }
  for (size_t k = 0; k < instances.size(); ++k) {
    const OpInstance& instance = instances[k];
    std::string number = std::to_string(k), operands;
    for (size_t i = 0; i < instance.operands.size(); ++i) {
      std::string type = ir::to_string(instance.operands[i]), value = "%v" + number + "_" + std::to_string(i);
      // Different elements, so that no operand is known to equal another.
      std::string at = "%at" + number + "_" + std::to_string(i);
      body += "  " + at + "k = const " + std::to_string(32 * (i + 1)) + " : i64\n  " + at + " = add %i, " +
              at + "k : i64\n";
      body += "  " + value + " = load %p_" + type + ", " + at + " : " + type + "\n";
      operands += (i ? ", " : " ") + value;
    }
    std::string result = ir::to_string(instance.result);
    body += "  %r" + number + " = " + std::string(ir::info(instance.kind).text) + operands + " : " + result +
            "\n";
    body += "  store %p_" + result + ", %i, %r" + number + "\n";
  }
  return "kernel @all(" + params + ") {\n" + body + "  return\n}\n";
}

ir::Module module_from(const std::string& text) {
  ir::SourceMap sources;
  uint32_t file = sources.add({"<test>", text, 1});
  ir::Diagnostics diagnostics;
  std::optional<ir::Module> module = ir::parse(sources, file, diagnostics);
  if (!module) throw std::runtime_error(ir::render(diagnostics, sources));
  if (auto error = ir::verify(*module)) throw std::runtime_error(error->message + "\n" + text);
  return std::move(*module);
}

std::vector<uint64_t> interesting_bits(ir::Type type) {
  std::vector<uint64_t> bits;
  if (type.is_bool()) return {0, 1};
  if (!type.is_float()) {
    for (int64_t value : {0, 1, 2, 3, 5, 7, 10, 31, 32, 33, 63, 64, 100, 127, -1, -2, -3, -7, -10, -32, -128})
      bits.push_back(ir::canonical_bits(type, static_cast<uint64_t>(value)));
    uint64_t top = uint64_t{1} << (type.bits - 1);
    for (uint64_t value : {top, top - 1, top + 1, top / 3, uint64_t{0x123456789ABCDEF}})
      bits.push_back(ir::canonical_bits(type, value));
    return bits;
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double tiny = type.bits == 64 ? 5e-324 : type.bits == 32 ? 1.4e-45 : 6e-8;
  double least = type.bits == 64 ? 2.2250738585072014e-308 : type.bits == 32 ? 1.17549435e-38 : 6.104e-5;
  double most = type.bits == 64 ? 1.797e308 : type.bits == 32 ? 3.4028235e38 : 65504;
  for (double value : {0.0,
                       0.25,
                       0.5,
                       1.0,
                       1.5,
                       2.0,
                       2.5,
                       3.0,
                       7.0,
                       0.1,
                       3.14159265358979,
                       10.5,
                       100.0,
                       255.5,
                       300.0,
                       1000.25,
                       32768.0,
                       2147483648.0,
                       4294967295.0,
                       9.3e18,
                       1e19,
                       1e-3,
                       tiny,
                       least,
                       most,
                       kInfinity}) {
    bits.push_back(ir::float_bits(value, type));
    bits.push_back(ir::float_bits(-value, type));
  }
  bits.push_back(ir::float_bits(std::numeric_limits<double>::quiet_NaN(), type));
  return bits;
}

}  // namespace lanewise::test
