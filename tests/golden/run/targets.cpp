// See targets.h.
#include "tests/golden/run/targets.h"

#include <cstring>
#include <memory>
#include <stdexcept>

#include "codegen/codegen.h"
#include "runtime/backend.h"

namespace lanewise::run_tests {
namespace {

// An array of one element for each argument and result, with what surrounds it checked for stray writes.
class Arrays {
 public:
  explicit Arrays(const Wrapped& wrapped) : wrapped_(wrapped), slots_(wrapped.elements.size()) {}

  void fill(const std::vector<ir::Bits>& arguments) {
    for (size_t i = 0; i < slots_.size(); ++i) {
      std::memset(slots_[i].bytes, kGuard, sizeof slots_[i].bytes);
      if (i < arguments.size()) ir::store_bits(address(i), wrapped_.elements[i], arguments[i]);
    }
  }
  char* address(size_t i) { return slots_[i].bytes + kBefore; }

  std::vector<ir::Bits> results() {
    std::vector<ir::Bits> out;
    for (size_t i = 0; i < slots_.size(); ++i) {
      size_t size = wrapped_.elements[i].element_size();
      for (size_t at = 0; at < sizeof slots_[i].bytes; ++at)
        if ((at < kBefore || at >= kBefore + size) && slots_[i].bytes[at] != kGuard)
          throw std::runtime_error("wrote outside of an array");
      if (i >= wrapped_.argument_count) out.push_back(ir::load_bits(address(i), wrapped_.elements[i]));
    }
    return out;
  }

 private:
  static constexpr char kGuard = 0x5A;
  static constexpr size_t kBefore = 16;
  struct alignas(16) Slot {
    char bytes[48];
  };
  const Wrapped& wrapped_;
  std::vector<Slot> slots_;
};

class InterpreterRunner : public Runner {
 public:
  InterpreterRunner(Wrapped wrapped, bool pipeline) : wrapped_(std::move(wrapped)) {
    if (pipeline) ir::run_pipeline(wrapped_.module, {.verify_each = true});
  }
  std::vector<ir::Bits> run(const std::vector<ir::Bits>& arguments) override {
    Arrays arrays(wrapped_);
    arrays.fill(arguments);
    std::vector<ir::Scalar> scalars;
    for (size_t i = 0; i < wrapped_.elements.size(); ++i) {
      scalars.push_back({reinterpret_cast<uint64_t>(arrays.address(i))});
      scalars.push_back({1});
    }
    if (auto error = ir::interpret_kernel(wrapped_.module, scalars, {}))
      throw std::runtime_error(error->message);
    return arrays.results();
  }

 private:
  Wrapped wrapped_;
};

class FoldedRunner : public Runner {
 public:
  FoldedRunner(const ir::Module& module, ir::FunctionId function) : module_(module), function_(function) {}
  std::vector<ir::Bits> run(const std::vector<ir::Bits>& arguments) override {
    ir::Module called = call_on_constants(module_, function_, arguments);
    ir::run_pipeline(called, {.verify_each = true});
    auto result = ir::interpret_function(called, {});
    if (auto* error = std::get_if<ir::RunError>(&result)) throw std::runtime_error(error->message);
    std::vector<ir::Bits> out;
    const std::vector<ir::Type>& types = called.entry().results;
    for (size_t i = 0; i < types.size(); ++i)
      out.push_back(ir::bits_from_scalar(std::get<0>(result)[i].bits, types[i]));
    return out;
  }

 private:
  const ir::Module& module_;
  ir::FunctionId function_;
};

// Through the runtime, as a user's kernel.
class DeviceRunner : public Runner {
 public:
  DeviceRunner(Wrapped wrapped, Target target) : wrapped_(std::move(wrapped)) {
    runtime::KernelInfo info;
    info.name = "run";
    info.argument_types = wrapped_.array_types();
    for (size_t i = 0; i < wrapped_.elements.size(); ++i) info.parameter_names.push_back(std::to_string(i));
    ir::run_pipeline(wrapped_.module);
    std::vector<ir::Access> access = ir::parameter_access(wrapped_.module);
    for (size_t i = 0; i < access.size(); i += 2) info.leaf_access.push_back(access[i]);
    info.module = wrapped_.module;
    info.options.target = target == Target::Cpu ? runtime::Target::Cpu : runtime::Target::Cuda;
    info.sources.add({"run.ir", ""});
    kernel_ = target == Target::Cpu ? runtime::make_cpu_kernel(std::move(info))
                                    : runtime::make_cuda_kernel(std::move(info));
  }
  std::vector<ir::Bits> run(const std::vector<ir::Bits>& arguments) override {
    Arrays arrays(wrapped_);
    arrays.fill(arguments);
    std::vector<runtime::Argument> leaves;
    for (size_t i = 0; i < wrapped_.elements.size(); ++i) {
      runtime::Argument leaf;
      leaf.ndim = 1;
      leaf.data = arrays.address(i);
      leaf.shape[0] = leaf.strides[0] = 1;
      leaves.push_back(leaf);
    }
    kernel_->launch({}, leaves);
    return arrays.results();
  }

 private:
  Wrapped wrapped_;
  std::shared_ptr<runtime::CompiledKernel> kernel_;
};

}  // namespace

std::string to_string(Target target) {
  switch (target) {
    case Target::Interpreter: return "interpreter";
    case Target::Pipeline: return "pipeline";
    case Target::Folded: return "folded";
    case Target::Cpu: return "cpu";
    case Target::Cuda: return "cuda";
  }
  return "?";
}

std::optional<std::string> unavailable(Target target) {
  if (target != Target::Cuda || runtime::cuda_status().usable) return std::nullopt;
  return runtime::cuda_status().report;
}

std::unique_ptr<Runner> make_runner(Target target, const ir::Module& module, ir::FunctionId function) {
  switch (target) {
    case Target::Interpreter: return std::make_unique<InterpreterRunner>(wrap(module, function), false);
    case Target::Pipeline: return std::make_unique<InterpreterRunner>(wrap(module, function), true);
    case Target::Folded: return std::make_unique<FoldedRunner>(module, function);
    case Target::Cpu:
    case Target::Cuda: return std::make_unique<DeviceRunner>(wrap(module, function), target);
  }
  return nullptr;
}

}  // namespace lanewise::run_tests
