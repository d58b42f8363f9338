#include "gil.h"

#include <cxxabi.h>
#include <unistd.h>

namespace lanewise::python {
namespace {

// `take` returns with the lock, or never.
template <class Take>
void take_or_wait(Take take) {
#ifdef __GLIBCXX__
  try {
    take();
  } catch (abi::__forced_unwind&) {
    for (;;) pause();
  }
#else
  take();
#endif
}

}  // namespace

GilRelease::~GilRelease() {
  take_or_wait([&] { PyEval_RestoreThread(state_); });
}

GilAcquire::GilAcquire() {
  take_or_wait([&] { held_.emplace(); });
}

}  // namespace lanewise::python
