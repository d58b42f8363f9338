// The pool: threads that wait on an epoch counter, one job at a time, numbers claimed from one atomic
// counter.
#include "runtime/cpu/thread_pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "runtime/runtime.h"

namespace lanewise::runtime {
namespace {

constexpr int kMaxThreads = 1024;
// A worker that has run out of work looks again this often (some microseconds) before it goes to sleep.
constexpr int kSpins = 2000;

void pause_briefly() {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

int affinity_count() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(CPU_COUNT(&set), 1);
  return std::max(static_cast<int>(std::thread::hardware_concurrency()), 1);
}

// CPUs that a cpu.max file allows ("200000 100000": two), rounded up; `none` if there is no limit.
int quota_in(const std::string& path, int none) {
  std::ifstream in(path);
  std::string quota;
  double period = 0;
  if (!(in >> quota >> period) || quota == "max" || period <= 0) return none;
  double cpus = std::strtod(quota.c_str(), nullptr) / period;
  return cpus > 0 && cpus < none ? static_cast<int>(cpus + 0.999) : none;
}

// The least quota of the process's control group (version 2) and those above it.
int cgroup_count(int none) {
  std::ifstream in("/proc/self/cgroup");
  std::string line, group;
  while (std::getline(in, line))
    if (line.starts_with("0::")) group = line.substr(3);
  int least = quota_in("/sys/fs/cgroup/cpu.max", none);
  for (; !group.empty() && group != "/"; group.resize(group.rfind('/') == group.npos ? 0 : group.rfind('/')))
    least = std::min(least, quota_in("/sys/fs/cgroup" + group + "/cpu.max", none));
  return least;
}

std::atomic<ThreadPool*> the_pool{nullptr};
std::mutex making_pool;

}  // namespace

int default_num_threads() {
  if (const char* text = std::getenv("LANEWISE_NUM_THREADS"); text && *text) {
    char* end = nullptr;
    long n = std::strtol(text, &end, 10);
    if (*end == 0 && n >= 1 && n <= kMaxThreads) return static_cast<int>(n);
  }
  return std::clamp(cgroup_count(affinity_count()), 1, kMaxThreads);
}

unsigned fork_count() {
  static std::atomic<unsigned> forks{0};
  static const int watching = pthread_atfork(nullptr, nullptr, [] { ++forks; });
  (void)watching;
  return forks.load(std::memory_order_relaxed);
}

ThreadPool& ThreadPool::instance() {
  if (ThreadPool* pool = the_pool.load(std::memory_order_acquire)) return *pool;
  static std::once_flag once;
  // The child of a fork has none of the threads. It starts afresh; the parent's pool is left where it is.
  std::call_once(once, [] {
    pthread_atfork([] { making_pool.lock(); }, [] { making_pool.unlock(); },
                   [] {
                     the_pool.store(nullptr, std::memory_order_relaxed);
                     making_pool.unlock();
                   });
  });
  std::lock_guard lock(making_pool);
  if (!the_pool.load(std::memory_order_relaxed)) the_pool.store(new ThreadPool, std::memory_order_release);
  return *the_pool.load(std::memory_order_relaxed);
}

ThreadPool::ThreadPool() : size_(default_num_threads()) {}

void ThreadPool::resize(int threads) {
  std::lock_guard lock(launching_);
  size_.store(threads, std::memory_order_relaxed);
}

// Under the launching mutex. If the system gives no more threads, the pool stays smaller.
void ThreadPool::start_threads(int wanted) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are for the threads that the process made
  try {
    for (; started_ < wanted; ++started_) std::thread([this, index = started_] { worker(index); }).detach();
  } catch (const std::system_error&) {
    size_.store(started_, std::memory_order_relaxed);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void ThreadPool::work() {
  for (;;) {
    int64_t first = next_.fetch_add(chunk_, std::memory_order_relaxed);
    if (first >= total_) return;
    if (!body_(context_, first, std::min(chunk_, total_ - first)))
      next_.store(total_, std::memory_order_relaxed);
  }
}

void ThreadPool::worker(int index) {
  pthread_setname_np(pthread_self(), ("lanewise-" + std::to_string(index)).c_str());
  uint32_t seen = 0;
  for (;;) {
    for (int i = 0; i < kSpins && epoch_.load(std::memory_order_acquire) == seen; ++i) pause_briefly();
    epoch_.wait(seen, std::memory_order_acquire);
    seen = epoch_.load(std::memory_order_acquire);
    if (index >= size()) continue;
    uint32_t before = state_.fetch_add(1, std::memory_order_acq_rel);
    if (before & kOpen) work();
    uint32_t after = state_.fetch_sub(1, std::memory_order_acq_rel) - 1;
    if (after == 0) state_.notify_all();
  }
}

void ThreadPool::run(int64_t first, int64_t total, int64_t chunk, Body body, void* context) {
  std::unique_lock lock(launching_, std::try_to_lock);
  int threads = size();
  if (!lock || threads == 1 || total - first <= chunk) {
    for (; first < total && body(context, first, std::min(chunk, total - first)); first += chunk) continue;
    return;
  }
  if (started_ < threads) start_threads(threads);
  // A late worker of the job before may still be counting itself in and out, but sees the job closed.
  next_.store(first, std::memory_order_relaxed);
  total_ = total, chunk_ = chunk, body_ = body, context_ = context;
  state_.fetch_or(kOpen, std::memory_order_acq_rel);
  epoch_.fetch_add(1, std::memory_order_acq_rel);
  epoch_.notify_all();
  work();
  state_.fetch_and(~kOpen, std::memory_order_acq_rel);
  for (int i = 0; i < kSpins && state_.load(std::memory_order_acquire) != 0; ++i) pause_briefly();
  for (uint32_t inside; (inside = state_.load(std::memory_order_acquire)) != 0;) state_.wait(inside);
}

int num_threads() { return ThreadPool::instance().size(); }

void set_num_threads(int n) {
  if (n < 1 || n > kMaxThreads)
    throw LaunchError("set_num_threads(" + std::to_string(n) + "): 1 to " + std::to_string(kMaxThreads) +
                      " are possible");
  ThreadPool::instance().resize(n);
}

}  // namespace lanewise::runtime
