// The umbrella header of frontend/: text and argument types in, typed IR out. Stages report into a
// Diagnostics and never throw on bad input.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frontend/ast.h"
#include "frontend/host_value.h"
#include "frontend/typed.h"
#include "frontend/value_type.h"
#include "ir/diagnostics.h"
#include "ir/function.h"

namespace lanewise::frontend {

// --- lex: text -> tokens
enum class TokenKind : uint8_t {
  Name,
  Keyword,
  Int,
  Float,
  Imaginary,
  String,
  FString,
  Operator,
  Newline,
  Indent,
  Dedent,
  End,
  Error
};
struct Token {
  TokenKind kind;
  SourceRange range;
};
// All tokens of a file, ending in End. Bad input gives diagnostics and Error tokens.
std::vector<Token> lex(const ir::SourceMap& sources, uint32_t file, ir::Diagnostics& diagnostics);
std::string print_tokens(const std::vector<Token>& tokens, const ir::SourceMap& sources);

// --- parse: tokens -> Ast
enum class ParseMode : uint8_t {
  KernelFile,  // a whole file: imports, simple assignments and function definitions are parsed (functions
               // only if decorated; the rest is host code and becomes Skipped)
  Function,    // the block of one (decorated, possibly indented) function, or a statement that holds a lambda
};
Ast parse(const ir::SourceMap& sources, uint32_t file, ParseMode mode, ir::Diagnostics& diagnostics);
std::string print_ast(const Ast& ast);

// --- kernel files: what their names mean (docs/language.md, "Kernel files")
struct KernelDeclaration {
  FunctionRef function;                  // is_kernel tells kernels from device functions
  std::optional<std::string> signature;  // the decorator's string
  SourceRange range;                     // of the name
};
struct KernelFile {
  AstPtr ast;
  std::shared_ptr<Environment> environment;
  std::vector<KernelDeclaration> declarations;  // top-level decorated functions, in order
};
// `constants` are -DNAME=value; they override the file's own. `read_module` finds the text of an imported
// kernel module ("a.b" -> a new file of `sources`), nullopt if there is none.
struct FileOptions {
  std::map<std::string, HostValue> constants;
  std::optional<uint32_t> (*read_module)(const std::string& name, void* context) = nullptr;
  void* context = nullptr;
};
KernelFile open_kernel_file(ir::SourceMap& sources, uint32_t file, const FileOptions& options,
                            ir::Diagnostics& diagnostics);

// --- signatures: "void(float32[:], int64)", "saxpy(float32, float32[::1])", "(f4[:, ::1], i8)"
struct ParsedSignature {
  std::string name;  // "" or "void" or the kernel's name
  std::vector<ValueType> arguments;
  std::optional<ValueType> result;  // where the text says one that is not void
};
// Numba's spellings and NumPy's dtype names. Types named here are typed numbers. Errors are reported at
// `range`.
std::optional<ParsedSignature> parse_signature(std::string_view text, SourceRange range,
                                               ir::Diagnostics& diagnostics);
// One type: "float32", "f4", "float32[:, ::1]"; nullopt if the text is none.
std::optional<ValueType> parse_type_text(std::string_view text);
// Types from a kernel's own annotations: `x: float32[:]`, `n: "int64"`; nullopt (and nothing reported) if a
// parameter has none that names one of our types.
std::optional<std::vector<ValueType>> annotated_arguments(const FunctionRef& function);

// --- infer: Ast + argument types -> typed tree
struct InferOptions {
  ir::FloatMode float_mode;
  bool python_float32 = false;  // gpu.jit(python_float="float32")
  bool warnings = true;
  bool performance_notes = false;  // Severity::Performance too
};
// Specialises `function` on its arguments, and all it calls. Check diagnostics.has_errors() before using the
// result. Each captured name is asked from its environment exactly where the text uses it.
TypedModule infer(const FunctionRef& function, const std::vector<ValueType>& arguments,
                  const InferOptions& options, const ir::SourceMap& sources, ir::Diagnostics& diagnostics);
std::string print_typed(const TypedModule& module);

// --- lower: typed tree -> IR, before any pass. Kernel parameters are flatten()ed argument types in order,
// named after them: "x", "x.shape0", "x.stride0".
ir::Module lower(const TypedModule& module);

}  // namespace lanewise::frontend
