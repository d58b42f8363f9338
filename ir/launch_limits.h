// What a launch may be, on every target: the launch checks refuse more, and so the compiler may rely on it.
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "ir/op.h"

namespace lanewise::ir {

inline constexpr int64_t kMaxThreadsPerBlock = 1024;
inline constexpr std::array<int64_t, 3> kMaxBlockDim{1024, 1024, 64};  // x y z
inline constexpr std::array<int64_t, 3> kMaxGridDim{INT32_MAX, 65535, 65535};
inline constexpr int64_t kMaxExtent = int64_t{1} << 47;  // of an array, each dimension
inline constexpr int64_t kWarpSize = 32;

struct Bounds {
  int64_t least = 0, most = 0;  // both are possible
};

// The values of an op that reads an index or extent of the launch; nullopt for all other ops.
constexpr std::optional<Bounds> launch_bounds(OpKind kind) {
  switch (kind) {
    case OpKind::ThreadIdX: return Bounds{0, kMaxBlockDim[0] - 1};
    case OpKind::ThreadIdY: return Bounds{0, kMaxBlockDim[1] - 1};
    case OpKind::ThreadIdZ: return Bounds{0, kMaxBlockDim[2] - 1};
    case OpKind::BlockIdX: return Bounds{0, kMaxGridDim[0] - 1};
    case OpKind::BlockIdY: return Bounds{0, kMaxGridDim[1] - 1};
    case OpKind::BlockIdZ: return Bounds{0, kMaxGridDim[2] - 1};
    case OpKind::BlockDimX: return Bounds{1, kMaxBlockDim[0]};
    case OpKind::BlockDimY: return Bounds{1, kMaxBlockDim[1]};
    case OpKind::BlockDimZ: return Bounds{1, kMaxBlockDim[2]};
    case OpKind::GridDimX: return Bounds{1, kMaxGridDim[0]};
    case OpKind::GridDimY: return Bounds{1, kMaxGridDim[1]};
    case OpKind::GridDimZ: return Bounds{1, kMaxGridDim[2]};
    case OpKind::LaneId: return Bounds{0, kWarpSize - 1};
    default: return std::nullopt;
  }
}

}  // namespace lanewise::ir
