// Inference of small functions for tests: the text of a device function `f` or kernel `k`, argument types as
// text, the typed tree as text.
#pragma once
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "frontend/frontend.h"

namespace lanewise::frontend {

struct Inferred {
  TypedModule module;
  std::string diagnostics;  // rendered
  std::string tree;         // printed, "" if there are errors

  std::string result() const { return module.functions.empty() ? "" : to_string(module.functions[0].result); }
  // The number of times `text` is in the tree.
  size_t count(const std::string& text) const {
    size_t n = 0;
    for (size_t at = tree.find(text); at != tree.npos; at = tree.find(text, at + 1)) ++n;
    return n;
  }
  bool has(const std::string& text) const { return count(text) > 0; }
};

// Infers the last declaration of a kernel file. `arguments`: "float32[::1], int64, int".
inline Inferred infer_text(const std::string& text, const std::string& arguments, InferOptions options = {}) {
  ir::SourceMap sources;
  ir::Diagnostics diagnostics;
  uint32_t file =
      sources.add({"test.py", "from lanewise import gpu\nimport math\nimport numpy as np\n" + text});
  KernelFile opened = open_kernel_file(sources, file, {}, diagnostics);
  Inferred out;
  if (opened.declarations.empty()) {
    out.diagnostics = "no declaration\n" + ir::render(diagnostics, sources);
    return out;
  }
  const KernelDeclaration& last = opened.declarations.back();
  auto signature = parse_signature("(" + arguments + ")", last.range, diagnostics);
  if (signature) out.module = infer(last.function, signature->arguments, options, sources, diagnostics);
  out.diagnostics = ir::render(diagnostics, sources);
  if (!diagnostics.has_errors()) {
    out.tree = print_typed(out.module);
    // Whatever comes out must be what lowering and the verifier want.
    ir::Module lowered = lower(out.module);
    if (auto error = ir::verify(lowered)) ADD_FAILURE() << error->message << "\n" << text << out.tree;
  }
  return out;
}

// The body of a kernel `k` with these parameters: "x: float32[::1], n: int64".
inline Inferred infer_body(const std::string& parameters, const std::string& body,
                           InferOptions options = {}) {
  std::string names, types, lines;
  int depth = 0;
  bool in_type = false;
  for (char c : parameters) {
    depth += c == '[' || c == '(';
    depth -= c == ']' || c == ')';
    if (c == ',' && depth == 0) {
      names += ", ", types += ", ", in_type = false;
    } else if (c == ':' && !in_type) {
      in_type = true;
    } else if (c != ' ' || in_type) {
      (in_type ? types : names) += c;
    }
  }
  size_t begin = 0;
  for (size_t end = body.find('\n'); begin < body.size(); begin = end + 1, end = body.find('\n', begin)) {
    if (end == body.npos) end = body.size();
    lines += "    " + body.substr(begin, end - begin) + "\n";
  }
  return infer_text("@gpu.jit\ndef k(" + names + "):\n" + lines, types, options);
}

}  // namespace lanewise::frontend
