// kc: the command-line compiler. A kernel file in, PTX or the text of any stage out; diagnostics to standard
// error. Thin over runtime/: what is here is which kernels, which stage, which file.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <utility>

#include "codegen/codegen.h"
#include "runtime/runtime.h"
#include "tools/kc/diagnostics.h"
#include "tools/kc/options.h"

namespace kc {
namespace {

using namespace lanewise;

// An error that has been worded: exit status 1.
class Failure : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

ir::SourceFile read_input(const Options& options) {
  if (options.input == "-") {
    std::string text{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
    return {"<stdin>", std::move(text)};
  }
  std::optional<std::string> text = runtime::read_text_file(options.input);
  if (!text)
    throw Failure("cannot read " + options.input +
                  (std::filesystem::exists(options.input) ? "" : ": there is no such file"));
  return {options.input, std::move(*text)};
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw Failure("cannot write " + path);
}

void write_output(const Options& options, const std::string& text) {
  if (options.output && *options.output != "-") return write_file(*options.output, text);
  std::cout << text << std::flush;
  if (!std::cout) throw Failure("cannot write to standard output");
}

bool is_folder(const std::string& path) {
  std::error_code error;
  return path.ends_with('/') || std::filesystem::is_directory(path, error);
}

// --emit tokens and ast: the file as a whole.
int emit_file(const Options& options, DiagnosticsWriter& writer) {
  ir::SourceMap sources;
  ir::Diagnostics diagnostics;
  uint32_t file = sources.add(read_input(options));
  std::string text =
      options.emit == Emit::Tokens
          ? frontend::print_tokens(frontend::lex(sources, file, diagnostics), sources)
          : frontend::print_ast(frontend::parse(sources, file, frontend::ParseMode::KernelFile, diagnostics));
  writer.show(diagnostics, sources);
  write_output(options, text);
  return diagnostics.has_errors() ? 1 : 0;
}

// A kernel to compile and its types.
struct Job {
  const frontend::KernelDeclaration* kernel = nullptr;
  std::vector<frontend::ValueType> types;
};

// The kernel that a signature names: "saxpy(float32)"; "" for "void(...)", "(...)" and a result's type.
std::string named_in(const std::string& signature) {
  size_t first = std::min(signature.find_first_not_of(" \t"), signature.size());
  std::string name = signature.substr(first, signature.find('(') - first);
  name.erase(name.find_last_not_of(" \t") + 1);
  return name == "void" || frontend::parse_type_text(name) ? "" : name;
}

const frontend::KernelDeclaration* find_kernel(const runtime::OpenFile& open, const std::string& name) {
  if (const auto* kernel = open.kernel(name)) return kernel;
  std::vector<std::string> names;
  for (const auto* kernel : open.kernels()) names.push_back(kernel->function.name);
  std::string all, near = ir::nearest_name(name, names);
  for (const std::string& one : names) all += (all.empty() ? "`" : ", `") + one + "`";
  throw Failure("there is no kernel `" + name + "`; " +
                (!near.empty() ? "did you mean `" + near + "`?"
                 : all.empty() ? "the file has no kernels"
                               : "the file has " + all));
}

// The kernels asked for: by --kernel, else by the names in --signature, else all.
std::vector<const frontend::KernelDeclaration*> choose_kernels(const Options& options,
                                                               const runtime::OpenFile& open) {
  std::vector<const frontend::KernelDeclaration*> chosen;
  auto add = [&](const frontend::KernelDeclaration* kernel) {
    if (std::find(chosen.begin(), chosen.end(), kernel) == chosen.end()) chosen.push_back(kernel);
  };
  for (const std::string& name : options.kernels) add(find_kernel(open, name));
  bool all = options.kernels.empty() && options.signatures.empty();
  for (const std::string& signature : options.signatures) {
    std::string name = named_in(signature);
    const auto* kernel = name.empty() ? nullptr : find_kernel(open, name);
    if (!options.kernels.empty()) continue;
    if (kernel)
      add(kernel);
    else
      all = true;
  }
  if (all)
    for (const auto* kernel : open.kernels()) add(find_kernel(open, kernel->function.name));
  return chosen;
}

// The signature that names the kernel, else the one that names none; one kernel has use for one only.
std::string signature_for(const Options& options, const std::string& kernel, bool only_kernel) {
  std::string own, nameless;
  for (const std::string& signature : options.signatures) {
    std::string name = named_in(signature);
    if (!name.empty() && name != kernel) continue;
    std::string& place = name.empty() && !only_kernel ? nameless : own;
    if (!place.empty())
      throw UsageError("two signatures for kernel `" + kernel + "`: `" + place + "` and `" + signature + "`");
    place = signature;
  }
  return own.empty() ? nameless : own;
}

// Values go to constants of the file, never to its kernels.
void check_constants(const Options& options, const runtime::OpenFile& open) {
  for (const auto& [name, value] : options.constants)
    if (open.kernel(name)) throw Failure("-D" + name + "=" + value + ": `" + name + "` is a kernel");
}

// "saxpy(float32, float32, float32)": what --signature could say of a kernel.
std::string example_signature(const frontend::FunctionRef& function) {
  std::string types;
  for (size_t i = 0; i < function.ast->stmts[function.def].params.size(); ++i)
    types += i == 0 ? "float32[::1]" : ", float32";
  return function.name + "(" + types + ")";
}

// Types of the chosen kernels. A kernel without types is an error if it was asked for or nothing else is
// left, else it is passed over.
std::vector<Job> find_jobs(const Options& options, runtime::OpenFile& open, ir::Diagnostics& diagnostics) {
  std::vector<const frontend::KernelDeclaration*> chosen = choose_kernels(options, open), untyped;
  if (chosen.empty())
    throw Failure(options.input + ": no kernels; a kernel is a top-level function decorated @gpu.jit");
  std::vector<Job> jobs;
  for (const auto* kernel : chosen) {
    size_t errors = diagnostics.error_count();
    auto types =
        runtime::declared_types(*kernel, signature_for(options, kernel->function.name, chosen.size() == 1),
                                open.sources, diagnostics);
    if (types)
      jobs.push_back({kernel, std::move(*types)});
    else if (diagnostics.error_count() == errors)
      untyped.push_back(kernel);
  }
  bool all_asked_for = !options.kernels.empty() || (jobs.empty() && !diagnostics.has_errors());
  for (const auto* kernel : untyped) {
    const std::string& name = kernel->function.name;
    if (all_asked_for)
      runtime::report_no_types(*kernel,
                               "give them with --signature, such as \"" +
                                   example_signature(kernel->function) +
                                   "\", in the decorator or as annotations",
                               diagnostics);
    else if (options.warnings && !options.json)
      std::cerr << "kc: note: kernel `" << name << "` has no argument types and is left out\n";
  }
  return jobs;
}

// A row of the table of -v.
void show_resources(const std::string& kernel, int sm, const runtime::AssembledResources& r) {
  static bool titled = false;
  if (!std::exchange(titled, true))
    std::fprintf(stderr, "%-24s %-7s %9s %8s %7s %12s %11s\n", "kernel", "arch", "registers", "shared",
                 "stack", "spill stores", "spill loads");
  std::fprintf(stderr, "%-24s sm_%-4d %9d %8lld %7lld %12lld %11lld\n", kernel.c_str(), sm, r.registers,
               static_cast<long long>(r.shared_bytes), static_cast<long long>(r.stack_bytes),
               static_cast<long long>(r.spill_stores), static_cast<long long>(r.spill_loads));
}

// One output of a kernel: of one architecture where there is one for each.
struct Output {
  std::string text;
  int sm = 0;  // 0: of no single architecture
};

// PTX, cubins and a fatbin of a kernel, for each architecture; with -v what they take.
std::vector<Output> emit_cuda(const Options& options, const runtime::OpenFile& open, const ir::Module& module,
                              const codegen::PtxTarget& common, const std::vector<runtime::LinkInput>& link) {
  std::vector<Output> outputs;
  std::vector<std::pair<int, std::string>> cubins;
  std::pair<int, std::string> newest;
  for (int sm : options.architectures) {
    codegen::PtxTarget target = common;
    target.sm = sm;
    std::string ptx = runtime::emit_cuda_ptx(module, target, &open.sources, link);
    if (options.resources)
      show_resources(module.entry().name, sm, runtime::measure_ptx(ptx, sm, target.max_registers));
    if (sm >= newest.first) newest = {sm, ptx};
    if (options.emit == Emit::Ptx)
      outputs.push_back({std::move(ptx), sm});
    else
      cubins.emplace_back(sm, runtime::make_cubin(ptx, sm, link, target.max_registers, target.line_info));
  }
  if (options.emit == Emit::Fatbin) return {{runtime::make_fatbin(cubins, newest), 0}};
  for (auto& [sm, cubin] : cubins) outputs.push_back({std::move(cubin), sm});
  return outputs;
}

std::vector<Output> emit_kernel(const Options& options, const runtime::OpenFile& open, const Job& job,
                                const std::vector<runtime::LinkInput>& link, ir::Diagnostics& diagnostics) {
  bool host = options.for_cpu || options.emit == Emit::Asm || options.emit == Emit::Obj;
  bool for_cuda = options.emit == Emit::Ptx || options.emit == Emit::Cuda || options.emit == Emit::Cubin ||
                  options.emit == Emit::Fatbin;
  if (for_cuda) host = false;
  runtime::CompileOptions compile;
  compile.target = host ? runtime::Target::Cpu : runtime::Target::Cuda;
  compile.float_mode = {.contract = options.fma, .fast_math = options.fast_math};
  compile.python_float32 = options.python_float32;
  compile.performance_notes = options.performance_notes;
  compile.cpu = options.cpu;
  const frontend::FunctionRef& function = job.kernel->function;
  if (options.emit == Emit::Typed) {
    frontend::InferOptions infer{compile.float_mode, compile.python_float32, options.warnings,
                                 options.performance_notes};
    infer.cuda_functions = !host;
    frontend::TypedModule typed = frontend::infer(function, job.types, infer, open.sources, diagnostics);
    if (diagnostics.has_errors()) throw runtime::CompileError(diagnostics, open.sources);
    return {{frontend::print_typed(typed)}};
  }
  ir::Module module = runtime::compile_to_ir(function, job.types, compile, open.sources, &diagnostics);
  if (host && options.emit != Emit::Ir) runtime::check_target(module, runtime::Target::Cpu, open.sources);
  codegen::HostTarget host_target{options.cpu, options.optimize};
  if (options.blocks.size() == 1) host_target.block = options.blocks.front();
  host_target.facts = options.ptx.facts;
  codegen::PtxTarget ptx_target = options.ptx;
  ptx_target.ftz |= options.fast_math;
  ptx_target.sm = options.architectures.front();
  switch (*options.emit) {
    case Emit::Tokens:
    case Emit::Ast:
    case Emit::Typed: break;  // done before
    case Emit::Ir: return {{ir::print(module)}};
    case Emit::Llvm:
      return {{host ? codegen::host_llvm(module, host_target, options.optimized_llvm)
                    : codegen::ptx_llvm(module, ptx_target, options.optimized_llvm)}};
    case Emit::Ptx:
    case Emit::Cubin:
    case Emit::Fatbin: return emit_cuda(options, open, module, ptx_target, link);
    case Emit::Cuda: return {{codegen::emit_cuda(module, ptx_target, &open.sources)}};
    case Emit::Asm: return {{codegen::host_assembly(module, host_target)}};
    case Emit::Obj: return {{codegen::host_object(module, host_target, options.blocks)}};
  }
  throw ir::InternalError("unknown kind of output");
}

int emit_kernels(const Options& options, DiagnosticsWriter& writer) {
  ir::Diagnostics diagnostics;
  runtime::FileRequest request{options.constants, options.include_dirs};
  if (options.input != "-") {
    std::string folder = std::filesystem::path(options.input).parent_path().string();
    request.include_dirs.insert(request.include_dirs.begin(), folder.empty() ? "." : folder);
  }
  std::unique_ptr<runtime::OpenFile> open = runtime::open_file(read_input(options), request, diagnostics);
  check_constants(options, *open);
  std::vector<Job> jobs;
  if (!diagnostics.has_errors()) jobs = find_jobs(options, *open, diagnostics);
  writer.show(diagnostics, open->sources);
  bool to_folder = options.output && is_folder(*options.output);
  if (jobs.size() > 1 && !to_folder) {
    std::string names;
    for (const Job& job : jobs) names += (names.empty() ? "`" : ", `") + job.kernel->function.name + "`";
    throw UsageError("several kernels, " + names +
                     ": choose one with --kernel, or write each to a file with -o FOLDER/");
  }
  bool many = options.architectures.size() > 1 && options.emit != Emit::Fatbin;
  if (many && !to_folder && (options.output || !options.resources))
    throw UsageError("several architectures: write each to a file with -o FOLDER/, or --emit fatbin");
  std::vector<runtime::LinkInput> link;
  for (const std::string& path : options.link) link.push_back(runtime::read_link_input(path));
  bool good = !diagnostics.has_errors();
  if (good && to_folder) std::filesystem::create_directories(*options.output);
  for (const Job& job : jobs) {
    ir::Diagnostics found;
    try {
      std::vector<Output> outputs = emit_kernel(options, *open, job, link, found);
      writer.show(found, open->sources);
      if (!good) continue;
      for (const Output& output : outputs) {
        if (to_folder) {
          std::string arch = many && output.sm ? ".sm_" + std::to_string(output.sm) : "";
          std::string file = job.kernel->function.name + arch + std::string(extension(*options.emit));
          write_file((std::filesystem::path(*options.output) / file).string(), output.text);
        } else if (!many) {
          write_output(options, output.text);
        }
      }
    } catch (const runtime::CompileError& error) {
      writer.show(error.diagnostics, error.sources);
      good = false;
    }
  }
  return good ? 0 : 1;
}

int run(const std::vector<std::string>& arguments) {
  Options options = parse_options(arguments);
  if (options.devices) {
    std::cout << runtime::devices_report();
    return 0;
  }
  if (options.help) {
    std::cout << help_text();
    return 0;
  }
  if (options.version) {
    std::cout << "kc (Lanewise) " << runtime::version() << ", LLVM " << codegen::llvm_version() << "\n";
    return 0;
  }
  DiagnosticsWriter writer(options.json, options.warnings);
  int status = 1;
  try {
    bool whole_file = options.emit == Emit::Tokens || options.emit == Emit::Ast;
    status = whole_file ? emit_file(options, writer) : emit_kernels(options, writer);
  } catch (const UsageError&) {
    throw;
  } catch (const std::exception& error) {
    writer.show_failure(error.what());
  }
  writer.finish();
  return status;
}

}  // namespace
}  // namespace kc

int main(int argc, char** argv) {
  try {
    return kc::run({argv + 1, argv + argc});
  } catch (const kc::UsageError& error) {
    std::cerr << "kc: " << error.what() << "\nkc --help tells more\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "kc: error: " << error.what() << "\n";
    return 1;
  }
}
