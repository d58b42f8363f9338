// Golden files through the front end: see kernels.h.
#include "tests/golden/kernels.h"

namespace lanewise::golden {
namespace {

// Which function a `#: signature` line is for: the one it names, else every kernel.
bool is_for(const std::string& signature, const frontend::KernelDeclaration& declaration) {
  size_t open = signature.find('(');
  size_t end = signature.find_last_not_of(' ', open == 0 ? 0 : open - 1);
  std::string name = open == 0 || open == signature.npos ? "" : signature.substr(0, end + 1);
  if (name.empty() || name == "void") return declaration.function.is_kernel;
  return name == declaration.function.name;
}

}  // namespace

std::vector<Entry> open_entries(const GoldenCase& golden, Compile& compile) {
  runtime::FileRequest request;
  request.include_dirs = {LANEWISE_SOURCE_DIR "/tests/golden/modules"};
  for (const std::string& define : golden.option_values("define")) {
    size_t equals = std::min(define.find('='), define.size());
    request.constants.emplace_back(define.substr(0, equals),
                                   define.substr(std::min(equals + 1, define.size())));
  }
  compile.opened = runtime::open_file({golden.name, golden.input}, request, compile.diagnostics);
  std::vector<std::string> signatures = golden.option_values("signature");
  bool only_one = compile.opened->kernels().size() == 1;
  std::vector<Entry> entries;
  auto add = [&](const frontend::KernelDeclaration& declaration, const std::string& signature) {
    size_t errors = compile.diagnostics.error_count();
    auto types = runtime::declared_types(declaration, signature, compile.sources(), compile.diagnostics);
    if (types)
      entries.push_back({declaration.function, std::move(*types)});
    else if (compile.diagnostics.error_count() == errors)
      runtime::report_no_types(declaration, "give its parameters annotations", compile.diagnostics);
  };
  for (const frontend::KernelDeclaration& declaration : compile.opened->file.declarations) {
    bool given = false;
    for (const std::string& signature : signatures) {
      // Where there is one kernel only, a signature with another name is a mistake to be reported.
      if (!is_for(signature, declaration) &&
          !(only_one && signatures.size() == 1 && declaration.function.is_kernel))
        continue;
      given = true;
      add(declaration, signature);
    }
    if (!given && declaration.function.is_kernel) add(declaration, "");
  }
  return entries;
}

frontend::InferOptions infer_options(const GoldenCase& golden) {
  frontend::InferOptions options;
  options.float_mode.contract = golden.option("fma") != "off";
  options.float_mode.fast_math = golden.option("fastmath") == "on";
  options.python_float32 = golden.option("python_float") == "float32";
  return options;
}

std::vector<frontend::TypedModule> infer_all(const GoldenCase& golden, Compile& compile) {
  std::vector<frontend::TypedModule> out;
  for (const Entry& entry : open_entries(golden, compile))
    out.push_back(frontend::infer(entry.function, entry.arguments, infer_options(golden), compile.sources(),
                                  compile.diagnostics));
  return out;
}

std::vector<ir::Module> modules(const GoldenCase& golden, Compile& compile) {
  std::vector<ir::Module> out;
  if (!golden.is_python()) {
    if (auto module = ir::parse(compile.text, compile.file, compile.diagnostics))
      out.push_back(std::move(*module));
  } else {
    std::vector<frontend::TypedModule> typed = infer_all(golden, compile);
    if (!compile.diagnostics.has_errors())
      for (const frontend::TypedModule& module : typed) out.push_back(frontend::lower(module));
  }
  for (const ir::Module& module : out)
    if (auto error = ir::verify(module)) throw ir::InternalError(error->message + "\n" + ir::print(module));
  return out;
}

}  // namespace lanewise::golden
