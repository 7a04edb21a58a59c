#ifndef DUETBENCH_MEASURE_EMPTY_COMPARISON_H_
#define DUETBENCH_MEASURE_EMPTY_COMPARISON_H_

#include "duetbench/record/pair_records.h"
#include "duetbench/record/run_result.h"
#include "duetbench/variant/state.h"
#include "duetbench/variant/variant.h"

namespace duetbench {

// The loop that drives a variant. Loops of different forms take different times without any work.
enum class LoopForm {
  kRange,        // for (auto _ : state), of either State, and around an inlined callable
  kKeepRunning,  // while (state.KeepRunning())
  kPointer,      // calls a function through a pointer in each iteration
};

// Ticks per iteration of loops of this form that do nothing, timed now, on the calling thread: the
// slowest of loops at several places in their cache lines, some of which keep a constant alive,
// which costs a store. A variant that takes no more, within a tenth, cannot be told from one whose
// work was removed by the compiler.
//
// Takes as long as 8,000 to 16,000 empty iterations. 0 where nothing is known: duetbench was built
// without optimization.
double EmptyIterationTicks(LoopForm form);

// Compares samples of one loop with empty loops of the same form. The empty loops
// are executed immediately before the sample, while the partner does what it does during the
// sample: the speed of a machine may change by half within a second, and with what the partner
// executes.
//
// Every fourth sample is compared, until one takes several times as long as the empty loops: then
// the variant has work, and costs no more time. Used by the thread of the loop.
class EmptyComparison {
 public:
  // Samples are those of `variant`, which executes its loop with `state`; both outlive the samples.
  // Before this call nothing is compared.
  void Begin(const Variant* variant, const State* state, double ns_per_tick);

  // The clock of a sample is about to start.
  void ExecuteEmptyLoops();
  // That sample has ended: `net_ticks` is its time without pauses.
  void Compare(const Sample& sample, uint64_t net_ticks);

  const EmptyTally& tally() const { return tally_; }

 private:
  const Variant* variant_ = nullptr;
  const State* state_ = nullptr;
  double ns_per_tick_ = 0;
  uint64_t samples_ = 0;
  bool has_work_ = false;
  double empty_ticks_ = 0;  // an iteration, before the open sample; 0: it is not compared
  EmptyTally tally_{};
};

}  // namespace duetbench

#endif  // DUETBENCH_MEASURE_EMPTY_COMPARISON_H_
