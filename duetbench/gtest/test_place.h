#ifndef DUETBENCH_GTEST_TEST_PLACE_H_
#define DUETBENCH_GTEST_TEST_PLACE_H_

#include <optional>
#include <string>
#include <vector>

#include "duetbench/measure/run_process.h"

// A call of Compare in a test program, and how the processes of its runs reach it.
namespace duetbench {

// A call of Compare.
struct TestPlace {
  std::string test;  // "Suite.Test", "Instance/Suite.Test/0"
  int call = 1;      // the first, second … of the test

  std::string Text() const;  // "Suite.Test#1"
};

// The place of the current call: the running test, and the number of its calls so far. None outside
// of tests (in main, in set-ups of suites and environments). Call it once for each Compare.
std::optional<TestPlace> NextPlace();

// Selects that one test by flags of GoogleTest, as its death tests do. Special characters of its
// filters cannot be escaped and become '?', so that similar names may match too.
RunCommand CommandFor(const TestPlace& place, std::vector<std::string> argv);

// In the process of a run: whether it was started for `place`.
bool IsPlaceOfThisRun(const TestPlace& place);

// The beginning of the error of a run that did not reach its place.
inline constexpr char kDidNotArrive[] = "a process of a run did not come to this call of Compare";

}  // namespace duetbench

#endif  // DUETBENCH_GTEST_TEST_PLACE_H_
