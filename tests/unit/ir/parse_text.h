// IR text as a Module, for tests. A text that does not parse fails the test with its diagnostics.
#pragma once
#include <gtest/gtest.h>

#include <string>

#include "ir/ir.h"

namespace lanewise::ir {

inline Module parse_text(const std::string& text) {
  SourceMap sources;
  uint32_t file = sources.add({"test.ir", text});
  Diagnostics diagnostics;
  std::optional<Module> module = parse(sources, file, diagnostics);
  EXPECT_TRUE(module) << render(diagnostics, sources);
  EXPECT_EQ(module.has_value(), !diagnostics.has_errors());
  return module ? std::move(*module) : Module{};
}

// What parsing a wrong text says: "3:5 message".
inline std::string parse_error(const std::string& text) {
  SourceMap sources;
  uint32_t file = sources.add({"test.ir", text});
  Diagnostics diagnostics;
  if (parse(sources, file, diagnostics)) return "parsed";
  if (diagnostics.all().size() != 1) return std::to_string(diagnostics.all().size()) + " diagnostics";
  SourcePosition at = sources.position(diagnostics.all()[0].range);
  return std::to_string(at.line) + ":" + std::to_string(at.column) + " " + diagnostics.all()[0].message;
}

// Whether, and how often, the text holds the part.
inline bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }
inline size_t count(const std::string& text, const std::string& part) {
  size_t n = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace lanewise::ir
