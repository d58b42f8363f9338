// Every float32 through a function of one operand in about half a minute of a core. A kernel compares the
// float32 function with the float64 one and keeps the largest difference of each 256 inputs; where that comes
// near the largest error so far, and where it is no ordinary case, the inputs go to the exact comparison.
// The float64 function is at most 4 units of its own off (measured separately), 8e-9 of a float32's; as a
// control every 4099th input is compared exactly, whatever the kernel found.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "lanewise/lanewise.h"
#include "references.h"

namespace accuracy {

// `examine` compares these bit patterns exactly and returns the largest error so far.
void survey_every_float(const Function& f, const lanewise::Options& options,
                        const std::function<double(const std::vector<uint32_t>& bits)>& examine);

}  // namespace accuracy
