// emit_cuda_ptx(), make_cubin(): a kernel's PTX, what it calls of CUDA C++ and of linked files compiled and
// merged, and the way to machine code without a driver.
#include "runtime/cuda/device_code.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>

#include "codegen/cuda_toolkit.h"
#include "runtime/cuda/nvrtc.h"
#include "runtime/cuda/ptx_text.h"

namespace lanewise::runtime {
namespace cuda {
namespace {

using Externals = std::vector<const ir::ExternalFunction*>;

constexpr std::string_view kCall = "lanewise_call_";

std::string id_of(const ir::ExternalFunction& external) { return external.symbol.substr(kCall.size()); }

// The user's name of a function, from its symbol: what the bridge calls.
std::string name_of(const ir::ExternalFunction& external) {
  size_t begin = external.bridge.find("decltype(&");
  if (begin == external.bridge.npos) return external.symbol;
  begin += 10;
  return external.bridge.substr(begin, external.bridge.find(")>", begin) - begin);
}

[[noreturn]] void refuse(const CudaSource& source, const std::string& name, const std::string& message,
                         const std::string& hint) {
  ir::SourceMap sources;
  uint32_t file = sources.add({source.name, source.text, source.first_line});
  size_t begin = name.empty() ? source.text.npos : source.text.find(name + "(");
  ir::SourceRange range{file, 0, 0};
  if (begin != source.text.npos)
    range = {file, static_cast<uint32_t>(begin), static_cast<uint32_t>(begin + name.size())};
  ir::Diagnostics diagnostics;
  ir::Diagnostic& d = diagnostics.report(ir::DiagnosticId::CudaSource, range, {message});
  if (!hint.empty()) d.with_hint(hint);
  throw CompileError(diagnostics, sources);
}

std::string demangled(const std::string& symbol) {
  int status = -1;
  char* text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  std::string out = status == 0 && text ? text : symbol;
  std::free(text);
  return out.substr(0, out.find('('));
}

// What the source defines, for who misspelt a name.
std::vector<std::string> functions_of(const std::string& ptx) {
  std::vector<std::string> names;
  for (const PtxItem& item : parse_ptx(ptx).items)
    if (item.kind == PtxItem::Kind::Function && item.visible) names.push_back(demangled(item.name));
  return names;
}

void check_types(const std::string& ptx, const ir::ExternalFunction& external, const CudaSource& source) {
  std::string id = id_of(external), name = name_of(external);
  std::vector<uint32_t> types = ptx_words(ptx, "lanewise_types_" + id),
                        wanted = ptx_words(ptx, "lanewise_wanted_" + id);
  if (frontend::cuda_types_match(types, wanted)) return;
  refuse(source, name,
         "`" + name + "` is " + frontend::cuda_types_text(types) + ", and its signature says " +
             frontend::cuda_types_text(wanted),
         "write the signature with the types of the C++ function; arrays are pointers");
}

// The source compiles, what we appended does not: says why.
[[noreturn]] void explain_bridge(CudaSource source, const Externals& externals, const NvrtcTarget& target,
                                 const std::string& log) {
  std::string problem;
  for (const ir::ExternalFunction* external : externals) {
    source.appended =
        "#define LANEWISE_TYPES_ONLY\n" + std::string(frontend::cuda_bridge_prelude()) + external->bridge;
    std::string ptx = compile_cuda(source, target, problem);
    if (!ptx.empty()) {
      check_types(ptx, *external, source);
      continue;
    }
    source.appended.clear();
    std::vector<std::string> names = functions_of(compile_cuda(source, target, problem));
    std::string name = name_of(*external), near = ir::nearest_name(name, names), all;
    for (const std::string& one : names) all += (all.empty() ? "`" : ", `") + one + "`";
    bool there = std::find(names.begin(), names.end(), name) != names.end();
    if (there)
      refuse(source, name, "`" + name + "` is overloaded",
             "give the function that kernels call a name of its own");
    refuse(source, "", "there is no function `" + name + "`",
           !near.empty() ? "did you mean `" + near + "`?"
           : all.empty() ? "it has no functions"
                         : "it has " + all);
  }
  refuse(source, name_of(*externals.front()),
         "the call of `" + name_of(*externals.front()) + "` does not compile: " + log, "");
}

std::string key_of(const CudaSource& source, const NvrtcTarget& target) {
  std::string key = codegen::find(codegen::ToolkitPiece::Nvrtc);
  auto add = [&](std::string_view part) { (key += std::to_string(part.size()) + ":") += part; };
  add(source.name), add(source.text), add(source.appended);
  for (const std::string& option : source.options) add(option);
  add(std::to_string(source.first_line) + " " + std::to_string(target.sm) + " " +
      std::to_string(target.newest_ptx) + (target.fast_math ? "f" : "") + (target.contract ? "c" : "") +
      (target.ftz ? "z" : ""));
  return key;
}

// Compiled once in a process for each target: a kernel has several variants. Not with files of the user's,
// which may change.
std::string compile_once(const CudaSource& source, const NvrtcTarget& target, const Externals& externals) {
  static auto* mutex = new std::mutex;
  static auto* known = new std::map<std::string, std::string>;
  auto names_folder = [](const std::string& option) {
    return option.starts_with("-I") || option.starts_with("--include-path") ||
           option.starts_with("-include") || option.starts_with("--pre-include");
  };
  size_t include = source.text.find("include");
  bool has_files = include != source.text.npos &&
                   (source.text.find('"', include) != source.text.npos ||
                    std::any_of(source.options.begin(), source.options.end(), names_folder));
  std::string key = has_files ? "" : key_of(source, target);
  if (!key.empty()) {
    std::scoped_lock lock(*mutex);
    if (auto found = known->find(key); found != known->end()) return found->second;
  }
  std::string problem, ptx = compile_cuda(source, target, problem);
  if (ptx.empty()) explain_bridge(source, externals, target, problem);
  for (const ir::ExternalFunction* external : externals) check_types(ptx, *external, source);
  if (!key.empty()) {
    constexpr size_t kMost = 256;
    std::scoped_lock lock(*mutex);
    if (known->size() >= kMost) known->clear();
    (*known)[key] = ptx;
  }
  return ptx;
}

// Functions of one source are compiled together: they share its variables.
std::vector<PtxUnit> compile_externals(const ir::Module& module, const NvrtcTarget& target) {
  std::vector<PtxUnit> units;
  std::vector<Externals> groups;
  for (const ir::ExternalFunction& external : module.externals) {
    if (external.bridge.empty()) continue;
    auto same = std::find_if(groups.begin(), groups.end(), [&](const Externals& group) {
      const ir::ExternalFunction& other = *group.front();
      return other.file == external.file && other.source == external.source &&
             other.options == external.options && other.first_line == external.first_line;
    });
    if (same == groups.end()) same = groups.insert(groups.end(), Externals{});
    same->push_back(&external);
  }
  for (const Externals& group : groups) {
    const ir::ExternalFunction& first = *group.front();
    CudaSource source{first.file.empty() ? "<cuda>" : first.file, first.source, first.first_line,
                      first.options, std::string(frontend::cuda_bridge_prelude())};
    for (const ir::ExternalFunction* external : group) source.appended += external->bridge;
    units.push_back({source.name, compile_once(source, target, group), true});
  }
  return units;
}

NvrtcTarget nvrtc_target(const ir::Module& module, const codegen::PtxTarget& target, int newest_ptx) {
  const ir::FloatMode& mode = module.entry().float_mode;
  return {target.sm, newest_ptx, mode.fast_math, mode.contract, target.ftz};
}

[[noreturn]] void refuse_unresolved(const ir::Module& module, const std::vector<std::string>& names,
                                    const std::vector<PtxUnit>& units) {
  std::vector<std::string> defined;
  for (const PtxUnit& unit : units)
    for (const PtxItem& item : parse_ptx(unit.text).items)
      if (item.kind == PtxItem::Kind::Function && item.visible && !item.name.starts_with(kCall))
        defined.push_back(item.name);
  std::string near = ir::nearest_name(names.front(), defined), all;
  for (const std::string& name : defined) all += (all.empty() ? "`" : ", `") + name + "`";
  throw TargetError("kernel `" + module.entry().name + "` calls `" + names.front() +
                    "`, which nothing that is linked to it defines" +
                    (!near.empty()  ? ": did you mean `" + near + "`?"
                     : !all.empty() ? "; there is " + all + " (C++ functions need extern \"C\")"
                                    : ": name the file that does with link="));
}

}  // namespace

std::string merge_externals(std::string ptx, const ir::Module& module, const codegen::PtxTarget& target,
                            const std::vector<LinkInput>& link, int newest_ptx) {
  if (module.externals.empty()) return ptx;
  NvrtcTarget nvrtc = nvrtc_target(module, target, newest_ptx);
  std::vector<PtxUnit> units = compile_externals(module, nvrtc);
  for (const LinkInput& input : link) {
    if (input.kind == LinkInput::Kind::Ptx) units.push_back({input.name, input.data, false});
    if (input.kind == LinkInput::Kind::CudaSource)
      units.push_back(
          {input.name, compile_once({input.name, input.data, 1, input.options, {}}, nvrtc, {}), false});
  }
  MergedPtx merged;
  try {
    merged = merge_ptx(ptx, units);
  } catch (const std::invalid_argument& problem) {
    throw TargetError("the device code of kernel `" + module.entry().name +
                      "` cannot be linked: " + problem.what());
  }
  bool has_binaries = std::any_of(link.begin(), link.end(), is_binary);
  if (!merged.unresolved.empty() && !has_binaries) refuse_unresolved(module, merged.unresolved, units);
  return merged.text;
}

}  // namespace cuda

std::string emit_cuda_ptx(const ir::Module& module, const codegen::PtxTarget& target,
                          const ir::SourceMap* sources, const std::vector<LinkInput>& link, int newest_ptx,
                          codegen::PtxHidden* hidden) {
  return cuda::merge_externals(codegen::emit_ptx(module, target, sources, hidden), module, target, link,
                               newest_ptx);
}

}  // namespace lanewise::runtime
