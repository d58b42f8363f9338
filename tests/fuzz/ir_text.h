// The property of the IR text form, for the seeded run and for libFuzzer.
#pragma once
#include <string>

#include "ir/ir.h"

namespace lanewise::fuzz {

struct IrTextResult {
  std::string wrong;  // "" if the property holds
  bool parsed = false, verified = false;
};

// Whatever the bytes: parsing ends with a module or with one error that can be rendered. A module prints to a
// text that parses to a module with the same text and the same verdict of the verifier, with locations too.
inline IrTextResult check_ir_text(const std::string& text) {
  IrTextResult result;
  ir::SourceMap sources;
  ir::Diagnostics diagnostics;
  uint32_t file = sources.add({"fuzz.ir", text});
  auto module = ir::parse(sources, file, diagnostics);
  result.parsed = module.has_value();
  if (module.has_value() == diagnostics.has_errors()) result.wrong = "a module with errors, or none without";
  if (!module) {
    if (ir::render(diagnostics, sources).empty()) result.wrong = "an error that renders to nothing";
    return result;
  }
  auto verdict = ir::verify(*module);
  result.verified = !verdict;
  for (bool locations : {false, true}) {
    std::string printed = ir::print(*module, {.locations = locations});
    uint32_t again_file = sources.add({"again.ir", printed});
    auto again = ir::parse(sources, again_file, diagnostics);
    if (!again) {
      result.wrong = "does not parse once printed:\n" + printed + ir::render(diagnostics, sources);
    } else if (std::string twice = ir::print(*again, {.locations = locations}); twice != printed) {
      result.wrong = "prints differently the second time:\n" + printed + "---\n" + twice;
    } else if (ir::verify(*again).has_value() != verdict.has_value()) {
      result.wrong = "the verifier changes its mind once printed:\n" + printed;
    }
  }
  return result;
}

}  // namespace lanewise::fuzz
