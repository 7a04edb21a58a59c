// Two duets of one name, as static functions of the same names in two files make them.
#include <duetbench/duetbench.h>

#include "tests/integration/work.h"

static void Old() { Steps(50); }
static void New() { Steps(100); }

namespace another_file {
static void Old() { Steps(100); }
static void New() { Steps(50); }
DUET_BENCHMARK(Old, New);
}  // namespace another_file

DUET_BENCHMARK(Old, New);

DUET_MAIN();
