// The new one of two builds (causes.h).
constexpr bool kNew = true;

#include "tests/integration/explain/causes.h"
