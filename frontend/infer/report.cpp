// Diagnostics: held back reports and the labels that say where a type came from.
#include "frontend/infer/report.h"

#include "frontend/infer/function_inference.h"

namespace lanewise::frontend::inference {

void publish(const Reports& reports, const InferOptions& options, ir::Diagnostics& diagnostics) {
  auto is_wanted = [&](const Report& r) {
    switch (ir::info(r.id).severity) {
      case ir::Severity::Error: return true;
      case ir::Severity::Warning: return options.warnings;
      case ir::Severity::Performance: return options.warnings && options.performance_notes;
    }
    return true;
  };
  for (const Report& r : reports) {
    if (!is_wanted(r)) continue;
    auto argument = [&](size_t i) { return i < r.arguments.size() ? r.arguments[i] : std::string(); };
    ir::Diagnostic& d =
        diagnostics.report(r.id, r.range, {argument(0), argument(1), argument(2), argument(3)});
    d.labels = r.labels;
    d.call_chain = r.call_chain;
    d.hint = r.hint;
  }
}

Report& FunctionInference::report(ir::DiagnosticId id, SourceRange range,
                                  std::initializer_list<std::string> arguments) {
  reports_.push_back({id, range, arguments, {}, {}, ""});
  return reports_.back();
}

void FunctionInference::explain(Report& r, const Value& value) const {
  if (value.is_error() || value.origin.name.empty()) return;
  std::string name = "`" + value.origin.name + "`";
  if (value.origin.parameter) {
    r.label(value.origin.where, name + " is " + describe(value) + ": the type of this argument");
  } else {
    r.label(value.origin.where, name + " became " + describe(value) + " here");
  }
}

Value FunctionInference::refuse_operands(Operator op, const Value& left, const Value& right,
                                         SourceRange op_range, const std::string& hint) {
  Report& r = report(ir::DiagnosticId::OperandTypes, op_range,
                     {std::string(spelling(op)), describe(left), describe(right)});
  bool texts = left.object<std::string>() || right.object<std::string>();
  r.with_hint(hint.empty() && texts
                  ? "texts are constants; f-strings in `print`, `assert` and `raise` put values into them"
                  : hint);
  explain(r, left);
  explain(r, right);
  return error(op_range);
}

Value FunctionInference::not_yet(SourceRange range, std::string what, std::string hint) {
  report(ir::DiagnosticId::NotYet, range, {std::move(what)}).with_hint(std::move(hint));
  return error(range);
}

Value FunctionInference::not_supported(SourceRange range, std::string what, std::string hint) {
  report(ir::DiagnosticId::NotInLanguage, range, {std::move(what)}).with_hint(std::move(hint));
  return error(range);
}

std::string FunctionInference::text(SourceRange range) const {
  return std::string(session_.sources.text(range));
}

}  // namespace lanewise::frontend::inference
