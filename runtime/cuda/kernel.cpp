// make_cuda_kernel(): IR to PTX to a loaded module, and its launches with host arrays copied in and out.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "codegen/codegen.h"
#include "codegen/cuda_toolkit.h"
#include "runtime/backend.h"
#include "runtime/cuda/argument_check.h"
#include "runtime/cuda/assembler_log.h"
#include "runtime/cuda/captured_arrays.h"
#include "runtime/cuda/cooperative.h"
#include "runtime/cuda/device_code.h"
#include "runtime/cuda/driver.h"
#include "runtime/cuda/graph.h"
#include "runtime/cuda/launch_attributes.h"
#include "runtime/cuda/launch_errors.h"
#include "runtime/cuda/nvrtc.h"
#include "runtime/cuda/ptx_text.h"
#include "runtime/cuda/transfer.h"
#include "runtime/cuda/via_cuda_cpp.h"
#include "runtime/launch_facts.h"

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

// What code for the device is made for: what was asked for, 0: the device's own.
int architecture_of(const KernelInfo& info, int sm, const Device& gpu) {
  if (sm == 0) return architecture_for(gpu);
  if (sm > gpu.sm)
    throw CudaError("kernel `" + info.name + "` was asked for sm_" + std::to_string(sm) + ", but " +
                        gpu.name + " is sm_" + std::to_string(gpu.sm) +
                        " and runs only code for that or less",
                    kNoBinary);
  return sm;
}

// What the driver loads: PTX, or a cubin where it takes no PTX so new or where binaries are linked to the
// kernel.
std::string make_code(const KernelInfo& info, int sm, const Device& gpu, const ir::LaunchFacts& facts,
                      codegen::PtxHidden& hidden) {
  codegen::PtxTarget target = info.options.cuda;
  target.sm = sm;
  target.facts = facts;
  int limit = ptx_of_cuda_version(driver_state().driver.version);
  const std::vector<LinkInput>& link = info.options.link;
  std::string ptx = by_way_of_cuda_cpp()
                        ? ptx_by_way_of_cuda_cpp(info, target, limit, hidden)
                        : emit_cuda_ptx(info.module, target, &info.sources, link, limit, &hidden);
  bool must_link = std::any_of(link.begin(), link.end(), is_binary);
  int needed = ptx_version_of(ptx);
  if (needed <= limit && !must_link) return ptx;
  // A cubin of ours has no PTX version, but its assembler must be one whose code the driver loads.
  bool has_linker = !codegen::find(codegen::ToolkitPiece::NvJitLink).empty();
  bool merged = !info.module.externals.empty() || !link.empty() || by_way_of_cuda_cpp();
  if (must_link || (merged && has_linker)) return make_cubin(ptx, gpu.sm, link, target.max_registers);
  fail(
      kUnsupportedPtx, "cuModuleLoadDataEx", info.name,
      "the code needs PTX " + std::to_string(needed / 10) + "." + std::to_string(needed % 10) +
          ", the driver takes " + std::to_string(limit / 10) + "." + std::to_string(limit % 10) + " at most" +
          (merged
               ? "; it has CUDA C++ of a newer NVRTC: install nvJitLink (pip install nvidia-nvjitlink-cu12), "
                 "or an NVRTC of the driver's CUDA"
               : ""));
}

// What most launches are.
constexpr ir::LaunchFacts kUsualFacts{.small = true, .distinct = true, .aligned = true};

// One variant of a kernel on one device.
struct Code {
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  int static_shared = 0, max_threads = 1024;
  std::vector<CUdeviceptr> captured;  // hidden parameters: of CapturedArrays,
  bool reports = false;               // then those of LaunchErrors
  std::atomic<int64_t> allowed_dynamic = 0;
  std::atomic<int> suggested_block = 0;  // without dynamic shared memory; 0: not asked for yet
  std::atomic<bool> loaded = false;
};

// A kernel on one device, its variants loaded as launches want them.
struct OnDevice {
  const Device* device = nullptr;
  int sm = 0;
  std::array<Code, 8> variants;
  CapturedArrays captured;
};

class CudaKernel final : public CompiledKernel, public std::enable_shared_from_this<CudaKernel> {
 public:
  explicit CudaKernel(KernelInfo kernel)
      : CompiledKernel(std::move(kernel)), facts_(*this, "LANEWISE_CUDA_GENERAL"), errors_(*this) {
    for (const frontend::ValueType& type : argument_types)
      for (frontend::ValueType& leaf : leaves(type)) leaf_types_.push_back(std::move(leaf));
    layouts_ = leaf_layouts(*this);
    slots_ = slot_count(layouts_);
    cooperative_ = ir::waits_for_grid(module);
    extended_ = options.cuda.cluster[0] > 0;
    LANEWISE_CHECK(slots_ == module.entry().params().size(), "slots and parameters of a kernel differ");
    const Device& gpu = device();
    OnDevice& first = on(gpu);
    {
      ContextScope scope(gpu);
      code_for(first, kUsualFacts);  // so that its errors come now
    }
    options.cuda.sm = first.sm;  // what the texts show
  }
  ~CudaKernel() override {
    for (const auto& [device, here] : devices_)
      cleanup(*device, [&here] {
        const Driver& driver = driver_state().driver;
        driver.cuCtxSynchronize();  // a launch on device arrays may still run
        for (const Code& code : here->variants)
          if (code.module) driver.cuModuleUnload(code.module);
        here->captured.free();
      });
  }

  void launch(const LaunchConfig& config, std::span<const Argument> arguments) override {
    if (config.tasks >= 0) return launch(sized(config), arguments);
    check_launch_config(*this, config);
    check_shared_is_given(*this, config);
    check_writable(*this, arguments);
    LANEWISE_CHECK(arguments.size() == leaf_types_.size(), "a launch with the wrong number of arguments");
    if (std::find(config.grid.begin(), config.grid.end(), 0) != config.grid.end()) return;
    const Device& gpu = device();
    ContextScope scope(gpu);
    check_devices(*this, gpu, arguments, static_cast<CUstream>(config.stream));
    Code& code = code_for(on(gpu), facts_.find(config, arguments));
    check_resources(gpu, code, config);
    allow_shared(code, config.dynamic_shared_bytes);
    if (cooperative_) {
      check_overlap(config);
      check_cooperative_grid(
          *this, config, resident_blocks_of(gpu, code, config.block, config.dynamic_shared_bytes), gpu.name);
    }
    bool has_host_arrays = std::any_of(arguments.begin(), arguments.end(),
                                       [](const Argument& a) { return a.ndim >= 0 && !a.device; });
    auto stream = static_cast<CUstream>(config.stream);
    std::optional<LaunchErrors::Waited> waited;  // outlives the transfer, which waits for the kernel
    std::optional<Transfer> transfer;
    if (has_host_arrays) transfer.emplace(gpu, leaf_types_, leaf_access, arguments, stream, name);
    std::span<void* const> addresses = transfer ? transfer->addresses() : std::span<void* const>{};
    if (!transfer || transfer->is_empty()) {
      if (keeps_for_graph(stream)) keep_what_is_used(arguments);
      LaunchErrors::Unwaited errors(errors_, code.reports, gpu, stream);
      return start(gpu, code, config, arguments, addresses, errors.parameters());
    }
    waited.emplace(errors_, code.reports);
    start(gpu, code, config, arguments, addresses, waited->parameters());
    transfer->copy_back();
    waited->check();
  }

  Resources resources() override {
    const Device& gpu = device();
    ContextScope scope(gpu);
    Code& code = code_for(on(gpu), kUsualFacts);
    Resources all;
    const std::pair<int, int*> kAttributes[] = {
        {kFunctionMaxThreads, &all.max_threads},      {kFunctionSharedBytes, &all.shared_bytes},
        {kFunctionConstBytes, &all.constant_bytes},   {kFunctionLocalBytes, &all.local_bytes},
        {kFunctionRegisters, &all.registers},         {kFunctionPtxVersion, &all.ptx_version},
        {kFunctionBinaryVersion, &all.binary_version}};
    for (auto [attribute, value] : kAttributes)
      CUDA_CALL_FOR(name, cuFuncGetAttribute, (value, attribute, code.function));
    return all;
  }

  int64_t max_cooperative_blocks(const std::array<int64_t, 3>& block, int64_t dynamic_shared_bytes) override {
    check_launch_config(*this, {.block = block, .dynamic_shared_bytes = dynamic_shared_bytes});
    const Device& gpu = device();
    ContextScope scope(gpu);
    Code& code = usual_code(gpu, dynamic_shared_bytes);
    return resident_blocks_of(gpu, code, block, dynamic_shared_bytes);
  }

  int64_t suggested_block(int64_t dynamic_shared_bytes) override {
    check_dynamic_shared(*this, dynamic_shared_bytes);
    const Device& gpu = device();
    ContextScope scope(gpu);
    Code& code = usual_code(gpu, dynamic_shared_bytes);
    if (dynamic_shared_bytes == 0 && code.suggested_block > 0) return code.suggested_block;
    int blocks = 0, threads = 0;
    CUDA_CALL_FOR(name, cuOccupancyMaxPotentialBlockSize,
                  (&blocks, &threads, code.function, nullptr, static_cast<size_t>(dynamic_shared_bytes),
                   options.cuda.max_threads));
    if (threads < 1)
      throw LaunchError("kernel `" + name + "`: not even a block of one thread fits " + gpu.name);
    if (dynamic_shared_bytes == 0) code.suggested_block = threads;
    return threads;
  }

  int64_t max_active_blocks(const std::array<int64_t, 3>& block, int64_t dynamic_shared_bytes) override {
    check_launch_config(*this, {.block = block, .dynamic_shared_bytes = dynamic_shared_bytes});
    const Device& gpu = device();
    ContextScope scope(gpu);
    Code& code = usual_code(gpu, dynamic_shared_bytes);
    int blocks = 0;
    CUDA_CALL_FOR(name, cuOccupancyMaxActiveBlocksPerMultiprocessor,
                  (&blocks, code.function, static_cast<int>(block[0] * block[1] * block[2]),
                   static_cast<size_t>(dynamic_shared_bytes)));
    return blocks;
  }

  int64_t max_active_clusters(const LaunchConfig& config) override {
    check_launch_config(*this, config);
    const Device& gpu = device();
    ContextScope scope(gpu);
    Code& code = usual_code(gpu, config.dynamic_shared_bytes);
    auto cluster = cluster_of(*this, gpu, code.function, config);
    if (cluster[0] == 0) throw LaunchError("kernel `" + name + "`: no clusters are asked for");
    return active_clusters(*this, code.function, config, cluster);
  }

 private:
  // For questions about launches: with as much dynamic shared memory as they have.
  Code& usual_code(const Device& gpu, int64_t dynamic_shared_bytes) {
    Code& code = code_for(on(gpu), kUsualFacts);
    check_shared(gpu, code, dynamic_shared_bytes);
    allow_shared(code, dynamic_shared_bytes);
    return code;
  }

  OnDevice& on(const Device& gpu) {
    if (OnDevice* last = last_; last && last->device == &gpu) return *last;
    std::scoped_lock lock(mutex_);
    std::unique_ptr<OnDevice>& here = devices_[&gpu];
    if (!here) {
      int sm = architecture_of(*this, asked_sm_, gpu);
      here = std::make_unique<OnDevice>();
      here->device = &gpu;
      here->sm = sm;
    }
    last_ = here.get();
    return *here;
  }

  void keep_what_is_used(std::span<const Argument> arguments) {
    keep_for_graph(shared_from_this());
    for (const Argument& argument : arguments)
      if (argument.device) keep_memory_for_graph(reinterpret_cast<CUdeviceptr>(argument.data));
  }

  // Compiled and loaded the first time that a launch wants it.
  Code& code_for(OnDevice& here, const ir::LaunchFacts& facts) {
    auto bit = [](bool fact) { return static_cast<size_t>(fact); };
    Code& code = here.variants[bit(facts.small) * 4 + bit(facts.distinct) * 2 + bit(facts.aligned)];
    if (code.loaded.load(std::memory_order_acquire)) return code;
    std::scoped_lock lock(mutex_);
    if (code.loaded.load(std::memory_order_relaxed)) return code;
    RelaxedCapture relaxed;
    codegen::PtxHidden hidden{.failures = errors_.sites()};
    std::string image = make_code(*this, here.sm, *here.device, facts, hidden);
    code.reports = hidden.record;
    errors_.set_sites(std::move(hidden.failures));
    code.captured = here.captured.load(*here.device, module, hidden.data);
    load(code, image);
    return code;
  }

  void load(Code& code, const std::string& ptx) {
    std::vector<char> log(16384);
    int jit_options[] = {kJitErrorLog, kJitErrorLogBytes};
    void* values[] = {log.data(), reinterpret_cast<void*>(log.size())};
    CUresult result =
        driver_state().driver.cuModuleLoadDataEx(&code.module, ptx.c_str(), 2, jit_options, values);
    log.back() = 0;
    if (result != kSuccess) {
      code.module = nullptr;
      std::string said = log.data();
      if (result == kInvalidPtx) said += (said.empty() ? "" : "\n  ") + explain_assembler_log(ptx, said);
      fail(result, "cuModuleLoadDataEx", name, said);
    }
    try {
      const std::string& own_name = module.entry().name;
      std::string entry = by_way_of_cuda_cpp() ? codegen::cuda_name(own_name) : codegen::ptx_name(own_name);
      CUDA_CALL_FOR(name, cuModuleGetFunction, (&code.function, code.module, entry.c_str()));
      CUDA_CALL_FOR(name, cuFuncGetAttribute, (&code.static_shared, kFunctionSharedBytes, code.function));
      CUDA_CALL_FOR(name, cuFuncGetAttribute, (&code.max_threads, kFunctionMaxThreads, code.function));
    } catch (...) {
      driver_state().driver.cuModuleUnload(code.module);
      code.module = nullptr;
      throw;
    }
    code.loaded.store(true, std::memory_order_release);
  }

  void check_shared(const Device& gpu, const Code& code, int64_t dynamic) const {
    int64_t limit = gpu.max_shared_bytes;
    if (dynamic <= limit - code.static_shared) return;
    bool countable = dynamic <= std::numeric_limits<int64_t>::max() - code.static_shared;
    throw LaunchError("kernel `" + name + "`: a block needs " +
                      (countable ? std::to_string(code.static_shared + dynamic) : "2**63 or more") +
                      " bytes of shared memory (" + std::to_string(code.static_shared) + " static, " +
                      std::to_string(dynamic) + " dynamic); " + gpu.name + " has " + std::to_string(limit));
  }

  // A launch that overlaps may count its blocks while those of the one in front are not all counted.
  void check_overlap(const LaunchConfig& config) const {
    if (config.attributes.overlaps_previous)
      throw LaunchError(
          "kernel `" + name +
          "` waits for all blocks of the grid: it cannot overlap the work in front of it on the "
          "stream: leave overlaps_previous out");
  }

  void check_resources(const Device& gpu, const Code& code, const LaunchConfig& config) const {
    check_shared(gpu, code, config.dynamic_shared_bytes);
    int64_t threads = config.block[0] * config.block[1] * config.block[2];
    if (threads > code.max_threads)
      throw LaunchError("kernel `" + name + "`: a block of " + std::to_string(threads) +
                        " threads needs more registers than there are; it can have " +
                        std::to_string(code.max_threads) + " threads at most");
  }

  // Beyond the plain limit the kernel must be told, once for the largest amount: another thread may be
  // launching with more.
  void allow_shared(Code& code, int64_t dynamic) {
    if (code.static_shared + dynamic <= kPlainSharedBytes || dynamic <= code.allowed_dynamic) return;
    std::scoped_lock lock(mutex_);
    if (dynamic <= code.allowed_dynamic) return;
    if (!driver_state().driver.cuFuncSetAttribute)
      throw LaunchError("kernel `" + name +
                        "`: more than 48 KiB of shared memory needs a driver for CUDA 9 or newer");
    CUDA_CALL_FOR(name, cuFuncSetAttribute,
                  (code.function, kFunctionMaxDynamicShared, static_cast<int>(dynamic)));
    code.allowed_dynamic = dynamic;
  }

  int64_t resident_blocks_of(const Device& gpu, const Code& code, const std::array<int64_t, 3>& block,
                             int64_t dynamic_shared_bytes) const {
    return resident_blocks(gpu, code.function, block[0] * block[1] * block[2], dynamic_shared_bytes, name);
  }

  void start(const Device& gpu, const Code& code, const LaunchConfig& config,
             std::span<const Argument> arguments, std::span<void* const> data,
             const LaunchErrors::Parameters& failure) const {
    constexpr size_t kUsual = 64;
    size_t count = slots_ + code.captured.size() + 3;
    uint64_t usual_slots[kUsual];
    void* usual_params[kUsual];
    std::vector<uint64_t> many_slots(count > kUsual ? count : 0);
    std::vector<void*> many_params(many_slots.size());
    uint64_t* slots = many_slots.empty() ? usual_slots : many_slots.data();
    void** params = many_slots.empty() ? usual_params : many_params.data();
    pack_slots(layouts_, arguments, data, slots);
    std::copy(code.captured.begin(), code.captured.end(), slots + slots_);
    size_t next = slots_ + code.captured.size();
    if (code.reports) slots[next++] = failure.record, slots[next++] = failure.launch;
    if (cooperative_) slots[next++] = grid_counter(gpu, static_cast<CUstream>(config.stream));
    for (size_t i = 0; i < next; ++i) params[i] = slots + i;
    auto number = [](int64_t n) { return static_cast<unsigned>(n); };
    const auto &grid = config.grid, &block = config.block;
    const auto stream = static_cast<CUstream>(config.stream);
    const unsigned shared = number(config.dynamic_shared_bytes);
    if (extended_ || config.attributes.any()) {
      auto cluster = cluster_of(*this, gpu, code.function, config);
      check_fits(*this, gpu, code.function, config, cluster);
      ExtendedLaunch how(config, cluster, cooperative_);
      CUDA_CALL_FOR(name, cuLaunchKernelEx, (how.config(), code.function, params, nullptr));
      return;
    }
    if (cooperative_) {
      CUDA_CALL_FOR(name, cuLaunchCooperativeKernel,
                    (code.function, number(grid[0]), number(grid[1]), number(grid[2]), number(block[0]),
                     number(block[1]), number(block[2]), shared, stream, params));
      return;
    }
    CUDA_CALL_FOR(name, cuLaunchKernel,
                  (code.function, number(grid[0]), number(grid[1]), number(grid[2]), number(block[0]),
                   number(block[1]), number(block[2]), shared, stream, params, nullptr));
  }

  std::map<const Device*, std::unique_ptr<OnDevice>> devices_;
  std::atomic<OnDevice*> last_ = nullptr;  // what the last launch used
  const int asked_sm_ = options.cuda.sm;
  FactFinder facts_;
  LaunchErrors errors_;
  std::vector<frontend::ValueType> leaf_types_;
  std::vector<LeafLayout> layouts_;
  size_t slots_ = 0;
  bool cooperative_ = false;  // waits for the grid: one more parameter, the last
  bool extended_ = false;     // compiled for clusters: launches are checked for them
  std::mutex mutex_;          // while a device or a variant is added, or told of more shared memory
};

// Where there is no driver: its texts can be read, and what needs a device says what is missing.
class DriverlessKernel final : public CompiledKernel {
 public:
  using CompiledKernel::CompiledKernel;
  void launch(const LaunchConfig&, std::span<const Argument>) override { device(); }
  Resources resources() override { return device(), Resources{}; }
  int64_t max_cooperative_blocks(const std::array<int64_t, 3>&, int64_t) override { return device(), 0; }
  int64_t suggested_block(int64_t) override { return device(), 0; }
  int64_t max_active_blocks(const std::array<int64_t, 3>&, int64_t) override { return device(), 0; }
  int64_t max_active_clusters(const LaunchConfig&) override { return device(), 0; }
};

}  // namespace
}  // namespace cuda

std::shared_ptr<CompiledKernel> make_cuda_kernel(KernelInfo info) {
  if (!cuda::driver_state().ready) return std::make_shared<cuda::DriverlessKernel>(std::move(info));
  return std::make_shared<cuda::CudaKernel>(std::move(info));
}

}  // namespace lanewise::runtime
