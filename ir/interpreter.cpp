// The definition of every op: runs a module one thread at a time on real memory. Blocks run in linear order,
// x fastest; between barriers the warps of a block run in linear order, and so do their lanes, each to the
// next place where it meets others. Warp ops are done by the lanes that stand at the same one in the same
// turns; the earliest such place comes first, so that lanes that part meet again where the program brings
// them together. In: a verified module, with or without var ops. Atomics are plain, since only one thread
// runs at a time.
#include <cstring>

#include "ir/error.h"
#include "ir/interpreter_thread.h"
#include "ir/ir.h"
#include "ir/warp_ops.h"

namespace lanewise::ir {
namespace {

using interpreter::Thread;
using interpreter::World;

constexpr size_t kAlignment = 64;

// The shared memory of the block that runs.
class SharedMemory {
 public:
  SharedMemory(uint64_t static_bytes, uint64_t dynamic_bytes)
      : static_bytes_(static_bytes), bytes_(static_bytes + dynamic_bytes + kAlignment) {}

  // Fills it anew with what reads as garbage.
  void reset(World& world) {
    std::memset(bytes_.data(), interpreter::kPoison, bytes_.size());
    use(world);
  }
  void use(World& world) {
    auto address = reinterpret_cast<uint64_t>(bytes_.data());
    world.shared = bytes_.data() + (kAlignment - address % kAlignment) % kAlignment;
    world.dynamic_shared = world.shared + static_bytes_;
  }

 private:
  uint64_t static_bytes_;
  std::vector<char> bytes_;
};

uint64_t flatten_all(World& world, const Module& module) {
  uint64_t shared_bytes = 0;
  world.module = &module;
  for (const Function& function : module.functions)
    world.codes.push_back(interpreter::flatten(function, shared_bytes, world.sites));
  return shared_bytes;
}

std::vector<Bits> argument_bits(const World& world, const std::vector<Scalar>& arguments) {
  const std::vector<Type>& types = world.codes[0].param_types;
  LANEWISE_CHECK(arguments.size() == types.size(),
                 "the entry must get as many arguments as it has parameters");
  std::vector<Bits> bits;
  for (size_t i = 0; i < types.size(); ++i)
    bits.push_back(types[i].is_pointer() ? arguments[i].bits : bits_from_scalar(arguments[i].bits, types[i]));
  return bits;
}

// All threads that have not returned must stand at one place. The one that differs is the error's.
std::optional<RunError> check_barrier(const std::vector<Thread>& threads) {
  const Thread* first = nullptr;
  std::vector<uint64_t> place;
  for (const Thread& thread : threads) {
    if (thread.state() == Thread::State::Done) continue;
    if (!first) {
      first = &thread;
      place = thread.place();
    } else if (thread.place() != place) {
      return RunError{"divergent barrier: threads of a block wait at different places", first->range()};
    }
  }
  return std::nullopt;
}

// What the threads at a barrier get of each other's operands.
void reduce_at_barrier(std::vector<Thread>& threads) {
  uint64_t count = 0, there = 0;
  for (const Thread& thread : threads) {
    if (thread.state() == Thread::State::Done) continue;
    if (thread.step().op == OpKind::Barrier || thread.step().op == OpKind::GridBarrier) return;
    ++there;
    count += thread.met_operand(0);
  }
  for (Thread& thread : threads) {
    if (thread.state() == Thread::State::Done) continue;
    OpKind op = thread.step().op;
    thread.set_met_result(op == OpKind::BarrierCount ? count
                          : op == OpKind::BarrierAnd ? count == there
                                                     : count > 0);
  }
}

using Warp = std::span<Thread>;

// The lanes that are the first to go on, all at one place; empty if none is at a warp op.
std::vector<unsigned> next_lanes(Warp warp) {
  std::vector<unsigned> lanes;
  for (unsigned lane = 0; lane < warp.size(); ++lane) {
    if (warp[lane].state() != Thread::State::AtWarpOp) continue;
    if (!lanes.empty() && warp[lanes[0]].is_before(warp[lane])) continue;
    if (!lanes.empty() && warp[lane].is_before(warp[lanes[0]])) lanes.clear();
    lanes.push_back(lane);
  }
  return lanes;
}

void do_warp_op(Warp warp, const std::vector<unsigned>& lanes) {
  const interpreter::Step& step = warp[lanes[0]].step();
  WarpOperands in;
  for (unsigned lane : lanes) {
    in.here |= 1u << lane;
    in.mask[lane] = static_cast<uint32_t>(warp[lane].met_operand(0));
    in.value[lane] = warp[lane].met_operand(1);
    in.lane[lane] = static_cast<int32_t>(warp[lane].met_operand(2));
  }
  if (step.op == OpKind::SyncWarp) return;
  WarpBits results = evaluate_warp(step.op, step.type, in);
  for (unsigned lane : lanes) warp[lane].set_met_result(canonical_bits(step.result_type, results[lane]));
}

// Until all lanes are done or at barriers; the thread that failed, if one did.
const Thread* run_warp(Warp warp) {
  for (Thread& thread : warp)
    if (thread.state() == Thread::State::AtBarrier && thread.run() == Thread::State::Failed) return &thread;
  for (std::vector<unsigned> lanes = next_lanes(warp); !lanes.empty(); lanes = next_lanes(warp)) {
    do_warp_op(warp, lanes);
    for (unsigned lane : lanes)
      if (warp[lane].run() == Thread::State::Failed) return &warp[lane];
  }
  return nullptr;
}

// The threads of a block and their shared memory.
class Block {
 public:
  Block(World& world, uint64_t shared_bytes, Dim3 index, const std::vector<Bits>& arguments)
      : world_(world),
        index_(index),
        memory_(shared_bytes, static_cast<uint64_t>(world.launch.dynamic_shared_bytes)) {
    memory_.reset(world);
    const Dim3 size = world.launch.block;
    threads_.reserve(static_cast<size_t>(size.x * size.y * size.z));
    for (int64_t z = 0; z < size.z; ++z)
      for (int64_t y = 0; y < size.y; ++y)
        for (int64_t x = 0; x < size.x; ++x) threads_.emplace_back(world, Dim3{x, y, z}, arguments);
  }

  // Until it is done or waits for the grid.
  std::optional<RunError> run() {
    world_.block_index = index_;
    memory_.use(world_);
    for (bool waiting = true; waiting;) {
      waiting = false;
      constexpr size_t kLanes = static_cast<size_t>(kWarpSize);
      for (size_t first = 0; first < threads_.size(); first += kLanes)
        if (const Thread* failed =
                run_warp(Warp(threads_).subspan(first, std::min(kLanes, threads_.size() - first))))
          return failed->error();
      for (const Thread& thread : threads_) waiting |= thread.state() == Thread::State::AtBarrier;
      if (auto error = check_barrier(threads_)) return error;
      if (waits_for_grid().has_value()) break;
      if (waiting) reduce_at_barrier(threads_);
    }
    return std::nullopt;
  }

  // The grid barrier that it stands at.
  std::optional<SourceRange> waits_for_grid() const {
    for (const Thread& thread : threads_)
      if (thread.state() == Thread::State::AtBarrier)
        return thread.step().op == OpKind::GridBarrier ? std::optional(thread.range()) : std::nullopt;
    return std::nullopt;
  }

 private:
  World& world_;
  Dim3 index_;
  SharedMemory memory_;
  std::vector<Thread> threads_;
};

// All blocks live at once: each runs to the next grid barrier, then all of them go on.
std::optional<RunError> run_together(std::vector<Block>& blocks) {
  for (;;) {
    std::optional<SourceRange> waiting;
    bool ended = false;
    for (Block& block : blocks) {
      if (auto error = block.run()) return error;
      std::optional<SourceRange> at = block.waits_for_grid();
      if (at && !waiting) waiting = at;
      ended |= !at;
    }
    if (!waiting) return std::nullopt;
    if (ended) return RunError{std::string(kDivergentGridBarrier), *waiting};
  }
}

}  // namespace

bool waits_for_grid(const Module& module) {
  for (const Function& function : module.functions)
    for (const Op& op : function.ops)
      if (op.kind == OpKind::GridBarrier) return true;
  return false;
}

std::optional<RunError> interpret_kernel(const Module& module, const std::vector<Scalar>& arguments,
                                         const Launch& launch, uint64_t step_limit,
                                         const OutputHandler& output) {
  World world;
  world.output = &output;
  uint64_t shared_bytes = flatten_all(world, module);
  world.launch = launch;
  world.steps_left = step_limit;
  std::vector<Bits> bits = argument_bits(world, arguments);
  bool together = waits_for_grid(module);
  std::vector<Block> blocks;
  Dim3 block{0, 0, 0};
  for (block.z = 0; block.z < launch.grid.z; ++block.z)
    for (block.y = 0; block.y < launch.grid.y; ++block.y)
      for (block.x = 0; block.x < launch.grid.x; ++block.x) {
        if (together) {
          blocks.emplace_back(world, shared_bytes, block, bits);
        } else if (auto error = Block(world, shared_bytes, block, bits).run()) {
          return error;
        }
      }
  return run_together(blocks);
}

std::variant<std::vector<Scalar>, RunError> interpret_function(const Module& module,
                                                               const std::vector<Scalar>& arguments,
                                                               uint64_t step_limit) {
  World world;
  SharedMemory memory(flatten_all(world, module), 0);
  memory.reset(world);
  world.steps_left = step_limit;
  std::vector<Thread> threads;  // alone at every barrier and in its warp
  threads.emplace_back(world, Dim3{0, 0, 0}, argument_bits(world, arguments));
  const Thread& thread = threads[0];
  while (thread.state() == Thread::State::AtBarrier) {
    if (run_warp(threads)) return thread.error();
    reduce_at_barrier(threads);
  }
  std::vector<Scalar> results;
  const std::vector<Type>& types = module.entry().results;
  for (size_t i = 0; i < types.size(); ++i) {
    Bits bits = thread.results()[i];
    results.push_back({types[i].is_pointer() ? bits : scalar_from_bits(bits, types[i])});
  }
  return results;
}

}  // namespace lanewise::ir
