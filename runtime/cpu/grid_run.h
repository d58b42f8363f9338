// A launch whose blocks wait for each other (grid barriers): all of them live at once, each with an arena and
// a stack of its own. The threads of the pool take the blocks in order to their next grid barrier; when all
// are there, they take them on from it.
#pragma once
#include <functional>

#include "codegen/codegen.h"

namespace lanewise::runtime {

// What a block takes, of which a stack's part is what is touched of it.
int64_t grid_block_bytes(int64_t arena_bytes);
inline constexpr int64_t kMaxGridBytes = int64_t{2} << 30;

class GridRun {
 public:
  // Runs the blocks; the result is 0, what the kernel's function ended with, or what `ask` said, which is
  // called now and then by the calling thread.
  // Throws std::bad_alloc if there is no memory.
  static int64_t run(codegen::HostKernelFunction function, codegen::HostLaunch launch, int64_t blocks,
                     int64_t arena_bytes, const std::function<int64_t()>& ask);
};

}  // namespace lanewise::runtime
