// The collector of diagnostics and the "did you mean" search.
#include "ir/diagnostics.h"

#include <gtest/gtest.h>

#include <set>

namespace lanewise::ir {
namespace {

TEST(Diagnostics, FormatsTheMessage) {
  Diagnostics diagnostics;
  Diagnostic& d = diagnostics.report(DiagnosticId::IrSyntax, {0, 1, 2}, {"a {0} brace"});
  EXPECT_EQ(d.message, "a {0} brace");  // an argument is not formatted again
  d.label({0, 3, 4}, "here").with_hint("try that");
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.all()[0].labels[0].text, "here");
  EXPECT_EQ(diagnostics.all()[0].hint, "try that");
  EXPECT_TRUE(diagnostics.has_errors());
}

TEST(Diagnostics, DropsRepeatsButNotTheSameAtAnotherPlace) {
  Diagnostics diagnostics;
  diagnostics.report(DiagnosticId::IrSyntax, {0, 1, 2}, {"x"});
  diagnostics.report(DiagnosticId::IrSyntax, {0, 1, 2}, {"x"}).with_hint("lost");
  diagnostics.report(DiagnosticId::IrSyntax, {0, 1, 2}, {"y"});
  diagnostics.report(DiagnosticId::IrSyntax, {0, 5, 6}, {"x"});
  EXPECT_EQ(diagnostics.all().size(), 3u);
  EXPECT_EQ(diagnostics.error_count(), 3u);
  EXPECT_EQ(diagnostics.all()[0].hint, "");
}

TEST(Diagnostics, KeepsALimitedNumber) {
  Diagnostics diagnostics;
  for (uint32_t i = 0; i < 1000; ++i) diagnostics.report(DiagnosticId::IrSyntax, {0, i, i + 1}, {"x"});
  EXPECT_EQ(diagnostics.all().size(), Diagnostics::kMaxErrors);
  EXPECT_EQ(diagnostics.error_count(), Diagnostics::kMaxErrors);
}

TEST(Diagnostics, RegistryIsWellFormed) {
  std::set<std::string_view> ids;
  for (size_t i = 0; i < diagnostic_count(); ++i) {
    const DiagnosticInfo& about = info(static_cast<DiagnosticId>(i));
    EXPECT_TRUE(ids.insert(about.text_id).second) << about.text_id << " stands twice";
    EXPECT_EQ(about.text_id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"),
              std::string_view::npos)
        << about.text_id;
    EXPECT_FALSE(about.format.ends_with('.') && !about.format.ends_with("...")) << about.text_id;
    EXPECT_FALSE(about.format.empty()) << about.text_id;
  }
}

TEST(NearestName, FindsMisspellings) {
  std::vector<std::string> names{"alpha", "beta", "threadIdx", "blockIdx", "sin", "cos", "i", "j"};
  EXPECT_EQ(nearest_name("alhpa", names), "alpha");  // swapped neighbours are one step
  EXPECT_EQ(nearest_name("threadidx", names), "threadIdx");
  EXPECT_EQ(nearest_name("BLOCKIDX", names), "blockIdx");
  EXPECT_EQ(nearest_name("bta", names), "beta");
  EXPECT_EQ(nearest_name("sinn", names), "sin");
}

TEST(NearestName, IsSilentWhereNothingIsNear) {
  std::vector<std::string> names{"alpha", "beta", "x", "sin"};
  EXPECT_EQ(nearest_name("gamma", names), "");
  EXPECT_EQ(nearest_name("y", names), "");
  EXPECT_EQ(nearest_name("q7", names), "");
  EXPECT_EQ(nearest_name("", names), "");
  EXPECT_EQ(nearest_name("alpha", {"alpha"}), "");
  EXPECT_EQ(nearest_name(std::string(100000, 'a'), {std::string(100000, 'b')}), "");
}

TEST(NearestName, DoesNotDependOnTheOrder) {
  EXPECT_EQ(nearest_name("tile0", {"tile2", "tile1"}), "tile1");
  EXPECT_EQ(nearest_name("tile0", {"tile1", "tile2"}), "tile1");
}

}  // namespace
}  // namespace lanewise::ir
