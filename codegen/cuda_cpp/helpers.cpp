#include "codegen/cuda_cpp/helpers.h"

#include "ir/error.h"

namespace lanewise::codegen::cuda_cpp {
namespace {

struct Helper {
  std::string_view name, needs, text;
};

constexpr Helper kHelpers[] = {
#define HELPER(name, needs, text) {name, needs, text},
#include "codegen/cuda_cpp/helpers.def"
#undef HELPER
};

const Helper* find(std::string_view name) {
  for (const Helper& helper : kHelpers)
    if (helper.name == name) return &helper;
  return nullptr;
}

std::string for_width(std::string_view text, unsigned bits) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '$') {
      out += text[i];
      continue;
    }
    switch (text[++i]) {
      case 'T': out += bits == 64 ? "long long" : "int"; break;
      case 'U': out += bits == 64 ? "unsigned long long" : "unsigned"; break;
      default: out += std::to_string(bits); break;
    }
  }
  return out;
}

}  // namespace

std::string Helpers::use(std::string_view name, unsigned bits) {
  const Helper* helper = find(name);
  LANEWISE_CHECK(helper, "the preamble has no function " + std::string(name));
  std::string full = std::string(name) + (bits == 0 ? "" : std::to_string(bits));
  if (used_.count(full)) return full;
  if (!helper->needs.empty()) use(helper->needs, bits);
  return use_own(full, for_width(helper->text, bits));
}

std::string Helpers::use_own(const std::string& name, const std::string& text) {
  if (!used_.emplace(name, texts_.size()).second) return name;
  // Of this file alone: others that are linked with it may have the same.
  std::string own = text[0] == '\n' ? text.substr(1) : text;
  for (size_t at = 0; (at = own.find("__device__", at)) != own.npos; at += 17)
    if (at == 0 || own[at - 1] == '\n') own.insert(at, "static ");
  texts_.push_back(own);
  return name;
}

std::string Helpers::text() const {
  std::string out;
  for (const std::string& text : texts_) out += text + "\n\n";
  return out;
}

bool is_helper(std::string_view name) {
  if (find(name)) return true;
  bool has_width = name.ends_with("32") || name.ends_with("64");
  return (has_width && find(name.substr(0, name.size() - 2))) || name.starts_with("atomic_") ||
         name.starts_with("own_atomic_") || name.starts_with("reduce_");
}

}  // namespace lanewise::codegen::cuda_cpp
