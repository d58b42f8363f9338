// Which target a kernel runs on if nobody says.
#include <cstdlib>

#include "runtime/runtime.h"

namespace lanewise::runtime {

std::optional<Target> parse_target(std::string_view name) {
  if (name == "cpu") return Target::Cpu;
  if (name == "cuda") return Target::Cuda;
  if (name == "interpreter") return Target::Interpreter;
  return std::nullopt;
}

Target default_target() {
  if (const char* name = std::getenv("LANEWISE_TARGET"); name && *name) {
    if (std::optional<Target> target = parse_target(name)) return *target;
    throw LaunchError("LANEWISE_TARGET is `" + std::string(name) + "`; it may be cpu, cuda or interpreter");
  }
  const CudaStatus& status = cuda_status();
  const char* driver = std::getenv("LANEWISE_CUDA_DRIVER");
  if (driver && *driver && status.driver_version == 0)
    throw CudaError(status.report + "\n  or say that the CPU is meant: LANEWISE_TARGET=cpu", 0);
  return status.usable ? Target::Cuda : Target::Cpu;
}

}  // namespace lanewise::runtime
