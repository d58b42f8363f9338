// Specialisations: found or made, re-run while recursion changes their results, and put into a module.
#include "frontend/infer/session.h"

#include <algorithm>
#include <map>
#include <set>

#include "frontend/infer/function_inference.h"
#include "frontend/infer/recursion.h"
#include "frontend/lint/lint.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;

namespace {

constexpr unsigned kMaxRecursionRounds = 6;

bool same_known(const Known& a, const Known& b) {
  return a.memory == b.memory && same_constant(a.constant, b.constant) &&
         std::ranges::equal(a.items, b.items, same_known);
}

// What is known of an argument: `bound` has the functions where the type says None.
Known known_of(const ValueType& type, const HostValue& bound) {
  Known known;
  if (type.kind == ValueType::Kind::None) known.constant = bound;
  auto* items = std::get_if<HostValue::Tuple>(&bound.value);
  for (size_t i = 0; items && i < std::min(type.items.size(), items->items.size()); ++i)
    known.items.push_back(known_of(type.items[i], items->items[i]));
  return known;
}

bool same_arguments(const std::vector<Argument>& a, const std::vector<Argument>& b) {
  return std::ranges::equal(a, b, [](const Argument& x, const Argument& y) {
    return x.type == y.type && same_known(x.known, y.known);
  });
}

}  // namespace

uint32_t Session::specialise(const std::shared_ptr<const FunctionRef>& function,
                             const std::vector<Argument>& arguments,
                             const std::vector<std::string>& captured) {
  for (uint32_t i = 0; i < specialisations_.size(); ++i) {
    Specialisation& s = specialisations_[i];
    if (!same_constant(HostValue{HostValue::Function(s.function)}, HostValue{HostValue::Function(function)}))
      continue;
    if (!same_arguments(s.arguments, arguments)) continue;
    s.called_itself |= s.running;
    return i;
  }
  Specialisation& made = specialisations_.emplace_back();
  made.function = function;
  made.arguments = arguments;
  made.captured = captured;
  uint32_t index = static_cast<uint32_t>(specialisations_.size() - 1);
  run(index);
  return index;
}

void Session::run(uint32_t index) {
  Specialisation& s = specialisations_[index];
  s.running = true;
  for (unsigned round = 0;; ++round) {
    ValueType assumed = s.result;
    bool was_known = s.result_known_yet;
    s.called_itself = false;
    FunctionInference(*this, s).run();
    if (!s.called_itself) break;
    bool settled = was_known && s.result == assumed;
    bool failed = std::ranges::any_of(s.reports, [](const Report& r) { return is_error(r); });
    if (settled || failed) break;
    if (s.result.is_error() || round == kMaxRecursionRounds) {
      SourceRange range = s.typed.range;
      s.reports.push_back(
          {.id = DiagnosticId::Recursion,
           .range = range,
           .arguments = {s.function->name},
           .labels = {},
           .call_chain = {},
           .hint = "at least one `return` must not depend on the call itself, and all must have one type"});
      break;
    }
    // Again, now that it is known what the call of itself gives. What was made meanwhile assumed less.
    specialisations_.resize(index + 1);
    s.result_known_yet = true;
  }
  s.running = false;
  s.result_known_yet = !s.result.is_error();
}

uint32_t Session::data_index(const HostValue::Array& array, const std::string& name) {
  for (uint32_t i = 0; i < data_sources_.size(); ++i)
    if (data_sources_[i] == array ||
        (data_sources_[i]->element == array->element && data_sources_[i]->shape == array->shape &&
         data_sources_[i]->bytes == array->bytes))
      return i;
  data_sources_.push_back(array);
  std::string unique = name.empty() ? "data" : name;
  std::ranges::replace_if(
      unique, [](unsigned char c) { return c < 128 && !std::isalnum(c) && c != '_'; }, '_');
  auto taken = [&](const std::string& n) {
    return std::ranges::any_of(data_, [&](auto& d) { return d.name == n; });
  };
  std::string candidate = unique;
  for (unsigned n = 1; taken(candidate); ++n) candidate = unique + "." + std::to_string(n);
  ir::Type held = array->element.is_place() ? ir::kU8 : array->element.scalar;
  data_.push_back({candidate, held, array->bytes});
  return static_cast<uint32_t>(data_.size() - 1);
}

uint32_t Session::external_index(const ir::ExternalFunction& external) {
  auto found = std::ranges::find(externals_, external);
  auto index = static_cast<uint32_t>(found - externals_.begin());
  if (found == externals_.end()) externals_.push_back(external);
  return index;
}

TypedModule Session::finish() {
  // Only what the entry calls; rounds that were discarded may have made more.
  std::vector<uint32_t> order = {0};
  std::map<uint32_t, uint32_t> position = {{0, 0}};
  for (size_t i = 0; i < order.size(); ++i)
    for (const TExpr& e : specialisations_[order[i]].typed.exprs)
      if (e.kind == TExprKind::Call && position.emplace(e.index, order.size()).second)
        order.push_back(e.index);
  TypedModule module;
  std::map<std::string, unsigned> seen;
  for (uint32_t index : order) {
    TypedFunction& f = module.functions.emplace_back(std::move(specialisations_[index].typed));
    unsigned count = seen[f.name]++;
    if (count) (f.name += '.') += std::to_string(count);
    for (TExpr& e : f.exprs)
      if (e.kind == TExprKind::Call) e.index = position[e.index];
  }
  module.data = std::move(data_);
  module.externals = std::move(externals_);
  return module;
}

}  // namespace lanewise::frontend::inference

namespace lanewise::frontend {

TypedModule infer(const FunctionRef& function, const std::vector<ValueType>& arguments,
                  const InferOptions& options, const ir::SourceMap& sources, ir::Diagnostics& diagnostics) {
  inference::Session session(options, sources);
  std::vector<inference::Argument> given;
  for (size_t i = 0; i < arguments.size(); ++i) {
    bool bound = i < function.bound.size() && function.bound[i];
    inference::Known known =
        bound ? inference::known_of(arguments[i], *function.bound[i]) : inference::Known{};
    given.push_back({arguments[i], inference::objects_of(arguments[i], known)});
  }
  uint32_t entry = session.specialise(std::make_shared<FunctionRef>(function), given);
  inference::check_recursion(session, session[entry].reports);
  inference::publish(session[entry].reports, options, diagnostics);
  TypedModule module = session.finish();
  if (options.warnings && !diagnostics.has_errors())
    lint::find_suspicious(module, function, options.performance_notes, sources, diagnostics);
  return module;
}

}  // namespace lanewise::frontend
