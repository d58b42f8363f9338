// The machine code of a kernel for its launches: code of its own for the first few block shapes, one that
// takes any shape, and runs one thread after the other, for the others until they come again and again. Of
// code for a shape there is one that is right for every launch, and others where more is known of the
// arguments (ir/launch_variant.h) and that makes a difference.
#pragma once
#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "codegen/codegen.h"
#include "runtime/fork_mutex.h"

namespace lanewise::runtime {

// Of which a kernel is told when nothing is known of a launch yet.
inline constexpr ir::LaunchFacts kUsualFacts{.small = true, .distinct = true};

class Variants {
 public:
  Variants(const ir::Module& module, const codegen::HostTarget& target);

  // What the last launch ran; nullptr: there was none.
  const codegen::HostKernel* last() const {
    const Choice* choice = last_.load(std::memory_order_acquire);
    return choice ? choice->code : nullptr;
  }
  std::string about_last() const;  // for report(): lines, or nothing

  // Compiles when a launch wants code that is not there yet. `find_facts` is asked only where facts matter.
  template <class FindFacts>
  const codegen::HostKernel& get(const codegen::BlockShape& block, FindFacts find_facts) {
    const Choice* last = last_.load(std::memory_order_acquire);
    if (last && (last->any_block || (last->any_facts && last->block == block))) return *last->code;
    ir::LaunchFacts facts = find_facts();
    facts.aligned = false;
    if (last && last->block == block && last->facts == facts) return *last->code;
    return choose(block, facts);
  }

 private:
  // What launches of a kind run.
  struct Choice {
    codegen::BlockShape block{};
    ir::LaunchFacts facts;
    const codegen::HostKernel* code = nullptr;
    bool any_block = false;  // all others too
    bool any_facts = false;  // of this block
  };

  const codegen::HostKernel& choose(const codegen::BlockShape& block, const ir::LaunchFacts& facts);
  const Choice& find_or_make(const codegen::BlockShape& block, const ir::LaunchFacts& facts);
  const codegen::HostKernel& code_for(const codegen::BlockShape& block, const ir::LaunchFacts& facts);
  const codegen::HostKernel& compile(const codegen::HostTarget& target);
  bool has_own_code(const codegen::BlockShape& block) const;
  bool gets_own_code(const codegen::BlockShape& block);

  static constexpr size_t kAtOnce = 8;      // shapes that get code of their own when they first come
  static constexpr size_t kOwnCode = 64;    // that have any
  static constexpr unsigned kLaunches = 3;  // that make it worth while later
  static constexpr size_t kCountedShapes = 1024;

  const ir::Module& module_;
  codegen::HostTarget target_;
  bool one_lane_ = false;
  ForkMutex compiling_;
  std::vector<std::unique_ptr<codegen::HostKernel>> all_;
  std::vector<codegen::BlockShape> shapes_;  // that have code of their own
  std::vector<std::unique_ptr<Choice>> choices_;
  std::unique_ptr<Choice> of_others_;  // of shapes without
  std::map<codegen::BlockShape, unsigned> launches_of_others_;
  std::atomic<const Choice*> last_{nullptr};
};

}  // namespace lanewise::runtime
