// The names of one point of the program, as a tree over the bits of their hashes. Nodes never change once
// they are shared: a copy is a pointer, a change makes the few nodes above the name anew, and what two maps
// have in common is found by comparing pointers. In: names and what they stand for. Out: lookups,
// differences.
#include <algorithm>
#include <array>

#include "frontend/infer/value.h"

namespace lanewise::frontend::inference {

namespace {

constexpr unsigned kBits = 4;  // of the hash, for each level
constexpr size_t kFanOut = 1u << kBits;

// FNV-1a: the same on every machine, so that trees and what is made from them are, too.
uint64_t hash_of(std::string_view name) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

}  // namespace

// A leaf holds the names of one hash, nearly always one; a branch has children only. Two hashes differ in
// some bit, so there are at most 64 / kBits branches above a leaf.
struct NameMap::Node {
  bool leaf = true;
  uint64_t hash = 0;
  std::vector<std::pair<std::string, BoundName>> entries;
  std::array<NodePtr, kFanOut> children;

  size_t child_of(uint64_t name_hash, unsigned shift) const { return (name_hash >> shift) % kFanOut; }
};

namespace {

auto entry_of(auto& entries, std::string_view name) {
  return std::ranges::find_if(entries, [&](const auto& entry) { return entry.first == name; });
}

}  // namespace

const BoundName* NameMap::find(std::string_view name) const {
  uint64_t hash = hash_of(name);
  const Node* node = root_.get();
  for (unsigned shift = 0; node && !node->leaf; shift += kBits)
    node = node->children[node->child_of(hash, shift)].get();
  if (!node || node->hash != hash) return nullptr;
  auto found = entry_of(node->entries, name);
  return found == node->entries.end() ? nullptr : &found->second;
}

// `node` with the name bound, or without it.
NameMap::NodePtr NameMap::with(const NodePtr& node, unsigned shift, uint64_t hash, const std::string& name,
                               BoundName* binding) {
  if (node && node->leaf && node->hash != hash) {
    auto branch = std::make_shared<Node>();
    branch->leaf = false;
    branch->children[branch->child_of(node->hash, shift)] = node;
    NodePtr& child = branch->children[branch->child_of(hash, shift)];
    child = with(child, shift + kBits, hash, name, binding);
    return branch;
  }
  auto copy = node ? std::make_shared<Node>(*node) : std::make_shared<Node>();
  if (!copy->leaf) {
    NodePtr& child = copy->children[copy->child_of(hash, shift)];
    child = with(child, shift + kBits, hash, name, binding);
    return copy;
  }
  copy->hash = hash;
  auto found = entry_of(copy->entries, name);
  if (found != copy->entries.end()) copy->entries.erase(found);
  if (binding) copy->entries.emplace_back(name, std::move(*binding));
  return copy;
}

void NameMap::set(const std::string& name, BoundName binding) {
  root_ = with(root_, 0, hash_of(name), name, &binding);
}

bool NameMap::erase(const std::string& name) {
  if (!find(name)) return false;
  root_ = with(root_, 0, hash_of(name), name, nullptr);
  return true;
}

void NameMap::collect(const NodePtr& node, std::set<std::string>& names) {
  if (!node) return;
  for (const auto& [name, binding] : node->entries) names.insert(name);
  for (const NodePtr& child : node->children) collect(child, names);
}

void NameMap::differing(const NodePtr& a, const NodePtr& b, std::set<std::string>& names) {
  if (a == b) return;
  if (!a || !b || a->leaf || b->leaf) {
    collect(a, names);
    collect(b, names);
    return;
  }
  for (size_t i = 0; i < kFanOut; ++i) differing(a->children[i], b->children[i], names);
}

std::set<std::string> NameMap::differing(const NameMap& other) const {
  std::set<std::string> names;
  differing(root_, other.root_, names);
  return names;
}

}  // namespace lanewise::frontend::inference
