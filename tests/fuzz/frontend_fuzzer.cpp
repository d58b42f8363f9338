// libFuzzer entry for the front end. Give it tests/fuzz/corpus to start from.
#include <cstdint>
#include <cstdio>

#include "tests/fuzz/frontend_text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  auto result = lanewise::fuzz::check_frontend({reinterpret_cast<const char*>(data), size});
  if (!result.wrong.empty()) {
    std::fputs(result.wrong.c_str(), stderr);
    __builtin_trap();
  }
  return 0;
}
