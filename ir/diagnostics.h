// Diagnostics: what the user did wrong, as data. Every kind is one row of diagnostics.def.
// Stages report into a Diagnostics and go on; the API edge renders them and throws CompileError.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "ir/source.h"

namespace lanewise::ir {

enum class Severity : uint8_t { Error, Warning, Performance };

// "error", "warning", "performance"
std::string_view to_string(Severity severity);

enum class DiagnosticId : uint16_t {
#define DIAGNOSTIC(Id, text_id, severity, format) Id,
#include "ir/diagnostics.def"
};

struct DiagnosticInfo {
  std::string_view text_id;  // "unknown-name"
  Severity severity;
  std::string_view format;  // "name `{0}` is not defined"; {N} is the Nth argument
};
const DiagnosticInfo& info(DiagnosticId id);
size_t diagnostic_count();

// A second place that explains the first: "`x` became float64 here".
struct Label {
  SourceRange range;
  std::string text;
};

struct Diagnostic {
  DiagnosticId id{};
  SourceRange range;
  std::string message;
  std::vector<Label> labels;
  std::vector<Label> call_chain;  // innermost call first: where it was made, "`f` is called here"
  std::string hint;               // the way out, "" if there is nothing better than the message

  Diagnostic& label(SourceRange where, std::string text);
  Diagnostic& with_hint(std::string text);
};

// Collects the diagnostics of one compile, in order, without exact repeats. At most kMaxErrors errors are
// kept.
class Diagnostics {
 public:
  static constexpr size_t kMaxErrors = 20;

  // Adds a diagnostic; the reference is for chaining label() and with_hint() at once.
  Diagnostic& report(DiagnosticId id, SourceRange range, std::initializer_list<std::string> arguments = {});

  bool has_errors() const { return error_count_ > 0; }
  size_t error_count() const { return error_count_; }
  const std::vector<Diagnostic>& all() const { return all_; }

 private:
  std::vector<Diagnostic> all_;
  Diagnostic discarded_;  // what report() returns for a repeat or beyond kMaxErrors
  size_t error_count_ = 0;
};

// file:line:column: severity: message [id], the source line with a caret under the range, then labels,
// call chain and hint, each with its own line and caret. Ends in a newline.
std::string render(const Diagnostic& diagnostic, const SourceMap& sources, bool color = false);
std::string render(const Diagnostics& diagnostics, const SourceMap& sources, bool color = false);

// The candidate nearest to `name` in edit distance, "" if none is near enough to be a misspelling, or within
// `most` steps.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates,
                         size_t most = SIZE_MAX);

}  // namespace lanewise::ir
