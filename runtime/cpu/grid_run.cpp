// Blocks on stacks of their own, switched by ucontext. A block may go on in another thread of the pool than
// it stopped in: compiled kernels have nothing of a thread's own.
#include "runtime/cpu/grid_run.h"

#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <new>
#include <thread>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

#include "runtime/cpu/float_environment.h"
#include "runtime/cpu/thread_pool.h"

namespace lanewise::runtime {
namespace {

// Address space of a stack (calls of device functions may take 1 MiB), and what is likely used of it.
constexpr int64_t kStackBytes = 2 << 20, kUsedStackBytes = 16384;
constexpr int64_t kKeptBytes = 256 << 20;  // of touched memory, kept for the next launch

// Memory that is only there once it is touched.
class Region {
 public:
  explicit Region(int64_t bytes) : bytes_(static_cast<size_t>(bytes)) {
    data_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data_ == MAP_FAILED) throw std::bad_alloc();
  }
  ~Region() { munmap(data_, bytes_); }
  Region(const Region&) = delete;
  char* data() const { return static_cast<char*>(data_); }
  int64_t size() const { return static_cast<int64_t>(bytes_); }

 private:
  size_t bytes_;
  void* data_;
};

// That of the launch before.
std::atomic<Region*> the_kept_region{nullptr};

struct Grid;

struct BlockStack {
  ucontext_t here, *caller = nullptr;
  Grid* grid = nullptr;
  char *stack = nullptr, *arena = nullptr;
  int64_t number = 0, result = 0, waits = 0;  // waits: what the function says at the barrier; 0: nowhere
  bool ended = false;
#if defined(__SANITIZE_ADDRESS__)
  void *fake_stack = nullptr, *caller_fake = nullptr;
  const void* caller_stack = nullptr;
  size_t caller_bytes = 0;
#endif

  // Where it begins; in a function of its own, since the compiler takes getcontext() for a setjmp().
  [[gnu::noinline]] void prepare(void (*begin)(unsigned, unsigned)) {
    getcontext(&here);
    here.uc_stack.ss_sp = stack;
    here.uc_stack.ss_size = kStackBytes;
    here.uc_link = nullptr;
    auto address = reinterpret_cast<uintptr_t>(this);
    makecontext(&here, reinterpret_cast<void (*)()>(begin), 2, static_cast<unsigned>(address >> 32),
                static_cast<unsigned>(address));
  }
  // From the block back to who took it on, until it is taken on again.
  void leave() {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(ended ? nullptr : &fake_stack, caller_stack, caller_bytes);
#endif
    swapcontext(&here, caller);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fake_stack, &caller_stack, &caller_bytes);
#endif
  }
  void go_on() {
    ucontext_t there;
    caller = &there;
    waits = 0;
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(&caller_fake, stack, kStackBytes);
#endif
    swapcontext(&there, &here);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(caller_fake, nullptr, nullptr);
#endif
  }
};

struct Grid {
  codegen::HostKernelFunction function;
  codegen::HostLaunch launch;
  std::vector<BlockStack> blocks;
  const std::function<int64_t()>& ask;
  std::thread::id caller = std::this_thread::get_id();
  std::atomic<int64_t> result{0};       // of the first block that ended the launch
  std::atomic<int64_t> waiting{0};      // what one that waits would say
  std::atomic<bool> some_ended{false};  // without waiting

  bool end(int64_t how) {
    int64_t none = 0;
    result.compare_exchange_strong(none, how);
    return false;
  }
  bool chunk(int64_t first, int64_t count) {
    if (std::this_thread::get_id() == caller)
      if (int64_t how = ask()) return end(how);
    FloatEnvironment environment;
    for (int64_t i = first; i < first + count; ++i) {
      BlockStack& block = blocks[static_cast<size_t>(i)];
      if (block.ended) continue;
      block.go_on();
      if (block.result != 0) return end(block.result);
      if (block.ended)
        some_ended.store(true, std::memory_order_relaxed);
      else
        waiting.store(block.waits, std::memory_order_relaxed);
    }
    return true;
  }
};

void run_block(unsigned high, unsigned low) {
  auto* block = reinterpret_cast<BlockStack*>(static_cast<uintptr_t>(high) << 32 | low);
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(nullptr, &block->caller_stack, &block->caller_bytes);
#endif
  Grid& grid = *block->grid;
  block->result = grid.function(&grid.launch, block->arena, block->number, 1);
  block->ended = true;
  block->leave();
}

void wait_for_grid(void* context, int64_t number, int64_t error) {
  BlockStack& block = static_cast<Grid*>(context)->blocks[static_cast<size_t>(number)];
  block.waits = error;
  block.leave();
}

}  // namespace

int64_t grid_block_bytes(int64_t arena_bytes) {
  return codegen::HostLayout::round_up(arena_bytes) + kUsedStackBytes;
}

int64_t GridRun::run(codegen::HostKernelFunction function, codegen::HostLaunch launch, int64_t blocks,
                     int64_t arena_bytes, const std::function<int64_t()>& ask) {
  constexpr int64_t kPage = 4096;
  int64_t arena = (arena_bytes + kPage - 1) / kPage * kPage, each = arena + kStackBytes;
  std::unique_ptr<Region> region(the_kept_region.exchange(nullptr));
  if (!region || region->size() < blocks * each) region = std::make_unique<Region>(blocks * each);
  Grid grid{function, launch, std::vector<BlockStack>(static_cast<size_t>(blocks)), ask};
  grid.launch.grid_barrier = wait_for_grid;
  grid.launch.grid_context = &grid;
  FloatEnvironment environment;  // what the blocks begin with
  for (int64_t i = 0; i < blocks; ++i) {
    BlockStack& block = grid.blocks[static_cast<size_t>(i)];
    block.grid = &grid;
    block.number = i;
    block.arena = region->data() + i * each;
    block.stack = block.arena + arena;
    block.prepare(run_block);
  }
  ThreadPool& pool = ThreadPool::instance();
  int64_t share = std::max<int64_t>(blocks / (4 * pool.size()), 1);
  do {
    grid.waiting = 0;
    pool.run(
        0, blocks, share,
        [](void* context, int64_t first, int64_t count) {
          return static_cast<Grid*>(context)->chunk(first, count);
        },
        &grid);
    if (grid.result == 0 && grid.waiting != 0 && grid.some_ended) grid.result = grid.waiting.load();
  } while (grid.result == 0 && grid.waiting != 0);
  if (blocks * grid_block_bytes(arena_bytes) <= kKeptBytes)
    region.reset(the_kept_region.exchange(region.release()));
  return grid.result;
}

}  // namespace lanewise::runtime
