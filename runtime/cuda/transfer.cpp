#include "runtime/cuda/transfer.h"

#include <algorithm>

#include "runtime/cuda/copies.h"
#include "runtime/cuda/graph.h"
#include "runtime/cuda/host_memory.h"

namespace lanewise::runtime::cuda {
namespace {

// Device copies keep the host address modulo this, so every element is as aligned there as here.
constexpr uint64_t kAlignment = 256;

}  // namespace

Transfer::Transfer(const Device& device, std::span<const frontend::ValueType> types,
                   std::span<const ir::Access> access, std::span<const Argument> arguments, CUstream stream,
                   std::string_view kernel)
    : device_(device), addresses_(arguments.size()), stream_(stream), kernel_(kernel) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].ndim < 0) continue;
    addresses_[i] = arguments[i].data;
    if (arguments[i].device) continue;
    addresses_[i] = nullptr;
    HostView view = host_view(arguments[i], types[i]);
    // An array that is only asked for its shape needs no memory.
    if (view.empty || !(access[i].read || access[i].write)) continue;
    if (std::optional<CUdeviceptr> low = device_address(view.low, view.high)) {
      addresses_[i] = reinterpret_cast<void*>(*low + static_cast<uint64_t>(view.first - view.low));
      continue;
    }
    const Direction direction = arguments[i].direction;
    arrays_.push_back(
        {i, std::move(view), direction != Direction::Out, access[i].write && direction != Direction::In});
  }
  if (is_empty()) return;
  if (is_capturing(stream_))
    throw LaunchError(
        "kernel `" + std::string(kernel) +
        "`: a graph can only hold launches whose arrays are in device memory: to_device them before");
  std::vector<Array*> sorted;
  for (Array& array : arrays_) sorted.push_back(&array);
  std::sort(sorted.begin(), sorted.end(),
            [](const Array* a, const Array* b) { return a->view.low < b->view.low; });
  try {
    for (size_t begin = 0, end; begin < sorted.size(); begin = end) {
      char* high = sorted[begin]->view.high;
      for (end = begin + 1; end < sorted.size() && sorted[end]->view.low < high; ++end)
        high = std::max(high, sorted[end]->view.high);
      place({sorted.data() + begin, end - begin});
    }
  } catch (...) {
    // The destructor does not run for what was not constructed.
    driver_state().driver.cuStreamSynchronize(stream_);
    for (const Block& block : blocks_) give_block(device_, block);
    throw;
  }
}

// One device block for arrays that overlap. All of it is copied in, for elements that the kernel leaves alone
// come back as they were; not if the user says that the kernel sets all that matters.
void Transfer::place(std::span<Array*> sorted) {
  const char* low = sorted.front()->view.low;
  const char* high = low;
  for (const Array* array : sorted) high = std::max<const char*>(high, array->view.high);
  auto bytes = static_cast<size_t>(high - low);
  uint64_t lead = reinterpret_cast<uint64_t>(low) % kAlignment;
  blocks_.push_back(take_block(device_, bytes + lead));
  CUdeviceptr device_low = blocks_.back().pointer + lead;
  bool taken_in = std::any_of(sorted.begin(), sorted.end(), [](const Array* a) { return a->taken_in; });
  if (taken_in) copy_in(device_, device_low, low, bytes, stream_, kernel_);
  for (Array* array : sorted) {
    array->low = device_low + static_cast<uint64_t>(array->view.low - low);
    uint64_t first = array->low + static_cast<uint64_t>(array->view.first - array->view.low);
    addresses_[array->argument] = reinterpret_cast<void*>(first);
  }
}

void Transfer::copy_back() {
  struct Staged {
    const Array* array;
    std::vector<char> image;
  };
  std::vector<Staged> staged;
  for (const Array& array : arrays_) {
    if (!array.brought_back) continue;
    auto bytes = static_cast<size_t>(array.view.high - array.view.low);
    char* destination = array.view.low;
    if (!array.view.dense) {
      staged.push_back({&array, std::vector<char>(bytes)});
      destination = staged.back().image.data();
    }
    copy_out(device_, destination, array.low, bytes, stream_, kernel_);
  }
  CUDA_CALL_FOR(kernel_, cuStreamSynchronize, (stream_));
  finished_ = true;
  for (const Staged& one : staged) one.array->view.scatter(one.image.data());
}

Transfer::~Transfer() {
  if (!finished_ && !is_empty()) driver_state().driver.cuStreamSynchronize(stream_);
  for (const Block& block : blocks_) give_block(device_, block);
}

}  // namespace lanewise::runtime::cuda
