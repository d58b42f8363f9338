#include "runtime/host_view.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace lanewise::runtime {

HostView host_view(const Argument& argument, const frontend::ValueType& type) {
  HostView view;
  view.element_bytes = type.element.size();
  view.first = view.low = static_cast<char*>(argument.data);
  view.high = view.low + view.element_bytes;
  auto ndim = static_cast<size_t>(type.ndim);
  int64_t contiguous = view.element_bytes;
  std::vector<int64_t> strides(ndim);
  for (size_t i = 0; i < ndim; ++i) {
    size_t d = type.layout == frontend::Layout::F ? i : ndim - 1 - i;
    strides[d] = contiguous;
    contiguous *= argument.shape[d];
  }
  for (size_t d = 0; d < ndim; ++d) {
    int64_t extent = argument.shape[d];
    int64_t stride = type.layout == frontend::Layout::Strided ? argument.strides[d] * view.element_bytes
                     : type.layout == frontend::Layout::Bytes ? argument.strides[d]
                                                              : strides[d];
    if (extent == 0) view.empty = true;
    if (extent <= 1) continue;
    view.dims.push_back({extent, stride});
    (stride < 0 ? view.low : view.high) += (extent - 1) * stride;
  }
  if (view.empty) {
    view.high = view.low = view.first;
    return view;
  }
  std::sort(view.dims.begin(), view.dims.end(), [](const HostView::Dim& a, const HostView::Dim& b) {
    return std::abs(a.stride) > std::abs(b.stride);
  });
  int64_t filled = view.element_bytes;
  view.dense = true;
  for (auto dim = view.dims.rbegin(); dim != view.dims.rend(); ++dim) {
    if (std::abs(dim->stride) != filled) view.dense = false;
    filled *= dim->extent;
  }
  return view;
}

void HostView::scatter(const char* span_image) const {
  if (empty) return;
  // The innermost dims that lie side by side are copied as one run.
  size_t outer = dims.size();
  int64_t run = element_bytes;
  while (outer > 0 && dims[outer - 1].stride == run) run *= dims[--outer].extent;
  std::vector<int64_t> index(outer, 0);
  for (char* at = first;;) {
    std::memcpy(at, span_image + (at - low), static_cast<size_t>(run));
    size_t d = outer;
    while (d > 0) {
      --d;
      at += dims[d].stride;
      if (++index[d] < dims[d].extent) break;
      at -= index[d] * dims[d].stride;
      index[d] = 0;
      if (d == 0) return;
    }
    if (outer == 0) return;
  }
}

}  // namespace lanewise::runtime
