// The stages that golden files can test: a function from the file to its output for each. The key is the
// name of the folder. Diagnostics come first in the output of every stage, so that none goes unseen.
#include <map>

#include "codegen/codegen.h"
#include "frontend/frontend.h"
#include "ir/ir.h"
#include "ir/waiting_loops.h"
#include "tests/golden/golden.h"
#include "tests/golden/kernels.h"

namespace lanewise::golden {
namespace {

std::string tokens(const GoldenCase& golden) {
  Compile compile(golden);
  auto lexed = frontend::lex(compile.text, compile.file, compile.diagnostics);
  return compile.rendered() + frontend::print_tokens(lexed, compile.text);
}

// `#: mode function` parses the text as the block of one function.
std::string ast(const GoldenCase& golden) {
  Compile compile(golden);
  auto mode =
      golden.option("mode") == "function" ? frontend::ParseMode::Function : frontend::ParseMode::KernelFile;
  auto parsed = frontend::parse(compile.text, compile.file, mode, compile.diagnostics);
  return compile.rendered() + frontend::print_ast(parsed);
}

std::string typed(const GoldenCase& golden) {
  Compile compile(golden);
  std::vector<frontend::TypedModule> modules = infer_all(golden, compile);
  std::string out = compile.rendered();
  if (compile.diagnostics.has_errors()) return out;
  for (const frontend::TypedModule& module : modules) out += frontend::print_typed(module);
  return out;
}

std::string print_all(Compile& compile, const std::vector<ir::Module>& modules,
                      const ir::PrintOptions& options = {}) {
  std::string out = compile.rendered();
  for (size_t i = 0; i < modules.size(); ++i) out += (i > 0 ? "\n" : "") + ir::print(modules[i], options);
  return out;
}

// `#: locations` prints where each op comes from.
std::string lowered(const GoldenCase& golden) {
  Compile compile(golden);
  auto made = modules(golden, compile);
  return print_all(compile, made, {.locations = golden.has("locations")});
}

using Pass = bool (*)(ir::Module&);
template <bool (*kPass)(ir::Function&)>
bool each_function(ir::Module& module) {
  bool changed = false;
  for (ir::Function& function : module.functions) changed = kPass(function) || changed;
  return changed;
}
bool narrow(ir::Module& module, const ir::LaunchFacts& facts) {
  bool changed = false;
  for (ir::Function& function : module.functions) changed = ir::narrow_integers(function, facts) || changed;
  return changed;
}
const std::map<std::string, Pass, std::less<>>& passes() {
  static const std::map<std::string, Pass, std::less<>> table{
      {"eliminate_common_ops", each_function<ir::eliminate_common_ops>},
      {"fold_constants", each_function<ir::fold_constants>},
      {"fold_ranges", each_function<ir::fold_ranges>},
      {"split_loops", each_function<ir::split_loops>},
      {"unroll_loops", each_function<ir::unroll_loops>},
      {"inline_calls", ir::inline_calls},
      {"lower_exits", ir::lower_exits},
      {"narrow_integers", [](ir::Module& module) { return narrow(module, {}); }},
      {"narrow_small", [](ir::Module& module) { return narrow(module, {.small = true}); }},
      {"promote_variables", each_function<ir::promote_variables>},
      {"remove_dead_functions", ir::remove_dead_functions},
      {"remove_dead_ops", each_function<ir::remove_dead_ops>},
  };
  return table;
}

// `#: pass NAME`, as often as wanted; the whole pipeline if there is none.
std::string after_passes(const GoldenCase& golden) {
  Compile compile(golden);
  auto made = modules(golden, compile);
  std::vector<std::string> names = golden.option_values("pass");
  for (ir::Module& module : made) {
    if (names.empty()) ir::run_pipeline(module, {.verify_each = true});
    for (const std::string& name : names) {
      auto pass = passes().find(name);
      if (pass == passes().end()) return "no pass is called " + name;
      pass->second(module);
      if (auto error = ir::verify(module)) throw ir::InternalError(error->message + "\n" + ir::print(module));
    }
  }
  return print_all(compile, made);
}

// All diagnostics of a file: errors and warnings of a .py file's kernels, or of the text form.
std::string diagnostics(const GoldenCase& golden) {
  Compile compile(golden);
  if (golden.is_python()) {
    std::vector<frontend::TypedModule> typed = infer_all(golden, compile);
    if (compile.diagnostics.has_errors()) return compile.rendered();
    for (const frontend::TypedModule& one : typed) {
      ir::Module module = frontend::lower(one);
      ir::run_pipeline(module);
      ir::find_waiting_loops(module, compile.diagnostics);
    }
  } else {
    ir::parse(compile.text, compile.file, compile.diagnostics);
  }
  return compile.rendered();
}

// Unlike the other stages these take modules that the verifier refuses.
std::string ir_text(const GoldenCase& golden) {
  Compile compile(golden);
  auto module = ir::parse(compile.text, compile.file, compile.diagnostics);
  if (!module) return compile.rendered();
  return ir::print(*module, {.locations = golden.has("locations")});
}

std::string verify(const GoldenCase& golden) {
  Compile compile(golden);
  auto module = ir::parse(compile.text, compile.file, compile.diagnostics);
  if (!module) return compile.rendered();
  auto error = ir::verify(*module);
  return error ? error->message : "good";
}

// The modules of the file after the pipeline; `#: raw` leaves those of an .ir file as they are.
std::vector<ir::Module> optimized(const GoldenCase& golden, Compile& compile) {
  auto made = modules(golden, compile);
  if (!golden.has("raw"))
    for (ir::Module& module : made) ir::run_pipeline(module, {.verify_each = true});
  return made;
}

codegen::PtxTarget ptx_target(const GoldenCase& golden) {
  codegen::PtxTarget target;
  if (auto sm = golden.option("sm")) target.sm = std::stoi(*sm);
  target.line_info = golden.has("line_info");
  target.ftz = golden.has("ftz");
  if (golden.has("checked_launch")) target.facts = {.small = true, .distinct = true, .aligned = true};
  return target;
}

// `#: sm 80` chooses the architecture.
std::string ptx(const GoldenCase& golden) {
  Compile compile(golden);
  std::string out;
  auto made = optimized(golden, compile);
  for (const ir::Module& module : made)
    out += codegen::emit_ptx(module, ptx_target(golden), &compile.sources());
  return compile.rendered() + out;
}

// The text is that of the kernels with what is said for `ptx`.
std::string cuda(const GoldenCase& golden) {
  Compile compile(golden);
  std::string out;
  auto made = optimized(golden, compile);
  for (const ir::Module& module : made)
    out += (out.empty() ? "" : "\n") + codegen::emit_cuda(module, ptx_target(golden), &compile.sources());
  return compile.rendered() + out;
}

// `#: target host` or ptx (the default); `#: cpu haswell`; `#: optimized` runs LLVM's passes.
std::string llvm(const GoldenCase& golden) {
  Compile compile(golden);
  std::string out;
  auto made = optimized(golden, compile);
  bool host = golden.option("target") == "host";
  codegen::HostTarget host_target;
  host_target.cpu = golden.option("cpu").value_or("x86-64");
  for (const ir::Module& module : made)
    out += host ? codegen::host_llvm(module, host_target, golden.has("optimized"))
                : codegen::ptx_llvm(module, ptx_target(golden), golden.has("optimized"));
  return compile.rendered() + out;
}

}  // namespace

const Stage* find_stage(std::string_view name) {
  static const std::map<std::string, Stage, std::less<>> stages{
      {"ast", ast},         {"cuda", cuda},   {"diagnostics", diagnostics}, {"ir", lowered},
      {"ir_text", ir_text}, {"llvm", llvm},   {"passes", after_passes},     {"ptx", ptx},
      {"tokens", tokens},   {"typed", typed}, {"verify", verify},
  };
  auto stage = stages.find(name);
  return stage == stages.end() ? nullptr : &stage->second;
}

std::vector<std::string> pass_names() {
  std::vector<std::string> names;
  for (const auto& [name, pass] : passes()) names.push_back(name);
  return names;
}

}  // namespace lanewise::golden
