// The old one of two builds (causes.h).
constexpr bool kNew = false;

#include "tests/integration/explain/causes.h"
