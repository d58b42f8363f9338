// Kernel files for the C API and kc. In: the text, -DNAME=value, the folders of imported kernel modules. Out:
// its kernels, and the argument types that a signature, a decorator or annotations give them.
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "runtime/runtime.h"

namespace lanewise::runtime {
namespace {

using frontend::HostValue;

bool is_identifier(std::string_view name) {
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return false;
  for (char c : name) {
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (!letter && static_cast<unsigned char>(c) < 0x80) return false;
  }
  return true;
}

bool is_constant(const HostValue& value) {
  if (const auto* tuple = std::get_if<HostValue::Tuple>(&value.value)) {
    for (const HostValue& item : tuple->items)
      if (!is_constant(item)) return false;
    return true;
  }
  return !std::holds_alternative<HostValue::Unsupported>(value.value) &&
         !std::holds_alternative<HostValue::Function>(value.value) &&
         !std::holds_alternative<HostValue::Namespace>(value.value);
}

// A constant's text is read as a kernel file reads its own constants: as the value of an assignment.
std::optional<HostValue> parse_constant(const std::string& name, const std::string& text) {
  // `()` is a constant, but leaving the value out is a slip.
  bool blank = text.find_first_not_of(" \t") == text.npos;
  if (!is_identifier(name) || blank || text.find_first_of("\r\n;#\\") != text.npos) return std::nullopt;
  ir::SourceMap sources;
  ir::Diagnostics diagnostics;
  std::string file =
      "import math, numpy, numpy as np\nfrom lanewise import gpu\n" + name + " = (" + text + "\n)\n";
  frontend::KernelFile parsed =
      frontend::open_kernel_file(sources, sources.add({"<constant>", file}), {}, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  std::optional<HostValue> value = parsed.environment->lookup(name);
  if (!value || !is_constant(*value)) return std::nullopt;
  return value;
}

// What FileOptions::read_module works on: each module is read once.
struct ModuleReader {
  ir::SourceMap* sources = nullptr;
  std::vector<std::string> folders;
  std::map<std::string, std::optional<uint32_t>> known;

  std::optional<std::string> read_file(const std::string& path) const {
    if (std::filesystem::path(path).is_absolute()) return read_text_file(path);
    for (const std::string& folder : folders)
      if (auto text = read_text_file((std::filesystem::path(folder) / path).string())) return text;
    return read_text_file(path);
  }

  std::optional<uint32_t> read(const std::string& name) {
    auto [entry, is_new] = known.try_emplace(name);
    if (!is_new) return entry->second;
    std::string path = name.substr(std::min(name.find_first_not_of('.'), name.size()));
    if (path.empty()) return std::nullopt;
    for (char& c : path)
      if (c == '.') c = '/';
    for (const std::string& folder : folders) {
      for (const char* suffix : {".py", "/__init__.py"}) {
        std::string file = (std::filesystem::path(folder) / (path + suffix)).string();
        std::error_code error;
        if (!std::filesystem::is_regular_file(file, error)) continue;
        if (std::optional<std::string> text = read_text_file(file))
          return entry->second = sources->add({file, std::move(*text)});
      }
    }
    return std::nullopt;
  }
};

}  // namespace

std::optional<std::string> read_text_file(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return std::nullopt;
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf())) {
    // An empty file inserts nothing, which streams call a failure.
    if (!in.is_open() || in.bad()) return std::nullopt;
  }
  return std::move(text).str();
}

std::unique_ptr<OpenFile> open_file(ir::SourceFile source, const FileRequest& request,
                                    ir::Diagnostics& diagnostics) {
  auto open = std::make_unique<OpenFile>();
  // Imports are read while the file is opened, none later.
  ModuleReader reader{&open->sources, request.include_dirs, {}};
  frontend::FileOptions options;
  options.context = &reader;
  options.read_module = [](const std::string& name, void* context) {
    return static_cast<ModuleReader*>(context)->read(name);
  };
  options.read_file = [](const std::string& path, void* context) {
    return static_cast<ModuleReader*>(context)->read_file(path);
  };
  uint32_t file = open->sources.add(std::move(source));
  for (const auto& [name, text] : request.constants) {
    if (std::optional<HostValue> value = parse_constant(name, text)) {
      options.constants[name] = std::move(*value);
      continue;
    }
    std::string shown = name + "=" + text;
    uint32_t id = open->sources.add({"<constants>", shown});
    diagnostics.report(ir::DiagnosticId::BadConstant, {id, 0, static_cast<uint32_t>(shown.size())}, {shown})
        .with_hint(
            "write NAME=value with a number, a bool, a tuple of these or a cast such as np.float32(3)");
  }
  open->file = frontend::open_kernel_file(open->sources, file, options, diagnostics);
  return open;
}

std::vector<const frontend::KernelDeclaration*> OpenFile::kernels() const {
  std::vector<const frontend::KernelDeclaration*> out;
  for (const frontend::KernelDeclaration& declaration : file.declarations)
    if (declaration.function.is_kernel) out.push_back(&declaration);
  return out;
}

const frontend::KernelDeclaration* OpenFile::kernel(std::string_view name) const {
  std::vector<const frontend::KernelDeclaration*> all = kernels();
  if (name.empty()) return all.size() == 1 ? all[0] : nullptr;
  // As in Python, the last definition of a name is the one that counts.
  for (auto it = all.rbegin(); it != all.rend(); ++it)
    if ((*it)->function.name == name) return *it;
  return nullptr;
}

std::optional<std::vector<frontend::ValueType>> declared_types(const frontend::KernelDeclaration& kernel,
                                                               std::string_view signature,
                                                               ir::SourceMap& sources,
                                                               ir::Diagnostics& diagnostics) {
  ir::SourceRange range = kernel.range;
  if (signature.empty()) {
    if (!kernel.signature) return frontend::annotated_arguments(kernel.function);
    signature = *kernel.signature;
  } else {
    uint32_t file = sources.add({"<signature>", std::string(signature)});
    range = {file, 0, static_cast<uint32_t>(signature.size())};
  }
  std::optional<frontend::ParsedSignature> parsed = frontend::parse_signature(signature, range, diagnostics);
  if (!parsed) return std::nullopt;
  const std::string& name = kernel.function.name;
  if (!parsed->name.empty() && parsed->name != "void" && parsed->name != name) {
    diagnostics.report(ir::DiagnosticId::SignatureName, range, {parsed->name, name});
    return std::nullopt;
  }
  if (parsed->result) {
    diagnostics.report(ir::DiagnosticId::SignatureResult, range, {name, to_string(*parsed->result)})
        .with_hint("kernels return nothing: write void(...)");
    return std::nullopt;
  }
  return std::move(parsed->arguments);
}

void report_no_types(const frontend::KernelDeclaration& kernel, const std::string& way_out,
                     ir::Diagnostics& diagnostics) {
  diagnostics.report(ir::DiagnosticId::NoArgumentTypes, kernel.range, {kernel.function.name})
      .with_hint(way_out);
}

}  // namespace lanewise::runtime
