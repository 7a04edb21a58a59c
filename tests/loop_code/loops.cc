// Functions with a loop of each kind, State of duetbench and of Google Benchmark. loop_code_test.sh
// compiles them and compares the machine code. They are never executed.
#include <duetbench/duetbench.h>

#include "loop_bodies.h"

#define BOTH(name)                                                                        \
  void name##_duetbench(duetbench::State& state) { duetbench::loop_bodies::name(state); } \
  void name##_google(benchmark::State& state) { duetbench::loop_bodies::name(state); }
DUETBENCH_FOR_EACH_LOOP_BODY(BOTH)
