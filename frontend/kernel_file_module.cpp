// One module: its statements in order, as Python would run them, each name bound to what it is worth. Host
// code that was not parsed leaves its names as Unsupported, with the place.
#include <algorithm>

#include "frontend/host_numbers.h"
#include "frontend/infer/constants.h"
#include "frontend/kernel_file.h"

namespace lanewise::frontend {
namespace {

using Origin = Binding::Origin;

HostValue unsupported(std::string what, SourceRange range) {
  return {HostValue::Unsupported{std::move(what), range}};
}

// What a name is that a skipped statement binds.
std::string host_name(const Stmt& skipped) {
  if (skipped.name == "def") return "a plain Python function, not decorated with @gpu.jit(device=True)";
  if (skipped.name == "async") return "an asynchronous function";
  if (skipped.name == "class") return "a class";
  if (skipped.name.empty()) return "assigned by host code";
  const char* article = skipped.name == "if" ? "an" : "a";
  return std::string("assigned inside ") + article + " `" + skipped.name + "` statement of host code";
}

// Functions as the set keeps them: without their environment (see kernel_file.h).
HostValue without_environment(const HostValue& value) {
  if (auto* tuple = std::get_if<HostValue::Tuple>(&value.value)) {
    HostValue::Tuple out;
    out.names = tuple->names;
    for (const HostValue& item : tuple->items) out.items.push_back(without_environment(item));
    return {std::move(out)};
  }
  if (auto* partial = std::get_if<HostValue::Partial>(&value.value))
    return partial_of(*partial, without_environment);
  auto* function = std::get_if<HostValue::Function>(&value.value);
  if (!function || !(*function)->environment) return value;
  auto out = std::make_shared<FunctionRef>(**function);
  out->environment = nullptr;
  return {HostValue::Function(std::move(out))};
}

}  // namespace

ModuleIndex ModuleReader::read(uint32_t file, const std::map<std::string, HostValue>& constants) {
  auto index = static_cast<ModuleIndex>(set_->modules.size());
  set_->modules.emplace_back();
  set_->by_file[file] = index;
  for (const auto& [name, value] : constants)
    set_->modules[index].bindings[name] = {.origin = Origin::Fixed, .value = value};
  AstPtr ast = std::make_shared<const Ast>(parse(sources_, file, ParseMode::KernelFile, diagnostics_));
  set_->modules[index].ast = ast;
  for (StmtId stmt : ast->body) process(index, stmt);
  return index;
}

std::vector<KernelDeclaration> ModuleReader::declarations(ModuleIndex index) const {
  std::vector<KernelDeclaration> out;
  for (const auto& [module, declaration] : declarations_) {
    if (module != index) continue;
    out.push_back(declaration);
    out.back().function.environment = std::make_shared<FileEnvironment>(set_, index);
  }
  return out;
}

void ModuleReader::process(ModuleIndex index, StmtId id) {
  const Stmt& stmt = (*set_->modules[index].ast)[id];
  switch (stmt.kind) {
    case StmtKind::Import:
    case StmtKind::ImportFrom: return import(index, stmt, false);
    case StmtKind::Assign:
    case StmtKind::AugAssign:
    case StmtKind::AnnAssign: return assign(index, stmt);
    case StmtKind::FunctionDef: return define(index, id);
    case StmtKind::ClassDef: return define_class(index, stmt);
    case StmtKind::Skipped: return skip(index, stmt);
    default: return;
  }
}

Evaluator ModuleReader::evaluator(ModuleIndex index) {
  // Module constants see the values of this moment, as in Python, conflicts or not.
  auto lookup = [this, index](const std::string& name) -> std::optional<HostValue> {
    const Binding* binding = FileEnvironment::find(*set_, index, name);
    if (!binding) return FileEnvironment::find_builtin(*set_, index, name);
    if (binding->module)
      return HostValue{HostValue::Namespace{std::make_shared<FileEnvironment>(set_, *binding->module)}};
    if (auto* host = as_unsupported(binding->value); host && host->what.starts_with("computed from"))
      return binding->value;
    if (as_unsupported(binding->value))
      return unsupported("computed from `" + name + "`, which host code computes", binding->range);
    return binding->value;
  };
  return Evaluator(*set_->modules[index].ast, lookup, set_->work);
}

Binding ModuleReader::evaluate(ModuleIndex index, ExprId value, SourceRange range) {
  Binding out{.origin = Origin::Assignment, .range = range};
  const Expr& expr = (*set_->modules[index].ast)[value];
  if (expr.kind == ExprKind::Name) {
    // A second name for the same thing, kernel modules included.
    const Binding* same = FileEnvironment::find(*set_, index, expr.text);
    if (same && same->module) {
      out.module = same->module;
      return out;
    }
  }
  if (std::optional<HostValue> lambda = lambda_value(index, value)) {
    out.value = *std::move(lambda);
    return out;
  }
  if (std::optional<HostValue> function = cuda_function_value(index, value)) {
    out.value = *std::move(function);
    return out;
  }
  HostValue result = evaluator(index).evaluate(value);
  auto* names = std::get_if<HostValue::Namespace>(&result.value);
  if (names && std::dynamic_pointer_cast<FileEnvironment>(names->environment))
    result = unsupported("a module", expr.range);
  out.value = without_environment(result);
  out.changeable = is_changeable(index, value, out.value);
  return out;
}

namespace {

bool holds_array(const HostValue& value) {
  auto* tuple = std::get_if<HostValue::Tuple>(&value.value);
  return tuple ? std::ranges::any_of(tuple->items, holds_array)
               : std::holds_alternative<HostValue::Array>(value.value);
}

bool is_flat(const HostValue& value) {
  auto* tuple = std::get_if<HostValue::Tuple>(&value.value);
  auto inner = [](const HostValue& item) { return std::holds_alternative<HostValue::Tuple>(item.value); };
  return tuple && std::ranges::none_of(tuple->items, inner);
}

}  // namespace

// Whether the value that was written so holds what may be changed in place. Lists are tuples here; only what
// was written tells them apart.
bool ModuleReader::is_changeable(ModuleIndex index, ExprId written, const HostValue& value) const {
  if (holds_array(value)) return true;
  bool compound = std::holds_alternative<HostValue::Tuple>(value.value) ||
                  std::holds_alternative<HostValue::Namespace>(value.value) ||
                  std::holds_alternative<HostValue::Partial>(value.value);
  if (!compound || !written.valid()) return false;
  const Ast& ast = *set_->modules[index].ast;
  const Expr& expr = ast[written];
  if (expr.kind == ExprKind::List || (expr.kind == ExprKind::Comprehension && expr.text == "list"))
    return true;
  if (expr.kind == ExprKind::Name) {
    if (expr.text == "list") return true;
    const Binding* binding = FileEnvironment::find(*set_, index, expr.text);
    return binding && binding->changeable;
  }
  const Expr* callee = expr.kind == ExprKind::Call ? &ast[expr.children[0]] : nullptr;
  if (callee && callee->kind == ExprKind::Name && callee->text == "tuple" && is_flat(value)) return false;
  return std::ranges::any_of(expr.children, [&](ExprId child) { return is_changeable(index, child, value); });
}

// `f = gpu.jit(device=True)(lambda x: ...)`, `f = gpu.jit(lambda x: ..., device=True)`, `f = gpu.jit(lambda
// x: ...)`
std::optional<HostValue> ModuleReader::lambda_value(ModuleIndex index, ExprId value) {
  const AstPtr& ast = set_->modules[index].ast;
  const Expr& call = (*ast)[value];
  if (call.kind != ExprKind::Call || call.children.size() != 2 + call.keywords.size()) return std::nullopt;
  ExprId lambda = call.children[1];
  if ((*ast)[lambda].kind != ExprKind::Lambda) return std::nullopt;
  Evaluator constants = evaluator(index);
  ExprId decorator = call.keywords.empty() ? call.children[0] : value;
  std::optional<Decoration> decoration = read_decorator(*ast, decorator, constants, sources_);
  if (!decoration) return std::nullopt;
  FunctionRef function{.name = "<lambda>", .ast = ast, .lambda = lambda, .identity = &(*ast)[lambda]};
  function.is_kernel = !decoration->device;
  function.fast_math = decoration->fast_math;
  function.contract = decoration->contract;
  return add_function(index, std::move(function));
}

HostValue ModuleReader::add_function(ModuleIndex index, FunctionRef function) {
  const AstPtr& ast = set_->modules[index].ast;
  set_->function_modules[function.identity] = index;
  const std::vector<Parameter>& params =
      function.def.valid() ? (*ast)[function.def].params : (*ast)[function.lambda].params;
  for (const Parameter& param : params) {
    std::optional<HostValue> value;
    if (param.default_value.valid()) {
      HostValue evaluated = evaluator(index).evaluate(param.default_value);
      bool changeable = is_changeable(index, param.default_value, evaluated);
      if (!as_unsupported(evaluated) && !changeable &&
          !std::holds_alternative<HostValue::Namespace>(evaluated.value))
        value = without_environment(evaluated);
    }
    function.defaults.push_back(std::move(value));
  }
  return {std::make_shared<const FunctionRef>(std::move(function))};
}

void ModuleReader::assign(ModuleIndex index, const Stmt& stmt) {
  const Ast& ast = *set_->modules[index].ast;
  if (!stmt.value.valid()) return;  // `N: int` declares and binds nothing
  Binding value = evaluate(index, stmt.value, stmt.range);
  if (stmt.kind == StmtKind::AugAssign) {
    HostValue before = evaluator(index).evaluate(stmt.targets[0]);
    std::optional<HostValue> after;
    if (!as_unsupported(before) && !as_unsupported(value.value))
      after = evaluate_binary(stmt.op, before, value.value);
    value.value = after ? *std::move(after) : unsupported("computed by host code", ast[stmt.value].range);
  }
  for (ExprId target : stmt.targets) assign_target(index, target, value);
}

void ModuleReader::assign_target(ModuleIndex index, ExprId target, const Binding& value) {
  const Expr& expr = (*set_->modules[index].ast)[target];
  if (expr.kind == ExprKind::Name) bind(index, expr.text, value);
  if (expr.kind == ExprKind::Tuple || expr.kind == ExprKind::List) unpack(index, expr, value);
}

// A, B = value; one target may be starred and takes what the others leave.
void ModuleReader::unpack(ModuleIndex index, const Expr& targets, const Binding& value) {
  const Ast& ast = *set_->modules[index].ast;
  auto is_starred = [&](ExprId child) { return ast[child].kind == ExprKind::Starred; };
  auto* items = std::get_if<HostValue::Tuple>(&value.value.value);
  size_t count = targets.children.size(), have = items ? items->items.size() : 0;
  auto stars = std::ranges::count_if(targets.children, is_starred);
  bool matches = items && (stars == 1 ? have + 1 >= count : stars == 0 && have == count);
  size_t next = 0;
  for (ExprId child : targets.children) {
    Binding item = value;
    item.module = std::nullopt;
    if (!matches) {
      if (!as_unsupported(value.value)) item.value = unsupported("computed by host code", value.range);
    } else if (is_starred(child)) {
      auto begin = items->items.begin() + static_cast<ptrdiff_t>(next);
      next += have + 1 - count;
      item.value = {HostValue::Tuple{{begin, items->items.begin() + static_cast<ptrdiff_t>(next)}}};
    } else {
      item.value = items->items[next++];
    }
    assign_target(index, is_starred(child) ? ast[child].children[0] : child, item);
  }
}

void ModuleReader::define(ModuleIndex index, StmtId id) {
  const AstPtr& ast = set_->modules[index].ast;
  const Stmt& stmt = (*ast)[id];
  Binding binding{.origin = Origin::Definition, .range = stmt.name_range};
  Evaluator constants = evaluator(index);
  std::optional<Decoration> decoration;
  for (ExprId decorator : stmt.decorators)
    if (!decoration) decoration = read_decorator(*ast, decorator, constants, sources_);
  if (!decoration) {
    std::string text =
        stmt.decorators.empty() ? "" : std::string(sources_.text((*ast)[stmt.decorators[0]].range));
    binding.value = unsupported("a function decorated with @" + text.substr(0, 60) + " instead of gpu.jit",
                                stmt.name_range);
    return bind(index, stmt.name, std::move(binding));
  }
  FunctionRef function{.name = stmt.name, .ast = ast, .def = id, .identity = &stmt};
  function.is_kernel = !decoration->device;
  function.fast_math = decoration->fast_math;
  function.contract = decoration->contract;
  binding.value = add_function(index, std::move(function));
  const FunctionRef& added = *std::get<HostValue::Function>(binding.value.value);
  declarations_.push_back({index, {added, decoration->signature, stmt.name_range}});
  bind(index, stmt.name, std::move(binding));
}

// Host code: its imports count, and the names it binds are noted. In `try: import a except ImportError: ...`
// the import that is known decides, whatever the other branches do.
void ModuleReader::skip(ModuleIndex index, const Stmt& stmt) {
  const Ast& ast = *set_->modules[index].ast;
  std::vector<std::string> imported;
  for (StmtId id : stmt.body) {
    import(index, ast[id], true);
    for (const ImportName& name : ast[id].imports) imported.push_back(name.alias);
  }
  for (ExprId target : stmt.targets) {
    const std::string& name = ast[target].text;
    const Binding* bound = FileEnvironment::find(*set_, index, name);
    bool known_import = bound && bound->origin == Origin::Import &&
                        (bound->module || !as_unsupported(bound->value)) &&
                        std::ranges::find(imported, name) != imported.end();
    if (known_import) continue;
    // What stays after `def` and `class` is a definition: the last one counts.
    bool defines = stmt.name == "def" || stmt.name == "class" || stmt.name == "async";
    bind(index, name,
         {.origin = defines ? Origin::Definition : Origin::Host,
          .range = ast[target].range,
          .value = unsupported(host_name(stmt), ast[target].range)});
  }
}

void ModuleReader::bind(ModuleIndex index, const std::string& name, Binding binding) {
  auto [entry, is_new] = set_->modules[index].bindings.try_emplace(name, binding);
  if (is_new) return;
  Binding& old = entry->second;
  if (old.origin == Origin::Fixed) return;
  auto assigned = [](const Binding& b) { return b.origin == Origin::Assignment || b.origin == Origin::Host; };
  if (assigned(old) && assigned(binding)) {
    bool known = !as_unsupported(old.value) && !as_unsupported(binding.value);
    bool same = known && !old.module && !binding.module && same_constant(old.value, binding.value);
    if (!same && !(as_unsupported(old.value) && as_unsupported(binding.value)))
      binding.conflict = HostValue::Unsupported{
          known ? "assigned twice with different values" : "also assigned by host code", binding.range};
    if (old.conflict) binding.conflict = old.conflict;
  }
  old = std::move(binding);
}

}  // namespace lanewise::frontend
