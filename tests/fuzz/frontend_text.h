// The properties of the front end on any text, for the seeded run and for libFuzzer.
#pragma once
#include <string>

namespace lanewise::fuzz {

struct FrontendResult {
  std::string wrong;  // "" if the properties hold
  bool parsed = false, inferred = false;
};

// Whatever the bytes: tokens cover the text in order and end in End; nodes of the tree lie inside the text;
// what could not be parsed was reported; the names of a kernel file can all be asked for; signatures and
// annotations can be read; kernels whose types are known go through inference, and what that accepts lowers
// to IR that the verifier accepts. Every diagnostic can be rendered.
FrontendResult check_frontend(const std::string& text);

}  // namespace lanewise::fuzz
