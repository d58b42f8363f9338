// Appending ops to a function: see builder.h.
#include "ir/builder.h"

#include <utility>

#include "ir/error.h"
#include "ir/literal.h"
#include "ir/signature.h"

namespace lanewise::ir {

std::optional<Type> result_type(OpKind kind, std::span<const Type> operands) {
  const Signature& signature = info(kind).signature;
  if (!signature.has_result || operands.size() < signature.operand_count) return std::nullopt;
  if (operands.size() > signature.operand_count && !signature.more_operands) return std::nullopt;
  SignatureMatcher matcher;
  for (size_t i = 0; i < signature.operand_count; ++i)
    if (!matcher.match(signature.operands[i], operands[i])) return std::nullopt;
  if (kind == OpKind::Offset) return operands[0];
  if (kind == OpKind::SpaceCast) return operands[0].element().pointer(Space::Generic);
  return matcher.type_of(signature.result);
}

Builder::Builder(Module& module, Function& function) : module_(module), function_(function) {
  if (!function_.body.valid()) function_.body = function_.regions.add({});
  region_ = function_.body;
}

bool Builder::terminated() const {
  const Region& region = function_.regions[region_];
  return !region.ops.empty() && is_terminator(function_.ops[region.ops.back()].kind);
}

ValueId Builder::new_value(Type type, std::string name) {
  return function_.values.add({std::move(name), type});
}

OpId Builder::append(Op op) {
  op.range = range_;
  op.call_site = call_site_;
  OpId id = function_.ops.add(std::move(op));
  function_.regions[region_].ops.push_back(id);
  return id;
}

ValueId Builder::param(Type type, std::string name) {
  ValueId value = new_value(type, std::move(name));
  function_.regions[function_.body].params.push_back(value);
  return value;
}

ValueId Builder::constant(Type type, Immediate value) {
  ValueId result = new_value(type, {});
  append({.kind = OpKind::Const, .results = {result}, .immediate = literal(type, value)});
  return result;
}

ValueId Builder::emit(OpKind kind, std::vector<ValueId> operands, Type result, std::string name) {
  ValueId value = new_value(result, std::move(name));
  append({.kind = kind, .operands = std::move(operands), .results = {value}});
  return value;
}

ValueId Builder::emit(OpKind kind, std::vector<ValueId> operands) {
  std::vector<Type> types;
  for (ValueId operand : operands) types.push_back(type(operand));
  std::optional<Type> result = result_type(kind, types);
  LANEWISE_CHECK(result,
                 "the operands of `" + std::string(info(kind).text) + "` do not decide its result type");
  return emit(kind, std::move(operands), *result);
}

ValueId Builder::cast(ValueId value, Type to) {
  return type(value) == to ? value : emit(OpKind::Cast, {value}, to);
}

ValueId Builder::emit_immediate(OpKind kind, int64_t immediate, Type result, std::string name) {
  ValueId value = new_value(result, std::move(name));
  append({.kind = kind, .results = {value}, .immediate = immediate});
  return value;
}

ValueId Builder::var(Type held, std::string name) {
  return emit(OpKind::Var, {}, held.var(), std::move(name));
}

OpId Builder::emit_void(OpKind kind, std::vector<ValueId> operands, Immediate immediate) {
  if (kind == OpKind::Leave && std::holds_alternative<std::monostate>(immediate)) immediate = int64_t{0};
  return append({.kind = kind, .operands = std::move(operands), .immediate = immediate});
}

std::vector<ValueId> Builder::emit_many(OpKind kind, std::vector<ValueId> operands,
                                        const std::vector<Type>& results, Immediate immediate) {
  std::vector<ValueId> values;
  for (Type type : results) values.push_back(new_value(type, {}));
  append({.kind = kind, .operands = std::move(operands), .results = values, .immediate = immediate});
  return values;
}

OpId Builder::leave(int64_t scopes_to_skip, std::vector<ValueId> operands) {
  return emit_void(OpKind::Leave, std::move(operands), scopes_to_skip);
}

OpId Builder::emit_control(OpKind kind, std::vector<ValueId> operands, std::vector<RegionId> regions,
                           const std::vector<Type>& results) {
  std::vector<ValueId> values;
  for (Type type : results) values.push_back(new_value(type, {}));
  return append({.kind = kind,
                 .operands = std::move(operands),
                 .results = std::move(values),
                 .regions = std::move(regions)});
}

std::vector<ValueId> Builder::call(FunctionId callee, std::vector<ValueId> arguments) {
  std::vector<ValueId> values;
  for (Type type : module_[callee].results) values.push_back(new_value(type, {}));
  append({.kind = OpKind::Call, .operands = std::move(arguments), .results = values, .callee = callee});
  return values;
}

std::vector<ValueId> Builder::call_external(uint32_t index, std::vector<ValueId> arguments,
                                            const std::vector<Type>& results) {
  std::vector<ValueId> values;
  for (Type type : results) values.push_back(new_value(type, {}));
  append({.kind = OpKind::CallExternal,
          .operands = std::move(arguments),
          .results = values,
          .immediate = int64_t{index}});
  return values;
}

RegionId Builder::new_region(const std::vector<Type>& params, const std::vector<std::string>& names) {
  Region region;
  for (size_t i = 0; i < params.size(); ++i)
    region.params.push_back(new_value(params[i], i < names.size() ? names[i] : std::string{}));
  return function_.regions.add(std::move(region));
}

ValueId Builder::result(OpId op) const {
  LANEWISE_CHECK(results(op).size() == 1, "an op with another number of results than one");
  return results(op)[0];
}

}  // namespace lanewise::ir
