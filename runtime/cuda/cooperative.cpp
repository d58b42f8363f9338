#include "runtime/cuda/cooperative.h"

#include <map>
#include <mutex>
#include <thread>
#include <tuple>

#include "runtime/cuda/buffers.h"

namespace lanewise::runtime::cuda {

CUdeviceptr grid_counter(const Device& gpu, CUstream stream) {
  // One handle stands for the default streams of all threads.
  const auto per_thread = reinterpret_cast<CUstream>(uintptr_t{2});
  using Key = std::tuple<const Device*, CUstream, std::thread::id>;
  static auto* mutex = new std::mutex;
  static auto* counters = new std::map<Key, CUdeviceptr>;
  std::scoped_lock lock(*mutex);
  Key key{&gpu, stream, stream == per_thread ? std::this_thread::get_id() : std::thread::id()};
  CUdeviceptr& counter = (*counters)[key];
  if (counter == 0) {
    CUdeviceptr made = allocate_memory(gpu, sizeof(uint32_t));
    const uint32_t zero = 0;
    CUDA_CALL(cuMemcpyHtoD, (made, &zero, sizeof zero));
    counter = made;
  }
  return counter;
}

int64_t resident_blocks(const Device& gpu, CUfunction function, int64_t threads, int64_t dynamic_shared_bytes,
                        const std::string& kernel) {
  const Driver& driver = driver_state().driver;
  int cooperative = 0, multiprocessors = 0, blocks = 0;
  // Drivers before CUDA 9 do not know the attribute.
  if (!driver.cuLaunchCooperativeKernel ||
      driver.cuDeviceGetAttribute(&cooperative, kCooperativeLaunch, gpu.handle) != kSuccess || !cooperative)
    return 0;
  CUDA_CALL_FOR(kernel, cuDeviceGetAttribute, (&multiprocessors, kMultiprocessors, gpu.handle));
  CUDA_CALL_FOR(kernel, cuOccupancyMaxActiveBlocksPerMultiprocessor,
                (&blocks, function, static_cast<int>(threads), static_cast<size_t>(dynamic_shared_bytes)));
  return int64_t{blocks} * multiprocessors;
}

}  // namespace lanewise::runtime::cuda
