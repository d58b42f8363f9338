// Memory of devices, and of the host for devices. Part of lanewise.h.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "lanewise/device.h"
#include "lanewise/elements.h"
#include "lanewise/errors.h"
#include "lanewise/lanewise_c.h"

namespace lanewise {

namespace detail {

template <class T>
int64_t bytes_of(size_t count) {
  if (count > static_cast<size_t>(INT64_MAX) / sizeof(T)) throw std::bad_alloc();
  return static_cast<int64_t>(count * sizeof(T));
}

}  // namespace detail

// Part of a copy between buffers, in elements.
struct CopyRange {
  size_t source_first = 0, first = 0;
  std::optional<size_t> count = std::nullopt;  // nullopt: the rest of the source
};

// With which another process on this machine can open a buffer's memory: bytes to send there.
using IpcHandle = lw_ipc_handle;

// Memory of a target's device; moves, does not copy. Reads, writes and copies without a stream come after all
// work of the default stream and are done when they return. With one they are in the order of its work, and
// go on beside the host where they are between buffers or to and from pinned memory.
template <Element T>
class Buffer {
 public:
  // Uninitialised, of the current device.
  explicit Buffer(size_t count, Target target = Target::Default) : count_(count) {
    lw_buffer* made = nullptr;
    detail::check(lw_buffer_create(detail::to_c(target), detail::bytes_of<T>(count), &made));
    handle_.reset(made);
  }
  // For work on the stream, of its device.
  Buffer(size_t count, const Stream& stream) : count_(count) {
    lw_buffer* made = nullptr;
    detail::check(lw_buffer_create_async(stream.c(), detail::bytes_of<T>(count), &made));
    handle_.reset(made);
  }
  explicit Buffer(std::span<const T> values, Target target = Target::Default)
      : Buffer(values.size(), target) {
    write(values);
  }
  Buffer(std::span<const T> values, const Stream& stream) : Buffer(values.size(), stream) {
    write(values, stream);
  }
  // Memory that others own, on whichever device of the target it is; `release` is called at the buffer's end.
  static Buffer wrap(T* data, size_t count, std::function<void()> release = {},
                     Target target = Target::Default) {
    detail::Callback callback(std::move(release));
    lw_buffer* made = nullptr;
    detail::check(lw_buffer_wrap(detail::to_c(target), data, detail::bytes_of<T>(count), callback.call(),
                                 callback.context(), &made));
    callback.let_go();
    return Buffer(made, count);
  }
  // Of another process, on the current device. CUDA only.
  static Buffer open(const IpcHandle& handle, size_t count) {
    lw_buffer* made = nullptr;
    detail::check(lw_buffer_open_ipc(&handle, detail::bytes_of<T>(count), &made));
    return Buffer(made, count);
  }
  // The buffer must live while the other process uses it. CUDA only.
  IpcHandle ipc_handle() const {
    IpcHandle handle{};
    detail::check(lw_buffer_ipc_handle(handle_.get(), &handle));
    return handle;
  }

  size_t size() const { return count_; }
  T* data() const { return static_cast<T*>(lw_buffer_data(handle_.get())); }  // an address of the device
  int device() const { return lw_buffer_device(handle_.get()); }

  void write(std::span<const T> values, size_t first = 0) {
    detail::check(lw_buffer_write(handle_.get(), values.data(), bytes(values.size()), bytes(first)));
  }
  void write(std::span<const T> values, const Stream& stream, size_t first = 0) {
    detail::check(
        lw_buffer_write_async(handle_.get(), values.data(), bytes(values.size()), bytes(first), stream.c()));
  }
  void read(std::span<T> values, size_t first = 0) const {
    detail::check(lw_buffer_read(handle_.get(), values.data(), bytes(values.size()), bytes(first)));
  }
  void read(std::span<T> values, const Stream& stream, size_t first = 0) const {
    detail::check(
        lw_buffer_read_async(handle_.get(), values.data(), bytes(values.size()), bytes(first), stream.c()));
  }
  // From another buffer, of any device of the target; ranges of the same one must not overlap.
  void copy_from(const Buffer& source, const CopyRange& range = {}) { copy(source, range, nullptr); }
  void copy_from(const Buffer& source, const Stream& stream, const CopyRange& range = {}) {
    copy(source, range, stream.c());
  }
  std::vector<T> to_host() const requires(!std::is_same_v<T, bool>) {
    std::vector<T> values(count_);
    read(values);
    return values;
  }
  // The buffer, or its beginning, seen as an n-dimensional array in C order.
  Array<T> array(std::vector<int64_t> shape) const {
    size_t left = count_;
    for (int64_t extent : shape)
      if (extent < 0 || (extent > 0 && (left /= static_cast<size_t>(extent)) == 0))
        throw InvalidArgument(LW_ERROR_INVALID, "Buffer::array: the shape has more elements than the buffer");
    return {data(), std::move(shape), {}, true};
  }

 private:
  Buffer(lw_buffer* owned, size_t count) : handle_(owned), count_(count) {}
  // Too large a number stays one: the library refuses what is not inside.
  static int64_t bytes(size_t count) {
    constexpr auto kMost = static_cast<size_t>(INT64_MAX) / sizeof(T);
    return static_cast<int64_t>((count < kMost ? count : kMost) * sizeof(T));
  }
  void copy(const Buffer& source, const CopyRange& range, lw_stream* stream) {
    size_t rest = range.source_first < source.count_ ? source.count_ - range.source_first : 0;
    detail::check(lw_buffer_copy(handle_.get(), bytes(range.first), source.handle_.get(),
                                 bytes(range.source_first), bytes(range.count.value_or(rest)), stream));
  }

  std::unique_ptr<lw_buffer, detail::Release<lw_buffer_release>> handle_;
  size_t count_ = 0;
};

// ---- host memory for devices; on the CPU it is all the same

enum class HostMemoryKind {
  Pinned = LW_PINNED,   // not paged: copies to and from it are fast, and go on beside the host
  Mapped = LW_MAPPED,   // pinned, and kernels use it where it is, over the bus
  Managed = LW_MANAGED  // the driver moves it to where it is used, host or device
};

struct HostMemoryOptions {
  HostMemoryKind kind = HostMemoryKind::Pinned;
  bool portable = false;        // for all devices, not the current one alone
  bool write_combined = false;  // fast for the device to read, slow for the host; not for Managed
  bool attach_host = false;     // Managed: no stream may use it, until another library attaches it
};

namespace detail {

inline lw_host_memory_options to_c(const HostMemoryOptions& o) {
  return {sizeof(lw_host_memory_options), static_cast<lw_host_memory_kind>(o.kind), o.portable,
          o.write_combined, o.attach_host};
}

using HostMemoryHandle = std::unique_ptr<lw_host_memory, Release<lw_host_memory_release>>;

}  // namespace detail

// Elements in the host's memory, as a std::vector of fixed size has them, and an argument of launches. Moves,
// does not copy. Launches do not copy Mapped and Managed memory and do not wait for them: synchronize before
// you read what a kernel wrote.
template <Element T>
class HostArray {
 public:
  // Uninitialised.
  explicit HostArray(size_t count, const HostMemoryOptions& options = {}, Target target = Target::Default)
      : count_(count) {
    lw_host_memory_options c = detail::to_c(options);
    lw_host_memory* made = nullptr;
    detail::check(lw_host_memory_create(detail::to_c(target), detail::bytes_of<T>(count), &c, &made));
    handle_.reset(made);
    data_ = static_cast<T*>(lw_host_memory_data(made));
  }
  explicit HostArray(std::span<const T> values, const HostMemoryOptions& options = {},
                     Target target = Target::Default)
      : HostArray(values.size(), options, target) {
    for (size_t i = 0; i < count_; ++i) data_[i] = values[i];
  }
  HostArray(HostArray&& other) noexcept { swap(other); }
  HostArray& operator=(HostArray&& other) noexcept {
    HostArray taken(std::move(other));
    swap(taken);
    return *this;
  }

  size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + count_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + count_; }
  // The elements, or the first of them, as an n-dimensional array in C order.
  Array<T> array(std::vector<int64_t> shape) {
    size_t left = count_;
    for (int64_t extent : shape)
      if (extent < 0 || (extent > 0 && (left /= static_cast<size_t>(extent)) == 0))
        throw InvalidArgument(LW_ERROR_INVALID,
                              "HostArray::array: the shape has more elements than the array");
    return {data_, std::move(shape), {}, false};
  }

 private:
  void swap(HostArray& other) {
    std::swap(handle_, other.handle_);
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
  }
  detail::HostMemoryHandle handle_;
  T* data_ = nullptr;
  size_t count_ = 0;
};

// Makes memory of yours Pinned or Mapped for as long as this lives:
//   lanewise::HostRegistration pinned(values);      // a std::vector
class HostRegistration {
 public:
  HostRegistration(void* data, size_t bytes, const HostMemoryOptions& options = {},
                   Target target = Target::Default) {
    lw_host_memory_options c = detail::to_c(options);
    lw_host_memory* made = nullptr;
    detail::check(
        lw_host_memory_register(detail::to_c(target), data, detail::bytes_of<char>(bytes), &c, &made));
    handle_.reset(made);
  }
  // A lasting range's elements: a container that has a name, or a span.
  template <std::ranges::contiguous_range Range>
  requires std::ranges::borrowed_range<Range>
  explicit HostRegistration(Range&& values, const HostMemoryOptions& options = {},
                            Target target = Target::Default)
      : HostRegistration(std::ranges::data(values),
                         std::ranges::size(values) * sizeof(*std::ranges::data(values)), options, target) {}

 private:
  detail::HostMemoryHandle handle_;
};

}  // namespace lanewise
