// Streams and events of the driver's.
#include "runtime/cuda/cooperative.h"
#include "runtime/cuda/driver.h"
#include "runtime/cuda/engine.h"
#include "runtime/cuda/graph.h"
#include "runtime/cuda/launch_errors.h"

namespace lanewise::runtime::cuda {
namespace {

constexpr unsigned kDisableTiming = 2;  // of events
constexpr unsigned kNonBlocking = 1;    // of streams

class CudaEvent final : public Event {
 public:
  explicit CudaEvent(bool timing) : device_(device()) {
    ContextScope scope(device_);
    CUDA_CALL(cuEventCreate, (&event_, timing ? 0u : kDisableTiming));
    handle = event_;
    target = Target::Cuda;
  }
  ~CudaEvent() override {
    cleanup(device_, [&] { driver_state().driver.cuEventDestroy(event_); });
  }
  void record(void* stream) override {
    ContextScope scope(device_);
    CUDA_CALL(cuEventRecord, (event_, static_cast<CUstream>(stream)));
  }
  bool is_done() const override {
    ContextScope scope(device_);
    CUresult code = driver_state().driver.cuEventQuery(event_);
    if (code == kNotReady) return false;
    check(code, "cuEventQuery");
    return true;
  }
  void synchronize() const override {
    ContextScope scope(device_);
    CUDA_CALL(cuEventSynchronize, (event_));
    raise_failures();
  }
  double milliseconds_since(const Event& start) const override {
    if (start.target != Target::Cuda) throw LaunchError("the events are of different targets");
    ContextScope scope(device_);
    float time = 0;
    CUresult code =
        driver_state().driver.cuEventElapsedTime(&time, static_cast<CUevent>(start.handle), event_);
    if (code == kNotReady)
      fail(code, "cuEventElapsedTime", {},
           "an event is not done yet: synchronize() with the later one first");
    if (code == kInvalidHandle)
      fail(code, "cuEventElapsedTime", {},
           "an event was not recorded yet, or was made without timing, or they are of two devices");
    check(code, "cuEventElapsedTime");
    return time;
  }

 private:
  const Device& device_;
  CUevent event_ = nullptr;
};

class CudaStream : public Stream {
 public:
  CudaStream(CUstream stream, const Device& of) : device_(of), stream_(stream) {
    handle = stream;
    target = Target::Cuda;
  }
  void synchronize() override {
    ContextScope scope(device_);
    CUDA_CALL(cuStreamSynchronize, (stream_));
    raise_failures();
  }
  bool is_done() override {
    ContextScope scope(device_);
    CUresult code = driver_state().driver.cuStreamQuery(stream_);
    if (code == kNotReady) return false;
    check(code, "cuStreamQuery");
    return true;
  }
  void wait(const Event& event) override {
    if (event.target != Target::Cuda) throw LaunchError("the event is of another target than the stream");
    ContextScope scope(device_);
    CUDA_CALL(cuStreamWaitEvent, (stream_, static_cast<CUevent>(event.handle), 0));
  }
  void call(std::function<void()> function) override {
    ContextScope scope(device_);
    if (is_capturing(stream_))
      throw LaunchError("a graph cannot hold a callback: call the function after each launch of the graph");
    auto* kept = new std::function<void()>(std::move(function));
    auto run = [](void* context) {
      std::unique_ptr<std::function<void()>> owned(static_cast<std::function<void()>*>(context));
      try {
        (*owned)();
      } catch (...) {
        // There is nobody to tell: the driver's thread has no caller of ours.
      }
    };
    try {
      CUDA_CALL(cuLaunchHostFunc, (stream_, run, kept));
    } catch (...) {
      delete kept;
      throw;
    }
  }
  void begin_capture() override {
    constexpr int kThreadLocal = 1;  // other threads go on as they like
    ContextScope scope(device_);
    CUDA_CALL(cuStreamBeginCapture, (stream_, kThreadLocal));
    begin_keeping(stream_);
  }
  std::shared_ptr<Graph> end_capture() override {
    ContextScope scope(device_);
    CUgraph graph = nullptr;
    Kept kept = end_keeping(stream_);
    CUDA_CALL(cuStreamEndCapture, (stream_, &graph));
    return make_graph(device_, graph, std::move(kept));
  }

 protected:
  const Device& device_;
  CUstream stream_;
};

// One that was made here.
class OwnStream final : public CudaStream {
 public:
  using CudaStream::CudaStream;
  // Work that is still in it runs to its end.
  ~OwnStream() override {
    end_keeping(stream_);  // of a capture that nobody could end
    cleanup(device_, [&] {
      // Another thread's new stream may have the same handle once this one is destroyed.
      CUdeviceptr counter = take_grid_counter(device_, stream_);
      driver_state().driver.cuStreamDestroy(stream_);
      free_grid_counter(device_, counter);
    });
  }
};

}  // namespace

std::shared_ptr<Event> make_event(bool timing) { return std::make_shared<CudaEvent>(timing); }

std::shared_ptr<Stream> make_stream(const StreamOptions& options) {
  const Device& d = device();
  ContextScope scope(d);
  CUstream stream = nullptr;
  CUDA_CALL(cuStreamCreateWithPriority,
            (&stream, options.non_blocking ? kNonBlocking : 0u, options.priority));
  return std::make_shared<OwnStream>(stream, d);
}

std::shared_ptr<Stream> existing_stream(void* handle) {
  auto stream = static_cast<CUstream>(handle);
  return std::make_shared<CudaStream>(stream, device_of_stream(stream));
}

PriorityRange priority_range() {
  ContextScope scope(device());
  PriorityRange range;
  CUDA_CALL(cuCtxGetStreamPriorityRange, (&range.least, &range.greatest));
  return range;
}

void start_profiler() {
  ContextScope scope(device());
  CUDA_CALL(cuProfilerStart, ());
}

void stop_profiler() {
  ContextScope scope(device());
  CUDA_CALL(cuProfilerStop, ());
}

}  // namespace lanewise::runtime::cuda
