// One function from its parameters to its tree.
#include "frontend/infer/constant_expr.h"
#include "frontend/infer/function_inference.h"
#include "ir/error.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;

FunctionInference::FunctionInference(Session& session, Specialisation& specialisation)
    : session_(session),
      id_(++session.inferences),
      spec_(specialisation),
      fn_(*specialisation.function),
      ast_(*fn_.ast) {}

bool FunctionInference::is_kernel() const { return fn_.is_kernel; }

SourceRange FunctionInference::fn_range() const { return function_range(fn_); }

const std::vector<Parameter>& FunctionInference::parameters() const {
  return fn_.def.valid() ? ast_[fn_.def].params : ast_[fn_.lambda].params;
}

void FunctionInference::run() {
  out_ = &body_;
  for (const Parameter& p : parameters()) ++binding_counts_[p.name];
  if (fn_.def.valid())
    count_bindings(ast_[fn_.def].body, +1);
  else
    count_expr(ast_[fn_.lambda].children[0], +1);
  bind_parameters();
  if (fn_.def.valid()) {
    infer_block(ast_[fn_.def].body);
  } else {
    Value value = infer(ast_[fn_.lambda].children[0]);
    if (value.deferred() || contained_expression(value))
      value = refuse_expression(value, "returned", value.range);
    state_.reachable = false;
    TStmtId stmt = emit({.kind = TStmtKind::Return, .range = value.range});
    returns_.push_back({stmt, std::move(value)});
  }
  if (!is_kernel()) finish_returns();
  finish_tree();
}

void FunctionInference::bind_parameters() {
  const std::vector<Parameter>& params = parameters();
  for (size_t i = 0; i < params.size(); ++i) {
    bool plain = params[i].kind != Parameter::Kind::DoubleStar;
    if (!plain)
      not_supported(params[i].range, "`**` parameters",
                    "name the parameters: arguments may be given by name");
    bool star = params[i].kind == Parameter::Kind::Star && i < spec_.arguments.size();
    if (star && !spec_.arguments[i].type.is_tuple()) {
      report(DiagnosticId::ArgumentType, params[i].range,
             {fn_.name, "`*" + params[i].name + "`", "a tuple of the arguments that are left",
              to_string(spec_.arguments[i].type)});
      plain = false;
    }
    if (i < spec_.arguments.size() && plain) {
      bind_parameter(params[i], spec_.arguments[i]);
    } else {
      bind(params[i].name, error(params[i].range), params[i].range);
    }
  }
  for (size_t i = 0; i < spec_.captured.size(); ++i) {
    ++binding_counts_[spec_.captured[i]];
    bind_parameter({.name = spec_.captured[i], .range = fn_range()}, spec_.arguments[params.size() + i]);
  }
  if (params.size() + spec_.captured.size() != spec_.arguments.size())
    report(DiagnosticId::ArgumentCount, fn_range(),
           {fn_.name, counted(params.size(), "argument"), std::to_string(spec_.arguments.size())});
}

void FunctionInference::bind_parameter(const Parameter& parameter, const Argument& argument) {
  BoundName binding;
  binding.type = argument.type;
  binding.where = parameter.range;
  binding.parameter = true;
  binding.known = objects_of(argument.type, argument.known);
  bool held = argument.type.kind != ValueType::Kind::None && !argument.type.is_error();
  if (held) {
    binding.local = local(parameter.name, argument.type);
    params_.push_back(binding.local);
  }
  uint64_t shared = argument.known.memory;
  if (argument.type.is_array() && shared != kSharedWithAny)
    binding.known.memory = shared ? uint64_t{4} << 32 | shared : uint64_t{1} << 32 | binding.local.index;
  if (argument.type.is_scalar())
    binding.known.non_negative = argument.type.scalar.is_unsigned() || argument.type.scalar.is_bool();
  state_.names.set(parameter.name, binding);
  // An annotation that names one of our types is a declaration.
  std::optional<ElementType> declared = annotated_type(parameter.annotation);
  bool number = declared && (declared->is_scalar() ? argument.type.is_scalar()
                                                   : declared->is_complex() && argument.type.is_number());
  if (!number || argument.type == ValueType::typed(*declared)) return;
  Value value = scalar(argument.type, local_expr(binding.local, parameter.range), parameter.range);
  bind(parameter.name, converted(std::move(value), ValueType::typed(*declared)), parameter.range);
  BoundName declared_binding = *state_.names.find(parameter.name);
  declared_binding.parameter = true;
  state_.names.set(parameter.name, std::move(declared_binding));
}

std::optional<ElementType> FunctionInference::annotated_type(ExprId annotation) {
  std::optional<HostValue> value = evaluate_constant(ast_, annotation, fn_.environment.get());
  if (!value) return std::nullopt;
  if (auto* dtype = std::get_if<HostValue::DType>(&value->value))
    return dtype->python ? std::nullopt : std::optional(dtype->type);
  if (auto* name = std::get_if<std::string>(&value->value)) {
    std::optional<ValueType> type = parse_type_text(*name);
    if (type && !type->is_array() && !type->is_tuple() && !type->python) return type->element_type();
  }
  return std::nullopt;
}

void FunctionInference::finish_returns() {
  if (state_.reachable) {
    TStmtId stmt = emit({.kind = TStmtKind::Return, .range = fn_range()});
    returns_.push_back({stmt, none(fn_range())});
  }
  ValueType result = ValueType::error();
  Known known;
  const Return* first = nullptr;
  for (const Return& one : returns_) {
    if (one.value.is_error()) continue;
    if (!first) {
      first = &one;
      result = one.value.type;
      known = one.value.known;
      continue;
    }
    std::optional<ValueType> joined = join_types(result, known, one.value.type, one.value.known);
    if (!joined) {
      bool falls_through = one.value.range == fn_range();
      bool nothing = falls_through || one.value.is_object() || first->value.is_object();
      Report& r = report(nothing ? DiagnosticId::MissingReturn : DiagnosticId::ReturnTypes,
                         falls_through ? fn_range() : one.value.range,
                         {fn_.name, describe(first->value), describe(one.value)});
      r.label(first->value.range, "returns " + describe(first->value) + " here");
      if (falls_through) r.with_hint("end the function with a `return` of that type");
      spec_.result = ValueType::error();
      return;
    }
    bool same = same_constant(known.constant, one.value.known.constant);
    if (!same) known.constant.reset();
    known.non_negative &= one.value.known.non_negative;
    known.items = common(known, one.value.known).items;
    result = *joined;
  }
  if (returns_.empty()) result = ValueType::none();  // every way ends in a `raise` or goes round for ever
  spec_.result = result;
  spec_.result_known = known;
  if (result.is_error()) return;
  for (Return& one : returns_)
    if (!one.value.is_error() && result.kind != ValueType::Kind::None)
      stmts_[one.stmt.index].value = convert(one.value, result);
}

void FunctionInference::splice(std::vector<TStmtId>& list) {
  for (size_t i = 0; i < list.size(); ++i) {
    TStmt& s = stmts_[list[i].index];
    splice(s.before);
    splice(s.body);
    splice(s.orelse);
    auto found = insertions_.find(list[i].index);
    if (found == insertions_.end()) continue;
    std::vector<TStmtId> added = std::move(found->second);
    insertions_.erase(found);
    list.insert(list.begin() + static_cast<ptrdiff_t>(i), added.begin(), added.end());
    i += added.size();
  }
}

void FunctionInference::finish_tree() {
  splice(body_);
  TypedFunction& out = spec_.typed;
  out = {};
  out.name = fn_.name;
  out.is_kernel = is_kernel();
  out.float_mode = session_.options.float_mode;
  if (fn_.fast_math) out.float_mode.fast_math = *fn_.fast_math;
  if (fn_.contract) out.float_mode.contract = *fn_.contract;
  out.params = params_;
  out.result = is_kernel() ? ValueType::none() : spec_.result;
  out.range = fn_range();
  for (Local& one : locals_) out.locals.add(std::move(one));
  for (TExpr& one : exprs_) out.exprs.add(std::move(one));
  for (TStmt& one : stmts_) out.stmts.add(std::move(one));
  out.body = std::move(body_);
  if (is_kernel()) spec_.result = ValueType::none();
  spec_.reports = std::move(reports_);
}

}  // namespace lanewise::frontend::inference
