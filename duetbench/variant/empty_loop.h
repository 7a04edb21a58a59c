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

// Ticks per iteration of loops of this form that do nothing: the upper decile of samples taken now,
// on the calling thread. The loops are at several places in their cache lines, and some keep a
// constant alive, which costs a store. A variant that takes no more cannot be told from one whose
// work was removed by the compiler.
//
// Takes 0.2 ms. 0 where nothing is known: duetbench was built without optimization.
double EmptyIterationTicks(LoopForm form);

}  // namespace duetbench

#endif  // DUETBENCH_VARIANT_EMPTY_LOOP_H_
