#ifndef DUETBENCH_VARIANT_EMPTY_LOOP_H_
#define DUETBENCH_VARIANT_EMPTY_LOOP_H_

#include "duetbench/variant/variant.h"

namespace duetbench {

// Nanoseconds per iteration of a loop that does nothing, in the form of `variant`: the loop alone
// where it has a loop of its own, with the call of an empty function where a function pointer is
// looped. The least of some samples, on the calling thread. 0 where that is not known: duetbench
// was built without optimization, or the variant is called once for each sample.
//
// The first call of either form takes 1 ms.
double EmptyIterationNs(const Variant& variant, double ns_per_tick);

// Whether a variant that takes `time_ns` per iteration may have been left without work by the
// compiler: it takes no more than an empty loop, give or take what its placement changes.
bool LacksWork(double time_ns, double empty_ns);

}  // namespace duetbench

#endif  // DUETBENCH_VARIANT_EMPTY_LOOP_H_
