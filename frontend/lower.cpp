// lower(): typed tree -> IR, nearly mechanically. In: a TypedModule without errors. Out: a module with one
// function for each, before any pass: variables are var slots where they have to be, arrays and tuples are
// flattened, control flow is structured. `break` out of a loop with an else part leaves a scope around both.
#include "frontend/lower.h"

#include <algorithm>

namespace lanewise::frontend {

using ir::OpKind;
using ir::RegionId;
using ir::ValueId;

std::vector<std::string> leaf_names(const std::string& name, const ValueType& type) {
  std::vector<std::string> names;
  switch (type.kind) {
    case ValueType::Kind::Error:
    case ValueType::Kind::None: break;
    case ValueType::Kind::Scalar:
    case ValueType::Kind::Time: names.push_back(name); break;
    case ValueType::Kind::Complex:
      names.push_back(name + ".real");
      names.push_back(name + ".imag");
      break;
    case ValueType::Kind::Vector:
      for (unsigned i = 0; i < type.lanes; ++i) names.push_back(name + "." + "xyzw"[i]);
      break;
    case ValueType::Kind::Array:
      names.push_back(name);
      for (int d = 0; d < type.ndim; ++d) names.push_back(name + ".shape" + std::to_string(d));
      if (type.has_strides())
        for (int d = 0; d < type.ndim; ++d) names.push_back(name + ".stride" + std::to_string(d));
      break;
    case ValueType::Kind::Tuple:
      for (size_t i = 0; i < type.items.size(); ++i)
        for (std::string& item : leaf_names(name + "." + std::to_string(i), type.items[i]))
          names.push_back(std::move(item));
      break;
  }
  return names;
}

namespace {

// Whether the statements hold a `break` of the loop whose body they are.
bool has_break(const TypedFunction& fn, const std::vector<TStmtId>& stmts) {
  for (TStmtId id : stmts) {
    const TStmt& s = fn.stmts[id];
    if (s.kind == TStmtKind::Break) return true;
    if (s.kind == TStmtKind::If && (has_break(fn, s.body) || has_break(fn, s.orelse))) return true;
    bool loop = s.kind == TStmtKind::For || s.kind == TStmtKind::While;
    if (loop && has_break(fn, s.orelse)) return true;
  }
  return false;
}

// Locals of inference are called ".t"; the text form wants a letter first.
std::string hint(const Local& local) {
  return local.name.starts_with('.') ? local.name.substr(1) : local.name;
}

}  // namespace

FunctionLowering::FunctionLowering(const TypedModule& module, const TypedFunction& function,
                                   ir::Module& out_module, ir::Function& out)
    : module_(module),
      fn_(function),
      out_(out),
      build_(out_module, out),
      in_slots_(locals_in_slots(function)),
      locals_(function.locals.size()) {}

void FunctionLowering::run() {
  out_.name = fn_.name;
  out_.is_kernel = fn_.is_kernel;
  out_.float_mode = fn_.float_mode;
  out_.results = flatten(fn_.result);
  build_.set_range(fn_.range);

  std::vector<Values> params;
  for (LocalId id : fn_.params) {
    const Local& local = fn_.locals[id];
    std::vector<ir::Type> types = flatten(local.type);
    std::vector<std::string> names = leaf_names(hint(local), local.type);
    Values& values = params.emplace_back();
    for (size_t i = 0; i < types.size(); ++i) values.push_back(build_.param(types[i], names[i]));
  }
  for (uint32_t i = 0; i < fn_.locals.size(); ++i) {
    if (!in_slots_[i]) continue;
    const Local& local = fn_.locals[{i}];
    std::vector<ir::Type> types = flatten(local.type);
    std::vector<std::string> names = leaf_names(hint(local), local.type);
    for (size_t leaf = 0; leaf < types.size(); ++leaf)
      locals_[i].push_back(build_.var(types[leaf], names[leaf]));
  }
  for (size_t i = 0; i < params.size(); ++i) set_local(fn_.params[i], params[i]);

  body(fn_.body);
  build_.set_range(fn_.range);
  // Inference has seen to it that a function with a result returns on every path that ends.
  if (!build_.terminated()) end(out_.results.empty() ? OpKind::Return : OpKind::Unreachable);
}

void FunctionLowering::set_local(LocalId local, const Values& values) {
  if (!in_slots_[local.index]) {
    locals_[local.index] = values;
    std::vector<std::string> names;
    for (size_t i = 0; i < values.size(); ++i) {
      std::string& name = out_.values[values[i]].name;
      if (!name.empty() || constant_of(values[i])) continue;  // constants are shared
      if (names.empty()) names = leaf_names(hint(fn_.locals[local]), fn_.locals[local].type);
      name = names[i];
    }
    return;
  }
  const Values& slots = locals_[local.index];
  LANEWISE_CHECK(slots.size() == values.size(), "a local is set to a value of another type");
  for (size_t i = 0; i < slots.size(); ++i) build_.emit_void(OpKind::Set, {slots[i], values[i]});
}

void FunctionLowering::end(OpKind terminator, const Values& operands) {
  build_.emit_void(terminator, operands);
}

template <class Fill>
bool FunctionLowering::fill_region(RegionId region, Fill fill) {
  ir::Builder::Inside inside(build_, region);
  fill();
  if (build_.terminated()) return false;
  end(OpKind::Yield);
  return true;
}

void FunctionLowering::body(const std::vector<TStmtId>& stmts) {
  for (TStmtId id : stmts) {
    if (build_.terminated()) return;  // what follows is dead code
    const TStmt& s = fn_.stmts[id];
    build_.set_range(s.range);
    stmt(s);
  }
}

void FunctionLowering::stmt(const TStmt& s) {
  switch (s.kind) {
    case TStmtKind::Set: set_local(s.local, expr(s.value)); return;
    case TStmtKind::StoreElement: store(s); return;
    case TStmtKind::Expr: expr(s.value); return;
    case TStmtKind::If: lower_if(s); return;
    case TStmtKind::While: lower_while(s); return;
    case TStmtKind::For: lower_for(s); return;
    case TStmtKind::Break: lower_break(); return;
    case TStmtKind::Continue: end(OpKind::Continue); return;
    case TStmtKind::Print:
    case TStmtKind::Report: output(s); return;
    case TStmtKind::Fail:
      output(s);
      end(fn_.is_kernel ? OpKind::Return : OpKind::Exit);
      return;
    case TStmtKind::Return: end(OpKind::Return, s.value.valid() ? expr(s.value) : Values{}); return;
  }
}

// Equal messages are one.
void FunctionLowering::output(const TStmt& s) {
  Values values;
  for (TExprId id : s.indices) values.push_back(scalar(id));
  std::vector<ir::Message>& messages = build_.module().messages;
  auto found = std::ranges::find(messages, *s.message);
  int64_t index = found - messages.begin();
  if (found == messages.end()) messages.push_back(*s.message);
  build_.set_range(s.range);
  build_.emit_void(s.kind == TStmtKind::Print ? OpKind::Print : OpKind::Report, values, index);
}

void FunctionLowering::lower_if(const TStmt& s) {
  ValueId condition = scalar(s.value);
  RegionId then = build_.new_region(), otherwise = build_.new_region();
  bool falls = fill_region(then, [&] { body(s.body); });
  falls |= fill_region(otherwise, [&] { body(s.orelse); });
  build_.set_range(s.range);
  build_.emit_control(OpKind::If, {condition}, {then, otherwise});
  if (!falls) end(OpKind::Unreachable);
}

void FunctionLowering::lower_break() {
  const Loop& loop = loops_.back();
  if (loop.leaves_scope)
    build_.leave(static_cast<int64_t>(open_scopes_ - 1 - loop.scope));
  else
    end(OpKind::Break);
}

template <class EmitLoop>
void FunctionLowering::with_orelse(const TStmt& s, EmitLoop emit_loop) {
  bool skips = !s.orelse.empty() && has_break(fn_, s.body);
  auto loop_then_orelse = [&] {
    loops_.push_back({skips, open_scopes_ - (skips ? 1 : 0)});
    emit_loop();
    loops_.pop_back();
    body(s.orelse);
  };
  if (!skips) return loop_then_orelse();
  RegionId inside = build_.new_region();
  ++open_scopes_;
  fill_region(inside, loop_then_orelse);
  --open_scopes_;
  build_.set_range(s.range);
  build_.emit_control(OpKind::Scope, {}, {inside});
}

void FunctionLowering::lower_for(const TStmt& s) {
  Values bounds = {scalar(s.value), scalar(s.upper), scalar(s.step)};
  with_orelse(s, [&] {
    RegionId region = build_.new_region({build_.type(bounds[0])});
    fill_region(region, [&] {
      set_local(s.local, {build_.params(region)[0]});
      body(s.body);
    });
    build_.set_range(s.range);
    build_.emit_control(OpKind::For, bounds, {region});
  });
}

void FunctionLowering::lower_while(const TStmt& s) {
  const TExpr& test = fn_.exprs[s.value];
  bool endless =
      test.kind == TExprKind::Const && test.immediate == ir::Immediate(int64_t{1}) && !has_break(fn_, s.body);
  with_orelse(s, [&] {
    RegionId condition = build_.new_region(), region = build_.new_region();
    {
      ir::Builder::Inside inside(build_, condition);
      body(s.before);
      build_.set_range(test.range);
      end(OpKind::Yield, {scalar(s.value)});
    }
    fill_region(region, [&] { body(s.body); });
    build_.set_range(s.range);
    build_.emit_control(OpKind::While, {}, {condition, region});
    if (endless) end(OpKind::Unreachable);
  });
}

void FunctionLowering::store(const TStmt& s) {
  Values values = expr(s.value);  // Python evaluates the right side first
  const ValueType& type = fn_.exprs[s.array].type;
  ArrayView target = array(expr(s.array), type);
  ValueId index = address(target, s.indices, 0, s.wrap);
  build_.set_range(s.range);
  if (type.element.is_place())
    return copy_bytes(target.pointer, index, type, values.at(0), fn_.exprs[s.value].type);
  if (type.in_bytes()) return store_in_bytes(target.pointer, index, type, values);
  for (size_t i = 0; i < values.size(); ++i)
    build_.emit_void(s.op, {target.pointer, component_index(index, type.element, i), values[i]});
}

ir::Module lower(const TypedModule& module) {
  ir::Module out;
  out.data = module.data;
  out.externals = module.externals;
  out.functions.resize(module.functions.size());
  // The functions' own names and results come first: calls look at their callee.
  for (size_t i = 0; i < module.functions.size(); ++i)
    out.functions[i].results = flatten(module.functions[i].result);
  for (size_t i = 0; i < module.functions.size(); ++i)
    FunctionLowering(module, module.functions[i], out, out.functions[i]).run();
  return out;
}

}  // namespace lanewise::frontend
