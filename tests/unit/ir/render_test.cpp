// How diagnostics look, character by character: carets under tabs and wide letters, clipped lines, ranges
// at and beyond every end.
#include <gtest/gtest.h>

#include "ir/diagnostics.h"

namespace lanewise::ir {
namespace {

// The rendering of one error with message "m" at [begin, end) of `text`.
std::string rendered(const std::string& text, uint32_t begin, uint32_t end, uint32_t first_line = 1) {
  SourceMap sources;
  uint32_t file = sources.add({"k.py", text, first_line});
  Diagnostics diagnostics;
  diagnostics.report(DiagnosticId::IrSyntax, {file, begin, end}, {"m"});
  return render(diagnostics, sources);
}

TEST(Render, SourceLineAndCaret) {
  EXPECT_EQ(rendered("def k(x):\n    y = alhpa\n", 18, 23),
            "k.py:2:9: error: m [ir-syntax]\n"
            "    2 |     y = alhpa\n"
            "      |         ^~~~~\n");
}

TEST(Render, LineNumbersAreTheUsersFile) {
  EXPECT_EQ(rendered("x\ny\n", 2, 3, 123456),
            "k.py:123457:1: error: m [ir-syntax]\n"
            "123457 | y\n"
            "       | ^\n");
}

TEST(Render, LabelsCallChainAndHint) {
  SourceMap sources;
  uint32_t file = sources.add({"k.py", "x = 1.5\ny = x[0]\nf(x)\n"});
  Diagnostics diagnostics;
  Diagnostic& d = diagnostics.report(DiagnosticId::IrSyntax, {file, 12, 16}, {"`x` is no array"});
  d.label({file, 0, 1}, "`x` became float here").with_hint("index an array");
  d.call_chain.push_back({{file, 17, 21}, "`f` is called here"});
  EXPECT_EQ(render(diagnostics, sources),
            "k.py:2:5: error: `x` is no array [ir-syntax]\n"
            "    2 | y = x[0]\n"
            "      |     ^~~~\n"
            "k.py:1:1: note: `x` became float here\n"
            "    1 | x = 1.5\n"
            "      | ^\n"
            "k.py:3:1: note: `f` is called here\n"
            "    3 | f(x)\n"
            "      | ^~~~\n"
            "hint: index an array\n");
}

TEST(Render, TabsBecomeSpaces) {
  EXPECT_EQ(rendered("\tx =\tbad\n", 5, 8),
            "k.py:1:6: error: m [ir-syntax]\n"
            "    1 |         x =     bad\n"
            "      |                 ^~~\n");
}

TEST(Render, WideAndCombiningLettersKeepTheCaretInPlace) {
  // Two double-width letters, and an e with a combining accent: four columns and one.
  EXPECT_EQ(rendered("\xE4\xB8\xAD\xE6\x96\x87 = e\xCC\x81 + bad", 15, 18),
            "k.py:1:11: error: m [ir-syntax]\n"
            "    1 | \xE4\xB8\xAD\xE6\x96\x87 = e\xCC\x81 + bad\n"
            "      |            ^~~\n");
  EXPECT_EQ(rendered("\xE4\xB8\xAD\xE6\x96\x87", 0, 6),
            "k.py:1:1: error: m [ir-syntax]\n"
            "    1 | \xE4\xB8\xAD\xE6\x96\x87\n"
            "      | ^~~~\n");
}

TEST(Render, BytesThatATerminalWouldObeyAreReplaced) {
  std::string text = rendered(
      "a\x1b[31m\xFF\x80"
      "b\xE2\x80\xAE",
      0, 1);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\xFF'), std::string::npos);
  EXPECT_EQ(text.find("\xE2\x80\xAE"), std::string::npos);
  EXPECT_NE(text.find("    1 | a\xEF\xBF\xBD[31m\xEF\xBF\xBD\xEF\xBF\xBD"
                      "b\xEF\xBF\xBD\n"),
            std::string::npos);
}

TEST(Render, MessagesAreCleanedToo) {
  SourceMap sources;
  uint32_t file = sources.add({"k\x07.py", "x"});
  Diagnostics diagnostics;
  diagnostics.report(DiagnosticId::IrSyntax, {file, 0, 1}, {"\x1b[2J"});
  EXPECT_EQ(render(diagnostics, sources).find('\x1b'), std::string::npos);
  EXPECT_EQ(render(diagnostics, sources).find('\x07'), std::string::npos);
}

TEST(Render, RangesOverSeveralLinesStopAtTheFirst) {
  EXPECT_EQ(rendered("f(a,\n  b)\n", 0, 9),
            "k.py:1:1: error: m [ir-syntax]\n"
            "    1 | f(a,\n"
            "      | ^~~~\n");
}

TEST(Render, RangesAtTheEnd) {
  const char* at_line_end =
      "k.py:1:4: error: m [ir-syntax]\n"
      "    1 | abc\n"
      "      |    ^\n";
  EXPECT_EQ(rendered("abc", 3, 3), at_line_end);
  EXPECT_EQ(rendered("abc\n", 3, 4), at_line_end);
  EXPECT_EQ(rendered("abc\n", 4, 4), at_line_end);
  EXPECT_EQ(rendered("abc\r\n", 5, 5), at_line_end);
  EXPECT_EQ(rendered("abc\n", 900, 10), at_line_end);
  EXPECT_EQ(rendered("", 0, 0), "k.py:1:1: error: m [ir-syntax]\n");
  EXPECT_EQ(rendered("\n", 0, 0),
            "k.py:1:1: error: m [ir-syntax]\n"
            "    1 |\n"
            "      | ^\n");
  EXPECT_EQ(rendered("\n", 1, 1), rendered("\n", 0, 0));
}

TEST(Render, ARangeWithoutAFileHasNoPlace) {
  SourceMap sources;
  Diagnostics diagnostics;
  diagnostics.report(DiagnosticId::IrSyntax, {7, 0, 1}, {"m"});
  EXPECT_EQ(render(diagnostics, sources), "error: m [ir-syntax]\n");
}

TEST(Render, LongLinesAreClippedAroundTheCaret) {
  std::string text = rendered(std::string(5000, 'a') + "bad" + std::string(5000, 'c'), 5000, 5003);
  EXPECT_EQ(text,
            "k.py:1:5001: error: m [ir-syntax]\n"
            "    1 | ..." +
                std::string(40, 'a') + "bad" + std::string(77, 'c') +
                "...\n"
                "      | " +
                std::string(43, ' ') + "^~~\n");
  std::string start = rendered(std::string(1000, 'x'), 0, 1000);
  EXPECT_EQ(start,
            "k.py:1:1: error: m [ir-syntax]\n"
            "    1 | " +
                std::string(120, 'x') +
                "...\n"
                "      | ^" +
                std::string(119, '~') + "\n");
  std::string end = rendered(std::string(1000, 'x'), 1000, 1000);
  EXPECT_EQ(end,
            "k.py:1:1001: error: m [ir-syntax]\n"
            "    1 | ..." +
                std::string(120, 'x') +
                "\n"
                "      | " +
                std::string(123, ' ') + "^\n");
}

TEST(Render, ClippingDoesNotMoveTheCaretOfWideLetters) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "\xE4\xB8\xAD";
  // The window starts at column 2 * 100 - 40 = 160, between two letters.
  std::string line = rendered(text, 300, 303);
  EXPECT_NE(line.find("      | " + std::string(43, ' ') + "^~\n"), std::string::npos) << line;
}

TEST(Render, EveryRangeOfHostileTextRenders) {
  std::string text =
      "\xE4\xB8\n\xFF\t\r\n\xF0\x9F\x98\x80"
      "e\xCC\x81\n";
  for (uint32_t begin = 0; begin < text.size() + 2; ++begin)
    for (uint32_t end = 0; end < text.size() + 2; ++end) {
      std::string out = rendered(text, begin, end);
      EXPECT_NE(out.find('^'), std::string::npos) << begin << " " << end;
      EXPECT_TRUE(out.ends_with('\n'));
    }
}

TEST(Render, ColorWrapsTheSameText) {
  SourceMap sources;
  uint32_t file = sources.add({"k.py", "x y\n"});
  Diagnostics diagnostics;
  diagnostics.report(DiagnosticId::IrSyntax, {file, 2, 3}, {"m"}).with_hint("h");
  std::string colored = render(diagnostics, sources, true);
  EXPECT_NE(colored.find("\x1b[1;31merror: \x1b[0m"), std::string::npos);
  std::string plain;
  for (size_t i = 0; i < colored.size(); ++i) {
    if (colored[i] == '\x1b')
      i = colored.find('m', i);
    else
      plain += colored[i];
  }
  EXPECT_EQ(plain, render(diagnostics, sources));
}

TEST(Render, SaysWhenErrorsAreLeftOut) {
  SourceMap sources;
  uint32_t file = sources.add({"k.py", std::string(100, 'x')});
  Diagnostics diagnostics;
  for (uint32_t i = 0; i < 50; ++i) diagnostics.report(DiagnosticId::IrSyntax, {file, i, i + 1}, {"m"});
  EXPECT_TRUE(render(diagnostics, sources).ends_with("further errors after the first 20 are not shown\n"));
}

}  // namespace
}  // namespace lanewise::ir
