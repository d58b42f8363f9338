// InternalError: a fault of the compiler itself, never of the user's program. Thrown, never aborted on:
// the process belongs to the user.
#pragma once
#include <stdexcept>
#include <string>

namespace lanewise::ir {

class InternalError : public std::runtime_error {
 public:
  explicit InternalError(const std::string& message) : std::runtime_error("internal error: " + message) {}
};

}  // namespace lanewise::ir

// Checks an invariant in every build; throws InternalError with the place when it does not hold.
#define LANEWISE_CHECK(condition, message)                                                           \
  do {                                                                                               \
    if (!(condition))                                                                                \
      throw ::lanewise::ir::InternalError(std::string(message) + " (" #condition ", " __FILE__ ":" + \
                                          std::to_string(__LINE__) + ")");                           \
  } while (false)
