// docs/reference.md is generated from ops.def: it must be what the table says. LANEWISE_BLESS=1 rewrites it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "ir/ir.h"

namespace lanewise::ir {

TEST(Reference, PageIsWhatTheTableSays) {
  const std::string path = std::string(LANEWISE_SOURCE_DIR) + "/docs/reference.md";
  const std::string expected =
      "# IR operations\n\nGenerated from `ir/ops.def`. The column *in kernels* has the names that users "
      "write.\n\n" +
      reference_markdown();
  if (const char* bless = std::getenv("LANEWISE_BLESS"); bless && *bless) std::ofstream(path) << expected;
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), expected) << "run with LANEWISE_BLESS=1 to write docs/reference.md anew";
}

}  // namespace lanewise::ir
