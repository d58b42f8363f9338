// Refuses functions that call themselves and hold a barrier, a warp operation or a shared array.
#pragma once
#include "frontend/infer/session.h"

namespace lanewise::frontend::inference {

// After all functions have been inferred; adds to the entry's reports.
void check_recursion(Session& session, Reports& reports);

}  // namespace lanewise::frontend::inference
