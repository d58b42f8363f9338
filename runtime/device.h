// What a target offers besides running kernels: its devices, streams and events that order the work on them,
// graphs, and memory that host and device share.
//
// On Cuda these are the driver's. On Cpu and Interpreter the device is this machine, and a call that starts
// work returns when it is done: streams and events are always done and order nothing. All may be used from
// any thread. Errors are LaunchError (a wrong call) and CudaError (a driver call that failed).
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "runtime/runtime.h"

namespace lanewise::runtime {

// --- devices, counted from 0
struct DeviceInfo {
  int ordinal = 0;
  std::string name;
  int sm = 0;  // 10 * major + minor of the compute capability; 0: not a CUDA device
  int64_t memory_bytes = 0;
  std::string pci_bus_id;       // "0000:65:00.0", "" if there is none
  std::array<char, 16> uuid{};  // zeros if the driver does not say
};
int device_count(Target target);  // Cuda: throws CudaError if there is no driver
DeviceInfo device_info(Target target, int ordinal);
// Cuda: the value of a CUdevice_attribute. Host: a few of them that mean something there, 0 for the others.
int device_attribute(Target target, int ordinal, int attribute);
// This thread's device: where it allocates and launches. Another library's current context decides until the
// thread selects one.
int current_device(Target target);
void select_device(Target target, int ordinal);  // kNoSelection: none any more
// What the thread selected, kNoSelection if it did not: for going back to it.
constexpr int kNoSelection = -1;
int selected_device(Target target);
// Cuda: whether kernels of one device can read and write the memory of the other, and asking for that for the
// current device. Copies between devices work without.
bool can_access_peer(Target target, int ordinal, int peer);
void enable_peer_access(Target target, int peer);

// --- memory
struct MemoryInfo {
  int64_t free = 0, total = 0;  // bytes
};
MemoryInfo memory_info(Target target);  // of the current device
// Waits for all devices in use, and gives back the memory that is kept for later allocations.
void release_memory(Target target);
// Memory of a device, whichever it is, that others own; `release` is called when it is no longer used, not if
// this fails.
std::shared_ptr<DeviceBuffer> wrap_memory(Target target, void* data, int64_t bytes,
                                          std::function<void()> release);
// A handle with which another process can open the memory, and opening it; Cuda only.
using IpcHandle = std::array<char, 64>;
// It is that of the whole allocation: `offset` is where the buffer begins in it; LaunchError if it is null
// and that is not 0.
IpcHandle ipc_handle(const DeviceBuffer& buffer, int64_t* offset = nullptr);
std::shared_ptr<DeviceBuffer> open_ipc_handle(const IpcHandle& handle, int64_t bytes);

enum class HostMemoryKind : uint8_t {
  Pinned,  // not paged: copies to and from it are fast, and overlap with the host's work
  Mapped,  // pinned, and kernels use it where it is
  Managed  // wanders between host and device as it is used
};
struct HostMemoryOptions {
  HostMemoryKind kind = HostMemoryKind::Pinned;
  bool portable = false;        // for all devices
  bool write_combined = false;  // fast for the device to read, slow for the host
  bool attach_global = true;    // Managed: usable by all streams
};
// Memory of the host as NumPy would use it. A kernel's array in Mapped or Managed memory is not copied: the
// kernel uses it in place, and a launch does not wait for it.
class HostMemory {
 public:
  virtual ~HostMemory() = default;
  void* data = nullptr;
  int64_t bytes = 0;
};
std::shared_ptr<HostMemory> allocate_host_memory(Target target, int64_t bytes,
                                                 const HostMemoryOptions& options);
// Pins memory of the caller's (Pinned or Mapped) until the result is let go.
std::shared_ptr<HostMemory> register_host_memory(Target target, void* data, int64_t bytes,
                                                 const HostMemoryOptions& options);

// --- streams, events, graphs
class Event {
 public:
  virtual ~Event() = default;
  virtual void record(void* stream) = 0;  // a CUstream
  virtual bool is_done() const = 0;       // everything before the record; true if nothing was recorded
  virtual void synchronize() const = 0;
  // From the record of `start` to this one's, which must both be done; of events with timing.
  virtual double milliseconds_since(const Event& start) const = 0;
  void* handle = nullptr;  // CUevent
  Target target = Target::Cpu;
};
std::shared_ptr<Event> make_event(Target target, bool timing);

// Launches and copies that were captured from a stream, to be started again by one call.
class Graph {
 public:
  virtual ~Graph() = default;
  virtual void launch(void* stream) = 0;
  Target target = Target::Cpu;
};

class Stream {
 public:
  virtual ~Stream() = default;
  virtual void synchronize() = 0;
  virtual bool is_done() = 0;
  // Work that comes after on this stream waits for the event.
  virtual void wait(const Event& event) = 0;
  // Calls the function once all work before it is done, from a thread of the driver's; it must not call CUDA.
  // Not while the stream is captured.
  virtual void call(std::function<void()> function) = 0;
  // What comes between goes into the graph instead of running.
  virtual void begin_capture() = 0;
  virtual std::shared_ptr<Graph> end_capture() = 0;
  void* handle = nullptr;  // CUstream, for LaunchConfig::stream
  Target target = Target::Cpu;
};
struct StreamOptions {
  bool non_blocking = false;  // not ordered with the legacy default stream
  int priority = 0;           // lower goes first; see priority_range
};
std::shared_ptr<Stream> make_stream(Target target, const StreamOptions& options);
// A stream that others own: a handle of another library's, 0: the default stream, 1: the legacy default
// stream, 2: the calling thread's own default stream.
std::shared_ptr<Stream> existing_stream(Target target, void* handle);
struct PriorityRange {
  int least = 0, greatest = 0;
};
PriorityRange priority_range(Target target);

// Profilers that are told when to look.
void start_profiler(Target target);
void stop_profiler(Target target);

}  // namespace lanewise::runtime
