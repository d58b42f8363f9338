// Nothing without a golden file: every op, every diagnostic, every pass, every stage.
#include <gtest/gtest.h>

#include <set>

#include "ir/builder.h"
#include "ir/ir.h"
#include "tests/golden/golden.h"

namespace lanewise::golden {
namespace {

// The .ir files whose functions run on every target: the others only show what an op looks like.
std::vector<std::filesystem::path> files_that_run() {
  std::vector<std::filesystem::path> out;
  for (const auto& file : std::filesystem::directory_iterator(LANEWISE_SOURCE_DIR "/tests/golden/run"))
    if (file.path().extension() == ".ir") out.push_back(file.path());
  return out;
}

// The passes of the pipeline, as it reports them.
std::set<std::string> pipeline_passes() {
  ir::Module module;
  module.functions.resize(1);
  module.entry().name = "nothing";
  module.entry().is_kernel = true;
  ir::Builder(module, module.entry()).emit_void(ir::OpKind::Return);
  std::set<std::string> names;
  ir::PipelineOptions options;
  options.context = &names;
  options.after_pass = [](std::string_view pass, const ir::Module&, void* context) {
    static_cast<std::set<std::string>*>(context)->insert(std::string(pass));
  };
  ir::run_pipeline(module, options);
  names.erase("compact");  // makes tables smaller, which no text shows
  return names;
}

std::string list(const std::set<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += "\n  " + name;
  return out;
}

TEST(GoldenCoverage, EveryOpRuns) {
  std::set<std::string> missing;
  for (const ir::OpInfo& op : ir::kOps) missing.insert(std::string(op.text));
  missing.erase("call_external");  // no other target than CUDA has it: tests/python/test_cuda_functions.py
  for (const auto& path : files_that_run()) {
    ir::SourceMap sources;
    ir::Diagnostics diagnostics;
    uint32_t file = sources.add({path.string(), read_case(path).input});
    auto module = ir::parse(sources, file, diagnostics);
    if (!module || ir::verify(*module)) continue;  // a golden file of an error
    for (const ir::Function& function : module->functions)
      for (const ir::Op& op : function.ops) missing.erase(std::string(ir::info(op.kind).text));
  }
  // A breakpoint ends a launch, a grid barrier needs one of its own kind, PTX is for CUDA: tests/conformance.
  for (const char* op : {"breakpoint", "grid_barrier", "inline_ptx"}) missing.erase(op);
  EXPECT_TRUE(missing.empty()) << "in no valid .ir file of tests/golden/run:" << list(missing);
}

TEST(GoldenCoverage, EveryDiagnosticIsInAFile) {
  std::set<std::string> missing;
  for (size_t i = 0; i < ir::diagnostic_count(); ++i)
    missing.insert(std::string(ir::info(static_cast<ir::DiagnosticId>(i)).text_id));
  missing.erase("text-too-long");  // a file for it would have 512 MiB
  missing.erase("cuda-source");    // NVRTC finds it: tests/python/test_cuda_functions.py
  missing.erase("cuda-only");      // of the runtime: tests/conformance/test_machine.py
  for (const auto& path : all_cases()) {
    GoldenCase golden = read_case(path);
    if (golden.stage != "diagnostics" || !golden.expected) continue;
    std::erase_if(missing, [&](const std::string& id) {
      return golden.expected->find("[" + id + "]\n") != std::string::npos;
    });
  }
  EXPECT_TRUE(missing.empty()) << "in no file of tests/golden/diagnostics:" << list(missing);
}

TEST(GoldenCoverage, EveryPassHasAFile) {
  std::set<std::string> missing = pipeline_passes();
  for (const std::string& name : pass_names()) missing.insert(name);
  for (const auto& path : all_cases()) {
    GoldenCase golden = read_case(path);
    if (golden.stage == "passes")
      for (const std::string& name : golden.option_values("pass")) missing.erase(name);
  }
  EXPECT_TRUE(missing.empty()) << "in no file of tests/golden/passes:" << list(missing);
}

TEST(GoldenCoverage, EveryStageHasAFile) {
  std::set<std::string> missing{"ast",    "cuda", "diagnostics", "ir",    "ir_text", "llvm",
                                "passes", "ptx",  "tokens",      "typed", "verify"};
  for (const auto& path : all_cases()) missing.erase(read_case(path).stage);
  EXPECT_TRUE(missing.empty()) << list(missing);
}

}  // namespace
}  // namespace lanewise::golden
