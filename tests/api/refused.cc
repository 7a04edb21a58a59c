// Code that must not compile: one mistake for each number, chosen with -DREFUSED=n.
#include <duetbench/duetbench.h>

static int Old() { return 1; }
static int New() { return 2; }
[[maybe_unused]] static int OfInt(int x) { return x; }

#if REFUSED == 1
DUET_BENCHMARK(Old, New)->Threads(2);
#elif REFUSED == 2
DUET_BENCHMARK(Old, New)->Runs(2)->ThreadRange(1, 4);
#elif REFUSED == 3
DUET_BENCHMARK(Old, New)->DenseThreadRange(1, 4, 2)->Runs(2);
#elif REFUSED == 4
DUET_BENCHMARK(Old, New)->ThreadPerCpu();
#elif REFUSED == 5
DUET_BENCHMARK(Old, New)->ThreadRunner([](int) { return 0; });
#elif REFUSED == 6
DUET_BENCHMARK(OfInt, New);
#elif REFUSED == 7
class Hidden {
  int Old() { return 1; }
  int New() { return 1; }
};
DUET_BENCHMARK_F(Hidden, Old, New);
#else
DUET_BENCHMARK(Old, New)->Runs(2);  // compiles
#endif

DUET_MAIN();
