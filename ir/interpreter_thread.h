// One thread of the interpreter: a stack of frames that runs until the function ends, a place
// where it meets others, or an error.
// Private to the interpreter.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ir/interpreter_code.h"
#include "ir/ir.h"

namespace lanewise::ir::interpreter {

inline constexpr unsigned char kPoison = 0xCB;  // what memory that nobody wrote reads as
inline constexpr size_t kMaxFrames = 10'000;

// What the threads of a launch share.
struct World {
  const Module* module = nullptr;
  std::vector<Code> codes;  // by FunctionId
  std::vector<OutputSite> sites;
  const OutputHandler* output = nullptr;  // may be empty
  Launch launch;
  Dim3 block_index{0, 0, 0};
  char* shared = nullptr;
  char* dynamic_shared = nullptr;
  uint64_t steps_left = UINT64_MAX;
};

class Thread {
 public:
  // Starts the entry function; `arguments` are register bits.
  Thread(World& world, Dim3 index, const std::vector<Bits>& arguments);

  enum class State : uint8_t { AtBarrier, AtWarpOp, Done, Failed };
  // Goes on from the start or from where it stopped.
  State run();

  State state() const { return state_; }
  const RunError& error() const { return error_; }
  const std::vector<Bits>& results() const { return results_; }
  // Where the thread stands: all frames with their step and the turns of their loops. Two threads with equal
  // places are at the same barrier in the same iteration of every enclosing loop.
  std::vector<uint64_t> place() const;
  // Whether it stands before the other in the order of a warp's lanes that run side by side: in an earlier
  // turn of a loop around both, or earlier in the text of what it runs.
  bool is_before(const Thread& other) const;
  // Where it meets others: the step, its operands, its result.
  const Step& step() const { return frames_.back().code->steps[frames_.back().next - 1]; }
  Bits met_operand(int i) const { return registers_[frames_.back().base + step().operands[i]]; }
  void set_met_result(Bits bits) { registers_[frames_.back().base + step().result] = bits; }
  SourceRange range() const { return step().range; }

 private:
  struct Frame {
    const Code* code;
    uint32_t next;  // step
    size_t base;    // of its registers
    std::unique_ptr<char[]> locals;
  };

  void push_frame(uint32_t function, const Bits* arguments, size_t count);
  void step_loop_start(const Step& step);
  bool step_call(const Step& step);
  bool step_return(const Step& step);
  void step_move(const Step& step);
  void step_atomic(const Step& step);
  void step_output(const Step& step);
  int64_t linear_index() const;
  Bits special(const Step& step) const;
  State fail(const char* message, const Step& step);

  Bits& reg(uint32_t index) { return registers_[frames_.back().base + index]; }
  Bits operand(const Step& step, int i) { return reg(step.operands[i]); }
  // The registers that count the turns of the loops around the step, outermost first.
  std::span<const uint32_t> turns_at(const Frame& frame) const;
  char* element(const Step& step);

  World& world_;
  Dim3 index_;
  std::vector<Bits> registers_;
  std::vector<Frame> frames_;
  std::vector<Bits> scratch_;
  std::vector<Scalar> said_;
  std::vector<Bits> results_;
  State state_ = State::AtBarrier;
  RunError error_;
};

}  // namespace lanewise::ir::interpreter
