// Runs a kernel given as IR text on the interpreter and on the CPU engine, on copies of the same arrays, and
// compares what they leave in memory and which error ends them.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "codegen/codegen.h"
#include "ir/ir.h"

namespace lanewise::test {

inline ir::Module parse_ir(const std::string& text) {
  ir::SourceMap sources;
  ir::Diagnostics diagnostics;
  std::optional<ir::Module> module = ir::parse(sources, sources.add({"test.ir", text}), diagnostics);
  EXPECT_TRUE(module) << ir::render(diagnostics, sources);
  if (!module) return {};
  auto error = ir::verify(*module);
  EXPECT_FALSE(error) << error->message;
  return std::move(*module);
}

inline int count_of(const std::string& text, const std::string& part) {
  int count = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++count;
  return count;
}

// An argument: an array of T or a scalar, by its bits.
struct HostArgument {
  std::vector<char> bytes;
  bool is_array = true;

  template <class T>
  static HostArgument array(const std::vector<T>& values) {
    HostArgument result;
    result.bytes.resize(values.size() * sizeof(T));
    std::memcpy(result.bytes.data(), values.data(), result.bytes.size());
    return result;
  }
  template <class T>
  static HostArgument scalar(T value) {
    HostArgument result = array(std::vector<T>{value});
    result.bytes.resize(8);
    result.is_array = false;
    return result;
  }
  template <class T>
  std::vector<T> as() const {
    std::vector<T> result(bytes.size() / sizeof(T));
    std::memcpy(result.data(), bytes.data(), bytes.size());
    return result;
  }
};

struct HostGrid {
  int32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  int64_t dynamic_shared_bytes = 0;
};

// What a run leaves: its error ("" if none) and the arguments.
struct HostResult {
  std::string error;
  std::vector<HostArgument> arguments;
};

inline HostResult run_on_cpu(const ir::Module& module, std::vector<HostArgument> arguments,
                             const HostGrid& grid, const codegen::HostTarget& target = {},
                             int64_t blocks_a_call = INT64_MAX) {
  std::unique_ptr<codegen::HostKernel> kernel = codegen::compile_host(module, target);
  std::vector<uint64_t> slots;
  for (HostArgument& argument : arguments) {
    uint64_t bits = reinterpret_cast<uint64_t>(argument.bytes.data());
    if (!argument.is_array) std::memcpy(&bits, argument.bytes.data(), sizeof bits);
    slots.push_back(bits);
  }
  codegen::HostLaunch launch{slots.data(), {}, {}, grid.dynamic_shared_bytes};
  int64_t blocks = 1, threads = 1;
  for (int i = 0; i < 3; ++i) {
    launch.grid[i] = grid.grid[i], launch.block[i] = grid.block[i];
    blocks *= grid.grid[i], threads *= grid.block[i];
  }
  int64_t size =
      codegen::HostLayout::round_up(kernel->layout.arena_bytes(threads, grid.dynamic_shared_bytes)) + 64;
  std::unique_ptr<char, decltype(&std::free)> arena(
      static_cast<char*>(std::aligned_alloc(64, static_cast<size_t>(size))), &std::free);
  std::memset(arena.get(), 0xA5, static_cast<size_t>(size));
  HostResult result;
  for (int64_t first = 0; first < blocks && result.error.empty(); first += blocks_a_call) {
    int64_t ended = kernel->function()(&launch, arena.get(), first, std::min(blocks_a_call, blocks - first));
    if (ended != 0) result.error = kernel->errors.at(static_cast<size_t>(ended - 1)).message;
    if (blocks_a_call == INT64_MAX) break;
  }
  for (int64_t i = size - 64; i < size; ++i) EXPECT_EQ(arena.get()[i], '\xA5') << "the arena is overrun";
  result.arguments = std::move(arguments);
  return result;
}

inline HostResult run_on_interpreter(const ir::Module& module, std::vector<HostArgument> arguments,
                                     const HostGrid& grid, uint64_t step_limit = 200'000'000) {
  std::vector<ir::Scalar> scalars;
  for (size_t i = 0; i < arguments.size(); ++i) {
    HostArgument& argument = arguments[i];
    uint64_t bits = reinterpret_cast<uint64_t>(argument.bytes.data());
    ir::Type type = module.entry().type(module.entry().params().at(i));
    if (!argument.is_array) {
      std::memcpy(&bits, argument.bytes.data(), sizeof bits);
      if (type == ir::kF32) {
        double wide = std::bit_cast<float>(static_cast<uint32_t>(bits));
        bits = std::bit_cast<uint64_t>(wide);
      }
    }
    scalars.push_back({bits});
  }
  ir::Launch launch{{grid.grid[0], grid.grid[1], grid.grid[2]},
                    {grid.block[0], grid.block[1], grid.block[2]},
                    grid.dynamic_shared_bytes};
  std::optional<ir::RunError> error = ir::interpret_kernel(module, scalars, launch, step_limit);
  return {error ? error->message : "", std::move(arguments)};
}

// Runs both, at optimisation 0 and 2, with and without the IR's passes; returns the interpreter's result.
inline HostResult run_both(const std::string& text, const std::vector<HostArgument>& arguments,
                           const HostGrid& grid) {
  ir::Module module = parse_ir(text);
  HostResult expected = run_on_interpreter(module, arguments, grid);
  ir::Module piped = module;
  ir::run_pipeline(piped, {.verify_each = true});
  for (unsigned optimize : {0u, 2u}) {
    for (const ir::Module* version : {&module, &piped}) {
      codegen::HostTarget target;
      target.optimize = optimize;
      HostResult got = run_on_cpu(*version, arguments, grid, target, optimize == 0 ? 1 : INT64_MAX);
      EXPECT_EQ(got.error, expected.error) << "optimize " << optimize;
      for (size_t i = 0; i < arguments.size() && got.error.empty(); ++i)
        EXPECT_EQ(got.arguments[i].bytes, expected.arguments[i].bytes)
            << "argument " << i << " differs, optimize " << optimize
            << (version == &piped ? " piped" : " raw");
    }
  }
  return expected;
}

}  // namespace lanewise::test
