// Diagnostics as text and as JSON: see diagnostics.h.
#include "tools/kc/diagnostics.h"

#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>

#include "ir/diagnostic_object.h"

namespace kc {

using namespace lanewise;
using nlohmann::ordered_json;

struct DiagnosticsWriter::Document {
  ordered_json all = ordered_json::array();
};

namespace {

bool color() { return isatty(STDERR_FILENO) && !std::getenv("NO_COLOR"); }

ordered_json to_json(const ir::Diagnostic& diagnostic, const ir::SourceMap& sources) {
  auto list_of = [](std::vector<ordered_json> all) { return ordered_json(std::move(all)); };
  return ir::as_object<ordered_json>(diagnostic, sources, list_of);
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
