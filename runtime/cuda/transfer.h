// The host arrays of one launch on the device: copied in, and the written ones copied back.
// Arrays whose ranges overlap share one device copy of their union, so that they overlap there too.
#pragma once
#include <span>
#include <vector>

#include "runtime/cuda/buffers.h"
#include "runtime/host_view.h"

namespace lanewise::runtime::cuda {

class Transfer {
 public:
  // `types` are the kernel's leaves. The device's context must be current for the object's whole life.
  // LaunchError if the stream goes into a graph: that cannot hold the copies.
  Transfer(const Device& device, std::span<const frontend::ValueType> types,
           std::span<const ir::Access> access, std::span<const Argument> arguments, CUstream stream,
           std::string_view kernel);
  // Waits for the stream if copy_back() has not, then keeps the memory for other launches.
  ~Transfer();
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  // Nothing is copied: all host arrays are in memory that the kernel uses in place.
  bool is_empty() const { return arrays_.empty(); }
  // One per argument: where the kernel finds the array's first element; a scalar's is null.
  std::span<void* const> addresses() const { return addresses_; }
  // Waits for the kernel and copies the elements of written arrays to their places.
  void copy_back();

 private:
  struct Array {
    size_t argument = 0;
    HostView view;
    bool taken_in = true;       // its contents are copied to the device
    bool brought_back = false;  // and back
    CUdeviceptr low = 0;        // where the view's span begins on the device
  };
  void place(std::span<Array*> sorted);

  const Device& device_;
  std::vector<Array> arrays_;
  std::vector<Block> blocks_;
  std::vector<void*> addresses_;
  CUstream stream_;
  std::string_view kernel_;
  bool finished_ = false;
};

}  // namespace lanewise::runtime::cuda
