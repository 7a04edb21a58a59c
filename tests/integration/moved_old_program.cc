// The old one of two builds (moved.h).
constexpr bool kNew = false;

#include "tests/integration/moved.h"
