#include "frontend/infer/machine.h"

#include <algorithm>

#include "ir/inline_ptx.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;
using ir::OpKind;

namespace {

// "a", "b" or "c"
std::string choices(const std::vector<std::string_view>& names) {
  std::string out;
  for (size_t i = 0; i < names.size(); ++i) {
    out += i == 0 ? "" : i + 1 == names.size() ? " or " : ", ";
    out += "\"" + std::string(names[i]) + "\"";
  }
  return out;
}

}  // namespace

// Takes the keywords `order` and `scope`, and of a fence what stands there by position.
std::optional<ir::Ordering> MachineCalls::ordering(OpKind op, const std::string& name, CallArguments& call) {
  ir::Ordering result;
  std::vector<std::string_view> orders, scopes(std::begin(ir::kScopeNames), std::end(ir::kScopeNames));
  for (size_t i = 0; i < std::size(ir::kOrderNames); ++i)
    if (ir::order_fits(op, static_cast<ir::MemoryOrder>(i))) orders.push_back(ir::kOrderNames[i]);
  if (op == OpKind::Fence) {
    result.order = ir::MemoryOrder::SequentiallyConsistent;
    static constexpr const char* kNames[] = {"order", "scope"};
    for (size_t i = 0; i < call.positional.size() && i < 2; ++i)
      call.keywords.emplace_back(kNames[i], call.positional[i]);
    if (call.positional.size() <= 2) call.positional.clear();
  }
  for (auto& [keyword, value] : call.keywords) {
    bool is_order = keyword == "order";
    if (!is_order && keyword != "scope") continue;
    auto* said = value.object<std::string>();
    const auto& known = is_order ? orders : scopes;
    auto found = said ? std::ranges::find(known, *said) : known.end();
    if (found == known.end()) {
      Report& r = in_.report(
          DiagnosticId::ArgumentType, value.range,
          {name, "`" + keyword + "`", choices(known), said ? "\"" + *said + "\"" : in_.describe(value)});
      if (is_order && said && *said == "relaxed") r.with_hint("a relaxed fence orders nothing");
      in_.explain(r, value);
      return std::nullopt;
    }
    if (is_order)
      result.order =
          static_cast<ir::MemoryOrder>(std::ranges::find(ir::kOrderNames, *said) - ir::kOrderNames);
    else
      result.scope = static_cast<ir::MemoryScope>(found - known.begin());
  }
  std::erase_if(call.keywords, [](const auto& k) { return k.first == "order" || k.first == "scope"; });
  return result;
}

Value MachineCalls::call_op(OpKind op, const std::string& name, CallArguments& call) {
  if (op == OpKind::Fence) return fence(name, call);
  return op == OpKind::InlinePtx ? inline_ptx(name, call) : machine_op(op, name, call);
}

// gpu.atomic.fence(order="seq_cst", scope="device")
Value MachineCalls::fence(const std::string& name, CallArguments& call) {
  std::optional<ir::Ordering> order = ordering(OpKind::Fence, name, call);
  if (!order || !in_.arity(name, call, 0, 0)) return in_.error(call.range);
  TExprId e = in_.add({.kind = TExprKind::Op,
                       .type = ValueType::none(),
                       .range = call.range,
                       .op = OpKind::Fence,
                       .immediate = ir::immediate_of(*order)});
  in_.emit({.kind = TStmtKind::Expr, .range = call.range, .value = e});
  return in_.none(call.range);
}

// gpu.clock() and the like: read where it stands.
Value MachineCalls::machine_op(OpKind op, const std::string& name, CallArguments& call) {
  size_t operands = ir::info(op).signature.operand_count;
  if (!in_.arity(name, call, operands, operands)) return in_.error(call.range);
  if (operands == 1) {
    TExprId time = in_.integer_argument(name, 1, call.positional[0], ir::kU32);
    if (time.valid()) in_.emit_effect(op, {time}, call.range);
    return in_.none(call.range);
  }
  if (!ir::info(op).signature.has_result) {
    in_.emit_effect(op, {}, call.range);
    return in_.none(call.range);
  }
  return in_.meet(op, ValueType::typed(ir::info(op).signature.result.fixed), {}, call.range);
}

// gpu.cg.this_grid(), this_cluster(), this_thread_block(): things of compile time, whose methods are ops or
// in library/gpu.cg.*.py.
Value MachineCalls::group(const std::string& name, CallArguments& call) {
  if (name == "gpu.cg.this_cluster" && !in_.session_.options.cuda_functions) {
    in_.report(DiagnosticId::CudaOnly, call.range, {"gpu.cg.this_cluster()", "another target"})
        .with_hint("compile for CUDA (`target=\"cuda\"`), and write another kernel for the CPU");
    return in_.error(call.range);
  }
  const char* group = name == "gpu.cg.this_grid"      ? "gpu.cg.grid_group"
                      : name == "gpu.cg.this_cluster" ? "gpu.cg.cluster_group"
                                                      : "gpu.cg.thread_block";
  return in_.object({HostValue::Builtin{group}}, call.range);
}

// The types of inline PTX's results: None, a type, or a tuple of types.
std::optional<std::vector<ir::Type>> MachineCalls::ptx_results(const std::string& name, Value& results) {
  std::vector<ir::Type> types;
  std::vector<Value> wanted;
  if (results.is_tuple())
    wanted = in_.items(results);
  else if (!results.object<HostValue::None>())
    wanted = {results};
  for (Value& one : wanted) {
    std::optional<ElementType> type = one.is_error() ? std::nullopt : in_.dtype_of(one);
    if (type && type->is_scalar() && ir::is_ptx_value(type->scalar)) {
      types.push_back(type->scalar);
      continue;
    }
    if (one.is_error()) return std::nullopt;
    Report& r = in_.report(
        DiagnosticId::ArgumentType, one.range,
        {name, "argument 2", "`None`, a type of 16, 32 or 64 bits such as gpu.uint32, or a tuple of these",
         in_.describe(one)});
    in_.explain(r, one);
    return std::nullopt;
  }
  return types;
}

// An operand of inline PTX: a typed number of 16, 32 or 64 bits, or an array, which is its address.
bool MachineCalls::ptx_operand(const std::string& name, size_t number, Value& value) {
  if (value.is_error()) return false;
  if (value.is_array()) return true;
  if (value.is_scalar() && !value.type.python && ir::is_ptx_value(value.type.scalar)) return true;
  Report& r = in_.report(DiagnosticId::ArgumentType, value.range,
                         {name, "argument " + std::to_string(number + 1),
                          "a typed number of 16, 32 or 64 bits, or an array", in_.describe(value)});
  if (value.is_scalar()) r.with_hint("say which: `gpu.int32(" + in_.text(value.range) + ")`");
  in_.explain(r, value);
  return false;
}

// The keywords `pure`, `version` and `sm`.
bool MachineCalls::ptx_options(const std::string& name, CallArguments& call, ir::PtxText& ptx) {
  for (auto& [keyword, value] : call.keywords) {
    int64_t number = value.known.constant ? index_value(*value.known.constant).value_or(0) : 0;
    bool is_pure = keyword == "pure", is_version = keyword == "version", is_sm = keyword == "sm";
    if (!is_pure && !is_version && !is_sm) {
      in_.report(DiagnosticId::UnknownKeyword, value.range, {name, keyword});
      return false;
    }
    if (is_pure && value.known.constant) {
      std::optional<bool> is = truth(*value.known.constant);
      if (is) {
        ptx.pure = *is;
        continue;
      }
    }
    if (is_version && number >= 10 && number <= 999) {
      ptx.version = static_cast<int>(number);
      continue;
    }
    if (is_sm && number >= 30 && number <= 999) {
      ptx.sm = static_cast<int>(number);
      continue;
    }
    in_.report(DiagnosticId::ArgumentType, value.range,
               {name, "`" + keyword + "`",
                is_pure ? "a constant bool"
                : is_sm ? "ten times the compute capability that the text needs, as 90 for 9.0"
                        : "ten times the version of PTX that the text needs, as 78 for 7.8",
                in_.describe(value)});
    return false;
  }
  call.keywords.clear();
  return true;
}

// gpu.inline_ptx(text, results, *operands, pure=False, version=0, sm=0)
Value MachineCalls::inline_ptx(const std::string& name, CallArguments& call) {
  auto ptx = std::make_shared<ir::PtxText>();
  if (!ptx_options(name, call, *ptx)) return in_.error(call.range);
  if (!in_.arity(name, call, 2, SIZE_MAX)) return in_.error(call.range);
  std::vector<Value>& given = call.positional;
  auto* said = given[0].object<std::string>();
  if (!said) {
    in_.report(DiagnosticId::ArgumentType, given[0].range,
               {name, "argument 1", "the text of the instructions", in_.describe(given[0])});
    return in_.error(call.range);
  }
  std::optional<std::vector<ir::Type>> types = ptx_results(name, given[1]);
  if (!types) return in_.error(call.range);
  std::vector<TExprId> operands;
  for (size_t i = 2; i < given.size(); ++i) {
    if (!ptx_operand(name, i, given[i])) return in_.error(call.range);
    operands.push_back(given[i].expr);
  }
  auto pieces = ir::split_ptx(*said, types->size() + operands.size());
  if (auto* problem = std::get_if<ir::PtxTextError>(&pieces)) {
    in_.report(DiagnosticId::InlinePtx, given[0].range, {problem->message})
        .with_hint("`%0`, `%1`, ... are the results and then the operands, in their order");
    return in_.error(call.range);
  }
  ptx->text = *said;
  ValueType type = ValueType::none();
  if (types->size() == 1) type = ValueType::typed(types->front());
  if (types->size() > 1) {
    std::vector<ValueType> parts;
    for (ir::Type one : *types) parts.push_back(ValueType::typed(one));
    type = ValueType::tuple(std::move(parts));
  }
  TExprId e = in_.add({.kind = TExprKind::Op,
                       .type = type,
                       .range = call.range,
                       .op = OpKind::InlinePtx,
                       .ptx = std::move(ptx),
                       .children = std::move(operands)});
  if (types->empty()) {
    in_.emit({.kind = TStmtKind::Expr, .range = call.range, .value = e});
    return in_.none(call.range);
  }
  Value v;
  v.type = type;
  v.expr = e;
  v.range = call.range;
  in_.stabilise(v);
  return v;
}

}  // namespace lanewise::frontend::inference
