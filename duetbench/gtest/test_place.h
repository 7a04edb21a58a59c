#ifndef DUETBENCH_GTEST_TEST_PLACE_H_
#define DUETBENCH_GTEST_TEST_PLACE_H_

#include <optional>
#include <string>

#include "duetbench/registry/run_process.h"

// Where in a test program a comparison is made, and how the processes of its runs come there.
namespace duetbench {

// A call of Compare.
struct TestPlace {
  std::string test;  // "Suite.Test", "Instance/Suite.Test/0"
  int call = 1;      // the first, second … of the test

  std::string Text() const;  // "Suite.Test#1"
};

// The place of the call that is being made: the test that runs, and one more call than at the last
// time. None outside of tests (in main, in set-ups of suites and environments).
std::optional<TestPlace> NextPlace();

// By flags of GoogleTest to that one test, past everything else that this program was asked for; as
// its death tests do.
RunRoute RouteToPlace(const TestPlace& place);

// The value of --gtest_filter that selects the test `name`, and hardly another one: the characters
// that mean something in filters cannot be written in one, and become '?'.
std::string ExactTestFilter(const std::string& name);

// In the process of a run: whether `place` is the one that it was started for.
bool IsPlaceOfThisRun(const TestPlace& place);

// Whether a debugger (or strace, say) is attached, by the text of /proc/self/status.
bool IsTraced(const std::string& status);

// What the error of a run begins with that did not come to its place.
inline constexpr char kDidNotArrive[] = "a process of a run did not come to this call of Compare";

}  // namespace duetbench

#endif  // DUETBENCH_GTEST_TEST_PLACE_H_
