// A seeded mutator of texts, for the fuzz runs that are part of the tests: cuts, repeats, swaps and splices
// pieces, flips bytes, and puts in tokens that the language under test knows.
#pragma once
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace lanewise::fuzz {

class Mutator {
 public:
  // `corpus` are the texts to start from, `tokens` what may be put in.
  Mutator(std::vector<std::string> corpus, std::vector<std::string> tokens, uint32_t seed)
      : corpus_(std::move(corpus)), tokens_(std::move(tokens)), random_(seed) {}

  // A text of the corpus after one to four mutations.
  std::string next() {
    std::string text = pick(corpus_);
    for (size_t i = 1 + below(4); i > 0; --i) mutate(text);
    if (text.size() > kMaxSize) text.resize(kMaxSize);
    return text;
  }

 private:
  static constexpr size_t kMaxSize = 1 << 14;

  size_t below(size_t limit) { return limit == 0 ? 0 : random_() % limit; }
  const std::string& pick(const std::vector<std::string>& from) { return from[below(from.size())]; }
  // A piece of a text, most often short.
  std::string piece(const std::string& text) {
    size_t begin = below(text.size() + 1);
    return text.substr(begin, below(below(4) == 0 ? 200 : 20));
  }
  // One line of a text with its end.
  std::string line(const std::string& text) {
    size_t begin = text.rfind('\n', below(text.size() + 1));
    begin = begin == text.npos ? 0 : begin + 1;
    return text.substr(begin, text.find('\n', begin) - begin + 1);
  }

  void mutate(std::string& text) {
    size_t at = below(text.size() + 1);
    switch (below(9)) {
      case 0: text.erase(at, below(below(4) == 0 ? 200 : 10)); break;
      case 1: text.insert(at, piece(text)); break;
      case 2: text.insert(at, piece(pick(corpus_))); break;
      case 3: text.insert(at, pick(tokens_)); break;
      case 4: text.insert(at, line(text)); break;
      case 5:
        if (at < text.size()) text[at] = static_cast<char>(random_());
        break;
      case 6:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 7: {  // a token for another: the text often stays nearly right
        std::string from = pick(tokens_);
        size_t found = text.find(from, at);
        if (found != text.npos) text.replace(found, from.size(), pick(tokens_));
        break;
      }
      case 8: text.resize(at); break;
    }
  }

  std::vector<std::string> corpus_, tokens_;
  std::mt19937 random_;
};

}  // namespace lanewise::fuzz
