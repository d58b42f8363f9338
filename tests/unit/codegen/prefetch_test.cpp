// What the CPU's code fetches ahead: the rows of the next blocks, where a block's own rows are short, and of
// coming turns.
#include "host_run.h"
#include "tests/support/sample_kernels.h"

namespace lanewise::test {
namespace {

// %x is the thread's number along x, of blocks that are counted along an axis.
std::string kernel(const char* parameters, const char* body, char block_axis = 'x') {
  return std::string("kernel @k(") + parameters + ") {\n  %b = block_id_" + block_axis + R"( : i32
  %0 = cast %b : i64
  %d = block_dim_x : i32
  %1 = cast %d : i64
  %2 = mul %0, %1 : i64
  %t = thread_id_x : i32
  %3 = cast %t : i64
  %x = add %2, %3 : i64)" +
         body + "  return\n}\n";
}

// out[i] = a[i - 1] + a[i + 1] of a row, in blocks along x.
const std::string kNeighbours = kernel("%out: ptr<f32, global>, %a: ptr<f32, global>, %row: i64", R"(
  %5 = thread_id_y : i32
  %y = cast %5 : i64
  %6 = mul %y, %row : i64
  %7 = add %6, %x : i64
  %8 = const 1 : i64
  %9 = sub %7, %8 : i64
  %10 = add %7, %8 : i64
  %11 = load %a, %9 : f32
  %12 = load %a, %10 : f32
  %13 = add %11, %12 : f32
  store %out, %7, %13
)");

// out[y, x], where the blocks that follow each other are rows of their own: x from blockIdx.y.
const std::string kTransposed = kernel("%out: ptr<f32, global>, %row: i64", R"(
  %5 = block_id_x : i32
  %y = cast %5 : i64
  %6 = mul %y, %row : i64
  %7 = add %6, %x : i64
  %8 = const 1.0 : f32
  store %out, %7, %8
)",
                                       'y');

// Each thread reads a column: after its element comes the one below.
const std::string kColumns = kernel("%out: ptr<f32, global>, %a: ptr<f32, global>, %row: i64, %rows: i64", R"(
  %5 = const 0 : i64
  %6 = const 1 : i64
  %7 = const 0.0 : f32
  %sum = for %5, %rows, %6, %7 : f32 do(%i: i64, %s: f32) {
    %8 = mul %i, %row : i64
    %9 = add %8, %x : i64
    %10 = load %a, %9 : f32
    %11 = add %s, %10 : f32
    yield %11
  }
  store %out, %x, %sum
)");

// A sum by turns of the whole grid.
const std::string kStrided = kernel("%out: ptr<f32, global>, %a: ptr<f32, global>, %n: i64", R"(
  %g = grid_dim_x : i32
  %4 = cast %g : i64
  %step = mul %4, %1 : i64
  %5 = const 0.0 : f32
  %sum = for %x, %n, %step, %5 : f32 do(%i: i64, %s: f32) {
    %6 = load %a, %i : f32
    %7 = add %s, %6 : f32
    yield %7
  }
  store %out, %x, %sum
)");

int fetches(const std::string& kernel, codegen::BlockShape block) {
  std::string text = codegen::host_llvm(parse_ir(kernel), {.cpu = "native", .block = block}, true);
  return count_of(text, "call void @llvm.prefetch");
}

TEST(Prefetch, EachLineOfShortRowsOnce) {
  // Two lines of `a`, which both loads share, and two of `out`.
  EXPECT_EQ(fetches(kNeighbours, {32, 1, 1}), 4);
  EXPECT_GE(fetches(kNeighbours, {16, 2, 1}), 4);  // a gang is two rows of a line each
}

TEST(Prefetch, NotWhereTheProcessorFindsTheStream) { EXPECT_EQ(fetches(kNeighbours, {256, 1, 1}), 0); }

TEST(Prefetch, NotWhereTheNextBlockIsElsewhere) { EXPECT_EQ(fetches(kTransposed, {32, 1, 1}), 0); }

TEST(Prefetch, NotInLoops) {
  EXPECT_EQ(fetches(kColumns, {32, 1, 1}), 2);  // `out`, which is written once
}

// Code for gangs of whose lanes all take part and for others has two lines each.
TEST(Prefetch, TheNextTurnsOfStridedLoops) {
  EXPECT_EQ(fetches(kStrided, {256, 1, 1}), 4);
  std::string columns = kStrided;  // by columns: neighbours are far from each other, nothing is read in rows
  columns.replace(columns.find("%6 = load %a, %i"), 16, "%8 = mul %i, %n : i64\n    %6 = load %a, %8");
  EXPECT_EQ(fetches(columns, {256, 1, 1}), 0);
}

}  // namespace
}  // namespace lanewise::test
