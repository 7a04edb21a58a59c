#ifndef DUETBENCH_MEASURE_STACK_SAMPLER_H_
#define DUETBENCH_MEASURE_STACK_SAMPLER_H_

#include "duetbench/platform/memory.h"
#include "duetbench/record/explanation.h"

namespace duetbench {

struct SampledThread;

inline constexpr double kForCallgrind = -1;

// Records the stack of calls of the thread that made it, at random moments while SetTimed(true)
// holds: a timer of that thread raises a real-time signal there, whose handler unwinds the stack.
// It needs no performance counters and no permission. The timer is that of the wall clock: a timer
// of CPU time expires with the tick of the kernel alone (4 ms here), and a variant that sleeps
// would not be seen. Intervals are drawn between 0.5 and 1.5 times the mean, so that they do not
// follow the rhythm of the iterations.
//
// A moment costs about 5 us. A system call of the variant may return EINTR. At most one sampler for
// each thread; used by that thread.
class StackSampler {
 public:
  // `interval_ns`: the mean; 0: the sampler records nothing and costs nothing; kForCallgrind: it
  // records nothing, and Callgrind, which executes this process, counts while SetTimed(true) holds.
  // It records nothing either where there is no memory for stacks, or no timer for a thread.
  explicit StackSampler(double interval_ns);
  ~StackSampler();

  // The thread executes what is timed, or something else.
  void SetTimed(bool timed);

  // Stops, and returns the stacks so far.
  CountedStacks Take();

 private:
  void Stop();

  bool tells_callgrind_ = false;
  bool callgrind_counts_ = false;
  Pages pages_;
  SampledThread* thread_ = nullptr;  // in the pages; null: it records nothing
};

}  // namespace duetbench

#endif  // DUETBENCH_MEASURE_STACK_SAMPLER_H_
