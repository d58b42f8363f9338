// What a function defined inside another one sees: the constants of the enclosing function, its variables,
// which calls hand over as further arguments, then its globals.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "frontend/host_value.h"

namespace lanewise::frontend::inference {

// Clang makes the parts of a HostValue where the first is destroyed. Some hold pairs with HostValues, which
// it cannot make in the middle of another, the map's below: so this comes before.
inline void destroy(HostValue& value) { value.~HostValue(); }

class ClosureEnvironment : public Environment {
 public:
  // `owner` says whose variables these are: the inference of the enclosing function.
  ClosureEnvironment(uint64_t owner, std::shared_ptr<Environment> outer,
                     std::map<std::string, HostValue> constants, std::set<std::string> variables)
      : owner_(owner),
        outer_(std::move(outer)),
        constants_(std::move(constants)),
        variables_(std::move(variables)) {}

  std::optional<HostValue> lookup(const std::string& name) override {
    auto found = constants_.find(name);
    if (found != constants_.end()) return found->second;
    // Asked for only where the function is called from elsewhere.
    if (variables_.contains(name))
      return HostValue{HostValue::Unsupported{"a variable of the enclosing function", {}}};
    return outer_ ? outer_->lookup(name) : std::nullopt;
  }
  std::vector<std::string> names() const override {
    std::vector<std::string> all = outer_ ? outer_->names() : std::vector<std::string>{};
    for (auto& [name, value] : constants_) all.push_back(name);
    all.insert(all.end(), variables_.begin(), variables_.end());
    return all;
  }
  uint64_t owner() const { return owner_; }
  const std::map<std::string, HostValue>& constants() const { return constants_; }
  const std::set<std::string>& variables() const { return variables_; }

 private:
  uint64_t owner_;
  std::shared_ptr<Environment> outer_;
  std::map<std::string, HostValue> constants_;
  std::set<std::string> variables_;
};

}  // namespace lanewise::frontend::inference
