// The registry of diagnostics.def and the collector of one compile.
#include "ir/diagnostics.h"

#include <algorithm>
#include <iterator>

namespace lanewise::ir {
namespace {

constexpr DiagnosticInfo make_info(std::string_view text_id, Severity severity, std::string_view format) {
  return {text_id, severity, format};
}

constexpr DiagnosticInfo kInfos[] = {
#define DIAGNOSTIC(Id, text_id, severity, format) make_info(text_id, Severity::severity, format),
#include "ir/diagnostics.def"
};

// Every {N} of the format replaced by argument N; other braces stand for themselves.
std::string format_message(std::string_view format, std::initializer_list<std::string> arguments) {
  std::string out;
  for (size_t i = 0; i < format.size(); ++i) {
    bool placeholder = format[i] == '{' && i + 2 < format.size() && format[i + 2] == '}' &&
                       format[i + 1] >= '0' && format[i + 1] <= '9';
    if (!placeholder) {
      out += format[i];
      continue;
    }
    auto index = static_cast<size_t>(format[i + 1] - '0');
    out += index < arguments.size() ? arguments.begin()[index] : "?";
    i += 2;
  }
  return out;
}

}  // namespace

const DiagnosticInfo& info(DiagnosticId id) { return kInfos[static_cast<size_t>(id)]; }

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::Error: return "error";
    case Severity::Warning: return "warning";
    case Severity::Performance: return "performance";
  }
  return "";
}

size_t diagnostic_count() { return std::size(kInfos); }

Diagnostic& Diagnostic::label(SourceRange where, std::string text) {
  labels.push_back({where, std::move(text)});
  return *this;
}

Diagnostic& Diagnostic::with_hint(std::string text) {
  hint = std::move(text);
  return *this;
}

Diagnostic& Diagnostics::report(DiagnosticId id, SourceRange range,
                                std::initializer_list<std::string> arguments) {
  Diagnostic made{.id = id, .range = range, .message = format_message(info(id).format, arguments)};
  bool repeat = std::any_of(all_.begin(), all_.end(), [&](const Diagnostic& d) {
    return d.id == id && d.range == range && d.message == made.message;
  });
  bool error = info(id).severity == Severity::Error;
  // Warnings have a limit of their own, so that a flood of them does not hide the errors.
  size_t kept = error ? error_count_ : all_.size() - error_count_;
  if (repeat || kept >= kMaxErrors) {
    // A repeat is an error all the same: has_errors() is about the first one, which is there.
    discarded_ = std::move(made);
    return discarded_;
  }
  if (error) ++error_count_;
  all_.push_back(std::move(made));
  return all_.back();
}

}  // namespace lanewise::ir
