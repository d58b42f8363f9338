// The tables of ops and diagnostics as Markdown, for the reference pages in docs/. Reads every column of
// ops.def but the lowerings.
#include <string>
#include <string_view>

#include "ir/ir.h"

namespace lanewise::ir {
namespace {

// How kernels write an op: dotted names, or an operator of Python.
struct Spelling {
  std::string_view names, symbol;
};

#define PY_NONE \
  Spelling { "", "" }
#define PY_NAME(names) \
  Spelling { names, "" }
#define PY_OPERATOR(symbol) \
  Spelling { "", symbol }
constexpr Spelling kSpellings[] = {
#define OP(Enum, text, sig, effect, regions, PY, NVVM, HOST, doc) PY,
#include "ir/ops.def"
};
#undef PY_NONE
#undef PY_NAME
#undef PY_OPERATOR

struct Section {
  OpKind first;
  std::string_view title;
};
constexpr Section kSections[] = {
    {OpKind::Const, "Constants"},
    {OpKind::Add, "Arithmetic"},
    {OpKind::Eq, "Comparison and choice"},
    {OpKind::Cast, "Conversion"},
    {OpKind::Sqrt, "Elementary functions"},
    {OpKind::Load, "Memory"},
    {OpKind::AtomicAdd, "Atomics"},
    {OpKind::ThreadIdX, "Threads"},
    {OpKind::ShflIdx, "Warps"},
    {OpKind::Var, "Variables"},
    {OpKind::Call, "Functions and control flow"},
    {OpKind::Yield, "The last op of a region"},
};

std::string_view effect_name(Effect effect) {
  switch (effect) {
    case Effect::None: return "";
    case Effect::Read: return "reads";
    case Effect::Write: return "writes";
    case Effect::Barrier: return "barrier";
    case Effect::Warp: return "warp";
    case Effect::Control: return "control";
  }
  return "";
}

// Text inside a cell: a bar would end it.
std::string cell(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string code(std::string_view text) {
  return text.empty() ? std::string{} : std::string("`").append(cell(text)).append("`");
}

std::string spelling(const Spelling& spelling) {
  if (!spelling.symbol.empty()) return code(spelling.symbol == "neg" ? "-x" : spelling.symbol);
  std::string out;
  for (std::string_view rest = spelling.names; !rest.empty();) {
    size_t space = rest.find(' ');
    if (!out.empty()) out += ", ";
    out += code(rest.substr(0, space));
    rest = space == rest.npos ? "" : rest.substr(space + 1);
  }
  return out;
}

}  // namespace

std::string reference_markdown() {
  std::string out;
  size_t next_section = 0;
  for (size_t i = 0; i < kOpCount; ++i) {
    if (next_section < std::size(kSections) && static_cast<size_t>(kSections[next_section].first) == i) {
      if (i > 0) out += '\n';
      out.append("### ").append(kSections[next_section++].title);
      out += "\n\n| op | signature | in kernels | effect | meaning |\n| --- | --- | --- | --- | --- |\n";
    }
    const OpInfo& op = kOps[i];
    out.append("| ").append(code(op.text)).append(" | ").append(code(op.signature_text));
    out.append(" | ").append(spelling(kSpellings[i])).append(" | ").append(effect_name(op.effect));
    out.append(" | ").append(cell(op.doc)).append(" |\n");
  }
  return out;
}

std::string diagnostics_markdown() {
  constexpr std::string_view kTitles[] = {"Errors", "Warnings", "Performance notes"};
  std::string out;
  for (Severity severity : {Severity::Error, Severity::Warning, Severity::Performance}) {
    out += "### " + std::string(kTitles[static_cast<size_t>(severity)]) +
           "\n\n| id | message |\n| --- | --- |\n";
    for (size_t i = 0; i < diagnostic_count(); ++i) {
      const DiagnosticInfo& about = info(static_cast<DiagnosticId>(i));
      if (about.severity != severity) continue;
      out += "| `" + std::string(about.text_id) + "` | " + cell(about.format) + " |\n";
    }
    out += "\n";
  }
  out.pop_back();
  return out;
}

}  // namespace lanewise::ir
