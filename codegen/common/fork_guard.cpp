#include "codegen/common/fork_guard.h"

#include <pthread.h>

namespace lanewise::codegen {
namespace {

// Taken to write by a fork, which goes before those that come later.
pthread_rwlock_t& forks() {
  static pthread_rwlock_t the_lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
  static const int watching =
      pthread_atfork([] { pthread_rwlock_wrlock(&the_lock); }, [] { pthread_rwlock_unlock(&the_lock); },
                     // The thread that took it is another one there.
                     [] { the_lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP; });
  static_cast<void>(watching);  // without memory for it forks are as unguarded as they were
  return the_lock;
}

}  // namespace

ForkGuard::ForkGuard() { pthread_rwlock_rdlock(&forks()); }
ForkGuard::~ForkGuard() { pthread_rwlock_unlock(&forks()); }

}  // namespace lanewise::codegen
