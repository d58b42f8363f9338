#include "runtime/cuda/nvrtc.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>

#include "codegen/cuda_toolkit.h"
#include "runtime/cuda/dynamic_library.h"

namespace lanewise::runtime::cuda {
namespace {

using Program = struct _nvrtcProgram*;
using Result = int;
constexpr Result kInvalidOption = 5;
constexpr const char* kAppended = "lanewise-bridge";  // what NVRTC calls the text that we append

struct Nvrtc {
  std::string path, problem;
  int version = 0;  // 1000 * major + 10 * minor
  std::vector<int> architectures;

  Result (*create)(Program*, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
  Result (*destroy)(Program*) = nullptr;
  Result (*compile)(Program, int, const char* const*) = nullptr;
  Result (*log_size)(Program, size_t*) = nullptr;
  Result (*log)(Program, char*) = nullptr;
  Result (*ptx_size)(Program, size_t*) = nullptr;
  Result (*ptx)(Program, char*) = nullptr;

  bool supports(int sm) const {
    return std::find(architectures.begin(), architectures.end(), sm) != architectures.end();
  }
};

std::unique_ptr<Nvrtc> open(const std::string& path) {
  auto made = std::make_unique<Nvrtc>();
  made->path = path;
  DynamicLibrary library(path);
  Result (*version)(int*, int*) = nullptr;
  Result (*count)(int*) = nullptr;
  Result (*list)(int*) = nullptr;
  library.find(version, "nvrtcVersion");
  library.find(count, "nvrtcGetNumSupportedArchs");
  library.find(list, "nvrtcGetSupportedArchs");
  library.find(made->create, "nvrtcCreateProgram");
  library.find(made->destroy, "nvrtcDestroyProgram");
  library.find(made->compile, "nvrtcCompileProgram");
  library.find(made->log_size, "nvrtcGetProgramLogSize");
  library.find(made->log, "nvrtcGetProgramLog");
  library.find(made->ptx_size, "nvrtcGetPTXSize");
  library.find(made->ptx, "nvrtcGetPTX");
  made->problem = library.problem();
  if (!made->problem.empty()) return made;
  int major = 0, minor = 0, number = 0;
  if (version(&major, &minor) != 0 || count(&number) != 0 || number <= 0) {
    made->problem = "it does not tell its version";
    return made;
  }
  made->version = 1000 * major + 10 * minor;
  made->architectures.resize(static_cast<size_t>(number));
  if (list(made->architectures.data()) != 0) made->problem = "it does not tell its architectures";
  return made;
}

// Opened once each; never closed.
const Nvrtc& library_at(const std::string& path) {
  static auto* mutex = new std::mutex;
  static auto* known = new std::map<std::string, std::unique_ptr<Nvrtc>>;
  std::scoped_lock lock(*mutex);
  std::unique_ptr<Nvrtc>& entry = (*known)[path];
  if (!entry) entry = open(path);
  return *entry;
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

// The first that has the architecture and writes no newer PTX than the driver takes, else the first that has
// the architecture.
const Nvrtc& choose(const NvrtcTarget& target) {
  std::vector<std::string> paths = codegen::find_all(codegen::ToolkitPiece::Nvrtc);
  if (paths.empty()) throw CudaError(codegen::missing_text(codegen::ToolkitPiece::Nvrtc), 0);
  const Nvrtc* best = nullptr;
  std::string problems;
  for (const std::string& path : paths) {
    const Nvrtc& one = library_at(path);
    if (!one.problem.empty()) {
      problems += "\n  " + path + " cannot be used: " + one.problem;
    } else if (!one.supports(target.sm)) {
      problems += "\n  " + path + " (CUDA " + version_text(one.version) + ") has sm_" +
                  std::to_string(one.architectures.front()) + " to sm_" +
                  std::to_string(one.architectures.back());
    } else {
      if (target.newest_ptx == 0 || ptx_of_cuda_version(one.version) <= target.newest_ptx) return one;
      if (!best) best = &one;
    }
  }
  if (best) return *best;
  throw CudaError(
      "no NVRTC here compiles CUDA C++ for sm_" + std::to_string(target.sm) + problems +
          "\n  CUDA 13 has sm_75 and up, CUDA 12 sm_50 and up (pip install nvidia-cuda-nvrtc-cu12)",
      0);
}

// The folder of the headers that belong to the library, else any.
std::string include_folder(const std::string& library) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path real = fs::canonical(library, error);
  for (fs::path root = real.parent_path(); !error && root.has_relative_path() && root != root.root_path();
       root = root.parent_path()) {
    if (fs::exists(root / "include/cuda_fp16.h", error)) return (root / "include").string();
    if (root.filename() == "site-packages") break;
  }
  return codegen::find(codegen::ToolkitPiece::Headers);
}

struct LogEntry {
  std::string file, message, line_text;
  uint32_t line = 0;
  size_t caret = std::string::npos;  // in line_text
  bool error = false;
};

// "name.cu(3): error: ..." or "name.cu(3): warning #177-D: ...", then the line and a caret under it.
std::vector<LogEntry> read_log(const std::string& log) {
  std::vector<LogEntry> entries;
  size_t at = 0;
  while (at < log.size()) {
    size_t end = std::min(log.find('\n', at), log.size());
    std::string line = log.substr(at, end - at);
    at = end + 1;
    size_t close = line.find("): ");
    size_t open = close == line.npos ? line.npos : line.rfind('(', close);
    bool is_entry = open != line.npos && open > 0 && close > open + 1 && line[0] != ' ' &&
                    line.find_first_not_of("0123456789", open + 1) == close;
    if (is_entry) {
      LogEntry entry;
      entry.file = line.substr(0, open);
      entry.line = static_cast<uint32_t>(std::strtoul(line.c_str() + open + 1, nullptr, 10));
      std::string rest = line.substr(close + 3);
      entry.error = rest.find("error") < rest.find(':');
      size_t colon = rest.find(": ");
      entry.message = colon == rest.npos ? rest : rest.substr(colon + 2);
      entries.push_back(std::move(entry));
    } else if (!entries.empty() && line.find('^') != line.npos &&
               line.find_first_not_of(" ^~") == line.npos) {
      entries.back().caret = line.find('^');
    } else if (!entries.empty() && entries.back().line_text.empty() && line.starts_with(" ")) {
      entries.back().line_text = line;
    }
  }
  return entries;
}

// Where an entry is in the user's text.
ir::SourceRange place_of(const LogEntry& entry, const CudaSource& source, uint32_t file) {
  const std::string& text = source.text;
  size_t begin = 0;
  for (uint32_t line = source.first_line; line < entry.line && begin < text.size(); ++line)
    begin = std::min(text.find('\n', begin), text.size() - 1) + 1;
  size_t end = std::min(text.find('\n', begin), text.size());
  std::string line = text.substr(begin, end - begin);
  size_t shown = entry.line_text.find_first_not_of(' ');
  size_t first = line.find_first_not_of(" \t");
  if (first == line.npos) first = 0;
  size_t column = first;
  size_t length = line.size() - std::min(first, line.size());
  if (shown != std::string::npos && entry.caret != std::string::npos && entry.caret >= shown) {
    column = std::min(first + entry.caret - shown, line.size());
    length = 0;
    auto in_word = [&](size_t i) {
      return i < line.size() && (std::isalnum(static_cast<unsigned char>(line[i])) || line[i] == '_');
    };
    while (in_word(column + length)) ++length;
  }
  return {file, static_cast<uint32_t>(begin + column),
          static_cast<uint32_t>(
              std::min(begin + column + std::max<size_t>(length, 1), std::max(end, begin + 1)))};
}

// Throws CompileError unless all errors are in what we appended.
void report(const std::string& log, const CudaSource& source) {
  ir::SourceMap sources;
  uint32_t file = sources.add({source.name, source.text, source.first_line});
  ir::Diagnostics diagnostics;
  bool ours = false;
  for (const LogEntry& entry : read_log(log)) {
    if (!entry.error) continue;
    if (entry.file == kAppended) {
      ours = true;
    } else if (entry.file == source.name) {
      diagnostics.report(ir::DiagnosticId::CudaSource, place_of(entry, source, file), {entry.message});
    } else {
      diagnostics.report(ir::DiagnosticId::CudaSource, {file, 0, 0},
                         {entry.file + "(" + std::to_string(entry.line) + "): " + entry.message});
    }
  }
  if (diagnostics.has_errors()) throw CompileError(diagnostics, sources);
  if (ours) return;
  diagnostics.report(ir::DiagnosticId::CudaSource, {file, 0, 0}, {"NVRTC refuses it: " + log});
  throw CompileError(diagnostics, sources);
}

// As a C++ string literal.
std::string quoted(const std::string& name) {
  std::string out = "\"";
  for (char c : name) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + "\"";
}

std::vector<std::string> options_for(const CudaSource& source, const NvrtcTarget& target,
                                     const Nvrtc& nvrtc) {
  std::vector<std::string> options = {"--gpu-architecture=compute_" + std::to_string(target.sm),
                                      "--relocatable-device-code=true", "-default-device"};
  // Each file's own folder, as compilers have it for #include "...".
  if (std::string folder = std::filesystem::path(source.name).parent_path().string(); !folder.empty())
    options.push_back("--include-path=" + folder);
  options.insert(options.end(), source.options.begin(), source.options.end());
  if (std::string headers = include_folder(nvrtc.path); !headers.empty())
    options.push_back("--include-path=" + headers);
  if (target.fast_math) options.push_back("--use_fast_math");
  if (target.ftz && !target.fast_math) options.push_back("--ftz=true");
  if (!target.contract) options.push_back("--fmad=false");
  return options;
}

struct Compiled {
  Result result = 0;
  std::string code, log;
};

Compiled compile(const Nvrtc& nvrtc, const std::string& name, const std::string& text,
                 const std::vector<std::string>& options) {
  if (text.find('\0') != text.npos) throw CudaError("a NUL byte in the CUDA C++ of " + name, 0);
  std::vector<const char*> pointers;
  for (const std::string& option : options) pointers.push_back(option.c_str());
  Program program = nullptr;
  Compiled made;
  made.result = nvrtc.create(&program, text.c_str(), name.c_str(), 0, nullptr, nullptr);
  if (made.result != 0)
    throw CudaError("nvrtcCreateProgram failed (" + std::to_string(made.result) + "): " + nvrtc.path, 0);
  made.result = nvrtc.compile(program, static_cast<int>(pointers.size()), pointers.data());
  auto read = [&](Result (*size_of)(Program, size_t*), Result (*get)(Program, char*)) {
    size_t size = 0;
    std::string out;
    if (size_of(program, &size) != 0 || size == 0) return out;
    out.resize(size);
    if (get(program, out.data()) != 0) out.clear();
    return out;
  };
  made.log = read(nvrtc.log_size, nvrtc.log);
  if (!made.log.empty() && made.log.back() == '\0') made.log.pop_back();
  if (made.result == 0) made.code = read(nvrtc.ptx_size, nvrtc.ptx);
  nvrtc.destroy(&program);
  if (!made.code.empty() && made.code.back() == '\0') made.code.pop_back();
  if (made.result == kInvalidOption)
    throw CudaError("NVRTC does not take the options of " + name + ": " + made.log, 0);
  if (made.result == 0 && made.code.empty())
    throw CudaError("NVRTC gives no code for " + name + "\n  " + made.log, 0);
  return made;
}

}  // namespace

std::string compile_cuda(const CudaSource& source, const NvrtcTarget& target, std::string& problem) {
  const Nvrtc& nvrtc = choose(target);
  std::string text =
      "#line " + std::to_string(source.first_line) + " " + quoted(source.name) + "\n" + source.text;
  if (!source.appended.empty()) text += "\n#line 1 \"" + std::string(kAppended) + "\"\n" + source.appended;
  Compiled made = compile(nvrtc, source.name, text, options_for(source, target, nvrtc));
  if (made.result == 0) return std::move(made.code);
  report(made.log, source);
  problem = made.log;
  return {};
}

std::string compile_whole_cuda(const std::string& name, const std::string& text,
                               const std::vector<std::string>& options, const NvrtcTarget& target) {
  Compiled made = compile(choose(target), name, text, options);
  if (made.result != 0) throw CudaError("NVRTC refuses " + name + ":\n" + made.log + "\n" + text, 0);
  return std::move(made.code);
}

std::string nvrtc_version(const std::string& path) {
  const Nvrtc& library = library_at(path);
  return library.problem.empty() ? version_text(library.version) : "";
}

int ptx_of_cuda_version(int version) {
  constexpr struct {
    int cuda, ptx;
  } kVersions[] = {{13010, 91}, {13000, 90}, {12090, 88}, {12080, 87}, {12070, 86}, {12050, 85},
                   {12040, 84}, {12030, 83}, {12020, 82}, {12010, 81}, {12000, 80}, {11080, 78},
                   {11070, 77}, {11060, 76}, {11050, 75}, {11040, 74}, {11030, 73}, {11020, 72},
                   {11010, 71}, {11000, 70}, {10020, 65}, {10010, 64}, {10000, 63}, {9020, 62},
                   {9010, 61},  {9000, 60},  {8000, 50},  {7050, 43},  {7000, 42}};
  for (const auto& row : kVersions)
    if (version >= row.cuda) return row.ptx;
  return 41;
}

}  // namespace lanewise::runtime::cuda
