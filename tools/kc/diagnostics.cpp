// Diagnostics as text and as JSON: see diagnostics.h. The keys are those of CompileError.diagnostics in
// Python.
#include "tools/kc/diagnostics.h"

#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>

namespace kc {

using namespace lanewise;
using nlohmann::ordered_json;

struct DiagnosticsWriter::Document {
  ordered_json all = ordered_json::array();
};

namespace {

bool color() { return isatty(STDERR_FILENO) && !std::getenv("NO_COLOR"); }

void add_place(ordered_json& to, ir::SourceRange range, const ir::SourceMap& sources) {
  std::optional<ir::Place> place = sources.place(range);
  if (!place) return;
  to["file"] = place->file;
  to["line"] = place->begin.line;
  to["column"] = place->begin.column;
  to["end_line"] = place->end.line;
  to["end_column"] = place->end.column;
}

ordered_json labels_json(const std::vector<ir::Label>& labels, const ir::SourceMap& sources) {
  ordered_json result = ordered_json::array();
  for (const ir::Label& label : labels) {
    ordered_json one = {{"text", label.text}};
    add_place(one, label.range, sources);
    result.push_back(std::move(one));
  }
  return result;
}

ordered_json to_json(const ir::Diagnostic& d, const ir::SourceMap& sources) {
  ordered_json result = {{"id", ir::info(d.id).text_id},
                         {"severity", ir::to_string(ir::info(d.id).severity)},
                         {"message", d.message},
                         {"hint", d.hint}};
  add_place(result, d.range, sources);
  result["labels"] = labels_json(d.labels, sources);
  result["call_chain"] = labels_json(d.call_chain, sources);
  result["rendered"] = ir::render(d, sources);
  return result;
}

}  // namespace

DiagnosticsWriter::DiagnosticsWriter(bool json, bool warnings)
    : warnings_(warnings), document_(json ? std::make_unique<Document>() : nullptr) {}
DiagnosticsWriter::~DiagnosticsWriter() = default;

void DiagnosticsWriter::show(const ir::Diagnostics& diagnostics, const ir::SourceMap& sources) {
  for (const ir::Diagnostic& diagnostic : diagnostics.all()) {
    if (!warnings_ && ir::info(diagnostic.id).severity != ir::Severity::Error) continue;
    if (document_)
      document_->all.push_back(to_json(diagnostic, sources));
    else
      std::cerr << ir::render(diagnostic, sources, color());
  }
}

void DiagnosticsWriter::show_failure(const std::string& message) {
  if (document_)
    document_->all.push_back({{"id", "kc"}, {"severity", "error"}, {"message", message}, {"hint", ""}});
  else
    std::cerr << "kc: error: " << message << "\n";
}

void DiagnosticsWriter::finish() {
  if (!document_) return;
  // A name or text may hold bytes that are no UTF-8.
  std::cerr << document_->all.dump(2, ' ', false, ordered_json::error_handler_t::replace) << "\n";
}

}  // namespace kc
