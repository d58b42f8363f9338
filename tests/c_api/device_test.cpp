// Devices, streams, events, graphs and memory through the C++ door. The target is LANEWISE_TARGET's; how many
// CUDA devices there are PTXEMU_DEVICES says.
#include <gtest/gtest.h>
#include <lanewise/lanewise.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <stdexcept>

namespace {

using lanewise::Buffer;
using lanewise::Event;
using lanewise::HostArray;
using lanewise::HostMemoryKind;
using lanewise::Module;
using lanewise::Stream;
using lanewise::Target;

constexpr const char* kKernels = R"py(
from lanewise import gpu

@gpu.jit
def add(x, v):
    i = gpu.grid(1)
    if i < x.size:
        x[i] += v

@gpu.jit
def double(x, y):
    i = gpu.grid(1)
    if i < x.size // 2:
        y[i] = 2 * x[i]

@gpu.jit
def check(x):
    assert x[0] == 0, "x must begin with 0"
)py";

Module& kernels() {
  static auto* module = new Module(lanewise::compile(kKernels));
  return *module;
}

bool on_cuda() { return lanewise::default_target() == Target::Cuda; }

std::vector<int32_t> ramp(size_t count) {
  std::vector<int32_t> values(count);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

// "" if nothing was thrown.
template <class Exception>
std::string message(auto action) {
  try {
    action();
  } catch (const Exception& error) {
    return error.what();
  }
  return "";
}

testing::AssertionResult holds(const std::string& text, const std::string& part) {
  if (text.find(part) != text.npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "\"" << text << "\" lacks \"" << part << "\"";
}

// --- devices

TEST(Devices, DescribeThemselves) {
  int count = lanewise::device_count();
  ASSERT_GE(count, 1);
  for (int i = 0; i < count; ++i) {
    lanewise::DeviceInfo info = lanewise::device_info(i);
    EXPECT_EQ(info.device, i);
    EXPECT_FALSE(info.name.empty());
    EXPECT_GT(info.memory_bytes, 0);
    EXPECT_EQ(info.compute_capability > 0, on_cuda());
    EXPECT_EQ(lanewise::device_attribute(i, 10), 32);   // lanes of a warp
    EXPECT_EQ(lanewise::device_attribute(i, 1), 1024);  // threads of a block
    if (on_cuda()) {
      EXPECT_EQ(lanewise::device_attribute(i, 75) * 10 + lanewise::device_attribute(i, 76),
                info.compute_capability);
    }
  }
  EXPECT_EQ(lanewise::current_device(), 0);
  EXPECT_TRUE(
      holds(message<lanewise::LaunchError>([&] { lanewise::device_info(count); }),
            "there is no " + std::string(on_cuda() ? "CUDA " : "") + "device " + std::to_string(count)));
  EXPECT_THROW(lanewise::select_device(-2), lanewise::LaunchError);
  EXPECT_THROW(lanewise::select_device(count), lanewise::LaunchError);
  EXPECT_THROW(lanewise::device_attribute(count, 1), lanewise::LaunchError);
  lanewise::MemoryInfo memory = lanewise::memory_info();
  EXPECT_GT(memory.free, 0);
  EXPECT_LE(memory.free, memory.total);
  lanewise::release_memory();
  lanewise::start_profiler();
  lanewise::stop_profiler();
}

TEST(Devices, AScopeGoesBackToWhatWasSelected) {
  auto selected = [] {
    int32_t device = 7;
    EXPECT_EQ(lw_selected_device(LW_TARGET_DEFAULT, &device), LW_OK);
    return device;
  };
  const int32_t in_scope = on_cuda() ? 0 : -1;  // the CPU is one device: nothing is selected there
  lanewise::select_device(-1);
  EXPECT_EQ(selected(), -1);
  {
    lanewise::DeviceScope scope(0);
    EXPECT_EQ(selected(), in_scope);
  }
  EXPECT_EQ(selected(), -1);
  lanewise::select_device(0);
  { lanewise::DeviceScope scope(0); }
  EXPECT_EQ(selected(), in_scope);
  lanewise::select_device(-1);
  EXPECT_EQ(lw_selected_device(LW_TARGET_DEFAULT, nullptr), LW_ERROR_INVALID);
}

TEST(Devices, InfoFitsSmallerStructs) {
  lw_device_info info;
  std::memset(&info, 0x55, sizeof info);
  info.struct_size = offsetof(lw_device_info, memory_bytes);
  ASSERT_EQ(lw_get_device_info(LW_TARGET_CPU, 0, &info), LW_OK);
  EXPECT_EQ(info.device, 0);
  EXPECT_EQ(info.compute_capability, 0);
  EXPECT_EQ(info.memory_bytes, 0x5555555555555555);
}

TEST(Devices, TheCpuIsOne) {
  EXPECT_EQ(lanewise::device_count(Target::Cpu), 1);
  EXPECT_EQ(lanewise::device_attribute(0, 16, Target::Cpu), lw_num_threads());
  EXPECT_FALSE(lanewise::can_access_peer(0, 0, Target::Cpu));
  EXPECT_THROW(lanewise::enable_peer_access(0, Target::Cpu), lanewise::LaunchError);
  EXPECT_TRUE(holds(message<lanewise::LaunchError>([] { lanewise::select_device(1, Target::Cpu); }),
                    "the CPU is one device"));
}

// What follows needs two CUDA devices: PTXEMU_DEVICES=2.
class TwoDevices : public testing::Test {
 protected:
  void SetUp() override {
    if (!on_cuda() || lanewise::device_count() < 2) GTEST_SKIP() << "needs two CUDA devices";
  }
};

TEST_F(TwoDevices, BuffersStreamsAndLaunchesAreOfTheSelectedOne) {
  std::vector<int32_t> host = ramp(40);
  {
    lanewise::DeviceScope scope(1);
    EXPECT_EQ(lanewise::current_device(), 1);
    Buffer<int32_t> there(host);
    EXPECT_EQ(there.device(), 1);
    kernels().launch("add", {2}, {32}, there, 5);
    std::vector<int32_t> back = there.to_host();
    for (int i = 0; i < 40; ++i) EXPECT_EQ(back[static_cast<size_t>(i)], i + 5);
  }
  EXPECT_EQ(lanewise::current_device(), 0);
  EXPECT_EQ(Buffer<int32_t>(host).device(), 0);
}

TEST_F(TwoDevices, CopiesGoBetweenThem) {
  Buffer<int32_t> here(ramp(40));
  std::optional<lanewise::DeviceScope> scope(1);
  Buffer<int32_t> there(40);
  scope.reset();
  kernels().launch("add", {2}, {32}, here, 1);
  there.copy_from(here);  // after the launch, though that is on the other device
  EXPECT_EQ(there.to_host()[39], 40);
  Stream stream;
  here.copy_from(there, stream, {.source_first = 30, .first = 2, .count = 3});
  stream.synchronize();
  std::vector<int32_t> back = here.to_host();
  EXPECT_EQ((std::vector<int32_t>(back.begin(), back.begin() + 6)),
            (std::vector<int32_t>{1, 2, 31, 32, 33, 6}));
}

TEST_F(TwoDevices, MemoryAndStreamsOfAnotherAreRefused) {
  std::optional<lanewise::DeviceScope> scope(1);
  Buffer<int32_t> there(ramp(8));
  Stream stream;
  scope.reset();
  std::string text = message<lanewise::LaunchError>([&] { kernels().launch("add", {1}, {32}, there, 5); });
  EXPECT_TRUE(holds(text, "argument `x`: its memory is on CUDA device 1, but the launch is on device 0"));
  Buffer<int32_t> here(ramp(8));
  text = message<lanewise::LaunchError>(
      [&] { kernels().launch("add", {.grid = 1, .block = 32, .stream = stream}, here, 5); });
  EXPECT_TRUE(holds(text, "the stream is of CUDA device 1, but the launch is on device 0"));
  ASSERT_TRUE(lanewise::can_access_peer(0, 1));
  lanewise::enable_peer_access(1);
  kernels().launch("add", {1}, {32}, there, 5);
  Buffer<int32_t> of_pool(ramp(8), stream);
  stream.synchronize();
  kernels().launch("add", {1}, {32}, of_pool, 6);
  lanewise::synchronize();
  EXPECT_EQ(there.to_host()[7], 12);
  EXPECT_EQ(of_pool.to_host()[7], 13);
}

TEST_F(TwoDevices, MemoryIsWhereItIsNotWhereTheThreadIs) {
  std::optional<lanewise::DeviceScope> scope(1);
  Buffer<int32_t> there(ramp(8));
  Stream stream;
  scope.reset();
  auto wrapped = Buffer<int32_t>::wrap(there.data(), 8);
  EXPECT_EQ(wrapped.device(), 1);
  EXPECT_EQ(wrapped.to_host(), ramp(8));
  Buffer<int32_t> on_stream(ramp(8), stream);
  EXPECT_EQ(on_stream.device(), 1);
  stream.synchronize();
  EXPECT_EQ(on_stream.to_host(), ramp(8));
  Stream same = Stream::existing(stream.handle());
  Event event;  // of device 0
  event.record();
  same.wait(event);
  same.synchronize();
  EXPECT_TRUE(same.is_done());
}

// --- streams, events, graphs

TEST(Streams, WorkRunsInOrder) {
  Stream stream;
  Buffer<int32_t> x(ramp(64), stream);
  for (int32_t v = 0; v < 10; ++v) kernels().launch("add", {.grid = 2, .block = 32, .stream = stream}, x, v);
  std::vector<int32_t> back(64);
  x.read(back, stream);
  stream.synchronize();
  EXPECT_TRUE(stream.is_done());
  for (int32_t i = 0; i < 64; ++i) EXPECT_EQ(back[static_cast<size_t>(i)], i + 45);
  x.write(std::vector<int32_t>{-1, -2}, stream, 3);
  std::vector<int32_t> part(4);
  x.read(part, stream, 2);
  stream.synchronize();
  EXPECT_EQ(part, (std::vector<int32_t>{47, -1, -2, 50}));
}

TEST(Streams, OptionsAndHandles) {
  lanewise::StreamPriorities priorities = lanewise::stream_priorities();
  EXPECT_LE(priorities.highest, priorities.lowest);
  Stream stream({.non_blocking = true, .priority = priorities.highest});
  EXPECT_EQ(stream.handle() != nullptr, on_cuda());
  Buffer<int32_t> x(ramp(8));
  for (const Stream& each :
       {Stream::existing(stream.handle()), Stream::default_stream(),
        Stream::existing(reinterpret_cast<void*>(1)), Stream::existing(reinterpret_cast<void*>(2)), stream}) {
    kernels().launch("add", {.grid = 1, .block = 8, .stream = each}, x, 1);
    each.synchronize();
  }
  kernels().launch("add", {.grid = 1, .block = 8, .stream = stream.handle()}, x, 1);
  stream.synchronize();
  EXPECT_EQ(x.to_host()[7], 13);
}

TEST(Streams, HostArraysComeBackByThemselves) {
  Stream stream;
  std::vector<int32_t> x = ramp(40);
  kernels().launch("add", {.grid = 2, .block = 32, .stream = stream}, x, 7);
  EXPECT_EQ(x[39], 46);
}

TEST(Streams, EventsOrderAndMeasure) {
  Stream first, second({.non_blocking = true});
  Buffer<int32_t> x(ramp(8));
  Event start, done, plain({.timing = false});
  EXPECT_TRUE(done.is_done());
  start.record(first);
  kernels().launch("add", {.grid = 1, .block = 8, .stream = first}, x, 3);
  done.record(first);
  second.wait(done);
  kernels().launch("add", {.grid = 1, .block = 8, .stream = second}, x, 4);
  std::vector<int32_t> back(8);
  x.read(back, second);
  second.synchronize();
  EXPECT_EQ(back[1], 8);
  done.synchronize();
  EXPECT_TRUE(done.is_done());
  EXPECT_GE(done.since(start), 0);
  EXPECT_LT(done.since(start), 60000);
  plain.record();
  plain.synchronize();
  EXPECT_THROW(plain.since(start), lanewise::Error);
  EXPECT_THROW(Event().since(start), lanewise::Error);
  EXPECT_EQ(plain.handle() != nullptr, on_cuda());
}

TEST(Streams, CallbacksComeAfterTheWork) {
  Stream stream;
  HostArray<int32_t> seen(std::vector<int32_t>{0, 0});
  Buffer<int32_t> x(ramp(2));
  kernels().launch("add", {.grid = 1, .block = 2, .stream = stream}, x, 6);
  x.read(seen, stream);
  int32_t at_call = 0;
  stream.call([&] { at_call = seen[1]; });
  stream.call([] { throw std::runtime_error("nobody to tell"); });
  stream.synchronize();
  EXPECT_EQ(at_call, 7);
  EXPECT_THROW(stream.call({}), lanewise::InvalidArgument);
}

TEST(Streams, GraphsRunWhatWasCaptured) {
  Stream stream;
  Buffer<int32_t> x(ramp(8)), y(8);
  kernels().launch("add", {.grid = 1, .block = 8, .stream = stream}, x, 0);
  auto work = [&] {
    kernels().launch("add", {.grid = 1, .block = 8, .stream = stream}, x, 10);
    y.copy_from(x, stream);
  };
  if (!on_cuda()) {
    EXPECT_TRUE(holds(message<lanewise::LaunchError>([&] { stream.capture(work); }), "on the CPU"));
    return;
  }
  lanewise::Graph graph = stream.capture(work);
  stream.synchronize();
  EXPECT_EQ(x.to_host(), ramp(8));
  for (int i = 0; i < 3; ++i) graph.launch(stream);
  stream.synchronize();
  EXPECT_EQ(y.to_host()[7], 37);
  graph.launch();
  EXPECT_EQ(y.to_host()[7], 47);
  // What cannot be captured says so, and the stream goes on.
  std::vector<int32_t> host(8);
  EXPECT_TRUE(holds(message<lanewise::LaunchError>([&] {
                      stream.capture([&] {
                        kernels().launch("add", {.grid = 1, .block = 8, .stream = stream}, host, 1);
                      });
                    }),
                    "device memory"));
  EXPECT_TRUE(holds(message<lanewise::LaunchError>([&] { stream.capture([&] { stream.call([] {}); }); }),
                    "callback"));
  EXPECT_TRUE(
      holds(message<lanewise::LaunchError>([&] { stream.capture([&] { Buffer<int32_t>(8, stream); }); }),
            "allocate it before"));
  kernels().launch("add", {.grid = 1, .block = 8, .stream = stream}, x, 1);
  stream.synchronize();
  EXPECT_EQ(x.to_host()[7], 48);
}

TEST(Streams, WhatThreadsRaiseComesFromTheNextWait) {
  Stream stream;
  Buffer<int32_t> x(std::vector<int32_t>{1});
  std::string text = message<lanewise::RaisedError>([&] {
    kernels().launch("check", {.grid = 1, .block = 1, .stream = stream}, x);
    stream.synchronize();
  });
  EXPECT_TRUE(holds(text, "x must begin with 0"));
  stream.synchronize();
}

TEST(Streams, WrongCallsAreStatuses) {
  EXPECT_EQ(lw_stream_create(99, nullptr, nullptr), LW_ERROR_INVALID);
  lw_stream* stream = nullptr;
  EXPECT_EQ(lw_stream_create(99, nullptr, &stream), LW_ERROR_INVALID);
  EXPECT_EQ(stream, nullptr);
  ASSERT_EQ(lw_stream_create(LW_TARGET_CPU, nullptr, &stream), LW_OK);
  int32_t done = 7;
  EXPECT_EQ(lw_stream_is_done(nullptr, &done), LW_ERROR_INVALID);
  EXPECT_EQ(lw_stream_is_done(stream, nullptr), LW_ERROR_INVALID);
  EXPECT_EQ(done, 7);
  EXPECT_EQ(lw_stream_synchronize(nullptr), LW_ERROR_INVALID);
  EXPECT_EQ(lw_stream_wait(stream, nullptr), LW_ERROR_INVALID);
  EXPECT_EQ(lw_stream_call(stream, nullptr, nullptr), LW_ERROR_INVALID);
  lw_graph* graph = nullptr;
  EXPECT_EQ(lw_stream_end_capture(stream, &graph), LW_ERROR_LAUNCH);
  EXPECT_EQ(lw_graph_launch(nullptr, stream), LW_ERROR_INVALID);
  EXPECT_EQ(lw_event_record(nullptr, stream), LW_ERROR_INVALID);
  double time = 0;
  EXPECT_EQ(lw_event_elapsed(nullptr, nullptr, &time), LW_ERROR_INVALID);
  EXPECT_EQ(lw_stream_handle(nullptr), nullptr);
  EXPECT_EQ(lw_event_handle(nullptr), nullptr);
  if (on_cuda()) {
    lw_event* event = nullptr;
    ASSERT_EQ(lw_event_create(LW_TARGET_CUDA, 1, &event), LW_OK);
    EXPECT_EQ(lw_event_record(event, stream), LW_ERROR_INVALID);
    EXPECT_EQ(lw_stream_wait(stream, event), LW_ERROR_INVALID);
    EXPECT_STREQ(lw_last_error(), "the stream is of another target");
    Buffer<int32_t> here(4, Target::Cuda), there(4, Target::Cpu);
    EXPECT_THROW(here.copy_from(there), lanewise::InvalidArgument);
    EXPECT_THROW(there.write(ramp(4), Stream({}, Target::Cuda)), lanewise::InvalidArgument);
    lw_event_release(event);
  }
  lw_stream_release(stream);
  lw_stream_release(nullptr);
  lw_event_release(nullptr);
  lw_graph_release(nullptr);
}

// --- memory

TEST(Memory, CopiesBetweenBuffers) {
  Buffer<int32_t> x(ramp(10)), y(std::vector<int32_t>(10, -1));
  y.copy_from(x, {.source_first = 2, .first = 5, .count = 3});
  EXPECT_EQ(y.to_host(), (std::vector<int32_t>{-1, -1, -1, -1, -1, 2, 3, 4, -1, -1}));
  y.copy_from(x);
  EXPECT_EQ(y.to_host(), ramp(10));
  y.copy_from(y, {.source_first = 0, .first = 5, .count = 5});
  EXPECT_EQ(y.to_host()[9], 4);
  EXPECT_THROW(y.copy_from(y, {.source_first = 0, .first = 4, .count = 5}), lanewise::InvalidArgument);
  EXPECT_THROW(y.copy_from(x, {.first = 1}), lanewise::InvalidArgument);
  EXPECT_THROW(y.copy_from(x, {.source_first = 11, .count = 1}), lanewise::InvalidArgument);
  EXPECT_THROW(y.copy_from(x, {.count = SIZE_MAX}), lanewise::InvalidArgument);
  y.copy_from(x, {.source_first = 10});  // nothing
}

TEST(Memory, OfOthersIsWrapped) {
  Buffer<int32_t> x(ramp(10));
  int released = 0;
  {
    auto wrapped = Buffer<int32_t>::wrap(x.data() + 4, 6, [&] { ++released; });
    kernels().launch("add", {1}, {32}, wrapped, 100);
    EXPECT_EQ(wrapped.to_host()[0], 104);
    Buffer<int32_t> moved = std::move(wrapped);
    EXPECT_EQ(released, 0);
  }
  EXPECT_EQ(released, 1);
  EXPECT_EQ(x.to_host()[3], 3);
  EXPECT_EQ(x.to_host()[9], 109);
  Buffer<int32_t>::wrap(x.data(), 10);
  EXPECT_THROW(Buffer<int32_t>::wrap(nullptr, 10, [&] { ++released; }), lanewise::InvalidArgument);
  EXPECT_EQ(released, 1);
}

TEST(Memory, IpcIsOfCuda) {
  Buffer<int32_t> x(ramp(10));
  if (!on_cuda()) {
    EXPECT_TRUE(holds(message<lanewise::LaunchError>([&] { x.ipc_handle(); }), "CUDA only"));
    return;
  }
  lanewise::IpcHandle handle = x.ipc_handle();
  // A driver refuses a process's own handle; the emulated one does not.
  try {
    auto opened = Buffer<int32_t>::open(handle, 10);
    EXPECT_EQ(opened.to_host(), ramp(10));
  } catch (const lanewise::CudaError&) {
  }
  EXPECT_THROW(Buffer<int32_t>::open({}, 10), lanewise::CudaError);
}

TEST(Memory, HostArraysAreRanges) {
  for (HostMemoryKind kind : {HostMemoryKind::Pinned, HostMemoryKind::Mapped, HostMemoryKind::Managed}) {
    HostArray<int32_t> x(40, {.kind = kind, .portable = true});
    std::iota(x.begin(), x.end(), 0);
    EXPECT_EQ(std::accumulate(x.begin(), x.end(), 0), 780);
    kernels().launch("add", {2}, {32}, x, 1);
    lanewise::synchronize();
    EXPECT_EQ(x[39], 40);
    kernels().launch("add", {2}, {32}, x.array({40}), 1);
    lanewise::synchronize();
    const HostArray<int32_t>& fixed = x;
    EXPECT_EQ(fixed[39], 41);
    EXPECT_THROW(kernels().launch("add", {2}, {32}, fixed, 1), lanewise::CompileError);  // read-only
    HostArray<int32_t> moved = std::move(x);
    EXPECT_EQ(moved.size(), 40u);
    EXPECT_TRUE(x.empty());
    x = std::move(moved);
    Stream stream;
    Buffer<int32_t> device(40, stream);
    device.write(x, stream);
    HostArray<int32_t> back(40, {.kind = kind});
    device.read(back, stream);
    stream.synchronize();
    EXPECT_TRUE(std::ranges::equal(back, x));
    EXPECT_TRUE(HostArray<double>(0, {.kind = kind}).empty());
    EXPECT_THROW(x.array({41}), lanewise::InvalidArgument);
  }
  EXPECT_THROW(HostArray<double>(SIZE_MAX / 2), std::bad_alloc);
}

TEST(Memory, OfTheCallersIsRegistered) {
  std::vector<int32_t> x = ramp(4096);
  {
    lanewise::HostRegistration mapped(x, {.kind = HostMemoryKind::Mapped});
    kernels().launch("add", {128}, {32}, x, 2);
    lanewise::synchronize();
    EXPECT_EQ(x[4095], 4097);
  }
  lanewise::HostRegistration pinned(std::span<int32_t>(x).first(100));
  EXPECT_THROW(lanewise::HostRegistration(x, {.kind = HostMemoryKind::Managed}), lanewise::InvalidArgument);
  EXPECT_THROW(lanewise::HostRegistration(nullptr, 8), lanewise::InvalidArgument);
  lw_host_memory* memory = nullptr;
  lw_host_memory_options options{sizeof options, 9, 0, 0, 0};
  EXPECT_EQ(lw_host_memory_create(LW_TARGET_CPU, 8, &options, &memory), LW_ERROR_INVALID);
  EXPECT_EQ(lw_host_memory_create(LW_TARGET_CPU, -8, nullptr, &memory), LW_ERROR_INVALID);
  EXPECT_EQ(memory, nullptr);
  EXPECT_EQ(lw_host_memory_data(nullptr), nullptr);
  lw_host_memory_release(nullptr);
}

// --- launches

TEST(Directions, SayWhatIsCopied) {
  std::vector<int32_t> x = ramp(8);
  kernels().launch("add", {1}, {8}, lanewise::in(x), 1);
  EXPECT_EQ(x, ramp(8));
  std::vector<int32_t> y(8, -1);
  kernels().launch("double", {1}, {8}, lanewise::in(x), lanewise::out(y));
  EXPECT_EQ((std::vector<int32_t>(y.begin(), y.begin() + 4)), (std::vector<int32_t>{0, 2, 4, 6}));
  // The upper half is what was in the device's memory: as it was where kernels use the host's.
  if (!on_cuda()) {
    EXPECT_EQ(y[7], -1);
  }
  kernels().launch("double", {1}, {8}, lanewise::in(std::span<const int32_t>(x)),
                   lanewise::out(lanewise::array(y.data(), {8})));
  EXPECT_EQ(y[3], 6);
  kernels().launch("add", {1}, {8}, lanewise::in(lanewise::array(x.data(), {4}, {2})), 1);
  EXPECT_EQ(x, ramp(8));
  HostArray<int32_t> pinned(std::span<const int32_t>{x});
  kernels().launch("add", {1}, {8}, lanewise::in(pinned), 1);
  EXPECT_EQ(pinned[7], 7);
}

TEST(Directions, BothAreNeither) {
  std::vector<int32_t> x = ramp(8);
  int64_t count = 8;
  int32_t value = 3;
  lw_argument arguments[] = {{LW_INT32, 1, LW_IN | LW_OUT, 0, x.data(), &count, nullptr, nullptr},
                             {LW_INT32, -1, 0, 0, &value, nullptr, nullptr, nullptr}};
  lw_launch_config config{sizeof config, {1, 1, 1}, {8, 1, 1}, 0, nullptr, {}, 0, 0, 0};
  lw_module* module = nullptr;
  ASSERT_EQ(lw_module_create(kKernels, std::strlen(kKernels), nullptr, &module), LW_OK);
  EXPECT_EQ(lw_module_launch(module, "add", &config, arguments, 2), LW_OK) << lw_last_error();
  EXPECT_EQ(x[7], 10);
  lw_module_release(module);
}

TEST(Report, IsOfTheLastLaunch) {
  lanewise::Kernel kernel = kernels().kernel("add", "void(int32[::1], int32)");
  if (lanewise::default_target() != Target::Cpu) {
    EXPECT_FALSE(kernel.report().empty());
    return;
  }
  EXPECT_TRUE(holds(kernel.report(), "not launched yet"));
  std::vector<int32_t> x = ramp(64);
  kernel.launch({2}, {32}, x, 1);
  EXPECT_TRUE(holds(kernel.report(), "blocks of 32x1x1"));
}

}  // namespace
