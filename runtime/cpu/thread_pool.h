// A pool of persistent threads that work through the numbers 0 .. total - 1 in chunks, in increasing order,
// together with the calling thread. One for the process; made at the first use, again in a forked child,
// never destroyed (its threads sleep, and end with the process).
#pragma once
#include <atomic>
#include <cstdint>
#include <mutex>

namespace lanewise::runtime {

// How many threads the machine gives us: LANEWISE_NUM_THREADS, else the affinity mask and the cgroup quota.
int default_num_threads();

// How many forks led to this process since the first call. A lock that another thread held then is held
// forever.
unsigned fork_count();

class ThreadPool {
 public:
  // Handles numbers first .. first + count - 1. Returns false to end the run early.
  using Body = bool (*)(void* context, int64_t first, int64_t count);

  static ThreadPool& instance();

  int size() const { return size_.load(std::memory_order_relaxed); }  // the calling thread included
  void resize(int threads);

  // Calls `body` until all numbers from `first` on are done; returns when no thread is in it any more. If the
  // pool is at work for another caller, the calling thread does everything alone.
  void run(int64_t first, int64_t total, int64_t chunk, Body body, void* context);

 private:
  ThreadPool();
  void start_threads(int wanted);
  void worker(int index);
  void work();

  // `state_` is the number of workers inside the job, plus kOpen while others may still enter. A worker
  // counts itself in before it looks, so that once the number is 0 after closing, nobody reads the job any
  // more.
  static constexpr uint32_t kOpen = 1u << 31;
  alignas(64) std::atomic<uint32_t> state_{0};
  alignas(64) std::atomic<uint32_t> epoch_{0};  // grows with every job; idle workers wait on it
  alignas(64) std::atomic<int64_t> next_{0};
  int64_t total_ = 0, chunk_ = 1;
  Body body_ = nullptr;
  void* context_ = nullptr;

  std::atomic<int> size_{1};
  int started_ = 1;       // threads that exist, the calling one included
  std::mutex launching_;  // held by the caller whose job this is
};

}  // namespace lanewise::runtime
