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
  // The text of another file that the kernel file names, such as CUDA C++; may be null.
  std::optional<std::string> (*read_file)(const std::string& path, void* context) = nullptr;
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

// --- device functions in CUDA C++ (gpu.cuda_function, gpu.declare_device)
struct CudaFunctionText {
  std::string source, file;  // CUDA C++; what errors call it. No source: the code is linked to the kernel
  uint32_t first_line = 1;
  std::string name, signature;  // "square", "float32(float32)"
  std::vector<std::string> options;
  bool numba_abi = false;  // `extern "C" int name(result*, arguments...)`
  std::shared_ptr<const HostValue> fallback;
};
// What is wrong with the signature or the name goes to `problem`, and the result is null.
HostValue::Cuda make_cuda_function(const CudaFunctionText& text, std::string& problem);
// What the bridges of such functions (ir::ExternalFunction) need before them. Each bridge also defines
// constant arrays lanewise_types_X and lanewise_wanted_X of type_code()s, X being its symbol after
// "lanewise_call_": the types of the function in C++ and in the signature, the result first. With the macro
// LANEWISE_TYPES_ONLY nothing else.
std::string_view cuda_bridge_prelude();
// Whether a function of such C++ types can be called with the wanted ones, and the types as C++ spells them.
bool cuda_types_match(const std::vector<uint32_t>& types, const std::vector<uint32_t>& wanted);
std::string cuda_types_text(const std::vector<uint32_t>& types);

// --- infer: Ast + argument types -> typed tree
struct InferOptions {
  ir::FloatMode float_mode;
  bool python_float32 = false;  // gpu.jit(python_float="float32")
  bool warnings = true;
  bool performance_notes = false;  // Severity::Performance too
  bool cuda_functions = true;      // those in CUDA C++ can be called; else their fallbacks are
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
