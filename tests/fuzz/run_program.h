// Runs one random kernel everywhere and says where two ways of running it differ.
#pragma once
#include <optional>
#include <string>

#include "tests/fuzz/program.h"

namespace lanewise::fuzz {

// Against what the interpreter does with IR that no pass has touched.
enum Engine : unsigned {
  kPipeline = 1,  // the interpreter after all passes
  kEachPass = 2,  // the interpreter after each pass
  kCpuPlain = 4,  // machine code without LLVM's optimisation
  kCpu = 8,
  kCuda = 16,        // PTX, in the emulator
  kRoundTrip = 32,   // the IR printed and parsed again
  kGangsPlain = 64,  // 32 threads at a time, without LLVM's optimisation
  kGangs = 128,
};
// The engines that a run gives this seed: the fast ones to each, the others now and then.
unsigned engines_for(uint64_t seed);

struct Failure {
  std::string kind;    // "cpu differs", "refused: operand-types", ...: the same for a smaller program
  std::string detail;  // both results
  unsigned engine = 0;
};
struct Verdict {
  std::optional<Failure> failure;
  bool too_long = false;  // the interpreter gave up: nothing is known
  bool ended = false;     // with an error, the same one everywhere
};
Verdict run_program(const Program& program, unsigned engines);

}  // namespace lanewise::fuzz
