// Devices, streams, events and graphs. Part of lanewise.h.
//
//   lanewise::Stream stream;
//   lanewise::Event start, end;
//   start.record(stream);
//   module.launch("step", {.grid = 64, .block = 256, .stream = stream}, buffer);
//   end.record(stream);
//   end.synchronize();
//   double milliseconds = end.since(start);
//
// On the CPU the device is this machine, and work is done when the call that starts it returns: streams and
// events are always done, events still measure time. Functions and constructors take the target last.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "lanewise/errors.h"
#include "lanewise/lanewise_c.h"

namespace lanewise {

// Which device runs the kernels.
enum class Target {
  Default =
      LW_TARGET_DEFAULT,  // LANEWISE_TARGET if set, else CUDA where a usable device is found, else the CPU
  Cpu = LW_TARGET_CPU,
  Cuda = LW_TARGET_CUDA,
  Interpreter = LW_TARGET_INTERPRETER,
};

namespace detail {

template <auto release>
struct Release {
  template <class Handle>
  void operator()(Handle* handle) const {
    release(handle);
  }
};

inline lw_target to_c(Target target) { return static_cast<lw_target>(target); }

// A function that the library calls once, with what it needs on the heap. What it throws is dropped: there is
// nobody to tell.
class Callback {
 public:
  explicit Callback(std::function<void()> function)
      : owned_(function ? std::make_unique<std::function<void()>>(std::move(function)) : nullptr) {}
  // Null for an empty function.
  lw_callback call() const { return owned_ ? run : nullptr; }
  void* context() const { return owned_.get(); }
  // The library will call it.
  void let_go() { owned_.release(); }

 private:
  static void run(void* context) {
    std::unique_ptr<std::function<void()>> function(static_cast<std::function<void()>*>(context));
    try {
      (*function)();
    } catch (...) {
    }
  }
  std::unique_ptr<std::function<void()>> owned_;
};

}  // namespace detail

// ---- devices, counted from 0; the CPU is one

struct DeviceInfo {
  int device = 0;
  std::string name;
  int compute_capability = 0;  // 10 * major + minor; 0: not a CUDA device
  int64_t memory_bytes = 0;
  std::string pci_bus_id;             // "0000:65:00.0", "" if there is none
  std::array<uint8_t, 16> uuid = {};  // zeros if the driver does not say
};

inline int device_count(Target target = Target::Default) {
  int32_t count = 0;
  detail::check(lw_device_count(detail::to_c(target), &count));
  return count;
}

inline DeviceInfo device_info(int device, Target target = Target::Default) {
  lw_device_info c{};
  c.struct_size = sizeof c;
  detail::check(lw_get_device_info(detail::to_c(target), device, &c));
  DeviceInfo info{c.device, c.name, c.compute_capability, c.memory_bytes, c.pci_bus_id, {}};
  for (size_t i = 0; i < info.uuid.size(); ++i) info.uuid[i] = c.uuid[i];
  return info;
}

// By the number of a CUdevice_attribute; see lw_device_attribute.
inline int device_attribute(int device, int attribute, Target target = Target::Default) {
  int32_t value = 0;
  detail::check(lw_device_attribute(detail::to_c(target), device, attribute, &value));
  return value;
}

// The calling thread's device, where it allocates, launches and makes streams and events.
inline int current_device(Target target = Target::Default) {
  int32_t device = 0;
  detail::check(lw_current_device(detail::to_c(target), &device));
  return device;
}

// -1: no longer any.
inline void select_device(int device, Target target = Target::Default) {
  detail::check(lw_select_device(detail::to_c(target), device));
}

// Selects a device for the calling thread until the end of the scope.
class DeviceScope {
 public:
  explicit DeviceScope(int device, Target target = Target::Default) : target_(target) {
    detail::check(lw_selected_device(detail::to_c(target), &before_));
    select_device(device, target);
  }
  ~DeviceScope() { lw_select_device(detail::to_c(target_), before_); }
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  Target target_;
  int32_t before_ = -1;
};

// Whether kernels of one device can use the memory of another. Copies between devices work without.
inline bool can_access_peer(int device, int peer, Target target = Target::Default) {
  int32_t can = 0;
  detail::check(lw_can_access_peer(detail::to_c(target), device, peer, &can));
  return can != 0;
}

// Lets kernels of the current device use the memory of `peer`.
inline void enable_peer_access(int peer, Target target = Target::Default) {
  detail::check(lw_enable_peer_access(detail::to_c(target), peer));
}

struct MemoryInfo {
  int64_t free = 0, total = 0;  // bytes
};
// Of the current device; of the machine on the CPU.
inline MemoryInfo memory_info(Target target = Target::Default) {
  MemoryInfo info;
  detail::check(lw_memory_info(detail::to_c(target), &info.free, &info.total));
  return info;
}

// Waits for all devices in use and gives back the memory that is kept for later launches.
inline void release_memory(Target target = Target::Default) {
  detail::check(lw_release_memory(detail::to_c(target)));
}

// Waits for all work of the target, on CUDA of the current device; throws what went wrong in it.
inline void synchronize(Target target = Target::Default) {
  detail::check(lw_synchronize(detail::to_c(target)));
}

// Tell a profiler that waits for it (nsys --capture-range=cudaProfilerApi) to begin and to stop.
inline void start_profiler(Target target = Target::Default) {
  detail::check(lw_start_profiler(detail::to_c(target)));
}
inline void stop_profiler(Target target = Target::Default) {
  detail::check(lw_stop_profiler(detail::to_c(target)));
}

// ---- streams, events, graphs

class Event;
class Graph;

struct StreamOptions {
  bool non_blocking = false;  // not ordered with the legacy default stream
  int priority = 0;           // of streams with work that could run, the lowest go first
};

// An order of work: what is put on a stream runs one after the other, beside the host and other streams. What
// the work uses must live until it is done. Copies share the stream.
class Stream {
 public:
  // A new one of the current device.
  explicit Stream(const StreamOptions& options = {}, Target target = Target::Default) {
    lw_stream_options c{sizeof c, options.non_blocking, options.priority};
    lw_stream* made = nullptr;
    detail::check(lw_stream_create(detail::to_c(target), &c, &made));
    handle_.reset(made, lw_stream_release);
  }
  // One that others own, which must outlive this: a CUstream (cudaStream_t) and its like.
  static Stream existing(void* handle, Target target = Target::Default) {
    lw_stream* made = nullptr;
    detail::check(lw_stream_wrap(detail::to_c(target), handle, &made));
    return Stream(made);
  }
  // The stream of launches that name none.
  static Stream default_stream(Target target = Target::Default) { return existing(nullptr, target); }

  // A CUstream for other libraries, null on the CPU and for the default stream.
  void* handle() const { return lw_stream_handle(c()); }
  // Waits until all work of the stream is done; throws what went wrong in it.
  void synchronize() const { detail::check(lw_stream_synchronize(c())); }
  bool is_done() const {
    int32_t done = 0;
    detail::check(lw_stream_is_done(c(), &done));
    return done != 0;
  }
  // Work that comes after on the stream waits for the event.
  void wait(const Event& event) const;
  // Calls the function once all work before it is done, from a thread of the driver's: it must not use CUDA,
  // nor Lanewise for it. What it throws is dropped.
  void call(std::function<void()> function) const {
    detail::Callback callback(std::move(function));
    detail::check(lw_stream_call(c(), callback.call(), callback.context()));
    callback.let_go();
  }
  // Launches and copies that `work()` puts on the stream go into a graph instead of running. Their arrays
  // must be in device memory. Launch each kernel once before, so that it is loaded. CUDA only.
  template <class Work>
  Graph capture(Work&& work) const;

  lw_stream* c() const { return handle_.get(); }

 private:
  explicit Stream(lw_stream* owned) : handle_(owned, lw_stream_release) {}
  std::shared_ptr<lw_stream> handle_;
};

// The lowest and the highest priority of streams; 0 and 0 on the CPU.
struct StreamPriorities {
  int lowest = 0, highest = 0;
};
inline StreamPriorities stream_priorities(Target target = Target::Default) {
  int32_t lowest = 0, highest = 0;
  detail::check(lw_stream_priorities(detail::to_c(target), &lowest, &highest));
  return {lowest, highest};
}

// What a launch takes as its stream: a Stream, another library's handle, or nothing: the default stream.
class StreamHandle {
 public:
  StreamHandle() = default;
  StreamHandle(void* handle) : handle_(handle) {}
  StreamHandle(const Stream& stream) : handle_(stream.handle()) {}
  void* get() const { return handle_; }

 private:
  void* handle_ = nullptr;
};

struct EventOptions {
  bool timing = true;  // false: cheaper, without since()
};

// A point in the work of a stream, and the time when it was reached. Copies share the event.
class Event {
 public:
  explicit Event(const EventOptions& options = {}, Target target = Target::Default) {
    lw_event* made = nullptr;
    detail::check(lw_event_create(detail::to_c(target), options.timing, &made));
    handle_.reset(made, lw_event_release);
  }
  // Marks the work that is on the stream now.
  void record(const Stream& stream) const { detail::check(lw_event_record(c(), stream.c())); }
  // That on the default stream.
  void record() const { detail::check(lw_event_record(c(), nullptr)); }
  // Whether the marked work is done; true if there is none.
  bool is_done() const {
    int32_t done = 0;
    detail::check(lw_event_is_done(c(), &done));
    return done != 0;
  }
  // Waits until the marked work is done; throws what went wrong in it.
  void synchronize() const { detail::check(lw_event_synchronize(c())); }
  // Milliseconds from an earlier event; both must be done.
  double since(const Event& start) const {
    double milliseconds = 0;
    detail::check(lw_event_elapsed(start.c(), c(), &milliseconds));
    return milliseconds;
  }
  // A CUevent for other libraries, null on the CPU.
  void* handle() const { return lw_event_handle(c()); }
  lw_event* c() const { return handle_.get(); }

 private:
  std::shared_ptr<lw_event> handle_;
};

inline void Stream::wait(const Event& event) const { detail::check(lw_stream_wait(c(), event.c())); }

// Captured launches and copies, to be started again with one call. It keeps the kernels and buffers that they
// use. Copies share the graph.
class Graph {
 public:
  explicit Graph(lw_graph* owned) : handle_(owned, lw_graph_release) {}
  void launch(const Stream& stream) const { detail::check(lw_graph_launch(handle_.get(), stream.c())); }
  // On the default stream.
  void launch() const { detail::check(lw_graph_launch(handle_.get(), nullptr)); }

 private:
  std::shared_ptr<lw_graph> handle_;
};

template <class Work>
Graph Stream::capture(Work&& work) const {
  detail::check(lw_stream_begin_capture(c()));
  lw_graph* made = nullptr;
  try {
    std::forward<Work>(work)();
  } catch (...) {
    if (lw_stream_end_capture(c(), &made) == LW_OK) lw_graph_release(made);
    throw;
  }
  detail::check(lw_stream_end_capture(c(), &made));
  return Graph(made);
}

}  // namespace lanewise
