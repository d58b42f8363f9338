#include "runtime/cuda/cooperative.h"

#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "runtime/cuda/buffers.h"
#include "runtime/cuda/graph.h"

namespace lanewise::runtime::cuda {
namespace {

CUdeviceptr make_counter(const Device& gpu) {
  RelaxedCapture relaxed;
  CUdeviceptr made = allocate_memory(gpu, sizeof(uint32_t));
  const uint32_t zero = 0;
  try {
    fill_memory(made, &zero, sizeof zero);
  } catch (...) {
    driver_state().driver.cuMemFree(made);
    throw;
  }
  return made;
}

// Of one launch in a graph: the graph may run beside others, but not beside itself.
struct GraphCounter {
  explicit GraphCounter(const Device& device) : gpu(device), address(make_counter(device)) {}
  ~GraphCounter() {
    cleanup(gpu, [&] { free_memory(gpu, {address, sizeof(uint32_t)}); });
  }
  GraphCounter(const GraphCounter&) = delete;
  const Device& gpu;
  CUdeviceptr address;
};

CUdeviceptr counter_of_graph(const Device& gpu) {
  auto counter = std::make_shared<const GraphCounter>(gpu);
  if (!keep_for_graph(counter)) {
    // Another library captures: nobody says when its graph goes.
    static auto* mutex = new std::mutex;
    static auto* kept = new std::vector<std::shared_ptr<const GraphCounter>>;
    std::scoped_lock lock(*mutex);
    kept->push_back(counter);
  }
  return counter->address;
}

// Of each stream but the default streams of threads.
struct Counters {
  std::mutex mutex;
  std::map<std::pair<const Device*, CUstream>, CUdeviceptr> all;
};
Counters& counters() {
  static auto* the_counters = new Counters;
  return *the_counters;
}

// One handle stands for the default streams of all threads; what a thread has launched may outlive it.
struct ThreadCounters {
  std::map<const Device*, CUdeviceptr> all;
  ~ThreadCounters() {
    for (auto [gpu, counter] : all)
      cleanup(*gpu, [gpu = gpu, counter = counter] { free_grid_counter(*gpu, counter); });
  }
};

}  // namespace

CUdeviceptr grid_counter(const Device& gpu, CUstream stream) {
  if (is_capturing(stream)) return counter_of_graph(gpu);
  const auto per_thread = reinterpret_cast<CUstream>(uintptr_t{2});
  if (stream == per_thread) {
    static thread_local ThreadCounters of_thread;
    CUdeviceptr& counter = of_thread.all[&gpu];
    if (counter == 0) counter = make_counter(gpu);
    return counter;
  }
  std::scoped_lock lock(counters().mutex);
  CUdeviceptr& counter = counters().all[{&gpu, stream}];
  if (counter == 0) counter = make_counter(gpu);
  return counter;
}

CUdeviceptr take_grid_counter(const Device& gpu, CUstream stream) {
  std::scoped_lock lock(counters().mutex);
  auto found = counters().all.extract({&gpu, stream});
  return found.empty() ? 0 : found.mapped();
}

void free_grid_counter(const Device& gpu, CUdeviceptr counter) {
  if (counter != 0) free_memory(gpu, {counter, sizeof(uint32_t)});
}

int64_t resident_blocks(const Device& gpu, CUfunction function, int64_t threads, int64_t dynamic_shared_bytes,
                        const std::string& kernel) {
  const Driver& driver = driver_state().driver;
  int cooperative = 0, multiprocessors = 0, blocks = 0;
  constexpr int kFirstVersion = 9000;  // of drivers that know the attribute
  if (!driver.cuLaunchCooperativeKernel || driver.version < kFirstVersion) return 0;
  CUDA_CALL_FOR(kernel, cuDeviceGetAttribute, (&cooperative, kCooperativeLaunch, gpu.handle));
  if (!cooperative) return 0;
  CUDA_CALL_FOR(kernel, cuDeviceGetAttribute, (&multiprocessors, kMultiprocessors, gpu.handle));
  CUDA_CALL_FOR(kernel, cuOccupancyMaxActiveBlocksPerMultiprocessor,
                (&blocks, function, static_cast<int>(threads), static_cast<size_t>(dynamic_shared_bytes)));
  return int64_t{blocks} * multiprocessors;
}

}  // namespace lanewise::runtime::cuda
