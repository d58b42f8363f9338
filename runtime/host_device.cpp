// This machine as a device: one that has done its work when the call that starts it returns.
#include "runtime/host_device.h"

#include <sys/sysinfo.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <optional>

#include "runtime/backend.h"

namespace lanewise::runtime::host {
namespace {

// The value of a line "name : value" of a file in /proc, "" if there is none.
std::string proc_value(const char* path, const std::string& name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.compare(0, name.size(), name) != 0) continue;
    size_t colon = line.find(':');
    size_t value = colon == line.npos ? line.npos : line.find_first_not_of(" \t", colon + 1);
    return value == line.npos ? std::string() : line.substr(value);
  }
  return {};
}

int64_t memory_bytes() {
  struct sysinfo info {};
  return sysinfo(&info) == 0 ? static_cast<int64_t>(info.totalram) * info.mem_unit : 0;
}

class HostEvent final : public Event {
 public:
  HostEvent(Target of, bool timing) : timing_(timing) { target = of; }
  void record(void*) override { at_ = std::chrono::steady_clock::now(); }
  bool is_done() const override { return true; }
  void synchronize() const override {}
  double milliseconds_since(const Event& start) const override {
    const auto* from = dynamic_cast<const HostEvent*>(&start);
    if (!from) throw LaunchError("the events are of different targets");
    if (!timing_ || !from->timing_) throw LaunchError("an event was made without timing");
    if (!at_ || !from->at_) throw LaunchError("an event was not recorded yet");
    return std::chrono::duration<double, std::milli>(*at_ - *from->at_).count();
  }

 private:
  bool timing_;
  std::optional<std::chrono::steady_clock::time_point> at_;
};

class HostStream final : public Stream {
 public:
  HostStream(Target of, void* number) {
    target = of;
    handle = number;
  }
  void synchronize() override {}
  bool is_done() override { return true; }
  void wait(const Event& event) override {
    if (event.target == Target::Cuda) throw LaunchError("the event is of another target than the stream");
  }
  void call(std::function<void()> function) override { function(); }
  void begin_capture() override {
    throw LaunchError("graphs are captured from streams of CUDA: on the CPU launch the kernels themselves");
  }
  std::shared_ptr<Graph> end_capture() override { throw LaunchError("nothing is being captured"); }
};

class OwnMemory final : public HostMemory {
 public:
  explicit OwnMemory(int64_t size) {
    data = allocate_host_bytes(size);
    bytes = size;
  }
  ~OwnMemory() override { std::free(data); }
};

}  // namespace

DeviceInfo device_info() {
  DeviceInfo info;
  info.name = proc_value("/proc/cpuinfo", "model name");
  if (info.name.empty()) info.name = "CPU";
  info.memory_bytes = memory_bytes();
  return info;
}

int device_attribute(int attribute) {
  // Numbers of CUdevice_attribute. The limits are those of check_launch_config.
  switch (attribute) {
    case 1:
    case 2:
    case 3: return 1024;        // threads of a block; along x; along y
    case 4: return 64;          // along z
    case 5: return 2147483647;  // blocks along x
    case 6:
    case 7: return 65535;           // along y; z
    case 10: return 32;             // lanes of a warp
    case 8: return 49152;           // bytes of shared memory that a block may count on, as on CUDA
    case 16: return num_threads();  // multiprocessors
    case 75: return 7;              // compute capability, as gpu.gpus has it
    case 76: return 5;
    case 18:
    case 19:
    case 41:
    case 83:
    case 95: return 1;  // integrated; can map; one address space; managed memory; cooperative launches
    default: return 0;
  }
}

MemoryInfo memory_info() {
  MemoryInfo info;
  info.total = memory_bytes();
  info.free = std::strtoll(proc_value("/proc/meminfo", "MemAvailable").c_str(), nullptr, 10) * 1024;
  return info;
}

std::shared_ptr<HostMemory> allocate_host_memory(int64_t bytes) { return std::make_shared<OwnMemory>(bytes); }

std::shared_ptr<HostMemory> use_host_memory(void* data, int64_t bytes) {
  auto memory = std::make_shared<HostMemory>();
  memory->data = data;
  memory->bytes = bytes;
  return memory;
}

std::shared_ptr<Event> make_event(Target target, bool timing) {
  return std::make_shared<HostEvent>(target, timing);
}

std::shared_ptr<Stream> make_stream(Target target, void* handle) {
  return std::make_shared<HostStream>(target, handle);
}

}  // namespace lanewise::runtime::host
