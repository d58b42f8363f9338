// Classes of kernel files: an enum's members are their values, a NamedTuple makes tuples with names, any
// other is a place for constants.
#include <algorithm>
#include <bit>

#include "frontend/kernel_file.h"

namespace lanewise::frontend {
namespace {

// What `Color.RED` looks up. Values are constants, so nothing here owns a module.
class ClassEnvironment : public Environment {
 public:
  std::optional<HostValue> lookup(const std::string& name) override {
    auto found = members_.find(name);
    return found == members_.end() ? std::nullopt : std::optional(found->second);
  }
  std::vector<std::string> names() const override {
    std::vector<std::string> all;
    for (const auto& [name, value] : members_) all.push_back(name);
    return all;
  }
  void set(const std::string& name, HostValue value) { members_[name] = std::move(value); }

 private:
  std::map<std::string, HostValue> members_;
};

// The value of `auto()` after `last`.
std::optional<HostValue> next_value(const std::optional<HostValue>& last, bool flags) {
  std::optional<int64_t> number = last ? index_value(*last) : 0;
  if (!number || *number == INT64_MAX) return std::nullopt;
  if (!flags) return make_int(*number + 1);
  if (*number < 0 || *number > INT64_MAX / 2) return std::nullopt;
  return make_int(
      static_cast<int64_t>(*number == 0 ? 1 : std::bit_floor(static_cast<uint64_t>(*number)) * 2));
}

// Names in a class's body: its members so far, then what is outside.
Evaluator evaluator_inside(ClassEnvironment& members, const Evaluator& outside, const Ast& ast,
                           uint64_t& work) {
  auto lookup = [&](const std::string& name) -> std::optional<HostValue> {
    std::optional<HostValue> member = members.lookup(name);
    return member ? member : outside.named(name);
  };
  return Evaluator(ast, lookup, work);
}

// Whether it is or holds what sees the names of a module.
bool sees_a_module(const HostValue& value) {
  if (auto* tuple = std::get_if<HostValue::Tuple>(&value.value))
    return std::ranges::any_of(tuple->items, sees_a_module);
  return std::holds_alternative<HostValue::Function>(value.value) ||
         std::holds_alternative<HostValue::Cuda>(value.value) ||
         std::holds_alternative<HostValue::Partial>(value.value) ||
         std::holds_alternative<HostValue::Namespace>(value.value);
}

// A class without a base: what its body assigns to names.
HostValue constants_of_class(const Stmt& stmt, const Ast& ast, const Evaluator& outside, uint64_t& work) {
  auto members = std::make_shared<ClassEnvironment>();
  Evaluator inside = evaluator_inside(*members, outside, ast, work);
  auto set = [&](ExprId target, HostValue value) {
    const Expr& name = ast[target];
    if (sees_a_module(value))
      value = {HostValue::Unsupported{"kept in a class: name it at the top of the file", name.range}};
    if (name.kind == ExprKind::Name) members->set(name.text, std::move(value));
  };
  for (StmtId id : stmt.body) {
    const Stmt& line = ast[id];
    bool host = line.kind == StmtKind::Skipped || line.kind == StmtKind::AugAssign;
    bool assigns = line.kind == StmtKind::Assign || line.kind == StmtKind::AnnAssign;
    if ((!host && !assigns) || (assigns && !line.value.valid())) continue;
    const char* what = line.name == "def" ? "a function of a class: define it at the top of the file"
                                          : "computed by host code";
    HostValue value =
        assigns ? inside.evaluate(line.value) : HostValue{HostValue::Unsupported{what, line.range}};
    for (ExprId target : line.targets) {
      const Expr& names = ast[target];
      auto* items = std::get_if<HostValue::Tuple>(&value.value);
      bool several = names.kind == ExprKind::Tuple || names.kind == ExprKind::List;
      if (!several) {
        set(target, value);
        continue;
      }
      bool fits = items && items->items.size() == names.children.size();
      for (size_t i = 0; i < names.children.size(); ++i)
        set(names.children[i],
            fits ? items->items[i] : HostValue{HostValue::Unsupported{"computed by host code", line.range}});
    }
  }
  return {HostValue::Namespace{std::move(members)}};
}

HostValue named_tuple(const Stmt& stmt, const Ast& ast, Evaluator& evaluator) {
  HostValue::TupleClass out;
  std::vector<std::string> fields;
  for (StmtId id : stmt.body) {
    const Stmt& field = ast[id];
    if (field.kind != StmtKind::AnnAssign || ast[field.targets[0]].kind != ExprKind::Name) continue;
    fields.push_back(ast[field.targets[0]].text);
    if (!field.value.valid()) continue;
    out.defaults.push_back(evaluator.evaluate(field.value));
    if (as_unsupported(out.defaults.back())) return out.defaults.back();
  }
  out.names = TupleNames(stmt.name, std::move(fields));
  return {std::move(out)};
}

}  // namespace

void ModuleReader::define_class(ModuleIndex index, const Stmt& stmt) {
  const Ast& ast = *set_->modules[index].ast;
  Binding binding{.origin = Binding::Origin::Definition, .range = stmt.name_range};
  Evaluator outside = evaluator(index);
  const Expr* last_base = stmt.targets.empty() ? nullptr : &ast[stmt.targets.back()];
  if (!last_base || (last_base->kind == ExprKind::Name && last_base->text == "object")) {
    binding.value = constants_of_class(stmt, ast, outside, set_->work);
    binding.changeable = true;
    return bind(index, stmt.name, std::move(binding));
  }
  HostValue base = outside.evaluate(stmt.targets.back());
  auto* builtin = std::get_if<HostValue::Builtin>(&base.value);
  if (builtin && builtin->name == "typing.NamedTuple") {
    binding.value = named_tuple(stmt, ast, outside);
    return bind(index, stmt.name, std::move(binding));
  }
  if (!builtin || !builtin->name.starts_with("enum.")) {
    binding.value = {HostValue::Unsupported{"a class", stmt.name_range}};
    return bind(index, stmt.name, std::move(binding));
  }
  bool flags = builtin->name.ends_with("Flag");
  auto members = std::make_shared<ClassEnvironment>();
  Evaluator inside = evaluator_inside(*members, outside, ast, set_->work);
  std::optional<HostValue> last;
  for (StmtId id : stmt.body) {
    const Stmt& member = ast[id];
    if (member.kind != StmtKind::Assign) continue;
    const Expr& written = ast[member.value];
    HostValue value = inside.evaluate(member.value);
    if (written.kind == ExprKind::Call && written.children.size() == 1) {
      HostValue callee = inside.evaluate(written.children[0]);
      auto* called = std::get_if<HostValue::Builtin>(&callee.value);
      std::optional<HostValue> next = next_value(last, flags);
      if (called && called->name == "enum.auto" && next) value = *next;
    }
    if (std::holds_alternative<HostValue::Namespace>(value.value))
      value = {HostValue::Unsupported{"a module", written.range}};
    last = value;
    for (ExprId target : member.targets)
      if (ast[target].kind == ExprKind::Name) members->set(ast[target].text, value);
  }
  binding.value = {HostValue::Namespace{std::move(members)}};
  bind(index, stmt.name, std::move(binding));
}

}  // namespace lanewise::frontend
