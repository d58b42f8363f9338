// The definition of every op: runs a module one thread at a time on real memory. Blocks run in linear order,
// x fastest; between barriers the threads of a block run in linear order, each to its next barrier or end.
// In: a verified module, with or without var ops. Atomics are plain, since only one thread runs at a time.
#include <cstring>

#include "ir/error.h"
#include "ir/interpreter_thread.h"
#include "ir/ir.h"

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
    world.codes.push_back(interpreter::flatten(function, shared_bytes));
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

std::optional<RunError> run_block(World& world, const std::vector<Bits>& arguments) {
  const Dim3 size = world.launch.block;
  std::vector<Thread> threads;
  threads.reserve(static_cast<size_t>(size.x * size.y * size.z));
  for (int64_t z = 0; z < size.z; ++z)
    for (int64_t y = 0; y < size.y; ++y)
      for (int64_t x = 0; x < size.x; ++x) threads.emplace_back(world, Dim3{x, y, z}, arguments);
  for (bool waiting = true; waiting;) {
    waiting = false;
    for (Thread& thread : threads) {
      if (thread.state() == Thread::State::Done) continue;
      if (thread.run() == Thread::State::Failed) return thread.error();
      waiting |= thread.state() == Thread::State::AtBarrier;
    }
    if (auto error = check_barrier(threads)) return error;
  }
  return std::nullopt;
}

}  // namespace

std::optional<RunError> interpret_kernel(const Module& module, const std::vector<Scalar>& arguments,
                                         const Launch& launch, uint64_t step_limit) {
  World world;
  SharedMemory memory(flatten_all(world, module), static_cast<uint64_t>(launch.dynamic_shared_bytes));
  world.launch = launch;
  world.steps_left = step_limit;
  std::vector<Bits> bits = argument_bits(world, arguments);
  Dim3& block = world.block_index;
  for (block.z = 0; block.z < launch.grid.z; ++block.z)
    for (block.y = 0; block.y < launch.grid.y; ++block.y)
      for (block.x = 0; block.x < launch.grid.x; ++block.x) {
        memory.reset(world);
        if (auto error = run_block(world, bits)) return error;
      }
  return std::nullopt;
}

std::variant<std::vector<Scalar>, RunError> interpret_function(const Module& module,
                                                               const std::vector<Scalar>& arguments,
                                                               uint64_t step_limit) {
  World world;
  SharedMemory memory(flatten_all(world, module), 0);
  memory.reset(world);
  world.steps_left = step_limit;
  Thread thread(world, Dim3{0, 0, 0}, argument_bits(world, arguments));
  Thread::State state = Thread::State::AtBarrier;
  while (state == Thread::State::AtBarrier) state = thread.run();  // alone at every barrier
  if (state == Thread::State::Failed) return thread.error();
  std::vector<Scalar> results;
  const std::vector<Type>& types = module.entry().results;
  for (size_t i = 0; i < types.size(); ++i) {
    Bits bits = thread.results()[i];
    results.push_back({types[i].is_pointer() ? bits : scalar_from_bits(bits, types[i])});
  }
  return results;
}

}  // namespace lanewise::ir
