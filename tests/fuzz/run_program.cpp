// See run_program.h.
#include "tests/fuzz/run_program.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "codegen/codegen.h"
#include "ir/error.h"
#include "ir/scalar_ops.h"
#include "runtime/backend.h"
#include "runtime/launch_facts.h"

namespace lanewise::fuzz {
namespace {

using test::TestArgument;

constexpr uint64_t kStepLimit = 3'000'000;

// What a launch left behind.
struct Outcome {
  std::string error;
  std::vector<TestArgument> arguments;
};

std::string first_id(const ir::Diagnostics& diagnostics) {
  for (const ir::Diagnostic& report : diagnostics.all())
    if (ir::info(report.id).severity == ir::Severity::Error) return std::string(ir::info(report.id).text_id);
  return "nothing";
}

class Run {
 public:
  Run(const Program& program, unsigned engines) : program_(program), engines_(engines) {
    config_.grid = program.grid, config_.block = program.block;
    config_.dynamic_shared_bytes = program.dynamic_shared_bytes;
  }

  Verdict all() {
    try {
      compile();
      if (!verdict_.failure) expected_ = interpret(module_);
      verdict_.too_long = expected_.error.starts_with("step limit");
      verdict_.ended = !expected_.error.empty();
      if (verdict_.failure || verdict_.too_long) return verdict_;
      if (verdict_.ended && !program_.divergent) fail("ends with an error", 0, expected_.error);
      round_trip();
      passes();
      machine_code(kCpuPlain, "cpu without optimisation", 0);
      machine_code(kCpu, "cpu", 2);
      gangs(kGangsPlain, "gangs without optimisation", 0);
      gangs(kGangs, "gangs", 2);
      cuda();
    } catch (const ir::InternalError& fault) {
      fail("internal error", engine_, fault.what());
    } catch (const std::exception& fault) {
      fail("exception", engine_, fault.what());
    }
    return verdict_;
  }

 private:
  bool wanted(unsigned engine) {
    if (!(engines_ & engine) || verdict_.failure) return false;
    engine_ = engine;
    return true;
  }
  void fail(const std::string& kind, unsigned engine, const std::string& detail) {
    if (!verdict_.failure) verdict_.failure = {kind, detail, engine};
  }

  void compile() {
    ir::Diagnostics diagnostics;
    opened_ = runtime::open_file({"kernel.py", to_string(program_)}, {}, diagnostics);
    const frontend::KernelDeclaration* kernel = opened_->kernel("kernel");
    std::optional<std::vector<frontend::ValueType>> types;
    if (kernel) types = frontend::annotated_arguments(kernel->function);
    if (kernel && types && !diagnostics.has_errors()) {
      frontend::InferOptions options;
      options.float_mode.contract = false;
      options.warnings = false;
      frontend::TypedModule typed =
          frontend::infer(kernel->function, *types, options, opened_->sources, diagnostics);
      if (!diagnostics.has_errors()) module_ = frontend::lower(typed);
    }
    if (!kernel || !types || diagnostics.has_errors())
      return fail("refused: " + first_id(diagnostics), 0, ir::render(diagnostics, opened_->sources));
    for (size_t i = 0; i < types->size(); ++i)
      if ((*types)[i] != program_.arguments[i].type)
        return fail("annotation", 0, to_string((*types)[i]) + " for " + program_.parameters[i].annotation);
    if (auto error = ir::verify(module_)) fail("the verifier refuses", 0, error->message);
  }

  runtime::KernelInfo info(const ir::Module& module) {
    runtime::KernelInfo made = test::kernel_info(module, program_.arguments);
    made.sources = opened_->sources;
    return made;
  }

  Outcome interpret(const ir::Module& module) {
    Outcome out{"", program_.arguments};
    std::vector<runtime::Argument> leaves = test::leaves_of(out.arguments);
    std::vector<uint64_t> slots = runtime::pack_slots(info(module), leaves);
    std::vector<ir::Scalar> scalars;
    const ir::Function& entry = module.entry();
    for (size_t i = 0; i < slots.size(); ++i) {
      ir::Type type = entry.type(entry.params()[i]);
      scalars.push_back(
          {type.is_pointer() ? slots[i] : ir::scalar_from_bits(ir::canonical_bits(type, slots[i]), type)});
    }
    auto [gx, gy, gz] = program_.grid;
    auto [bx, by, bz] = program_.block;
    ir::Launch launch{{gx, gy, gz}, {bx, by, bz}, program_.dynamic_shared_bytes};
    if (auto error = ir::interpret_kernel(module, scalars, launch, kStepLimit)) out.error = error->message;
    return out;
  }

  void compare(const std::string& what, const Outcome& actual) {
    if (actual.error.starts_with("step limit")) return;
    bool same_end = actual.error.empty() == expected_.error.empty() &&
                    (actual.error.empty() || actual.error.find(expected_.error) != actual.error.npos);
    if (!same_end)
      return fail(what + " ends otherwise", engine_,
                  "expected: " + expected_.error + "\nis: " + actual.error + "\n");
    if (!actual.error.empty()) return;
    std::string detail;
    test::BothWays both{expected_.arguments, actual.arguments};
    for (size_t i = 0; i < program_.arguments.size(); ++i) {
      if (!program_.arguments[i].type.is_array()) continue;
      std::string text = test::difference(both, i, program_.parameters[i].ulps);
      if (!text.empty()) detail += "  " + program_.parameters[i].name + ":" + text + "\n";
    }
    if (!detail.empty()) fail(what + " differs", engine_, detail);
  }

  void round_trip() {
    if (!wanted(kRoundTrip)) return;
    for (bool locations : {false, true}) {
      std::string text = ir::print(module_, {.locations = locations});
      ir::SourceMap sources;
      ir::Diagnostics diagnostics;
      uint32_t file = sources.add({"kernel.ir", text});
      std::optional<ir::Module> again = ir::parse(sources, file, diagnostics);
      if (!again) return fail("printed IR does not parse", engine_, ir::render(diagnostics, sources) + text);
      if (ir::print(*again, {.locations = locations}) != text)
        return fail("printed IR changes", engine_, text);
      if (!locations) compare("the printed IR", interpret(*again));
    }
  }

  void passes() {
    if (!(engines_ & ~unsigned{kRoundTrip}) || verdict_.failure) return;
    engine_ = engines_ & kEachPass ? kEachPass : kPipeline;
    optimized_ = module_;
    ir::PipelineOptions options;
    options.verify_each = engines_ & kEachPass;
    options.context = this;
    if (engines_ & kEachPass)
      options.after_pass = [](std::string_view pass, const ir::Module& module, void* context) {
        auto* run = static_cast<Run*>(context);
        if (!run->verdict_.failure) run->compare("after " + std::string(pass), run->interpret(module));
      };
    ir::run_pipeline(optimized_, options);
    if (wanted(kPipeline)) compare("the pipeline", interpret(optimized_));
  }

  void machine_code(Engine engine, const std::string& name, unsigned optimize) {
    if (!wanted(engine)) return;
    codegen::HostTarget target;
    target.optimize = optimize;
    machine_code(name, target);
  }

  // The code for every launch, and where there is one the variant for what is true of this one.
  void gangs(Engine engine, const std::string& name, unsigned optimize) {
    if (!wanted(engine)) return;
    codegen::HostTarget target;
    target.optimize = optimize;
    target.block = program_.block;
    machine_code(name, target);
    std::vector<TestArgument> arguments = program_.arguments;
    runtime::FactFinder facts(info(optimized_), "LANEWISE_CPU_GENERAL");
    target.facts = facts.find(config_, test::leaves_of(arguments));
    if (codegen::used_facts(optimized_, target) != ir::LaunchFacts{})
      machine_code(name + " that know the launch", target);
  }

  void machine_code(const std::string& name, const codegen::HostTarget& target) {
    if (verdict_.failure) return;
    std::unique_ptr<codegen::HostKernel> kernel = codegen::compile_host(optimized_, target);
    Outcome out{"", program_.arguments};
    std::vector<runtime::Argument> leaves = test::leaves_of(out.arguments);
    std::vector<uint64_t> slots = runtime::pack_slots(info(optimized_), leaves);
    codegen::HostLaunch launch{slots.data(), {}, {}, program_.dynamic_shared_bytes};
    int64_t blocks = 1, threads = 1;
    for (size_t axis = 0; axis < 3; ++axis) {
      launch.grid[axis] = static_cast<int32_t>(program_.grid[axis]);
      launch.block[axis] = static_cast<int32_t>(program_.block[axis]);
      blocks *= program_.grid[axis], threads *= program_.block[axis];
    }
    int64_t bytes = codegen::HostLayout::round_up(
        std::max<int64_t>(kernel->layout.arena_bytes(threads, program_.dynamic_shared_bytes), 64));
    std::unique_ptr<char, void (*)(void*)> arena(
        static_cast<char*>(std::aligned_alloc(64, static_cast<size_t>(bytes))), std::free);
    int64_t ended = kernel->function()(&launch, arena.get(), 0, blocks);
    if (ended != 0) out.error = kernel->errors.at(static_cast<size_t>(ended - 1)).message;
    compare(name, out);
  }

  void cuda() {
    // A divergent barrier on a device may do anything.
    if (program_.divergent || program_.undefined_on_cuda || !wanted(kCuda)) return;
    runtime::KernelInfo made = info(optimized_);
    made.options.target = runtime::Target::Cuda;
    Outcome out{"", program_.arguments};
    test::launch(*runtime::make_cuda_kernel(std::move(made)), config_, out.arguments);
    compare("cuda", out);
  }

  const Program& program_;
  unsigned engines_, engine_ = 0;
  Verdict verdict_;
  runtime::LaunchConfig config_;
  std::unique_ptr<runtime::OpenFile> opened_;
  ir::Module module_, optimized_;
  Outcome expected_;
};

}  // namespace

// LLVM at O2 takes 50 to 65 ms a program where all the rest takes 2 to 14, hence its rare seeds.
unsigned engines_for(uint64_t seed) {
  unsigned engines = kPipeline;
  if (seed % 2 == 0) engines |= kGangsPlain;
  if (seed % 4 == 1) engines |= kCpuPlain;
  if (seed % 24 == 0) engines |= kGangs;
  if (seed % 24 == 11) engines |= kCpu;
  if (seed % 5 == 1) engines |= kEachPass;
  if (seed % 5 == 2) engines |= kRoundTrip;
  if (seed % 12 == 3) engines |= kCuda;
  return engines;
}

Verdict run_program(const Program& program, unsigned engines) { return Run(program, engines).all(); }

}  // namespace lanewise::fuzz
