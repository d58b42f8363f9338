// Random kernels in Python text, the same everywhere: through the front end, then on the interpreter with and
// without passes, on the CPU with and without LLVM's optimisation, and as PTX. kUsage is its command line.
//
// A run ends with the first failure: seed, text, arguments, both results, and the reduced kernel. Work is
// done in child processes, so that a crash is a failure like any other.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>

#include "tests/fuzz/child.h"

using namespace lanewise;
using namespace lanewise::fuzz;

namespace {

constexpr const char* kUsage = R"(usage:
  kernel_fuzz [--seed N] [--count N] [--jobs N] [--seconds N] [--engines N]   run seeds N, N + 1, ...
  kernel_fuzz --show SEED [--engines N]      one program: its text, its launch, whether it fails
  kernel_fuzz --reduce SEED [--engines N] [--seconds N]   the smallest program that fails as this one does
options:
  --keep-going   go on after a failure
  --engines N    on these engines instead of the seed's usual ones, a sum of
                 1 the interpreter after all passes, 2 after each pass, 4 one thread after the other without
                 LLVM's optimisation, 8 with it, 16 PTX in the emulator, 32 the IR printed and parsed again,
                 64 gangs without LLVM's optimisation, 128 with it
)";

struct Settings {
  uint64_t seed = 1, count = 2000;
  std::optional<uint64_t> show, reduce;
  std::optional<unsigned> engines;
  int jobs = 1, seconds = 0;
  bool keep_going = false;
};

// Counted by all workers of a run, in shared memory.
struct Counts {
  std::atomic<uint64_t> next{0}, ran{0}, too_long{0}, ended{0}, failed{0};
  std::atomic<uint64_t> at[64];  // the seed that each worker is at
};

unsigned engines_of(const Settings& settings, uint64_t seed) {
  return settings.engines.value_or(engines_for(seed));
}

void report(const Program& program, const Failure& failure, bool reduced) {
  std::printf("%s%s\n%s\n%s%s\n", reduced ? "--- reduced: " : "FAILURE: ", failure.kind.c_str(),
              to_string(program).c_str(), launch_text(program).c_str(), failure.detail.c_str());
  std::fflush(stdout);
}

void report_reduced(const Program& program, const Failure& failure, int seconds) {
  Program small = reduce(program, failure, std::chrono::seconds(seconds));
  Verdict verdict = run_in_child(small, failure.engine);
  report(small, verdict.failure.value_or(failure), true);
}

int show(const Settings& settings, uint64_t seed, bool reduced) {
  Program program = random_program(seed);
  std::printf("%s\n%s", to_string(program).c_str(), launch_text(program).c_str());
  std::fflush(stdout);
  Verdict verdict = run_in_child(program, engines_of(settings, seed), 60);
  if (!verdict.failure) {
    std::puts(verdict.too_long ? "takes too long" : "the same everywhere");
    return 0;
  }
  report(program, *verdict.failure, false);
  if (reduced) report_reduced(program, *verdict.failure, settings.seconds > 0 ? settings.seconds : 60);
  return 1;
}

// Takes seeds until there are none left; ends with the first failure.
void work(const Settings& settings, Counts& counts, size_t worker,
          std::chrono::steady_clock::time_point end) {
  while (std::chrono::steady_clock::now() < end) {
    uint64_t k = counts.next.fetch_add(1);
    if (k >= settings.count) return;
    uint64_t seed = settings.seed + k;
    counts.at[worker] = seed;
    Verdict verdict = run_program(random_program(seed), engines_of(settings, seed));
    ++counts.ran;
    counts.too_long += verdict.too_long;
    counts.ended += verdict.ended;
    if (verdict.failure) _exit(3);
    if (k % 10000 == 9999)
      std::printf("%llu programs\n", static_cast<unsigned long long>(k + 1)), std::fflush(stdout);
  }
}

// A failure of a worker, seen again in a process of its own and reduced.
void describe(const Settings& settings, Counts& counts, uint64_t seed, int status) {
  ++counts.failed;
  Program program = random_program(seed);
  Verdict verdict = run_in_child(program, engines_of(settings, seed), 60);
  if (!verdict.failure) {
    std::printf("FAILURE: seed %llu ended a worker with status %d, but not when run alone\n",
                static_cast<unsigned long long>(seed), status);
    return;
  }
  report(program, *verdict.failure, false);
  report_reduced(program, *verdict.failure, 60);
}

pid_t start(const Settings& settings, Counts& counts, size_t worker,
            std::chrono::steady_clock::time_point end) {
  std::fflush(stdout);
  pid_t child = fork();
  if (child != 0) return child;
  work(settings, counts, worker, end);
  _exit(0);
}

int run(const Settings& settings) {
  void* memory = mmap(nullptr, sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto& counts = *new (memory) Counts;
  auto begin = std::chrono::steady_clock::now();
  auto end = begin + std::chrono::seconds(settings.seconds > 0 ? settings.seconds : 10'000'000);
  std::vector<pid_t> workers;
  for (int i = 0; i < settings.jobs; ++i) workers.push_back(start(settings, counts, workers.size(), end));
  for (size_t running = workers.size(); running > 0;) {
    int status = 0;
    pid_t ended = wait(&status);
    size_t worker = static_cast<size_t>(std::find(workers.begin(), workers.end(), ended) - workers.begin());
    if (worker == workers.size()) continue;
    --running;
    if (status == 0) continue;
    if (!settings.keep_going) counts.next = settings.count;
    describe(settings, counts, counts.at[worker], status);
    if (!settings.keep_going) continue;
    workers[worker] = start(settings, counts, worker, end);
    ++running;
  }
  double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::printf("%llu programs in %.1f s, %llu too long to say, %llu end with an error, %llu failures\n",
              static_cast<unsigned long long>(counts.ran), took,
              static_cast<unsigned long long>(counts.too_long), static_cast<unsigned long long>(counts.ended),
              static_cast<unsigned long long>(counts.failed));
  return counts.failed == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i < argc; ++i) {
    std::string_view option = argv[i];
    if (option == "--keep-going") {
      settings.keep_going = true;
      continue;
    }
    if (option == "--help" || option == "-h") return std::fputs(kUsage, stdout) < 0;
    auto refuse = [&](const char* what) {
      std::fprintf(stderr, "%.*s: %s\n%s", static_cast<int>(option.size()), option.data(), what, kUsage);
      return 2;
    };
    const char* text = i + 1 < argc ? argv[++i] : "";
    char* end = nullptr;
    uint64_t value = std::strtoull(text, &end, 10);
    if (end == text || *end != 0) return refuse("not known, or without the number it needs");
    if (option == "--seed")
      settings.seed = value;
    else if (option == "--count")
      settings.count = value;
    else if (option == "--jobs")
      settings.jobs = static_cast<int>(std::min<uint64_t>(std::max<uint64_t>(value, 1), 64));
    else if (option == "--seconds")
      settings.seconds = static_cast<int>(value);
    else if (option == "--engines")
      settings.engines = static_cast<unsigned>(value);
    else if (option == "--show")
      settings.show = value;
    else if (option == "--reduce")
      settings.reduce = value;
    else
      return refuse("unknown option");
  }
  setenv("LANEWISE_CUDA_DRIVER", LANEWISE_PTXEMU, 0);
  if (settings.show) return show(settings, *settings.show, false);
  if (settings.reduce) return show(settings, *settings.reduce, true);
  return run(settings);
}
