// The new one of two builds (causes.h).
constexpr bool kNew = true;

#include "tests/integration/causes.h"
