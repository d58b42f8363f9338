// A host array argument as bytes: which range its elements span, whether they fill it, and copying just the
// elements. Knows nothing of CUDA.
#pragma once
#include <cstdint>
#include <vector>

#include "runtime/runtime.h"

namespace lanewise::runtime {

struct HostView {
  char* low = nullptr;  // the span: every byte from the lowest to the highest element
  char* high = nullptr;
  char* first = nullptr;  // the element with all indices 0
  int64_t element_bytes = 0;
  struct Dim {
    int64_t extent, stride;  // in bytes
  };
  std::vector<Dim> dims;  // without those of extent 1, widest stride first
  bool empty = false;
  bool dense = false;  // the elements fill the span, each byte belongs to one of them

  // Copies the view's elements from an image of its span to their places, nothing else.
  void scatter(const char* span_image) const;
};

// Strides are those of the type where it is contiguous, else the argument's.
HostView host_view(const Argument& argument, const frontend::ValueType& type);

}  // namespace lanewise::runtime
