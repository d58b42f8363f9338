// Golden files through the front end: see kernels.h.
#include "tests/golden/kernels.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

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

// The modules that `#: module NAME LINE` lines hold, as files of a folder that lives as long as this.
class ModuleFolder {
 public:
  explicit ModuleFolder(const GoldenCase& golden)
      : path_(std::filesystem::temp_directory_path() / ("lanewise_golden_" + std::to_string(getpid()))) {
    for (const std::string& value : golden.option_values("module")) {
      size_t space = std::min(value.find(' '), value.size());
      std::string name = value.substr(0, space);
      std::replace(name.begin(), name.end(), '.', '/');
      std::filesystem::path file = path_ / (name + ".py");
      std::filesystem::create_directories(file.parent_path());
      std::ofstream(file, std::ios::app) << value.substr(std::min(space + 1, value.size())) << '\n';
    }
  }
  ~ModuleFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ModuleFolder(const ModuleFolder&) = delete;
  ModuleFolder& operator=(const ModuleFolder&) = delete;
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace

std::string Compile::rendered() {
  std::string out = ir::render(diagnostics, sources());
  for (const std::string& folder : folders)
    for (size_t at = out.find(folder + "/"); at != out.npos; at = out.find(folder + "/", at))
      out.erase(at, folder.size() + 1);
  return out;
}

std::vector<Entry> open_entries(const GoldenCase& golden, Compile& compile) {
  runtime::FileRequest request;
  ModuleFolder own_modules(golden);
  request.include_dirs = compile.folders = {LANEWISE_SOURCE_DIR "/tests/golden/modules", own_modules.path()};
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
  options.performance_notes = golden.has("performance_notes");
  options.cuda_functions = golden.option("cuda_functions") != "off";
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
