#ifndef DUETBENCH_GTEST_MATCHERS_H_
#define DUETBENCH_GTEST_MATCHERS_H_

#include "duetbench/gtest/compare.h"
#include "gtest/gtest.h"

// Matchers of comparisons. NotSlowerThan, FasterThan and EquivalentWithin are gates: a comparison
// that has not been measured yet is measured until the gate is decided, or its time is over
// (--duet_max_time, 10 s). A gate that is inconclusive then marks the test as skipped;
// --duet_inconclusive=pass makes it pass with a warning, and `fail` makes it fail. A comparison
// that failed matches nothing. EXPECT_THAT is in gmock/gmock.h, which this header does not include:
// tests without it compile faster.
namespace duetbench {

using ComparisonMatcher = testing::Matcher<const ComparisonResult&>;

// Each stops the program for a value that makes no sense.

// The ratio new/old is at most `ratio`: NotSlowerThan(1.05) allows new to be 5 % slower.
ComparisonMatcher NotSlowerThan(double ratio);

// New is at least `factor` times as fast as old: FasterThan(1.2).
ComparisonMatcher FasterThan(double factor);

// New is neither slower nor faster than old by more than `margin`: EquivalentWithin(0.02).
ComparisonMatcher EquivalentWithin(double margin);

// The verdict is `verdict`: HasVerdict(duetbench::Verdict::kFaster).
ComparisonMatcher HasVerdict(Verdict verdict);

}  // namespace duetbench

#endif  // DUETBENCH_GTEST_MATCHERS_H_
