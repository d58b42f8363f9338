// What a function defined inside another one sees: the constants of the enclosing function, then its globals.
#pragma once
#include <map>
#include <memory>
#include <string>

#include "frontend/host_value.h"

namespace lanewise::frontend {

class ClosureEnvironment : public Environment {
 public:
  ClosureEnvironment(std::shared_ptr<Environment> outer, std::map<std::string, HostValue> captured)
      : outer_(std::move(outer)), captured_(std::move(captured)) {}

  std::optional<HostValue> lookup(const std::string& name) override {
    auto found = captured_.find(name);
    if (found != captured_.end()) return found->second;
    return outer_ ? outer_->lookup(name) : std::nullopt;
  }
  std::vector<std::string> names() const override {
    std::vector<std::string> all = outer_ ? outer_->names() : std::vector<std::string>{};
    for (auto& [name, value] : captured_) all.push_back(name);
    return all;
  }
  const std::map<std::string, HostValue>& captured() const { return captured_; }

 private:
  std::shared_ptr<Environment> outer_;
  std::map<std::string, HostValue> captured_;
};

}  // namespace lanewise::frontend
