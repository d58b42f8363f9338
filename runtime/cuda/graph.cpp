#include "runtime/cuda/graph.h"

#include <atomic>
#include <map>
#include <mutex>

namespace lanewise::runtime::cuda {
namespace {

class CudaGraph final : public Graph {
 public:
  CudaGraph(const Device& device, CUgraph graph, Kept kept)
      : device_(device), graph_(graph), kept_(std::move(kept)) {
    target = Target::Cuda;
    try {
      CUDA_CALL(cuGraphInstantiateWithFlags, (&executable_, graph_, 0));
    } catch (...) {
      // The destructor does not run for what was not constructed.
      driver_state().driver.cuGraphDestroy(graph_);
      throw;
    }
  }
  ~CudaGraph() override {
    // What it uses goes with it, but not before its launches are done: kernels and memory wait for those.
    cleanup(device_, [&] {
      driver_state().driver.cuGraphExecDestroy(executable_);
      driver_state().driver.cuGraphDestroy(graph_);
    });
  }
  void launch(void* stream) override {
    ContextScope scope(device_);
    CUDA_CALL(cuGraphLaunch, (executable_, static_cast<CUstream>(stream)));
  }

 private:
  const Device& device_;
  CUgraph graph_;
  CUgraphExec executable_ = nullptr;
  Kept kept_;
};

// The captures that go on. What comes while several do is kept by each: a stream may have joined any of them.
struct Captures {
  std::mutex mutex;
  std::map<CUstream, Kept> open;
  std::atomic<bool> any = false;
};
Captures& captures() {
  static auto* the_captures = new Captures;
  return *the_captures;
}

}  // namespace

void begin_keeping(CUstream stream) {
  Kept old;  // after the lock, if a capture was given up by others
  std::scoped_lock lock(captures().mutex);
  old.swap(captures().open[stream]);
  captures().any = true;
}

Kept end_keeping(CUstream stream) {
  std::scoped_lock lock(captures().mutex);
  auto found = captures().open.extract(stream);
  captures().any = !captures().open.empty();
  return !found.empty() ? std::move(found.mapped()) : Kept{};
}

bool keeps_for_graph(CUstream stream) { return captures().any && is_capturing(stream); }

bool keep_for_graph(std::shared_ptr<const void> used) {
  std::scoped_lock lock(captures().mutex);
  for (auto& [stream, kept] : captures().open)
    if (kept.empty() || kept.back() != used) kept.push_back(used);
  return !captures().open.empty();
}

RelaxedCapture::RelaxedCapture() : mode_(2) {  // CU_STREAM_CAPTURE_MODE_RELAXED
  if (driver_state().driver.cuThreadExchangeStreamCaptureMode)
    CUDA_CALL(cuThreadExchangeStreamCaptureMode, (&mode_));
}

RelaxedCapture::~RelaxedCapture() {
  const Driver& driver = driver_state().driver;
  if (driver.cuThreadExchangeStreamCaptureMode) driver.cuThreadExchangeStreamCaptureMode(&mode_);
}

std::shared_ptr<Graph> make_graph(const Device& device, CUgraph graph, Kept kept) {
  return std::make_shared<CudaGraph>(device, graph, std::move(kept));
}

bool is_capturing(CUstream stream) {
  int status = 0;  // 1: active
  const Driver& driver = driver_state().driver;
  return driver.cuStreamIsCapturing && driver.cuStreamIsCapturing(stream, &status) == kSuccess && status != 0;
}

}  // namespace lanewise::runtime::cuda
