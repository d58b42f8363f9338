// The plan of a kernel: how one OS thread runs all threads of a block. Fission of the structured tree at its
// barriers and warp ops (all called barriers here; at a warp op nobody waits for the lanes that are
// elsewhere): control that contains a barrier stays at *block level* and is run once for the block; maximal
// runs of barrier-free ops become *thread regions* (segments), each run for one thread after the other.
//
// Threads may part ways (early return, a break that not all take). One byte per thread, its *limit*, says
// from which block-level nesting level on it is inactive; kActive if nowhere. A segment at level d runs the
// threads with limit > d. Level 0 is the kernel's body: a returned thread has limit 0. A scope or an `if`
// adds one level, a loop two: threads that broke out have the loop's level, those that continued its level +
// 1, which is the level of its body.
//
// A barrier is reached by the threads that are active there. Those that are not must not come to another one:
// they have returned or will, and count as arrived. Where the tree shows that (free_level) nothing is done;
// else they are marked as *left behind*, and the launch ends with an error if one is active at a barrier.
//
// In: a kernel after ir::run_pipeline, inlined so far that barriers are only in the kernel itself.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codegen/codegen.h"
#include "ir/function.h"

namespace lanewise::codegen::host {

inline constexpr int kActive = 255;
inline constexpr int kMaxLevel = 250;

enum class Axis : uint8_t { X, Y, Z };

// The thread's index along an axis plus uniform offsets.
struct ThreadIndex {
  Axis axis = Axis::X;
  std::vector<ir::ValueId> offsets;
};

struct Copy {
  ir::ValueId to, from;
};

// How a thread ends its part in a segment early: its values go to slots, its limit becomes `level`.
struct Exit {
  int level = 0;
  std::vector<Copy> copies;
};

// One step of a segment, done by each thread.
struct Item {
  enum class Kind : uint8_t {
    Op,       // `op`, barrier-free control included; what leaves the segment is in Plan::exits
    Copies,   // all of `exit.copies` at once
    Split,    // `op` is an if: the threads that do not go into the arm with the barrier run `arm`, if it has
              // none, and get limit `exit.level`
    Resplit,  // after the first of two arms with barriers: now the other threads
    ForInit,  // `op` is a for with bounds that vary: its first counter and distance
    ForTurn,  // the thread's counter for this turn, or `exit` if it has no turn left
    StrideTurn,  // the counter of this turn of the strided for `op`
    WhileTest,   // `exit` where the condition of the while `op` is false
    Exit,        // `exit` for every thread that is active here
    Give,        // the operands of `op` go to where all lanes find them
    Take,        // the result of `op`, as the meeting has left it
  };
  Kind kind = Kind::Op;
  ir::OpId op;
  int arm = -1;  // Split: index of the barrier-free arm's region
  Exit exit;
};

struct Segment {
  uint32_t id = 0;
  int level = 0;
  bool check = false;  // whether some thread may be inactive
  std::vector<Item> items;
};

// A step at block level.
struct Node {
  enum class Kind : uint8_t {
    Segment,
    Uniform,  // `op` has the same value for all threads: evaluated once
    Barrier,  // threads with free_level < limit <= level are not here; only if `check`
    If,       // the condition is uniform; first and second are the arms
    Arms,     // the condition varies: a Split comes before; first and second are the arms with barriers
    For,      // first is the body
    While,    // first is the condition's region, second the body
    Scope,    // first is the body
    Jump,     // `op` ends its region, for all threads alike
    Fall,     // the end of a region that no active thread reaches
    Meeting,  // the warp op or the operand of the barrier `op`, combined for all lanes with limit > level
  };
  Kind kind = Kind::Segment;
  ir::OpId op;
  Segment segment;
  std::vector<Node> first, second;
  std::vector<Node> at_end;  // For, While: when the loop ends by its own condition; Arms: between the arms
  int level = 0;       // Barrier, Meeting: the level it stands at; else the first of the node's own levels
  int free_level = 0;  // Barrier
  bool check = false;  // Barrier; Meeting: whether some thread may be inactive
  // For: the range starts at a thread index and has a uniform step: in each turn of the block-level loop the
  // threads up to a bound make theirs, one after the other. (They read memory in its order.)
  std::optional<ThreadIndex> stride;
  bool scan = false;            // loops: end when no thread is active
  bool varying_bounds = false;  // For, While: each thread has its own condition
  bool reset = false;           // threads with limit level (loops: and level + 1) are active again at the end
  bool reset_turn = false;      // loops: those with limit level + 1 are active again in the next turn
};

struct Plan {
  std::vector<Node> nodes;
  std::vector<bool> varying;       // by value
  std::vector<ir::ValueId> alias;  // by value: another name of that value; invalid if of its own
  std::map<ir::OpId, Exit> exits;  // ops that end a region inside an item and leave the segment
  // Loops whose turns threads end on their own: what they hand to the uniform carried values, on every way.
  std::map<ir::OpId, std::vector<ir::ValueId>> turn_values;
  std::vector<ir::OpId> barriers;  // those with `check`, in order
  bool uses_limits = false;
  uint32_t segments = 0;

  ir::ValueId resolve(ir::ValueId v) const {
    while (alias[v.index].valid()) v = alias[v.index];
    return v;
  }
};

// How the threads of a block are run: one after the other, or in gangs of 32 that are the warps, for which a
// warp op is an op like others.
struct PlanOptions {
  bool gangs = false;
  BlockShape block{};  // of gangs
};

Plan make_plan(const ir::Function& kernel, const PlanOptions& options = {});
std::string print(const Plan& plan, const ir::Function& kernel);  // for tests and people

// Facts about the tree, worked out once.
class Tree {
 public:
  // `warps_meet`: warp ops count as barriers.
  explicit Tree(const ir::Function& function, bool warps_meet = true);
  bool has_barrier(ir::OpId op) const { return has_barrier_[op.index]; }
  bool has_barrier(ir::RegionId region) const;
  // No memory, calls or thread indices inside, and no way out but its end.
  bool is_pure(ir::OpId op) const { return pure_[op.index]; }
  bool has_loop(ir::OpId op) const { return has_loop_[op.index]; }
  // The op that owns the region in which `op` stands; invalid in the function's body.
  ir::OpId parent(ir::OpId op) const { return parent_[op.index]; }
  // Whether `op` is `outer` or inside it.
  bool is_inside(ir::OpId op, ir::OpId outer) const;
  // The op that a terminator ends (Continue: the loop); invalid if it ends the function.
  ir::OpId target(ir::OpId terminator) const;
  // The terminators inside `op` whose target is neither `op` nor inside it.
  const std::vector<ir::OpId>& exits(ir::OpId op) const { return exits_[op.index]; }
  // The op that defines a value; invalid for region parameters.
  ir::OpId definition(ir::ValueId value) const { return definition_[value.index]; }

 private:
  void visit_region(ir::RegionId region, ir::OpId owner);
  void visit(ir::OpId op);

  const ir::Function& f_;
  bool warps_meet_;
  std::vector<bool> has_barrier_, pure_, has_loop_;
  std::vector<std::vector<ir::OpId>> exits_;
  std::vector<ir::OpId> definition_, parent_;
};

}  // namespace lanewise::codegen::host
