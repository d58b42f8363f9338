// docs/reference.md and docs/diagnostics.md are generated from ops.def and diagnostics.def: they must be what
// the tables say. LANEWISE_BLESS=1 rewrites them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "ir/ir.h"

namespace lanewise::ir {
namespace {

void expect_page(const std::string& name, const std::string& expected) {
  const std::string path = std::string(LANEWISE_SOURCE_DIR) + "/docs/" + name;
  if (const char* bless = std::getenv("LANEWISE_BLESS"); bless && *bless) std::ofstream(path) << expected;
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), expected) << "run with LANEWISE_BLESS=1 to write docs/" << name << " anew";
}

}  // namespace

TEST(Reference, OpsAreWhatTheTableSays) {
  expect_page(
      "reference.md",
      "# IR operations\n\nGenerated from `ir/ops.def`. The column *in kernels* has the names that users "
      "write.\n\n" +
          reference_markdown());
}

TEST(Reference, DiagnosticsAreWhatTheTableSays) {
  expect_page(
      "diagnostics.md",
      "# Diagnostics\n\nGenerated from `ir/diagnostics.def`. `{0}`, `{1}` stand for what the message names. "
      "Every message comes with the source line and a caret, most with labels and a hint. Warnings are "
      "`lanewise.CompileWarning`s in Python; `kc -w` leaves them out. Performance notes are off unless asked "
      "for: `gpu.jit(performance_notes=True)`, `LANEWISE_PERFORMANCE_NOTES=1`, `kc --performance-notes`, "
      "`Options::performance_notes`. For programs: `CompileError.diagnostics`, "
      "`kc --diagnostics=json`.\n\n" +
          diagnostics_markdown());
}

}  // namespace lanewise::ir
