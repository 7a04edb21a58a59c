#ifndef DUETBENCH_VARIANT_EMPTY_LOOP_H_
#define DUETBENCH_VARIANT_EMPTY_LOOP_H_

#include "duetbench/variant/state.h"
#include "duetbench/variant/variant.h"

namespace duetbench {

// The loop that drives a variant. Loops of different forms take different times without any work.
enum class LoopForm {
  kRange,        // for (auto _ : state), of either State, and around an inlined callable
  kKeepRunning,  // while (state.KeepRunning())
  kPointer,      // calls a function through a pointer in each iteration
};

// The form of the loop that `variant` has executed with `state`.
LoopForm LoopFormOf(const Variant& variant, const State& state);

// Ticks per iteration of loops of this form that do nothing, timed now, on the calling thread: the
// slowest of loops at several places in their cache lines, some of which keep a constant alive,
// which costs a store. A variant that takes no more cannot be told from one whose work was removed
// by the compiler.
//
// Takes as long as 8,000 to 16,000 empty iterations. 0 where nothing is known: duetbench was built
// without optimization.
double EmptyIterationTicks(LoopForm form);

}  // namespace duetbench

#endif  // DUETBENCH_VARIANT_EMPTY_LOOP_H_
