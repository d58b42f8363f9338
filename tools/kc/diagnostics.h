// How kc shows diagnostics: as text for people, or as one JSON document for programs.
#pragma once
#include <memory>
#include <string>

#include "ir/ir.h"

namespace kc {

// Collects what is shown in one run. Text is written to standard error at once; JSON when the run is over.
class DiagnosticsWriter {
 public:
  DiagnosticsWriter(bool json, bool warnings);
  ~DiagnosticsWriter();
  void show(const lanewise::ir::Diagnostics& diagnostics, const lanewise::ir::SourceMap& sources);
  // An error of kc's own: a file that cannot be read, an option that makes no sense.
  void show_failure(const std::string& message);
  // JSON: writes the document, an array, which is empty if there was nothing to say.
  void finish();

 private:
  struct Document;
  bool warnings_;
  std::unique_ptr<Document> document_;  // JSON only
};

}  // namespace kc
