// gpu.DeviceArray as C++ sees it: a view of memory of some target's device. The Python class
// (lanewise/gpu/_memory.py) derives from the type made here and adds what need not be fast.
#pragma once
#include <array>
#include <memory>

#include "core.h"
#include "element_types.h"
#include "frontend/value_type.h"

namespace lanewise::python {

struct DeviceView {
  std::shared_ptr<runtime::DeviceBuffer> buffer;
  int64_t offset = 0;  // bytes from the buffer's start to the first element
  ElementCode scalar = kNoElement;
  uint16_t wide = 0;  // the type's code in dtypes.h where `scalar` is kWideElement
  int ndim = 0;
  std::array<int64_t, runtime::Argument::kMaxDims> shape{}, strides{};  // strides in elements
  frontend::Layout layout = frontend::Layout::C;

  void* data() const { return static_cast<char*>(buffer->data) + offset; }
};

// C if both hold: extents of 1 have no say, and an array without elements is contiguous.
frontend::Layout layout_of(int ndim, const int64_t* shape, const int64_t* strides);

// The view of a DeviceArray object, nullptr if it is none.
const DeviceView* device_view(PyObject* object);
// Makes the base type lanewise._core.DeviceArrayBase and the functions around it.
void register_device_array(py::module_& module);

}  // namespace lanewise::python
