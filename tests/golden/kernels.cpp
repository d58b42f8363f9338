// Golden files through the front end: see kernels.h.
#include "tests/golden/kernels.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace lanewise::golden {
namespace {

// `#: define NAME=value`: an int, a float, True or False.
frontend::HostValue parse_constant(const std::string& text) {
  if (text == "True" || text == "False") return {text == "True"};
  char* end = nullptr;
  if (text.find_first_of(".eEnN") != text.npos) return {std::strtod(text.c_str(), &end)};
  return {frontend::HostValue::Int{std::strtoll(text.c_str(), &end, 0)}};
}

// An imported kernel module "a.b" is tests/golden/modules/a/b.py.
std::optional<uint32_t> read_module(const std::string& name, void* context) {
  std::string relative = name;
  for (char& c : relative)
    if (c == '.') c = '/';
  std::ifstream file(LANEWISE_SOURCE_DIR "/tests/golden/modules/" + relative + ".py", std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  return static_cast<Compile*>(context)->sources.add({relative + ".py", text.str()});
}

}  // namespace

std::vector<Entry> open_entries(const GoldenCase& golden, Compile& compile) {
  frontend::FileOptions options;
  options.read_module = read_module;
  options.context = &compile;
  for (const std::string& define : golden.option_values("define")) {
    size_t equals = define.find('=');
    if (equals != define.npos)
      options.constants.emplace(define.substr(0, equals), parse_constant(define.substr(equals + 1)));
  }
  frontend::KernelFile file =
      frontend::open_kernel_file(compile.sources, compile.file, options, compile.diagnostics);
  std::vector<frontend::ParsedSignature> given;
  for (const std::string& text : golden.option_values("signature"))
    if (auto parsed = frontend::parse_signature(text, {compile.file, 0, 0}, compile.diagnostics))
      given.push_back(std::move(*parsed));
  std::vector<Entry> entries;
  for (const frontend::KernelDeclaration& declaration : file.declarations) {
    size_t before = entries.size();
    for (const frontend::ParsedSignature& signature : given) {
      bool any = (signature.name.empty() || signature.name == "void") && declaration.function.is_kernel;
      if (any || signature.name == declaration.function.name)
        entries.push_back({declaration.function, signature.arguments});
    }
    if (entries.size() > before || !declaration.function.is_kernel) continue;
    if (declaration.signature) {
      auto parsed = frontend::parse_signature(*declaration.signature, declaration.range, compile.diagnostics);
      if (parsed) entries.push_back({declaration.function, parsed->arguments});
    } else if (auto annotated = frontend::annotated_arguments(declaration.function)) {
      entries.push_back({declaration.function, *annotated});
    }
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
    out.push_back(frontend::infer(entry.function, entry.arguments, infer_options(golden), compile.sources,
                                  compile.diagnostics));
  return out;
}

std::vector<ir::Module> modules(const GoldenCase& golden, Compile& compile) {
  std::vector<ir::Module> out;
  if (!golden.is_python()) {
    if (auto module = ir::parse(compile.sources, compile.file, compile.diagnostics))
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
