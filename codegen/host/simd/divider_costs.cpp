#include "codegen/host/simd/divider_costs.h"

#include <algorithm>

namespace lanewise::codegen::host {
namespace {

// Rows: 1 / b, a / b, a / b with 1 / b known, sqrt, 1 / sqrt.

// Measured on Emerald Rapids; the divider has been the same since Skylake-X. Two ports for all vector ops.
constexpr DividerCosts kIntel512 = {
    .vector_bits = 512,
    .other_ops = 2,
    .clash = 0.25,
    .divisor_guard = 0.4,
    .of_float32 = {{{9.5, 6.0, 2.8}, {9.5, 8.2, 3.4}, {9.5, 3.8, 1.0}, {11.4, 6.6, 3.9}, {21.4, 8.7, 3.9}}},
    .of_float64 =
        {{{15.5, 6.9, 3.8}, {15.5, 9.3, 4.4}, {15.5, 4.0, 1.0}, {23.3, 7.9, 5.4}, {39.4, 11.3, 5.9}}},
    .integers_by_estimate = true,
};
// Measured on Zen 5 with 512-bit data paths. Four ports, two of them for products.
constexpr DividerCosts kZen5 = {
    .vector_bits = 512,
    .other_ops = 3,
    .clash = 0.2,
    .of_float32 = {{{2.6, 3.3, 1.8}, {2.6, 5.0, 2.0}, {2.6, 1.9, 1.0}, {4.6, 3.8, 2.0}, {7.1, 5.5, 2.0}}},
    .of_float64 = {{{4.0, 4.6, 3.0}, {4.0, 6.5, 2.8}, {4.0, 2.0, 1.0}, {7.6, 5.5, 3.6}, {11.5, 9.3, 4.2}}},
};
// Not measured: the divider by tables of instructions, the sequences by their ops, each of which takes a
// 256-bit port for two cycles. Exact forms only where they win by much.
constexpr DividerCosts kZen4 = {
    .vector_bits = 512,
    .other_ops = 1.5,
    .of_float32 =
        {{{6, kNoForm, 5}, {6, kNoForm, kNoForm}, {6, kNoForm, 2}, {10, kNoForm, 7}, {16, kNoForm, 7}}},
    .of_float64 = {{{10, kNoForm, 7}, {10, kNoForm, 8}, {10, 6.5, 2}, {18, 13, 10}, {28, 20, 11}}},
};
// 256 bits: estimates have 12 bits there, from which no sequence wins; a known reciprocal needs none.
constexpr DividerCosts kHaswell = {
    .vector_bits = 256,
    .other_ops = 3,
    .of_float32 = {{{13, kNoForm, kNoForm},
                    {13, kNoForm, kNoForm},
                    {13, 4, 1},
                    {13, kNoForm, kNoForm},
                    {26, kNoForm, kNoForm}}},
    .of_float64 = {{{20, kNoForm, kNoForm},
                    {20, kNoForm, kNoForm},
                    {20, 4, 1},
                    {20, kNoForm, kNoForm},
                    {40, kNoForm, kNoForm}}},
};
constexpr DividerCosts kAvx2 = {
    .vector_bits = 256,
    .other_ops = 3,
    .of_float32 = {{{5, kNoForm, kNoForm},
                    {5, kNoForm, kNoForm},
                    {5, kNoForm, 1},
                    {6, kNoForm, kNoForm},
                    {11, kNoForm, kNoForm}}},
    .of_float64 = {{{8, kNoForm, kNoForm},
                    {8, kNoForm, kNoForm},
                    {8, 4, 1},
                    {12, kNoForm, kNoForm},
                    {20, kNoForm, kNoForm}}},
};
// By the instructions alone.
constexpr DividerCosts kPlain = {.vector_bits = 128, .other_ops = 3, .of_float32 = {}, .of_float64 = {}};

struct Kind {
  std::string_view cpu;
  const DividerCosts* costs;
};
constexpr Kind kKinds[] = {
    {"skylake-avx512", &kIntel512},
    {"cascadelake", &kIntel512},
    {"cooperlake", &kIntel512},
    {"cannonlake", &kIntel512},
    {"icelake-client", &kIntel512},
    {"icelake-server", &kIntel512},
    {"tigerlake", &kIntel512},
    {"rocketlake", &kIntel512},
    {"sapphirerapids", &kIntel512},
    {"emeraldrapids", &kIntel512},
    {"graniterapids", &kIntel512},
    {"graniterapids-d", &kIntel512},
    {"diamondrapids", &kIntel512},
    {"znver5", &kZen5},
    {"znver4", &kZen4},
    {"haswell", &kHaswell},
    {"core-avx2", &kHaswell},
    {"broadwell", &kHaswell},
};

}  // namespace

const DividerCosts& divider_costs(std::string_view cpu, unsigned vector_bits, bool has_fma) {
  if (!has_fma || vector_bits < 256) return kPlain;
  const auto* found = std::find_if(std::begin(kKinds), std::end(kKinds), [&](const Kind& kind) {
    return kind.cpu == cpu && kind.costs->vector_bits == vector_bits;
  });
  if (found != std::end(kKinds)) return *found->costs;
  return vector_bits == 512 ? kZen4 : kAvx2;  // where the instructions are good: what wins there, wins
}

}  // namespace lanewise::codegen::host
