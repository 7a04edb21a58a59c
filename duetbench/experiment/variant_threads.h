#ifndef DUETBENCH_EXPERIMENT_VARIANT_THREADS_H_
#define DUETBENCH_EXPERIMENT_VARIANT_THREADS_H_

#include <functional>
#include <vector>

// Which threads of a process are those that its variants have started.
namespace duetbench {

// To be called on a thread of a run before it calls a variant: what the variant starts has its
// name, as long as it takes no other. `variant` is 0 or 1.
void NameThreadOfVariant(int variant);

// Looks at the threads of this process from time to time. A thread that ends between two looks is
// not seen; one that the variant works with is there most of the time.
class ThreadCensus {
 public:
  // The threads that there are now are of no variant.
  ThreadCensus();

  // `own` returns the threads of the run, which have the names of their variants too: it is called
  // after the names have been read, since a thread is known before it takes its name.
  void Look(const std::function<std::vector<int>()>& own);

  // The most threads of a variant that were there at once. A thread that has given itself another
  // name is not counted.
  int started(int variant) const { return most_[variant]; }

 private:
  std::vector<int> before_;
  int most_[2] = {0, 0};
};

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_VARIANT_THREADS_H_
