#include "frontend/value_type.h"

namespace lanewise::frontend {}
