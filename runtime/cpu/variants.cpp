#include "runtime/cpu/variants.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace lanewise::runtime {
namespace {

bool within(const ir::LaunchFacts& needed, const ir::LaunchFacts& known) {
  return (!needed.small || known.small) && (!needed.distinct || known.distinct);
}

}  // namespace

Variants::Variants(const ir::Module& module, const codegen::HostTarget& target)
    : module_(module), target_(target) {
  const char* lanes = std::getenv("LANEWISE_CPU_LANES");
  one_lane_ = lanes && std::string_view(lanes) == "1";
}

const codegen::HostKernel& Variants::choose(const codegen::BlockShape& block, const ir::LaunchFacts& facts) {
  auto mutex = compiling_.get();
  std::lock_guard lock(*mutex);
  const Choice& choice = find_or_make(block, facts);
  last_.store(&choice, std::memory_order_release);
  return *choice.code;
}

// Code of its own comes before what takes any shape, which is made last.
const Variants::Choice& Variants::find_or_make(const codegen::BlockShape& block,
                                               const ir::LaunchFacts& facts) {
  for (const auto& choice : choices_)
    if (choice->any_block || (choice->block == block && (choice->any_facts || choice->facts == facts)))
      return *choice;
  bool own = has_own_code(block) || (!one_lane_ && gets_own_code(block));
  if (!own && of_others_) return *of_others_;
  auto choice = std::make_unique<Choice>();
  choice->facts = facts;
  if (own) {
    choice->code = &code_for(block, facts);
    choice->block = block;
    choice->any_facts = facts == kUsualFacts && choice->code->facts == ir::LaunchFacts{};
    own = choice->code->block.has_value();
    if (own && !has_own_code(block)) shapes_.push_back(block);
  } else {
    choice->code = &compile(target_);
  }
  choice->any_block = !own && shapes_.empty();
  std::unique_ptr<Choice>& place = own || choice->any_block ? choices_.emplace_back() : of_others_;
  place = std::move(choice);
  return *place;
}

bool Variants::has_own_code(const codegen::BlockShape& block) const {
  return std::find(shapes_.begin(), shapes_.end(), block) != shapes_.end();
}

// A shape that comes once may be the first of thousands, none of which is worth a compile.
bool Variants::gets_own_code(const codegen::BlockShape& block) {
  if (shapes_.size() < kAtOnce) return true;
  if (shapes_.size() >= kOwnCode) return false;
  if (launches_of_others_.size() == kCountedShapes && !launches_of_others_.contains(block)) return false;
  if (++launches_of_others_[block] < kLaunches) return false;
  launches_of_others_.erase(block);
  return true;
}

// Launches of which different things are known share code where these make no difference to it.
const codegen::HostKernel& Variants::code_for(const codegen::BlockShape& block,
                                              const ir::LaunchFacts& facts) {
  codegen::HostTarget target = target_;
  target.block = block;
  target.facts = facts;
  if (has_own_code(block)) {
    ir::LaunchFacts used = codegen::used_facts(module_, target);
    for (const auto& code : all_)
      if (code->block == block && code->facts == used) return *code;
  }
  return compile(target);
}

const codegen::HostKernel& Variants::compile(const codegen::HostTarget& target) {
  all_.push_back(codegen::compile_host(module_, target));
  return *all_.back();
}

std::string Variants::about_last() const {
  const Choice* last = last_.load(std::memory_order_acquire);
  if (!last || !last->code->block) return "";
  const ir::LaunchFacts& facts = last->code->facts;
  std::string text;
  if (facts.small)
    text += "numbers of elements, extents and integer arguments are 2**30 at most: indices have 32 bits\n";
  if (facts.distinct) text += "no array that is written shares memory with another one\n";
  if (within(kUsualFacts, facts)) return text;
  codegen::HostTarget usual = target_;
  usual.block = last->code->block;
  usual.facts = kUsualFacts;
  ir::LaunchFacts used = codegen::used_facts(module_, usual);
  if (used.small && !facts.small)
    text += "an array, extent or integer argument is larger than 2**30: indices have 64 bits\n";
  if (used.distinct && !facts.distinct) text += "an array that is written shares memory with another one\n";
  return text;
}

}  // namespace lanewise::runtime
