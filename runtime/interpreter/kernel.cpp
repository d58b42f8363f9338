// The interpreter as a target: slow, and right by definition. For tests and for looking at a kernel's
// meaning.
#include <algorithm>
#include <bit>
#include <cstring>

#include "ir/scalar_ops.h"
#include "runtime/backend.h"
#include "runtime/fork_mutex.h"
#include "runtime/input_copies.h"
#include "runtime/output.h"

namespace lanewise::runtime {
namespace {

constexpr int64_t kMaxSharedBytes = int64_t{1} << 30;  // the CPU's limit

class InterpreterKernel : public CompiledKernel {
 public:
  explicit InterpreterKernel(KernelInfo info) : CompiledKernel(std::move(info)) {}

  void launch(const LaunchConfig& config, std::span<const Argument> arguments) override {
    if (config.tasks >= 0) return launch(sized(config), arguments);
    check_launch_config(*this, config);
    check_shared_is_given(*this, config);
    check_target(module, Target::Interpreter, sources);
    check_writable(*this, arguments);
    if (config.dynamic_shared_bytes > kMaxSharedBytes)
      throw LaunchError("kernel `" + name + "`: " + std::to_string(config.dynamic_shared_bytes) +
                        " bytes of dynamic shared memory were asked for; " + std::to_string(kMaxSharedBytes) +
                        " is the limit");
    const auto& grid = config.grid;
    const auto& block = config.block;
    const int64_t dynamic_shared_bytes = config.dynamic_shared_bytes;
    if (grid[0] == 0 || grid[1] == 0 || grid[2] == 0) return;
    if (ir::waits_for_grid(module))
      check_cooperative_grid(*this, config, max_cooperative_blocks(block, dynamic_shared_bytes),
                             "the interpreter");
    InputCopies copies(*this, arguments);
    std::vector<uint64_t> slots = pack_slots(*this, copies.arguments());
    const ir::Function& entry = module.entry();
    LANEWISE_CHECK(slots.size() == entry.params().size(), "slots and parameters of a kernel differ");
    std::vector<ir::Scalar> scalars;
    for (size_t i = 0; i < slots.size(); ++i) {
      ir::Type type = entry.type(entry.params()[i]);
      scalars.push_back(
          {type.is_pointer() ? slots[i] : ir::scalar_from_bits(ir::canonical_bits(type, slots[i]), type)});
    }
    ir::Launch launch{{grid[0], grid[1], grid[2]}, {block[0], block[1], block[2]}, dynamic_shared_bytes};
    // One launch at a time: its atomics are plain loads and stores.
    static ForkMutex interpreting;
    auto mutex = interpreting.get();
    std::lock_guard lock(*mutex);
    LaunchOutput output(*this, config);
    std::optional<ir::RunError> error = ir::interpret_kernel(
        module, scalars, launch, UINT64_MAX, [&](const ir::Output& said) { output.take(said); });
    output.finish(!error);
    if (error) throw KernelError(run_error_text(*this, *error));
  }

  // A thread takes some kilobytes.
  int64_t max_cooperative_blocks(const std::array<int64_t, 3>& block, int64_t dynamic_shared_bytes) override {
    check_launch_config(*this, {.block = block, .dynamic_shared_bytes = dynamic_shared_bytes});
    constexpr int64_t kThreads = int64_t{1} << 20, kShared = int64_t{1} << 30;
    int64_t threads = std::max<int64_t>(block[0] * block[1] * block[2], 1);
    return std::max<int64_t>(std::min(kThreads / threads, kShared / (dynamic_shared_bytes + 1)), 1);
  }
};

}  // namespace

std::shared_ptr<CompiledKernel> make_interpreter_kernel(KernelInfo info) {
  return std::make_shared<InterpreterKernel>(std::move(info));
}

}  // namespace lanewise::runtime
