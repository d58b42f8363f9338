// Which values are alive while another one is set, and which are handed over to which.
#pragma once
#include <utility>
#include <vector>

#include "codegen/cuda_cpp/folding.h"

namespace lanewise::codegen::cuda_cpp {

// A set of small numbers.
class BitSet {
 public:
  BitSet() = default;
  explicit BitSet(size_t size) : words_((size + 63) / 64) {}
  void add(size_t i) { words_[i / 64] |= uint64_t{1} << i % 64; }
  void remove(size_t i) { words_[i / 64] &= ~(uint64_t{1} << i % 64); }
  bool has(size_t i) const { return (words_[i / 64] >> i % 64 & 1) != 0; }
  void add(const BitSet& other) {
    for (size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }
  bool meets(const BitSet& other) const {
    for (size_t i = 0; i < words_.size(); ++i)
      if (words_[i] & other.words_[i]) return true;
    return false;
  }

 private:
  std::vector<uint64_t> words_;
};

struct Liveness {
  static constexpr uint32_t kNone = UINT32_MAX;
  std::vector<uint32_t> number;   // by value: of those that are not folded
  std::vector<BitSet> conflicts;  // by number: what is alive where it is set, but for the value it is set to
  // (to, from) in the order of the text; `from` is no folded value.
  std::vector<std::pair<ir::ValueId, ir::ValueId>> turns, entries, ends;
};

// Without conflicts and with nothing handed over if the function is too large for it.
Liveness find_liveness(const ir::Function& function, const Places& places, const Folding& folding);

}  // namespace lanewise::codegen::cuda_cpp
