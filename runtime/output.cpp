// Where prints go, and the error of a thread that failed. See output.h.
#include "runtime/output.h"

#include <cstdio>

namespace lanewise::runtime {
namespace {

constexpr size_t kMaxBytes = size_t{1} << 20;  // kept before they are written while the kernel runs

// Launches keep the sink they began to write with.
struct Sink {
  std::mutex mutex;
  std::shared_ptr<const PrintSink> current;
};
Sink& the_sink() {
  static auto* sink = new Sink;  // kernels may print while the process ends
  return *sink;
}

void write_to_sink(std::string_view text) {
  std::shared_ptr<const PrintSink> sink;
  {
    std::scoped_lock lock(the_sink().mutex);
    sink = the_sink().current;
  }
  if (sink && *sink)
    (*sink)(text);
  else
    std::fwrite(text.data(), 1, text.size(), stdout);
}

std::array<int64_t, 3> indices(int64_t linear, const std::array<int64_t, 3>& extents) {
  return {linear % extents[0], linear / extents[0] % extents[1], linear / extents[0] / extents[1]};
}

std::string tuple_text(const std::array<int64_t, 3>& v) {
  return "(" + std::to_string(v[0]) + ", " + std::to_string(v[1]) + ", " + std::to_string(v[2]) + ")";
}

}  // namespace

void set_print_sink(PrintSink sink) {
  auto made = std::make_shared<const PrintSink>(std::move(sink));
  std::scoped_lock lock(the_sink().mutex);
  the_sink().current.swap(made);  // the old one is let go outside of the lock
}

void LaunchOutput::take(const ir::Output& output) noexcept {
  std::scoped_lock lock(mutex_);
  try {
    if (!output.site.fails) {
      if (!broken_) print(output.block, ir::output_text(kernel_.module, output.site, output.values));
      return;
    }
    std::pair where{output.block, output.thread};
    if (failure_ && failure_->where <= where) return;
    failure_ = Failure{where, ir::output_text(kernel_.module, output.site, output.values), output.site};
  } catch (...) {
    broken_ = std::current_exception();
  }
}

void LaunchOutput::print(int64_t block, const std::string& text) {
  texts_[block] += text;
  bytes_ += text.size();
  if (bytes_ <= kMaxBytes) return;
  write(false);
  if (bytes_ > kMaxBytes) write(true);  // lines without an end
}

void LaunchOutput::write(bool unfinished_lines) {
  std::string out;
  for (auto at = texts_.begin(); at != texts_.end();) {
    std::string& text = at->second;
    size_t end = unfinished_lines ? text.size() : text.rfind('\n') + 1;  // npos + 1 is 0
    out.append(text, 0, end);
    text.erase(0, end);
    at = text.empty() ? texts_.erase(at) : std::next(at);
  }
  bytes_ -= out.size();
  if (!out.empty()) write_to_sink(out);
}

void LaunchOutput::finish(bool may_raise) {
  if (!broken_) {
    try {
      write(true);
    } catch (...) {
      broken_ = std::current_exception();
    }
  }
  if (!may_raise) return;
  if (failure_)
    throw raised_error(kernel_, failure_->site, failure_->text, indices(failure_->where.first, config_.grid),
                       indices(failure_->where.second, config_.block));
  if (broken_) std::rethrow_exception(broken_);
}

RaisedError raised_error(const KernelInfo& kernel, const ir::OutputSite& site, std::string text,
                         const std::array<int64_t, 3>& block, const std::array<int64_t, 3>& thread) {
  RaisedError::Place place;
  place.exception = kernel.module.messages[site.message].exception;
  place.kernel = kernel.name;
  place.block = block;
  place.thread = thread;
  place.owner = kernel.owner;
  if (site.range != ir::SourceRange{} && site.range.file < kernel.sources.size()) {
    place.file = kernel.sources.file(site.range.file).name;
    place.line = kernel.sources.position(site.range).line;
  }
  std::string report = text + (text.empty() ? "" : "\n  ") + "kernel `" + kernel.name + "`, block " +
                       tuple_text(block) + ", thread " + tuple_text(thread) + place_text(kernel, site.range);
  place.text = std::move(text);
  return RaisedError(std::move(place), std::move(report));
}

}  // namespace lanewise::runtime
