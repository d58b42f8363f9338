// Diagnostics of inference, held back until it is known that they count: rounds over loops and
// specialisations are tried and thrown away.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/frontend.h"
#include "ir/diagnostics.h"

namespace lanewise::frontend::inference {

struct Report {
  ir::DiagnosticId id;
  ir::SourceRange range;
  std::vector<std::string> arguments;
  std::vector<ir::Label> labels, call_chain;
  std::string hint;

  Report& label(ir::SourceRange where, std::string text) {
    labels.push_back({where, std::move(text)});
    return *this;
  }
  Report& with_hint(std::string text) {
    hint = std::move(text);
    return *this;
  }
};

// A name as messages show it.
inline std::string quote(std::string_view name) {
  std::string out = "`";
  out += name;
  return out += '`';
}

// In how many letters a name of one of the language's modules may be misspelt: they have many short names,
// and a near one says little.
inline size_t misspelt_letters(std::string_view name) { return name.size() < 8 ? 1 : 2; }

// "1 dimension", "2 dimensions"
inline std::string counted(size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

using Reports = std::vector<Report>;

inline bool is_error(const Report& report) { return ir::info(report.id).severity == ir::Severity::Error; }

// Hands those that are wanted to the compile's diagnostics.
void publish(const Reports& reports, const InferOptions& options, ir::Diagnostics& diagnostics);

}  // namespace lanewise::frontend::inference
