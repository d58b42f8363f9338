// Rows of shared memory that overlap those just written come from registers.
#include "host_run.h"
#include "tests/support/sample_kernels.h"

namespace lanewise::test {
namespace {

// s[t] = a[t]; then s[t] += s[t + 8] for t < 8; out[t] = s[t]. In blocks of one warp.
std::string halves(const char* between) {
  return std::string(R"(kernel @k(%out: ptr<f32, global>, %a: ptr<f32, global>) {
  %s = shared_array 64 : ptr<f32, shared>
  %t = thread_id_x : i32
  %x = cast %t : i64
  %0 = load %a, %x : f32
  store %s, %x, %0
  barrier
)") + between +
         R"(
  %8 = const 8 : i64
  %1 = lt %x, %8 : bool
  if %1 then {
    %2 = load %s, %x : f32
    %3 = add %x, %8 : i64
    %4 = load %s, %3 : f32
    %5 = add %2, %4 : f32
    store %s, %x, %5
    yield
  } else {
    yield
  }
  barrier
  %6 = load %s, %x : f32
  store %out, %x, %6
  return
}
)";
}

std::string optimized(const std::string& kernel) {
  return codegen::host_llvm(parse_ir(kernel), {.cpu = "native", .block = codegen::BlockShape{32, 1, 1}},
                            true);
}

TEST(ForwardRows, OfWhatWasJustWritten) {
  std::string text = optimized(halves(""));
  EXPECT_EQ(count_of(text, "load <32 x float>"), 1) << text;  // of `a`
  EXPECT_GE(count_of(text, "shufflevector <32 x float>"), 1);
}

// Another array's store in between changes nothing; one to an element that nobody knows ends it.
TEST(ForwardRows, UntilSomethingElseIsWritten) {
  const char* apart = R"(  %c = const 1.0 : f32
  store %out, %x, %c
)";
  EXPECT_EQ(count_of(optimized(halves(apart)), "load <32 x float>"), 1);
  const char* unknown = R"(  %n = load %a, %x : f32
  %i = cast %n : i64
  store %s, %i, %n
  barrier
)";
  EXPECT_GE(count_of(optimized(halves(unknown)), "load <32 x float>"), 2);
}

}  // namespace
}  // namespace lanewise::test
