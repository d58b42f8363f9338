// A program run in a process of its own, so that a crash or an endless loop is a result like any other.
#pragma once
#include <chrono>
#include <functional>
#include <string>

#include "tests/fuzz/run_program.h"

namespace lanewise::fuzz {

// What the child wrote, and how it ended: "" if it exited by itself, "crash: signal 11", "no end after 20 s".
struct ChildResult {
  std::string output, ended;
};
ChildResult in_child(const std::function<void(int pipe)>& work, int seconds);
void write_all(int pipe, const std::string& text);

Verdict run_in_child(const Program& program, unsigned engines, int seconds = 20);

// The smallest program found in that time that fails in the same way (kind and engine of `failure`).
Program reduce(const Program& program, const Failure& failure, std::chrono::seconds limit);

}  // namespace lanewise::fuzz
