// "Did you mean": the candidate that a misspelling most likely stands for.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "ir/diagnostics.h"

namespace lanewise::ir {
namespace {

constexpr size_t kMaxNameLength = 80;  // longer names are not compared: the cost is quadratic

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool equal_but_for_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

// Inserted, deleted, replaced characters, and swapped neighbours, as one step each.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> two_up(b.size() + 1), up(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    std::swap(two_up, up);
    std::swap(up, row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({up[j] + 1, row[j - 1] + 1, up[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], two_up[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates, size_t most) {
  if (name.empty() || name.size() > kMaxNameLength) return {};
  // One letter is no misspelling of another; longer names may differ in about a third of their letters.
  size_t limit = std::min({name.size() - 1, (name.size() + 2) / 3, most});
  size_t best_distance = limit + 1;
  std::string_view best;
  for (std::string_view candidate : candidates) {
    if (candidate == name || candidate.empty() || candidate.size() > name.size() + limit) continue;
    if (candidate.size() + limit < name.size()) continue;
    size_t distance = equal_but_for_case(name, candidate) ? 1 : edit_distance(name, candidate);
    if (distance >= candidate.size() && !equal_but_for_case(name, candidate)) continue;
    // Ties are broken by spelling: candidates come from hash tables, messages must not depend on their order.
    if (distance < best_distance || (distance == best_distance && !best.empty() && candidate < best)) {
      best_distance = distance;
      best = candidate;
    }
  }
  return std::string(best);
}

}  // namespace lanewise::ir
