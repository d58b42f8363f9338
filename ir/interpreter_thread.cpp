// The meaning of each step of a thread. Loops count down trips fixed on entry, so a counter may wrap after
// its last turn without harm.
#include "ir/interpreter_thread.h"

#include <chrono>
#include <cstring>

#include "ir/error.h"

namespace lanewise::ir::interpreter {
namespace {

// What an atomic leaves in memory.
Bits combine(OpKind op, Type type, Bits old, Bits x, Bits replacement) {
  Bits both[] = {old, x};
  switch (op) {
    case OpKind::AtomicAdd: return evaluate_scalar(OpKind::Add, type, type, both);
    case OpKind::AtomicSub: return evaluate_scalar(OpKind::Sub, type, type, both);
    case OpKind::AtomicMin:
    case OpKind::AtomicMax: {
      // min and max drop a NaN; here one in memory stays
      if (type.is_float() && evaluate_scalar(OpKind::IsNan, type, kBool, &old)) return old;
      return evaluate_scalar(op == OpKind::AtomicMin ? OpKind::Min : OpKind::Max, type, type, both);
    }
    case OpKind::AtomicAnd: return old & x;
    case OpKind::AtomicOr: return old | x;
    case OpKind::AtomicXor: return old ^ x;
    case OpKind::AtomicNanMin:
    case OpKind::AtomicNanMax:
      return evaluate_scalar(op == OpKind::AtomicNanMin ? OpKind::Min : OpKind::Max, type, type, both);
    case OpKind::AtomicInc:
    case OpKind::AtomicDec: {
      unsigned unused = 64u - type.bits;  // compared as unsigned numbers
      Bits now = old << unused >> unused, limit = x << unused >> unused;
      if (op == OpKind::AtomicInc) return now >= limit ? 0 : canonical_bits(type, now + 1);
      return now == 0 || now > limit ? x : canonical_bits(type, now - 1);
    }
    case OpKind::AtomicExch: return x;
    case OpKind::AtomicCas: return old == x ? replacement : old;
    default: throw InternalError("`" + std::string(info(op).text) + "` is not an atomic");
  }
}

}  // namespace

Thread::Thread(World& world, Dim3 index, const std::vector<Bits>& arguments) : world_(world), index_(index) {
  push_frame(0, arguments.data(), arguments.size());
}

void Thread::push_frame(uint32_t function, const Bits* arguments, size_t count) {
  const Code& code = world_.codes[function];
  LANEWISE_CHECK(count == code.params.size(), "a function must get as many arguments as it has parameters");
  size_t base = frames_.empty() ? 0 : frames_.back().base + frames_.back().code->registers;
  registers_.resize(base + code.registers);
  std::fill(registers_.begin() + static_cast<std::ptrdiff_t>(base), registers_.end(), 0);
  for (size_t i = 0; i < count; ++i) registers_[base + code.params[i]] = arguments[i];
  Frame frame{&code, 0, base, nullptr};
  if (code.local_bytes > 0) {
    frame.locals = std::make_unique<char[]>(code.local_bytes);
    std::memset(frame.locals.get(), kPoison, code.local_bytes);
  }
  frames_.push_back(std::move(frame));
}

char* Thread::element(const Step& step) {
  return reinterpret_cast<char*>(operand(step, 0) + operand(step, 1) * step.type.element_size());
}

Thread::State Thread::run() {
  for (;;) {
    Frame& frame = frames_.back();
    const Step& step = frame.code->steps[frame.next++];
    if (world_.steps_left == 0) return fail("step limit reached", step);
    --world_.steps_left;
    switch (step.kind) {
      case StepKind::Scalar: {
        Bits values[] = {operand(step, 0), operand(step, 1), operand(step, 2)};
        reg(step.result) = evaluate_scalar(step.op, step.type, step.result_type, values);
        break;
      }
      case StepKind::Constant: reg(step.result) = step.constant; break;
      case StepKind::Copy: reg(step.result) = operand(step, 0); break;
      case StepKind::Offset: reg(step.result) = reinterpret_cast<uint64_t>(element(step)); break;
      case StepKind::Load: reg(step.result) = load_bits(element(step), step.type); break;
      case StepKind::Store: store_bits(element(step), step.type, operand(step, 2)); break;
      case StepKind::Atomic: step_atomic(step); break;
      case StepKind::SharedArray:
        reg(step.result) = reinterpret_cast<uint64_t>(world_.shared + step.constant);
        break;
      case StepKind::LocalArray:
        reg(step.result) = reinterpret_cast<uint64_t>(frame.locals.get() + step.constant);
        break;
      case StepKind::Special: reg(step.result) = special(step); break;
      case StepKind::Barrier: return state_ = State::AtBarrier;
      case StepKind::Warp: return state_ = State::AtWarpOp;
      case StepKind::Output: step_output(step); break;
      case StepKind::Exit: return state_ = State::Done;
      case StepKind::Call:
        if (!step_call(step)) return fail("call depth limit reached", step);
        break;
      case StepKind::Return:
        if (step_return(step)) return state_ = State::Done;
        break;
      case StepKind::Move: step_move(step); break;
      case StepKind::Jump: frame.next = step.target; break;
      case StepKind::JumpIfFalse:
        if (!operand(step, 0)) frame.next = step.target;
        break;
      case StepKind::LoopStart: step_loop_start(step); break;
      case StepKind::ForHead:
        if (reg(step.loop + kTripsLeft) == 0) frame.next = step.target;
        reg(step.operands[0]) = reg(step.loop + kCounter);
        break;
      case StepKind::LoopNext:
        ++reg(step.loop + kTurn);
        if (!step.type.is_void()) {
          --reg(step.loop + kTripsLeft);
          reg(step.loop + kCounter) =
              canonical_bits(step.type, reg(step.loop + kCounter) + reg(step.loop + kStep));
        }
        frame.next = step.target;
        break;
      case StepKind::Unreachable: return fail("an op marked unreachable was reached", step);
    }
  }
}

void Thread::step_loop_start(const Step& step) {
  reg(step.loop + kTurn) = 0;
  if (step.type.is_void()) return;
  reg(step.loop + kTripsLeft) = trip_count(step.type, operand(step, 0), operand(step, 1), operand(step, 2));
  reg(step.loop + kCounter) = operand(step, 0);
  reg(step.loop + kStep) = operand(step, 2);
}

bool Thread::step_call(const Step& step) {
  if (frames_.size() >= kMaxFrames) return false;
  const uint32_t* list = frames_.back().code->lists.data() + step.begin;
  scratch_.clear();
  for (uint32_t i = 0; i < step.arguments; ++i) scratch_.push_back(reg(list[i]));
  push_frame(step.target, scratch_.data(), scratch_.size());
  return true;
}

bool Thread::step_return(const Step& step) {
  const uint32_t* list = frames_.back().code->lists.data();
  scratch_.clear();
  for (uint32_t i = step.begin; i < step.end; ++i) scratch_.push_back(reg(list[i]));
  frames_.pop_back();
  if (frames_.empty()) {
    results_ = scratch_;
    return true;
  }
  const Code& caller = *frames_.back().code;
  const Step& call = caller.steps[frames_.back().next - 1];
  const uint32_t* into = caller.lists.data() + call.begin + call.arguments;
  for (size_t i = 0; i < scratch_.size(); ++i) reg(into[i]) = scratch_[i];
  return false;
}

void Thread::step_move(const Step& step) {
  const auto* moves = frames_.back().code->moves.data();
  scratch_.clear();
  for (uint32_t i = step.begin; i < step.end; ++i) scratch_.push_back(reg(moves[i].first));
  for (uint32_t i = step.begin; i < step.end; ++i) reg(moves[i].second) = scratch_[i - step.begin];
}

void Thread::step_atomic(const Step& step) {
  char* address = element(step);
  Bits old = load_bits(address, step.type);
  store_bits(address, step.type, combine(step.op, step.type, old, operand(step, 2), operand(step, 3)));
  reg(step.result) = old;
}

int64_t Thread::linear_index() const {
  const Dim3& block = world_.launch.block;
  return index_.x + block.x * (index_.y + block.y * index_.z);
}

void Thread::step_output(const Step& step) {
  if (!world_.output || !*world_.output) return;
  const OutputSite& site = world_.sites[step.constant];
  const uint32_t* list = frames_.back().code->lists.data() + step.begin;
  said_.clear();
  for (size_t i = 0; i < site.types.size(); ++i)
    said_.push_back({scalar_from_bits(reg(list[i]), site.types[i])});
  const Dim3 &grid = world_.launch.grid, &block = world_.block_index;
  (*world_.output)({site, block.x + grid.x * (block.y + grid.y * block.z), linear_index(), said_.data()});
}

Bits Thread::special(const Step& step) const {
  const Dim3& block = world_.launch.block;
  auto bits = [](int64_t value) { return canonical_bits(kI32, static_cast<uint64_t>(value)); };
  switch (step.op) {
    case OpKind::ThreadIdX: return bits(index_.x);
    case OpKind::ThreadIdY: return bits(index_.y);
    case OpKind::ThreadIdZ: return bits(index_.z);
    case OpKind::BlockIdX: return bits(world_.block_index.x);
    case OpKind::BlockIdY: return bits(world_.block_index.y);
    case OpKind::BlockIdZ: return bits(world_.block_index.z);
    case OpKind::BlockDimX: return bits(block.x);
    case OpKind::BlockDimY: return bits(block.y);
    case OpKind::BlockDimZ: return bits(block.z);
    case OpKind::GridDimX: return bits(world_.launch.grid.x);
    case OpKind::GridDimY: return bits(world_.launch.grid.y);
    case OpKind::GridDimZ: return bits(world_.launch.grid.z);
    case OpKind::LaneId: return bits(linear_index() % 32);
    case OpKind::Clock: return canonical_bits(kU32, UINT64_MAX - world_.steps_left);
    case OpKind::Clock64: return UINT64_MAX - world_.steps_left;
    case OpKind::GlobalTimer:
      return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                       std::chrono::steady_clock::now().time_since_epoch())
                                       .count());
    case OpKind::SmId: return bits(0);
    case OpKind::SmCount: return bits(1);
    case OpKind::WarpId: return bits(linear_index() / 32);
    case OpKind::Data: return reinterpret_cast<uint64_t>(world_.module->data[step.constant].bytes.data());
    case OpKind::DynamicShared: return reinterpret_cast<uint64_t>(world_.dynamic_shared);
    case OpKind::DynamicSharedBytes: return static_cast<uint64_t>(world_.launch.dynamic_shared_bytes);
    default: throw InternalError("`" + std::string(info(step.op).text) + "` is not a thread property");
  }
}

Thread::State Thread::fail(const char* message, const Step& step) {
  error_ = {message, step.range};
  return state_ = State::Failed;
}

std::span<const uint32_t> Thread::turns_at(const Frame& frame) const {
  const Step& step = frame.code->steps[frame.next - 1];
  uint32_t first = step.begin + (step.kind == StepKind::Call ? static_cast<uint32_t>(step.constant) : 0);
  return {frame.code->lists.data() + first, frame.code->lists.data() + step.end};
}

std::vector<uint64_t> Thread::place() const {
  std::vector<uint64_t> place;
  for (const Frame& frame : frames_) {
    place.push_back(frame.next);
    for (uint32_t turn : turns_at(frame)) place.push_back(registers_[frame.base + turn]);
  }
  return place;
}

bool Thread::is_before(const Thread& other) const {
  for (size_t i = 0; i < frames_.size() && i < other.frames_.size(); ++i) {
    const Frame &mine = frames_[i], &its = other.frames_[i];
    std::span<const uint32_t> a = turns_at(mine), b = other.turns_at(its);
    for (size_t k = 0; k < a.size() && k < b.size() && a[k] == b[k]; ++k) {
      Bits my_turn = registers_[mine.base + a[k]], its_turn = other.registers_[its.base + b[k]];
      if (my_turn != its_turn) return my_turn < its_turn;
    }
    if (mine.next != its.next) return mine.next < its.next;
  }
  return false;
}

}  // namespace lanewise::ir::interpreter
