// Where a run line can run.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "tests/golden/run/run_file.h"
#include "tests/golden/run/run_wrapper.h"

namespace lanewise::run_tests {

enum class Target {
  Interpreter,  // as it is written
  Pipeline,     // interpreted after ir::run_pipeline
  Folded,       // on constants, so that the passes compute what they can
  Cpu,
  Cuda,  // the driver that LANEWISE_CUDA_DRIVER names: ptxemu
};
inline constexpr Target kTargets[] = {Target::Interpreter, Target::Pipeline, Target::Folded, Target::Cpu,
                                      Target::Cuda};
std::string to_string(Target target);
// Why the target cannot run here, nullopt if it can.
std::optional<std::string> unavailable(Target target);

// Runs lines of one function on one target, compiled once.
class Runner {
 public:
  virtual ~Runner() = default;
  // The result bits. Throws std::exception on any error.
  virtual std::vector<ir::Bits> run(const std::vector<ir::Bits>& arguments) = 0;
};
std::unique_ptr<Runner> make_runner(Target target, const ir::Module& module, ir::FunctionId function);

}  // namespace lanewise::run_tests
