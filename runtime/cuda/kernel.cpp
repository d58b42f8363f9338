// make_cuda_kernel(): IR to PTX to a loaded module, and its launches with host arrays copied in and out.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>

#include "codegen/codegen.h"
#include "runtime/backend.h"
#include "runtime/cuda/driver.h"
#include "runtime/cuda/transfer.h"

namespace lanewise::runtime {
namespace cuda {
namespace {

// What a launch may use without asking for more, static and dynamic shared memory together.
constexpr int64_t kPlainSharedBytes = 49152;

// The newest architecture that code can be made for and the device runs.
int architecture_for(const Device& device) {
  int best = 0;
  for (int sm : codegen::ptx_architectures())
    if (sm <= device.sm) best = sm;
  if (best == 0) throw CudaError(device.name + " is too old: compute capability 3.5 or more is needed", 0);
  return best;
}

// The newest PTX version that a driver for a CUDA version assembles.
int newest_ptx_version(int driver_version) {
  constexpr struct {
    int driver, ptx;
  } kVersions[] = {{13010, 91}, {13000, 90}, {12090, 88}, {12080, 87}, {12070, 86}, {12050, 85},
                   {12040, 84}, {12030, 83}, {12020, 82}, {12010, 81}, {12000, 80}, {11080, 78},
                   {11070, 77}, {11060, 76}, {11050, 75}, {11040, 74}, {11030, 73}, {11020, 72},
                   {11010, 71}, {11000, 70}, {10020, 65}, {10010, 64}, {10000, 63}, {9020, 62},
                   {9010, 61},  {9000, 60},  {8000, 50},  {7050, 43},  {7000, 42}};
  for (const auto& row : kVersions)
    if (driver_version >= row.driver) return row.ptx;
  return 41;
}

// 10 * major + minor from the line ".version 6.3"; 0 if there is none.
int ptx_version_of(const std::string& ptx) {
  size_t at = ptx.find(".version ");
  if (at == ptx.npos) return 0;
  char* end = nullptr;
  long major = std::strtol(ptx.c_str() + at + 9, &end, 10);
  long minor = *end == '.' ? std::strtol(end + 1, nullptr, 10) : 0;
  return static_cast<int>(10 * major + minor);
}

std::string emit(KernelInfo& info) {
  const Device& gpu = device();
  if (info.options.sm == 0) info.options.sm = architecture_for(gpu);
  if (info.options.sm > gpu.sm)
    throw CudaError("kernel `" + info.name + "` was asked for sm_" + std::to_string(info.options.sm) +
                        ", but " + gpu.name + " is sm_" + std::to_string(gpu.sm) +
                        " and runs only code for that or less",
                    kNoBinary);
  codegen::PtxTarget target;
  target.sm = info.options.sm;
  target.ftz = info.options.float_mode.fast_math;
  std::string ptx = codegen::emit_ptx(info.module, target, &info.sources);
  int needed = ptx_version_of(ptx), limit = newest_ptx_version(driver_state().driver.version);
  if (needed > limit)
    fail(kUnsupportedPtx, "cuModuleLoadDataEx", info.name,
         "the code needs PTX " + std::to_string(needed / 10) + "." + std::to_string(needed % 10) +
             ", the driver takes " + std::to_string(limit / 10) + "." + std::to_string(limit % 10) +
             " at most");
  return ptx;
}

class CudaKernel final : public CompiledKernel {
 public:
  explicit CudaKernel(KernelInfo kernel) : CompiledKernel(std::move(kernel)) {
    std::string ptx = emit(*this);
    for (const frontend::ValueType& type : argument_types)
      for (frontend::ValueType& leaf : leaves(type)) leaf_types_.push_back(std::move(leaf));
    layouts_ = leaf_layouts(*this);
    slots_ = slot_count(layouts_);
    LANEWISE_CHECK(slots_ == module.entry().params().size(), "slots and parameters of a kernel differ");
    ContextScope scope;
    load(ptx);
  }
  ~CudaKernel() override {
    if (!module_ || !device_alive()) return;
    try {
      ContextScope scope;
      driver_state().driver.cuCtxSynchronize();  // a launch on device arrays may still run
      driver_state().driver.cuModuleUnload(module_);
    } catch (const CudaError&) {
      // The process is ending or the context is lost: the module goes with it.
    }
  }

  void launch(const LaunchConfig& config, std::span<const Argument> arguments) override {
    check_launch_config(*this, config);
    check_writable(*this, arguments);
    LANEWISE_CHECK(arguments.size() == leaf_types_.size(), "a launch with the wrong number of arguments");
    if (std::find(config.grid.begin(), config.grid.end(), 0) != config.grid.end()) return;
    check_resources(config);
    ContextScope scope;
    allow_shared(config.dynamic_shared_bytes);
    bool has_host_arrays = std::any_of(arguments.begin(), arguments.end(),
                                       [](const Argument& a) { return a.ndim >= 0 && !a.device; });
    auto stream = static_cast<CUstream>(config.stream);
    if (!has_host_arrays) return start(config, arguments, {});
    Transfer transfer(leaf_types_, leaf_access, arguments, stream, name);
    start(config, arguments, transfer.addresses());
    transfer.copy_back();
  }

 private:
  void load(const std::string& ptx) {
    std::vector<char> log(16384);
    int jit_options[] = {kJitErrorLog, kJitErrorLogBytes};
    void* values[] = {log.data(), reinterpret_cast<void*>(log.size())};
    CUresult code = driver_state().driver.cuModuleLoadDataEx(&module_, ptx.c_str(), 2, jit_options, values);
    log.back() = 0;
    if (code != kSuccess) {
      module_ = nullptr;
      fail(code, "cuModuleLoadDataEx", name, log.data());
    }
    std::string entry = codegen::ptx_name(module.entry().name);
    CUDA_CALL_FOR(name, cuModuleGetFunction, (&function_, module_, entry.c_str()));
    CUDA_CALL_FOR(name, cuFuncGetAttribute, (&static_shared_, kFunctionSharedBytes, function_));
    CUDA_CALL_FOR(name, cuFuncGetAttribute, (&max_threads_, kFunctionMaxThreads, function_));
  }

  void check_resources(const LaunchConfig& config) const {
    int64_t shared = static_shared_ + config.dynamic_shared_bytes, limit = device().max_shared_bytes;
    if (shared > limit)
      throw LaunchError("kernel `" + name + "`: a block needs " + std::to_string(shared) +
                        " bytes of shared memory (" + std::to_string(static_shared_) + " static, " +
                        std::to_string(config.dynamic_shared_bytes) + " dynamic); " + device().name +
                        " has " + std::to_string(limit));
    int64_t threads = config.block[0] * config.block[1] * config.block[2];
    if (threads > max_threads_)
      throw LaunchError("kernel `" + name + "`: a block of " + std::to_string(threads) +
                        " threads needs more registers than there are; it can have " +
                        std::to_string(max_threads_) + " threads at most");
  }

  // Beyond the plain limit the kernel must be told, once for the largest amount: another thread may be
  // launching with more.
  void allow_shared(int64_t dynamic) {
    if (static_shared_ + dynamic <= kPlainSharedBytes || dynamic <= allowed_dynamic_) return;
    std::scoped_lock lock(mutex_);
    if (dynamic <= allowed_dynamic_) return;
    if (!driver_state().driver.cuFuncSetAttribute)
      throw LaunchError("kernel `" + name +
                        "`: more than 48 KiB of shared memory needs a driver for CUDA 9 or newer");
    CUDA_CALL_FOR(name, cuFuncSetAttribute,
                  (function_, kFunctionMaxDynamicShared, static_cast<int>(dynamic)));
    allowed_dynamic_ = dynamic;
  }

  void start(const LaunchConfig& config, std::span<const Argument> arguments,
             std::span<void* const> data) const {
    constexpr size_t kUsual = 64;
    uint64_t usual_slots[kUsual];
    void* usual_params[kUsual];
    std::vector<uint64_t> many_slots(slots_ > kUsual ? slots_ : 0);
    std::vector<void*> many_params(many_slots.size());
    uint64_t* slots = many_slots.empty() ? usual_slots : many_slots.data();
    void** params = many_slots.empty() ? usual_params : many_params.data();
    pack_slots(layouts_, arguments, data, slots);
    for (size_t i = 0; i < slots_; ++i) params[i] = slots + i;
    auto number = [](int64_t n) { return static_cast<unsigned>(n); };
    const auto& [grid, block, shared, stream] = config;
    CUDA_CALL_FOR(
        name, cuLaunchKernel,
        (function_, number(grid[0]), number(grid[1]), number(grid[2]), number(block[0]), number(block[1]),
         number(block[2]), number(shared), static_cast<CUstream>(stream), params, nullptr));
  }

  CUmodule module_ = nullptr;
  CUfunction function_ = nullptr;
  int static_shared_ = 0, max_threads_ = 1024;
  std::vector<frontend::ValueType> leaf_types_;
  std::vector<LeafLayout> layouts_;
  size_t slots_ = 0;
  std::mutex mutex_;
  std::atomic<int64_t> allowed_dynamic_ = 0;
};

}  // namespace
}  // namespace cuda

std::shared_ptr<CompiledKernel> make_cuda_kernel(KernelInfo info) {
  return std::make_shared<cuda::CudaKernel>(std::move(info));
}

}  // namespace lanewise::runtime
