// A function: its expressions by kind of op, declarations, statements.
#include <algorithm>
#include <utility>

#include "codegen/common/loop_exit_loads.h"
#include "codegen/cuda_cpp/writer.h"
#include "ir/error.h"
#include "ir/launch_variant.h"
#include "ir/memory_order.h"
#include "ir/scalar_ops.h"

namespace lanewise::codegen::cuda_cpp {

using ir::OpId;
using ir::OpKind;
using ir::Type;
using ir::ValueId;

namespace {

// By value: 64-bit sums and products that are nothing but parts of an index. An element that is there has an
// index that does not wrap.
std::vector<bool> find_only_index(const ir::Function& f, const Places& places) {
  std::vector<bool> only(f.values.size());
  for (size_t i = places.order.size(); i-- > 0;) {
    const ir::Op& op = f.ops[places.order[i]];
    bool sum = op.kind == OpKind::Add || op.kind == OpKind::Sub || op.kind == OpKind::Mul;
    if (!sum && op.kind != OpKind::Cast) continue;
    ValueId v = op.results[0];
    bool all = !places.users[v.index].empty();
    for (OpId user : places.users[v.index]) {
      const ir::Op& use = f.ops[user];
      bool indexes = ir::is_load(use.kind) || ir::is_store(use.kind) || ir::is_atomic(use.kind) ||
                     use.kind == OpKind::Offset;
      all = all &&
            ((indexes && use.operands[1] == v) || (use.results.size() == 1 && only[use.results[0].index]));
    }
    only[v.index] = all;
  }
  return only;
}

}  // namespace

FunctionWriter::FunctionWriter(FileText& file, ir::FunctionId id)
    : file_(file),
      id_(id),
      f_(file.ir[id]),
      places_(f_),
      folding_(fold_expressions(f_, places_)),
      variables_(assign_variables(f_, places_, folding_, file.written[id.index])),
      counts_(ir::steady_counters(f_, file.target.facts)),
      plain_(ir::plain_integer_ops(f_, file.target.facts)),
      only_index_(find_only_index(f_, places_)),
      exit_loads_(loop_exit_loads(f_)),
      names_(file.names),
      variable_names_(variables_.all.size()),
      declared_(variables_.all.size()) {
  for (uint32_t i = 0; i < variables_.all.size(); ++i) {
    const Variable& variable = variables_.all[i];
    if (variable.declared_at.valid() && !variable.with_value)
      declared_before_[variable.declared_at.index].push_back(i);
  }
}

std::string FunctionWriter::run() {
  std::vector<std::string> parameters;
  std::string head = file_.signature(id_, names_, &parameters);
  const Values& params = f_.params();
  for (size_t i = 0; i < params.size(); ++i)
    if (uint32_t variable = variables_.of[params[i].index]; variable != Variables::kNone) {
      variable_names_[variable] = parameters[i];
      declared_[variable] = 1;
    }
  declare_arrays();
  name_variables();
  region(f_.body);
  return head + " {\n" + text_ + "}\n";
}

void FunctionWriter::refuse(const ir::Op& op) const {
  std::string place;
  if (file_.sources && op.range.file < file_.sources->size() && !(op.range == ir::SourceRange{}))
    place = " (" + file_.sources->file(op.range.file).name + ", line " +
            std::to_string(file_.sources->position(op.range).line) + ")";
  throw TargetError("`" + f_.name + "`: CUDA C++ cannot be written for the op `" +
                    std::string(ir::info(op.kind).text) + "`" + place + "; PTX can");
}

// Long statements go on in the next line, after a comma, a semicolon or before an operator.
void FunctionWriter::line(const std::string& text) {
  constexpr size_t kWidth = 110;
  std::string rest = text;
  size_t indent = static_cast<size_t>(2 * indent_);
  while (indent + rest.size() > kWidth && !rest.starts_with("//")) {
    size_t cut = 0, semicolon = 0;
    bool quoted = false;
    for (size_t i = 1; i + 1 < rest.size() && indent + i <= kWidth; ++i) {
      if (rest[i] == '"' && rest[i - 1] != '\\') quoted = !quoted;
      if (quoted || rest[i] != ' ') continue;
      char before = rest[i - 1], after = rest[i + 1];
      bool operates = std::string_view("+-*/?:&|<>").find(after) != std::string_view::npos &&
                      i + 2 < rest.size() && after != rest[0];
      if (rest.compare(i, 4, "  //") == 0) break;
      if (before == ';') semicolon = i;
      if (before == ',' || before == ';' || operates) cut = i;
    }
    if (semicolon > 0) cut = semicolon;
    if (cut == 0) break;
    text_.append(indent, ' ').append(rest, 0, cut).append("\n");
    rest.erase(0, cut + 1);
    indent = static_cast<size_t>(2 * indent_) + 4;
  }
  text_.append(indent, ' ').append(rest).append("\n");
}

std::string FunctionWriter::captured(const std::function<void()>& write) {
  std::string outer = std::exchange(text_, {});
  write();
  return std::exchange(text_, std::move(outer));
}

// The trimmed line of the source that an op starts on, without a comment of its own.
std::string FunctionWriter::source_line(const ir::Op& op) const {
  if (!file_.sources || op.range.file >= file_.sources->size() || op.call_site != ir::kNoCallSite) return {};
  std::string_view found = file_.sources->line_text(op.range);
  size_t first = found.find_first_not_of(" \t"), last = found.find_last_not_of(" \t\r\\");
  return first == found.npos ? std::string{} : std::string(found.substr(first, last - first + 1));
}

// --- names and declarations
std::string FunctionWriter::invented_name(const Variable& variable) const {
  OpId definition = places_.definition[variable.first.index];
  if (!definition.valid()) return variable.is_counter ? "turn" : "value";
  const ir::Op& op = f_.ops[definition];
  if (ir::is_load(op.kind)) {
    std::string_view array = base_name(f_.values[op.operands[0]].name);
    return array.empty() ? "value" : std::string(array) + "_value";
  }
  if (ir::is_atomic(op.kind)) return "old";
  if (op.kind == OpKind::Call) return file_.functions[op.callee.index] + "_result";
  if (op.kind >= OpKind::ShflIdx && op.kind <= OpKind::ShflXor) return "other";
  if (op.kind == OpKind::Ballot || op.kind == OpKind::MatchAny || op.kind == OpKind::MatchAll) return "lanes";
  if (variable.type.is_pointer()) return "at";
  if (variable.type.is_bool()) return "test";
  if (op.kind == OpKind::LaneId) return "lane";
  if (only_index_[variable.first.index]) return "at";
  return "tmp";
}

// The loop or function body in which a variable can be seen: an `else` may lose its braces.
ir::RegionId FunctionWriter::scope_of(const Variable& variable) const {
  if (variable.is_counter) return places_.param_of[variable.first.index];
  if (!variable.declared_at.valid()) return f_.body;
  ir::RegionId region = places_.region[variable.declared_at.index];
  while (region != f_.body) {
    OpId owner = places_.owner[region.index];
    if (f_.ops[owner].kind == OpKind::For || f_.ops[owner].kind == OpKind::While) break;
    region = places_.region[owner.index];
  }
  return region;
}

// A name may be given again where the other variables of that name cannot be seen.
void FunctionWriter::name_variables() {
  constexpr size_t kMostTried = 16;
  struct Given {
    std::string name;
    std::vector<ir::RegionId> scopes;
  };
  std::map<std::string, std::vector<Given>> given;  // by hint
  for (uint32_t i = 0; i < variables_.all.size(); ++i) {
    const Variable& one = variables_.all[i];
    if (!variable_names_[i].empty() || (!one.declared_at.valid() && !one.is_counter)) continue;
    std::string hint = one.hint.empty() ? invented_name(one) : one.hint;
    ir::RegionId scope = scope_of(one);
    auto apart = [&](ir::RegionId other) {
      ir::RegionId common = places_.common_region(scope, other);
      return common != scope && common != other;
    };
    std::vector<Given>& names = given[hint];
    Given* free = nullptr;
    for (size_t k = 0; k < names.size() && k < kMostTried && !free; ++k)
      if (std::all_of(names[k].scopes.begin(), names[k].scopes.end(), apart)) free = &names[k];
    if (!free) free = &names.emplace_back(Given{names_.make(hint), {}});
    free->scopes.push_back(scope);
    variable_names_[i] = free->name;
  }
}

const std::string& FunctionWriter::name_of(uint32_t variable) {
  std::string& name = variable_names_[variable];
  if (name.empty()) name = names_.make(invented_name(variables_.all[variable]));
  return name;
}

std::string FunctionWriter::declaration(uint32_t variable, bool is_const) {
  const Variable& one = variables_.all[variable];
  if (one.type.is_pointer()) {
    bool readonly = one.type.space == ir::Space::Constant || !file_.written[id_.index][one.first.index];
    return pointer_name(one.type, readonly) + name_of(variable);
  }
  if (one.type.is_float() && one.type.bits == 16) file_.helpers.use(type_name(one.type));
  return (is_const ? "const " : "") + type_name(one.type) + " " + name_of(variable);
}

// Arrays last as long as the function runs, wherever the op stands.
void FunctionWriter::declare_arrays() {
  for (OpId id : places_.order) {
    const ir::Op& op = f_.ops[id];
    if (op.kind != OpKind::SharedArray && op.kind != OpKind::LocalArray) continue;
    const std::string& hint = f_.values[op.results[0]].name;
    bool shared = op.kind == OpKind::SharedArray;
    Type element = f_.type(op.results[0]).element();
    if (element.is_float() && element.bits == 16) file_.helpers.use(type_name(element));
    std::string name = names_.make(hint.empty() ? shared ? "shared" : "local" : hint);
    int64_t count = std::get<int64_t>(op.immediate);
    bool cast = false;  // bytes may be records
    for (OpId user : places_.users[op.results[0].index])
      cast |= f_.ops[user].kind == OpKind::PtrCast || f_.ops[user].kind == OpKind::Offset;
    std::string aligned = cast || element == ir::kU8 ? "__align__(16) " : "";
    line((shared ? "__shared__ " : "") + aligned + element_name(element) + " " + name + "[" +
         std::to_string(count) + "];");
    arrays_[id.index] = name;
  }
}

void FunctionWriter::declare_before(OpId id) {
  auto found = declared_before_.find(id.index);
  if (found == declared_before_.end()) return;
  for (uint32_t variable : found->second) {
    if (std::exchange(declared_[variable], char{1})) continue;
    line(declaration(variable, false) + ";");
  }
}

void FunctionWriter::set(uint32_t variable, const Expr& value) {
  if (variable == Variables::kNone) return line(value.text + ";");
  if (!std::exchange(declared_[variable], char{1}))
    return line(declaration(variable, variables_.all[variable].assigned_once) + " = " + value.text + ";");
  const std::string& name = name_of(variable);
  if (value.left == name && !variables_.all[variable].type.is_bool())
    return line(name + " " + value.op + "= " + value.right + ";");
  bool commutes = value.op == "+" || value.op == "*" || value.op == "&" || value.op == "|" || value.op == "^";
  if (value.right == name && commutes && value.type == variables_.all[variable].type)
    return line(name + " " + value.op + "= " + value.left + ";");
  line(name + " = " + value.text + ";");
}

// --- expressions
Expr FunctionWriter::expr(ValueId v) {
  OpId definition = places_.definition[v.index];
  if (definition.valid() && folding_.folded[definition.index]) return compute(definition);
  uint32_t variable = variables_.of[v.index];
  LANEWISE_CHECK(variable != Variables::kNone, "a value that is read has no variable in CUDA C++");
  return primary(name_of(variable), f_.type(v));
}

Expr FunctionWriter::compute(OpId id) {
  const ir::Op& op = f_.ops[id];
  if (op.kind == OpKind::If) {
    auto arm = [&](size_t i) { return f_.ops[f_.regions[op.regions[i]].ops.back()].operands[0]; };
    auto is_literal = [&](ValueId v, int64_t wanted) {
      OpId definition = places_.definition[v.index];
      return definition.valid() && f_.ops[definition].kind == OpKind::Const && f_.type(v).is_bool() &&
             std::get<int64_t>(f_.ops[definition].immediate) == wanted;
    };
    Type type = f_.type(op.results[0]);
    Expr condition = expr(op.operands[0]);
    if (is_literal(arm(1), 0)) return logic(OpKind::And, condition, expr(arm(0)));
    if (is_literal(arm(0), 1)) return logic(OpKind::Or, condition, expr(arm(1)));
    Expr yes = expr(arm(0)), no = expr(arm(1));
    if (!type.is_pointer()) yes = as(yes, type), no = as(no, type);
    return conditional(condition, yes, no, type);
  }
  if (op.kind == OpKind::Const) return literal(op.immediate, f_.type(op.results[0]));
  if (auto array = arrays_.find(id.index); array != arrays_.end())
    return primary(array->second, f_.type(op.results[0]));
  if (ir::is_scalar_op(op.kind)) return scalar(op, id);
  if (ir::is_load(op.kind)) return load(op, id);
  if (ir::is_atomic(op.kind)) return atomic(op);
  switch (op.kind) {
    case OpKind::Data:
    case OpKind::DynamicShared:
    case OpKind::Offset:
    case OpKind::PtrCast:
    case OpKind::SpaceCast:
    case OpKind::Address: return pointer(op);
    case OpKind::Call: return call_expr(op);
    default: break;
  }
  if (ir::is_machine_op(op.kind)) return machine(op);
  if (ir::meets_others(op.kind) || ir::is_fence(op.kind)) return thread(op);
  if (op.kind == OpKind::DynamicSharedBytes || (op.kind >= OpKind::ThreadIdX && op.kind <= OpKind::LaneId))
    return special(op);
  refuse(op);
}

Expr FunctionWriter::scalar(const ir::Op& op, OpId id) {
  std::vector<Expr> v;
  for (ValueId operand : op.operands) v.push_back(expr(operand));
  mode_ = f_.float_mode_of(op);
  splits_products_ = !may_contract(op);
  Type type = f_.type(op.operands[op.kind == OpKind::Select ? 1 : 0]), result = f_.type(op.results[0]);
  if (op.kind == OpKind::Not && type.is_bool()) return negated(op.operands[0]);
  if (result.is_float() && result.bits == 16) file_.helpers.use(type_name(result));
  return scalar_of(op.kind, type, result, v, plain_[id.index],
                   result == ir::kI64 && only_index_[op.results[0].index]);
}

Expr FunctionWriter::scalar_of(OpKind kind, Type type, Type result, const std::vector<Expr>& v, bool plain,
                               bool of_index) {
  switch (kind) {
    case OpKind::Select:
      if (type.is_pointer() || type.is_float()) return conditional(v[0], v[1], v[2], type);
      return conditional(v[0], as(v[1], type), as(v[2], type), type);
    case OpKind::Cast: return cast(v[0], type, result);
    case OpKind::Bitcast: return bitcast(v[0], type, result);
    default: break;
  }
  return type.is_float() ? floating(kind, type, result, v) : integer(kind, type, v, plain, of_index);
}

// --- statements
void FunctionWriter::statement(OpId id) {
  const ir::Op& op = f_.ops[id];
  declare_before(id);
  switch (op.kind) {
    case OpKind::If:
      if (!folding_.conditional[id.index]) return write_if(id, false);
      break;
    case OpKind::For: return write_for(id);
    case OpKind::While: return write_while(id);
    case OpKind::Scope: return write_scope(id);
    case OpKind::Call: return write_call(op);
    case OpKind::Print: return print(op);
    case OpKind::Report: return report(op);
    case OpKind::InlinePtx: return write_inline_ptx(op);
    case OpKind::CallExternal: return write_call_external(op);
    default: break;
  }
  ir::Ordering order = ir::has_order(op.kind) ? ir::ordering_of(op) : ir::Ordering{};
  bool fenced = op.kind != OpKind::Fence;
  if (fenced && order.releases()) line(fence_function(order.scope) + "();");
  act(id);
  if (fenced && order.acquires()) line(fence_function(order.scope) + "();");
}

// What is no control flow and no output.
void FunctionWriter::act(OpId id) {
  const ir::Op& op = f_.ops[id];
  if (ir::is_store(op.kind)) return store(op);
  if (ir::is_load(op.kind) && variables_.of[op.results[0].index] == Variables::kNone)
    return;  // read for nothing
  if (op.kind == OpKind::Nanosleep && file_.target.sm < 70)
    return;  // a hint that these machines cannot be given
  Expr value = compute(id);
  if (op.results.empty()) return line(value.text + ";");
  set(variables_.of[op.results[0].index], value);
}

Expr FunctionWriter::call_expr(const ir::Op& op) {
  std::string text = file_.functions[op.callee.index] + "(";
  for (size_t i = 0; i < op.operands.size(); ++i) text += (i > 0 ? ", " : "") + expr(op.operands[i]).text;
  if (std::string more = file_.hidden_arguments(); !more.empty())
    text += (op.operands.empty() ? "" : ", ") + more;
  if (!file_.defined[op.callee.index]) {
    Names unused;
    std::string prototype = file_.signature(op.callee, unused) + ";\n";
    if (file_.prototypes.find(prototype) == std::string::npos) file_.prototypes += prototype;
  }
  return primary(text + ")", op.results.size() == 1 ? f_.type(op.results[0]) : ir::kVoid);
}

void FunctionWriter::write_call(const ir::Op& op) {
  Expr value = call_expr(op);
  if (op.results.size() == 1) return set(variables_.of[op.results[0].index], value);
  if (op.results.empty()) return line(value.text + ";");
  std::string all = names_.make(file_.functions[op.callee.index] + "_results");
  line("const " + file_.result_types[op.callee.index] + " " + all + " = " + value.text + ";");
  for (size_t i = 0; i < op.results.size(); ++i)
    if (uint32_t variable = variables_.of[op.results[i].index]; variable != Variables::kNone)
      set(variable, primary(all + ".r" + std::to_string(i), f_.type(op.results[i])));
}

}  // namespace lanewise::codegen::cuda_cpp
