// libFuzzer entry for the IR text form.
#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/ir_text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  auto result = lanewise::fuzz::check_ir_text({reinterpret_cast<const char*>(data), size});
  if (!result.wrong.empty()) {
    std::fputs(result.wrong.c_str(), stderr);
    __builtin_trap();
  }
  return 0;
}
