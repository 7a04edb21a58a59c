// The old one of two builds (moved.h).
constexpr bool kNew = false;

#include "tests/integration/explain/moved.h"
