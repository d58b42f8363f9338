#include "tools/kc/options.h"

#include <algorithm>
#include <charconv>

#include "codegen/codegen.h"
#include "ir/launch_limits.h"

namespace kc {
namespace {

struct EmitKind {
  Emit emit;
  std::string_view name, extension, help;
};
constexpr EmitKind kEmits[] = {
    {Emit::Tokens, "tokens", ".tokens", "what the lexer sees, of the whole file"},
    {Emit::Ast, "ast", ".ast", "the syntax tree of the whole file"},
    {Emit::Typed, "typed", ".typed", "types and conversions of a kernel and what it calls"},
    {Emit::Ir, "ir", ".ir", "Lanewise's IR after all its passes"},
    {Emit::Llvm, "llvm", ".ll", "LLVM IR, for CUDA or with --cpu for the CPU"},
    {Emit::Ptx, "ptx", ".ptx", "PTX (the default)"},
    {Emit::Cuda, "cuda", ".cu", "CUDA C++ of the same kernel, for people and for nvcc or NVRTC"},
    {Emit::Cubin, "cubin", ".cubin", "machine code of a GPU, by nvJitLink or ptxas"},
    {Emit::Fatbin, "fatbin", ".fatbin",
     "machine code for each --arch, and PTX of the highest for later GPUs; by fatbinary of the CUDA toolkit"},
    {Emit::Asm, "asm", ".s", "assembly for the CPU"},
    {Emit::Obj, "obj", ".o", "an object file for the CPU; needs -o"},
};

// One option. `value` is what its argument is called in the help: "" none, "[=X]" one that may be left out.
struct Option {
  std::string_view name, letter, value, help;
  void (*apply)(Options& options, const std::string& value);
};

Emit parse_emit(const std::string& name) {
  std::string all;
  for (const EmitKind& kind : kEmits) {
    if (kind.name == name) return kind.emit;
    all += (all.empty() ? "" : ", ") + std::string(kind.name);
  }
  throw UsageError("--emit: there is no `" + name + "`; it is one of " + all);
}

int parse_arch(const std::string& text) {
  std::string digits = text.substr(text.starts_with("sm_") ? 3 : text.starts_with("compute_") ? 8 : 0);
  const std::vector<int>& known = lanewise::codegen::ptx_architectures();
  std::string all;
  for (int sm : known) {
    if (digits == std::to_string(sm)) return sm;
    all += (all.empty() ? "" : ", ") + std::to_string(sm);
  }
  throw UsageError("--arch: there is no `" + text + "`; it is sm_N with N one of " + all);
}

int parse_ptx_version(const std::string& text) {
  bool good = text.size() == 3 && std::isdigit(static_cast<unsigned char>(text[0])) && text[1] == '.' &&
              std::isdigit(static_cast<unsigned char>(text[2]));
  if (!good) throw UsageError("--ptx-version: `" + text + "` is no version such as 7.8");
  return 10 * (text[0] - '0') + (text[2] - '0');
}

int parse_count(const std::string& option, const std::string& text, int most) {
  bool digits = !text.empty() && text.size() < 6 &&
                std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
  int count = digits ? std::stoi(text) : 0;
  if (count < 1 || count > most)
    throw UsageError(option + ": `" + text + "` is not a number from 1 to " + std::to_string(most));
  return count;
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  for (size_t at = 0; at <= text.size();) {
    size_t comma = std::min(text.find(',', at), text.size());
    parts.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return parts;
}

// "256", "256,4" or "256,4,8"
void parse_launch_bounds(const std::string& text, lanewise::codegen::PtxTarget& target) {
  std::vector<std::string> parts = split_at_commas(text);
  if (parts.size() > 3) throw UsageError("--launch-bounds: `" + text + "` is not N, N,M or N,M,C");
  target.max_threads = parse_count("--launch-bounds", parts[0], 1024);
  if (parts.size() > 1) target.min_blocks = parse_count("--launch-bounds", parts[1], 32);
  if (parts.size() > 2) target.max_cluster_blocks = parse_count("--launch-bounds", parts[2], 16);
}

// "4", "2,2" or "2,2,1"
void parse_cluster(const std::string& text, lanewise::codegen::PtxTarget& target) {
  std::vector<std::string> parts = split_at_commas(text);
  if (parts.size() > 3) throw UsageError("--cluster: `" + text + "` is not X, X,Y or X,Y,Z");
  target.cluster = {1, 1, 1};
  for (size_t i = 0; i < parts.size(); ++i) target.cluster[i] = parse_count("--cluster", parts[i], 16);
}

std::pair<std::string, std::string> parse_constant(const std::string& text) {
  size_t equals = text.find('=');
  if (equals == text.npos || equals == 0) throw UsageError("-D: `" + text + "` is not NAME=value");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

lanewise::codegen::BlockShape parse_block(const std::string& text) {
  lanewise::codegen::BlockShape block{1, 1, 1};
  size_t axis = 0, at = 0;
  for (; axis < 3 && at <= text.size(); ++axis) {
    size_t comma = std::min(text.find(',', at), text.size());
    auto [end, problem] = std::from_chars(text.data() + at, text.data() + comma, block[axis]);
    if (problem != std::errc() || end != text.data() + comma || block[axis] < 1 ||
        block[axis] > lanewise::ir::kMaxBlockDim[axis])
      break;
    at = comma + 1;
  }
  if (at != text.size() + 1 || block[0] * block[1] * block[2] > 1024)
    throw UsageError("--block: `" + text +
                     "` is no shape of a block: X, X,Y or X,Y,Z with at most 1024 threads");
  return block;
}

constexpr Option kOptions[] = {
    {"--output", "-o", "PATH",
     "where to write: a file, a folder (one file for each kernel), or - for standard output",
     [](Options& o, const std::string& v) { o.output = v; }},
    {"--emit", "", "KIND", "what to write; left out: by the extension of -o, else ptx",
     [](Options& o, const std::string& v) { o.emit = parse_emit(v); }},
    {"--arch", "", "sm_N",
     "CUDA architecture (default sm_75); may be repeated for --emit fatbin, -v, and PTX and cubins in a "
     "folder",
     [](Options& o, const std::string& v) {
       int sm = parse_arch(v);
       bool known = std::find(o.architectures.begin(), o.architectures.end(), sm) != o.architectures.end();
       if (!known) o.architectures.push_back(sm);
       o.arch_given = true;
     }},
    {"--ptx-version", "", "N.M", "PTX version (default: the lowest that the code and the architecture need)",
     [](Options& o, const std::string& v) { o.ptx.ptx_version = parse_ptx_version(v); }},
    {"--kernel", "", "NAME", "compile this kernel; may be repeated (default: all that have types)",
     [](Options& o, const std::string& v) { o.kernels.push_back(v); }},
    {"--signature", "", "TYPES",
     "types of a kernel: \"saxpy(float32, float32[::1])\"; may be repeated; goes before its decorator and "
     "annotations",
     [](Options& o, const std::string& v) { o.signatures.push_back(v); }},
    {"--define", "-D", "NAME=VALUE", "a module-level constant; goes before the file's own",
     [](Options& o, const std::string& v) { o.constants.push_back(parse_constant(v)); }},
    {"--include", "-I", "DIR", "where imported kernel modules are looked for, besides the file's own folder",
     [](Options& o, const std::string& v) { o.include_dirs.push_back(v); }},
    {"--fast-math", "", "", "allow reassociation and approximate functions; no NaN or infinity",
     [](Options& o, const std::string&) { o.fast_math = true; }},
    {"--no-fma", "", "", "round a * b + c twice", [](Options& o, const std::string&) { o.fma = false; }},
    {"--python-float32", "", "", "hold Python floats in 32 bits",
     [](Options& o, const std::string&) { o.python_float32 = true; }},
    {"--cpu", "", "[=NAME]", "for the CPU rather than CUDA; NAME is LLVM's name of the CPU (default native)",
     [](Options& o, const std::string& v) {
       o.for_cpu = true;
       if (!v.empty()) o.cpu = v;
     }},
    {"--block", "", "X[,Y[,Z]]",
     "CPU: vector code for blocks of this shape (default: code for any shape, one thread after the other); "
     "an "
     "object file has both, and --block may be repeated",
     [](Options& o, const std::string& v) { o.blocks.push_back(parse_block(v)), o.for_cpu = true; }},
    {"-O0", "", "", "CPU code without optimisation", [](Options& o, const std::string&) { o.optimize = 0; }},
    {"--opt-llvm", "", "", "--emit llvm: after LLVM's passes rather than before",
     [](Options& o, const std::string&) { o.optimized_llvm = true; }},
    {"--line-info", "-lineinfo", "", "PTX: source lines for profilers and debuggers",
     [](Options& o, const std::string&) { o.ptx.line_info = true; }},
    {"--ftz", "", "", "PTX: float32 denormals become zero (--fast-math does so too)",
     [](Options& o, const std::string&) { o.ptx.ftz = true; }},
    {"--launch-bounds", "", "N[,M[,C]]",
     "PTX: blocks have N threads at most, M of them shall fit a multiprocessor, a cluster has C at most",
     [](Options& o, const std::string& v) { parse_launch_bounds(v, o.ptx); }},
    {"--cluster", "", "X[,Y[,Z]]", "PTX: blocks of a cluster; sm_90 and newer",
     [](Options& o, const std::string& v) { parse_cluster(v, o.ptx); }},
    {"--max-registers", "--maxrregcount", "N", "PTX: registers of a thread, at most",
     [](Options& o, const std::string& v) { o.ptx.max_registers = parse_count("--max-registers", v, 255); }},
    {"--checked-launch", "", "",
     "only for launches like those that Lanewise makes with it: numbers of elements, extents, strides, "
     "int64 arguments and threads of the grid along each axis are 2**30 at most, no array that is written "
     "shares memory with another, and, for PTX, all arrays begin at multiples of 16 bytes",
     [](Options& o, const std::string&) {
       o.ptx.facts = {.small = true, .distinct = true, .aligned = true};
     }},
    {"--link", "", "FILE",
     "device code that the kernels call: .cu, .ptx, .cubin, .fatbin, .a, .o or .ltoir; may be repeated",
     [](Options& o, const std::string& v) { o.link.push_back(v); }},
    {"--verbose", "-v", "",
     "a table on standard error: registers, shared memory and spills of each kernel and architecture, by "
     "ptxas",
     [](Options& o, const std::string&) { o.resources = true; }},
    {"--libdevice", "", "PATH", "NVIDIA's libdevice.10.bc (default: searched)",
     [](Options& o, const std::string& v) { o.ptx.libdevice = v; }},
    {"--no-warnings", "-w", "", "only errors", [](Options& o, const std::string&) { o.warnings = false; }},
    {"--performance-notes", "", "", "say also what is slower than it looks",
     [](Options& o, const std::string&) { o.performance_notes = true; }},
    {"--diagnostics", "", "FORMAT",
     "text (coloured on a terminal, unless NO_COLOR is set) or json: one array on standard error, for "
     "programs",
     [](Options& o, const std::string& v) {
       if (v != "text" && v != "json")
         throw UsageError("--diagnostics: `" + v + "` is neither text nor json");
       o.json = v == "json";
     }},
    {"--help", "-h", "", "this text", [](Options& o, const std::string&) { o.help = true; }},
    {"--version", "", "", "versions of kc and LLVM",
     [](Options& o, const std::string&) { o.version = true; }},
};

bool takes_value(const Option& option) { return !option.value.empty() && option.value[0] != '['; }

// The option that `text` starts with, and the value that is part of it: "--emit=ir", "-DN=1".
const Option* find_option(const std::string& text, std::optional<std::string>& value) {
  for (const Option& option : kOptions) {
    if (text == option.name || (!option.letter.empty() && text == option.letter)) return &option;
    for (std::string_view name : {option.name, option.letter}) {
      bool has_equals = name.starts_with("--") && text.starts_with(name) && text.size() > name.size() &&
                        text[name.size()] == '=' && !option.value.empty();
      if (!has_equals) continue;
      value = text.substr(name.size() + 1);
      return &option;
    }
    if (option.letter.size() == 2 && takes_value(option) && text.starts_with(option.letter)) {
      value = text.substr(option.letter.size());
      return &option;
    }
  }
  return nullptr;
}

void add_input(Options& options, const std::string& path) {
  if (!options.input.empty())
    throw UsageError("one file at a time: `" + options.input + "` and `" + path + "`");
  if (path.empty()) throw UsageError("the file's name is empty");
  options.input = path;
}

std::string wrapped(std::string_view text, size_t indent) {
  constexpr size_t kWidth = 100;
  std::string out;
  size_t column = indent;
  while (!text.empty()) {
    size_t space = std::min(text.find(' '), text.size());
    if (column > indent && column + 1 + space > kWidth) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += text.substr(0, space);
    column += space;
    text.remove_prefix(std::min(space + 1, text.size()));
  }
  return out + "\n";
}

std::string help_line(std::string left, std::string_view help) {
  constexpr size_t kIndent = 26;
  left = "  " + left;
  if (left.size() + 2 > kIndent) {
    left += "\n" + std::string(kIndent, ' ');
  } else {
    left.resize(kIndent, ' ');
  }
  return left + wrapped(help, kIndent);
}

}  // namespace

Options parse_options(const std::vector<std::string>& arguments) {
  Options options;
  if (arguments.size() == 1 && arguments[0] == "devices") {
    options.devices = true;
    return options;
  }
  bool only_files = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& text = arguments[i];
    if (only_files || text == "-" || !text.starts_with("-")) {
      add_input(options, text);
      continue;
    }
    if (text == "--") {
      only_files = true;
      continue;
    }
    std::optional<std::string> value;
    const Option* option = find_option(text, value);
    if (!option) throw UsageError("there is no option `" + text + "`");
    if (takes_value(*option) && !value) {
      if (i + 1 == arguments.size()) throw UsageError(text + " needs a value: " + std::string(option->value));
      value = arguments[++i];
    }
    option->apply(options, value.value_or(""));
  }
  if (options.help || options.version) return options;
  if (options.input.empty()) throw UsageError("no kernel file given");
  if (!options.emit) {
    options.emit = Emit::Ptx;
    for (const EmitKind& kind : kEmits)
      if (options.output && options.output->ends_with(kind.extension)) options.emit = kind.emit;
  }
  if (options.emit == Emit::Obj && (!options.output || *options.output == "-"))
    throw UsageError("--emit obj needs -o FILE.o");
  if (options.blocks.size() > 1 && options.emit != Emit::Obj)
    throw UsageError("several --block are for --emit obj");
  if (options.architectures.empty()) options.architectures = {options.ptx.sm};
  bool many = options.architectures.size() > 1;
  if (many && options.emit != Emit::Fatbin && options.emit != Emit::Ptx && options.emit != Emit::Cubin)
    throw UsageError("several --arch are for PTX, cubins and fatbins");
  bool binary = options.emit == Emit::Cubin || options.emit == Emit::Fatbin;
  if (binary && (!options.output || *options.output == "-"))
    throw UsageError(options.emit == Emit::Cubin ? "--emit cubin needs -o FILE.cubin"
                                                 : "--emit fatbin needs -o FILE.fatbin");
  bool cpu_only = options.emit == Emit::Asm || options.emit == Emit::Obj;
  if (cpu_only && options.arch_given)
    throw UsageError(std::string("--arch is for CUDA, --emit ") +
                     (options.emit == Emit::Asm ? "asm" : "obj") +
                     " for the CPU: choose the CPU with --cpu=NAME");
  return options;
}

std::string_view extension(Emit emit) {
  for (const EmitKind& kind : kEmits)
    if (kind.emit == emit) return kind.extension;
  return "";
}

std::string help_text() {
  std::string out =
      "usage: kc [options] FILE.py\n"
      "       kc devices     what this machine has of CUDA: driver, devices, toolkit, versions\n\n" +
      wrapped(
          "Compiles the kernels of a Python file (- reads standard input) without running it. Kernels are "
          "its "
          "top-level functions decorated @gpu.jit; constants, imports and helper functions are understood, "
          "all other statements are host code and skipped. A kernel's types come from --signature, its "
          "decorator's string or its annotations.",
          0) +
      "\n" +
      wrapped(
          "Each output holds one kernel. Where several are compiled, -o names a folder, and each is "
          "written to FOLDER/KERNEL.EXTENSION.",
          0) +
      "\noptions:\n";
  for (const Option& option : kOptions) {
    std::string left(option.letter.empty() ? "" : std::string(option.letter) + ", ");
    left += option.name;
    if (!option.value.empty()) left += (takes_value(option) ? " " : "") + std::string(option.value);
    out += help_line(std::move(left), option.help);
  }
  out += "\nkinds of output:\n";
  for (const EmitKind& kind : kEmits)
    out += help_line(std::string(kind.name) + " (" + std::string(kind.extension) + ")", kind.help);
  return out +
         "\nexit status: 0 all was written; 1 the kernels have errors, or a file cannot be read or written;\n"
         "2 wrong usage.\n\n"
         "examples:\n"
         "  kc saxpy_kernel.py --arch sm_80 -o saxpy.ptx\n"
         "  kc saxpy_kernel.py --kernel saxpy --signature \"saxpy(float32, float32[::1], float32[::1])\"\n"
         "  kc blur.py -DRADIUS=3 --emit ir\n"
         "  kc filters.py -o build/ptx/\n"
         "  kc saxpy_kernel.py --arch sm_75 --arch sm_90 -o saxpy.fatbin -v\n";
}

}  // namespace kc
