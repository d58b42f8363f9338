#include "runtime/cuda/launch_errors.h"

#include <algorithm>
#include <atomic>
#include <set>
#include <shared_mutex>
#include <utility>

#include "runtime/cuda/graph.h"
#include "runtime/output.h"

namespace lanewise::runtime::cuda {

using codegen::PtxFailure;

namespace {

constexpr size_t kPageBytes = 4096;
constexpr unsigned kPortableAndMapped = 3;  // flags of cuMemHostAlloc

// Records that are not in use, by size.
struct Pool {
  std::mutex mutex;
  std::multimap<size_t, PtxFailure*> free;
};
Pool& pool() {
  static auto* the_pool = new Pool;  // launches may happen in destructors
  return *the_pool;
}

void clear(PtxFailure* record) { *record = {.key = PtxFailure::kNoKey}; }

// What the device wrote, read anew each time.
uint64_t failed_launch(const PtxFailure* record) {
  return *static_cast<const volatile uint64_t*>(&record->launch);
}

PtxFailure* take_record(size_t bytes) {
  std::scoped_lock lock(pool().mutex);
  auto found = pool().free.find(bytes);
  if (found == pool().free.end()) {
    RelaxedCapture relaxed;
    void* page = nullptr;
    size_t page_bytes = std::max(kPageBytes, bytes);
    CUDA_CALL(cuMemHostAlloc, (&page, page_bytes, kPortableAndMapped));
    for (size_t at = 0; at + bytes <= page_bytes; at += bytes)
      found = pool().free.emplace(bytes, reinterpret_cast<PtxFailure*>(static_cast<char*>(page) + at));
  }
  PtxFailure* record = found->second;
  pool().free.erase(found);
  clear(record);
  return record;
}

void give_record(size_t bytes, PtxFailure* record) {
  if (!device_alive()) return;  // a lost context takes the memory with it
  std::scoped_lock lock(pool().mutex);
  pool().free.emplace(bytes, record);
}

// The kernels with launches that were not waited for. A forked child must not touch it: another thread of the
// parent may have had the locks.
struct Registry {
  // Shared by launches, which keep the records that they are given from being cleared; not theirs alone, for
  // the driver may hold a launch back until the device has done others. Taken before `mutex`.
  std::shared_mutex launches;
  std::mutex mutex;  // of the rest and the kernels' `shared_`: never while a launch is with the driver
  std::set<LaunchErrors*> all;
  std::pair<uint64_t, std::exception_ptr> kept;  // of kernels that are gone: launch, a RaisedError
  std::atomic<bool> used{false};
};
Registry& registry() {
  static auto* the_registry = new Registry;
  return *the_registry;
}

uint64_t next_launch() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

void wait_for(CUcontext context) {
  CUDA_CALL(cuCtxPushCurrent, (context));
  CUresult result = driver_state().driver.cuCtxSynchronize();
  CUcontext popped = nullptr;
  driver_state().driver.cuCtxPopCurrent(&popped);
  check(result, "cuCtxSynchronize");
}

size_t bytes_for(const ir::Module& module) {
  size_t values = 0;
  for (const ir::Function& function : module.functions)
    for (const ir::Op& op : function.ops)
      if (op.kind == ir::OpKind::Report) values = std::max(values, op.operands.size());
  size_t bytes = sizeof(PtxFailure) + 8 * values;
  return (bytes + 127) / 128 * 128;
}

std::array<int64_t, 3> indices(uint64_t linear, const uint32_t (&extents)[3]) {
  auto at = [](uint64_t n) { return static_cast<int64_t>(n); };
  return {at(linear % extents[0]), at(linear / extents[0] % extents[1]),
          at(linear / extents[0] / extents[1])};
}

}  // namespace

LaunchErrors::LaunchErrors(const KernelInfo& kernel)
    : kernel_(kernel), record_bytes_(bytes_for(kernel.module)) {}

LaunchErrors::~LaunchErrors() {
  if (driver_state().is_forked) return;  // the records are not there either
  Registry& r = registry();
  std::exception_ptr dropped;  // after the lock: see raise_failures()
  std::scoped_lock lock(r.mutex);
  r.all.erase(this);
  if (!device_alive()) return;
  for (auto& [stream, record] : shared_) {
    uint64_t launch = failed_launch(record);
    if (launch != 0 && (!r.kept.second || launch < r.kept.first)) {
      dropped = std::exchange(r.kept.second, std::make_exception_ptr(error_of(*record)));
      r.kept.first = launch;
    }
    give_record(record_bytes_, record);
  }
}

std::vector<ir::OutputSite> LaunchErrors::sites() const {
  std::scoped_lock lock(mutex_);
  return sites_;
}

void LaunchErrors::set_sites(std::vector<ir::OutputSite> sites) {
  std::scoped_lock lock(mutex_);
  sites_ = std::move(sites);
}

RaisedError LaunchErrors::error_of(const PtxFailure& record) const {
  std::scoped_lock lock(mutex_);
  LANEWISE_CHECK(record.site < sites_.size(), "a launch failed at a place that is not known");
  const ir::OutputSite& site = sites_[record.site];
  static_assert(sizeof(ir::Scalar) == sizeof(uint64_t));
  std::string text =
      ir::output_text(kernel_.module, site, reinterpret_cast<const ir::Scalar*>(record.values()));
  return raised_error(kernel_, site, text, indices(record.key >> PtxFailure::kThreadBits, record.grid),
                      indices(record.key & ((1u << PtxFailure::kThreadBits) - 1), record.block));
}

void raise_failures() {
  Registry& r = registry();
  if (!r.used.load(std::memory_order_acquire) || driver_state().is_forked) return;
  std::exception_ptr error;
  // Those of later launches go when the lock is open: the last that knows a kernel's owner may need the
  // interpreter's lock for it, while a thread that has that one frees a kernel.
  std::vector<std::exception_ptr> dropped;
  {
    std::scoped_lock lock(r.mutex);
    bool failed = r.kept.second != nullptr;
    for (const LaunchErrors* kernel : r.all)
      for (const auto& [stream, record] : kernel->shared_) failed |= failed_launch(record) != 0;
    if (!failed) return;
  }
  {
    std::scoped_lock launches(r.launches);  // nothing is launched meanwhile
    std::scoped_lock lock(r.mutex);
    bool failed = r.kept.second != nullptr;
    std::set<CUcontext> contexts;
    for (const LaunchErrors* kernel : r.all)
      for (const auto& [stream, record] : kernel->shared_) {
        failed |= failed_launch(record) != 0;
        contexts.insert(stream.first);
      }
    if (!failed) return;
    for (CUcontext context : contexts) wait_for(context);  // threads may still write
    uint64_t earliest = r.kept.first;
    error = std::exchange(r.kept.second, nullptr);
    for (const LaunchErrors* kernel : r.all)
      for (const auto& [stream, record] : kernel->shared_) {
        uint64_t launch = failed_launch(record);
        if (launch == 0) continue;
        if (!error || launch < earliest) {
          earliest = launch;
          dropped.push_back(std::exchange(error, std::make_exception_ptr(kernel->error_of(*record))));
        }
        clear(record);
      }
  }
  if (error) std::rethrow_exception(error);
}

LaunchErrors::Waited::Waited(LaunchErrors& errors, bool reports) : errors_(errors) {
  if (!reports) return;
  raise_failures();
  parameters_ = {reinterpret_cast<uint64_t>(take_record(errors.record_bytes_)), next_launch()};
}

LaunchErrors::Waited::~Waited() {
  if (parameters_.launch != 0)
    give_record(errors_.record_bytes_, reinterpret_cast<PtxFailure*>(parameters_.record));
}

void LaunchErrors::Waited::check() const {
  auto* record = reinterpret_cast<const PtxFailure*>(parameters_.record);
  if (parameters_.launch != 0 && failed_launch(record) != 0) throw errors_.error_of(*record);
}

LaunchErrors::Unwaited::Unwaited(LaunchErrors& errors, bool reports, const Device& device, CUstream stream) {
  if (!reports) return;
  raise_failures();
  Registry& r = registry();
  StreamKey key{device.context, stream};
  auto known = [&]() -> PtxFailure* {
    std::scoped_lock lock(r.mutex);
    auto found = errors.shared_.find(key);
    return found == errors.shared_.end() ? nullptr : found->second;
  };
  PtxFailure* record = known();
  if (!record) {
    PtxFailure* made = take_record(errors.record_bytes_);
    std::unique_lock lock(r.mutex);
    record = errors.shared_.try_emplace(key, made).first->second;
    r.all.insert(&errors);
    r.used.store(true, std::memory_order_release);
    lock.unlock();
    if (record != made) give_record(errors.record_bytes_, made);
  }
  lock_ = std::shared_lock(r.launches);
  parameters_ = {reinterpret_cast<uint64_t>(record), next_launch()};
}

}  // namespace lanewise::runtime::cuda
