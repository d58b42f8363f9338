// A kernel on the CPU: machine code from codegen/, parameter slots on the stack, blocks over the thread pool.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "codegen/codegen.h"
#include "runtime/backend.h"
#include "runtime/cpu/float_environment.h"
#include "runtime/cpu/grid_run.h"
#include "runtime/cpu/thread_pool.h"
#include "runtime/cpu/variants.h"
#include "runtime/input_copies.h"
#include "runtime/launch_facts.h"
#include "runtime/output.h"

namespace lanewise::runtime {
namespace {

constexpr int64_t kMaxArena = int64_t{1} << 30;  // bytes a worker
constexpr int64_t kOutOfMemory = -1, kInterrupted = -2;
// A grid that is done within this time is not worth waking other threads for; a chunk is about this long.
constexpr int64_t kInlineNs = 15'000, kChunkNs = 30'000;
constexpr int64_t kInterruptNs = 50'000'000;  // how often it is asked whether the launch should end

std::atomic<InterruptCheck> the_interrupt_check{nullptr};

// One worker's scratch memory, kept from launch to launch.
class Arena {
 public:
  ~Arena() { std::free(data_); }
  // At least one byte, 64-byte aligned; nullptr if there is no memory.
  char* reserve(int64_t bytes) {
    if (bytes <= size_) return data_;
    std::free(data_);
    size_ = codegen::HostLayout::round_up(bytes);
    data_ = static_cast<char*>(std::aligned_alloc(64, static_cast<size_t>(size_)));
    if (!data_) size_ = 0;
    return data_;
  }

 private:
  char* data_ = nullptr;
  int64_t size_ = 0;
};
thread_local Arena the_arena;

int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

struct Run {
  codegen::HostKernelFunction function = nullptr;
  const codegen::HostLaunch* launch = nullptr;
  int64_t arena_bytes = 0;
  std::atomic<int64_t> result{0};  // of the first chunk that ended early
  std::thread::id caller = std::this_thread::get_id();
  int64_t asked_ns = now_ns();  // by the caller, whether the launch should end

  void all_at_once(int64_t blocks) {
    try {
      result = GridRun::run(function, *launch, blocks, arena_bytes,
                            [this] { return is_interrupted() ? kInterrupted : 0; });
    } catch (const std::bad_alloc&) {
      result = kOutOfMemory;
    }
  }

  bool chunk(int64_t first, int64_t count) {
    if (std::this_thread::get_id() == caller && is_interrupted()) return end(kInterrupted);
    char* arena = the_arena.reserve(arena_bytes);
    int64_t ended = kOutOfMemory;
    if (arena) {
      FloatEnvironment environment;
      ended = function(launch, arena, first, count);
    }
    return ended == 0 || end(ended);
  }

 private:
  bool end(int64_t how) {
    int64_t none = 0;
    result.compare_exchange_strong(none, how);
    return false;
  }
  bool is_interrupted() {
    InterruptCheck check = the_interrupt_check.load(std::memory_order_relaxed);
    int64_t now = now_ns();
    if (!check || now - asked_ns < kInterruptNs) return false;
    asked_ns = now;
    return check();
  }
};

bool perf_is_asked_for() {
  const char* asked = std::getenv("LANEWISE_PERF");
  return asked && *asked && *asked != '0';
}

class CpuKernel : public CompiledKernel {
 public:
  CpuKernel(KernelInfo info, const codegen::HostTarget& target)
      : CompiledKernel(std::move(info)),
        variants_(module, with_lines(target)),
        facts_(*this, "LANEWISE_CPU_GENERAL"),
        leaves_(leaf_layouts(*this)),
        slots_(slot_count(leaves_)) {
    LANEWISE_CHECK(slots_ == module.entry().params().size(), "slots and parameters of a kernel differ");
    for (const ir::Access& access : leaf_access) writes_ = writes_ || access.write;
    together_ = ir::waits_for_grid(module);
  }

  Variant launched_variant() const override {
    const codegen::HostKernel* code = variants_.last();
    return code ? Variant{code->block, code->facts} : Variant{};
  }

  std::string report() const override {
    std::string text = "kernel `" + name + "` on the CPU";
    const codegen::HostKernel* code = variants_.last();
    if (!code)
      return text + ": not launched yet; code is made for a block's shape when it is first launched\n";
    if (code->block) {
      text += ", blocks of ";
      for (size_t i = 0; i < 3; ++i) text += (i ? "x" : "") + std::to_string((*code->block)[i]);
    }
    text += ":\n" + variants_.about_last();
    for (const codegen::HostNote& note : code->notes)
      text += note.text + place_text(*this, note.range) + "\n";
    if (code->notes.empty()) text += "threads run one after the other: code for blocks of any shape\n";
    return text;
  }

  void launch(const LaunchConfig& config, std::span<const Argument> arguments) override {
    if (config.tasks >= 0) return launch(sized(config), arguments);
    check_launch_config(*this, config);
    check_shared_is_given(*this, config);
    if (writes_) check_writable(*this, arguments);
    const auto& grid = config.grid;
    const auto& block = config.block;
    const int64_t dynamic_shared_bytes = config.dynamic_shared_bytes;
    if (grid[0] == 0 || grid[1] == 0 || grid[2] == 0) return;
    if (together_)
      check_cooperative_grid(*this, config, max_cooperative_blocks(block, dynamic_shared_bytes), "the CPU");
    InputCopies copies(*this, arguments);
    uint64_t few[64];
    std::vector<uint64_t> many(slots_ > std::size(few) ? slots_ : 0);
    uint64_t* slots = many.empty() ? few : many.data();
    pack_slots(leaves_, copies.arguments(), {}, slots);

    codegen::HostLaunch launch{};
    launch.params = slots;
    for (size_t i = 0; i < 3; ++i) {
      launch.grid[i] = static_cast<int32_t>(grid[i]);
      launch.block[i] = static_cast<int32_t>(block[i]);
    }
    launch.dynamic_shared_bytes = dynamic_shared_bytes;
    const codegen::HostKernel& code =
        variants_.get(block, [&] { return facts_.find(config, copies.arguments()); });
    Run run{code.function(), &launch, arena_bytes(code, block, dynamic_shared_bytes)};
    if (code.outputs.empty()) {
      run_blocks(run, grid[0] * grid[1], grid[2]);
    } else {
      run_with_output(code, run, launch, config);
    }
    if (int64_t ended = run.result.load(); ended != 0) fail(code, ended, run.arena_bytes);
  }

  // Of a grid all of whose blocks live at once.
  int64_t max_cooperative_blocks(const std::array<int64_t, 3>& block, int64_t dynamic_shared_bytes) override {
    check_launch_config(*this, {.block = block, .dynamic_shared_bytes = dynamic_shared_bytes});
    const codegen::HostKernel& code = variants_.get(block, [] { return kUsualFacts; });
    return kMaxGridBytes / grid_block_bytes(arena_bytes(code, block, dynamic_shared_bytes));
  }

 private:
  codegen::HostTarget with_lines(codegen::HostTarget target) const {
    if (options.cuda.line_info || perf_is_asked_for()) target.lines = &sources;
    return target;
  }

  void run_with_output(const codegen::HostKernel& code, Run& run, codegen::HostLaunch& launch,
                       const LaunchConfig& config) {
    struct Context {
      const std::vector<ir::OutputSite>& sites;
      LaunchOutput output;
    } context{code.outputs, {*this, config}};
    launch.output_context = &context;
    launch.output = [](void* opaque, int64_t site, int64_t block, int64_t thread, const uint64_t* values) {
      auto& to = *static_cast<Context*>(opaque);
      static_assert(sizeof(ir::Scalar) == sizeof(uint64_t));
      to.output.take(
          {to.sites[static_cast<size_t>(site)], block, thread, reinterpret_cast<const ir::Scalar*>(values)});
    };
    run_blocks(run, config.grid[0] * config.grid[1], config.grid[2]);
    context.output.finish(run.result.load() == 0);
  }

  int64_t arena_bytes(const codegen::HostKernel& code, const std::array<int64_t, 3>& block,
                      int64_t dynamic_shared_bytes) const {
    int64_t bytes = kMaxArena + 1;
    if (dynamic_shared_bytes <= kMaxArena)
      bytes = code.layout.arena_bytes(block[0] * block[1] * block[2], dynamic_shared_bytes);
    if (bytes > kMaxArena)
      throw LaunchError("kernel `" + name +
                        "`: shared memory, local arrays and values kept across barriers take " +
                        std::to_string(std::max(bytes, dynamic_shared_bytes)) + " bytes a worker; " +
                        std::to_string(kMaxArena) + " is the limit");
    return std::max<int64_t>(bytes, 64);
  }

  // Chunks are as long as the blocks of the launch before say. A grid that should be done at once is begun
  // here, and goes to the other threads if it is not.
  void run_blocks(Run& run, int64_t plane, int64_t depth) {
    int64_t blocks = 0;
    if (__builtin_mul_overflow(plane, depth, &blocks))
      throw LaunchError("a grid of more than 2**63 - 1 blocks");
    if (together_) return run.all_at_once(blocks);
    ThreadPool& pool = ThreadPool::instance();
    int64_t block_ns = block_ns_.load(std::memory_order_relaxed);
    int64_t first = 0, start = now_ns();
    if (block_ns > 0 && block_ns < kInlineNs) {
      first = std::min(blocks, kInlineNs / block_ns);
      if (!run.chunk(0, first)) return;
    } else if (blocks == 1) {
      first = 1;
      if (!run.chunk(0, 1)) return;
    }
    if (first > 0) {
      block_ns = std::max<int64_t>((now_ns() - start) / first, 1);
      block_ns_.store(block_ns, std::memory_order_relaxed);
      if (first == blocks) return;
    }
    int64_t fair = std::max<int64_t>((blocks - first) / (4 * pool.size()), 1);
    int64_t chunk = block_ns > 0 ? std::clamp<int64_t>(kChunkNs / block_ns, 1, fair) : 1;
    start = now_ns();
    pool.run(
        first, blocks, chunk,
        [](void* context, int64_t from, int64_t count) {
          return static_cast<Run*>(context)->chunk(from, count);
        },
        &run);
    if (run.result.load() == 0)
      block_ns_.store(std::max<int64_t>((now_ns() - start) * pool.size() / (blocks - first), 1),
                      std::memory_order_relaxed);
  }

  [[noreturn]] void fail(const codegen::HostKernel& code, int64_t ended, int64_t bytes) const {
    if (ended == kInterrupted) throw Interrupted("kernel `" + name + "`: the launch was interrupted");
    if (ended == kOutOfMemory)
      throw LaunchError("kernel `" + name + "`: no memory for the " + std::to_string(bytes) +
                        " bytes that a worker needs");
    throw KernelError(run_error_text(*this, code.errors.at(static_cast<size_t>(ended - 1))));
  }

  Variants variants_;
  FactFinder facts_;
  std::vector<LeafLayout> leaves_;
  size_t slots_;
  bool writes_ = false, together_ = false;
  std::atomic<int64_t> block_ns_{0};  // how long a block took in the last launch; 0: not known
};

}  // namespace

void set_interrupt_check(InterruptCheck check) { the_interrupt_check.store(check); }

std::shared_ptr<CompiledKernel> make_cpu_kernel(KernelInfo info) {
  codegen::HostTarget target;
  target.cpu = info.options.cpu;
  codegen::check_host(info.module);
  return std::make_shared<CpuKernel>(std::move(info), target);
}

}  // namespace lanewise::runtime
