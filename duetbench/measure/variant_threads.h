#ifndef DUETBENCH_MEASURE_VARIANT_THREADS_H_
#define DUETBENCH_MEASURE_VARIANT_THREADS_H_

#include <functional>
#include <map>
#include <string>
#include <vector>

// Which threads of a process are those that its variants have started.
namespace duetbench {

// To be called on a thread of a run before it calls a variant: what the variant starts has its
// name, until it takes another one. All variants of a group but its base are new.
void NameThreadOfVariant(int variant);

// The owner of a thread that already had another name when it was first seen: either variant
// started it.
inline constexpr int kEitherVariant = 2;

// Looks at the threads of this process from time to time. A thread that ends between two looks is
// not seen; one that the variant works with is there most of the time.
class ThreadCensus {
 public:
  // The threads that there are now are of no variant, nor those that have the name of the calling
  // one: it has started them, or a runtime has, such as that of a sanitizer.
  ThreadCensus();

  // `own` returns the threads of the run, 0 for one that is not known yet. They have the names of
  // their variants too: it is called after the names have been read, since a thread is known before
  // it takes its name.
  void Look(const std::function<std::vector<int>()>& own);

  // The most threads of a variant, or of kEitherVariant, that were there at once.
  int started(int variant) const { return most_[variant]; }

 private:
  std::vector<int> before_;
  std::string name_;
  std::map<int, int> variants_;  // of the threads that the last look has found
  int most_[3] = {0, 0, 0};
};

}  // namespace duetbench

#endif  // DUETBENCH_MEASURE_VARIANT_THREADS_H_
