// The new one of two builds (moved.h).
constexpr bool kNew = true;

// Moves what follows.
__asm__(".pushsection .text\n.skip 4160\n.popsection");

#include "tests/integration/explain/moved.h"
