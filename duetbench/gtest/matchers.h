#ifndef DUETBENCH_GTEST_MATCHERS_H_
#define DUETBENCH_GTEST_MATCHERS_H_

#include <ostream>

#include "duetbench/gates/gate_spec.h"
#include "duetbench/gtest/compare.h"
#include "gtest/gtest.h"

// Matchers of comparisons. NotSlowerThan, FasterThan and EquivalentWithin are gates: a comparison
// that has not been measured yet is measured until the gate is decided, or its time is over
// (--duet_max_time, 10 s). A gate that is inconclusive then marks the test as skipped;
// --duet_inconclusive=pass makes it pass with a warning, and `fail` makes it fail. A comparison
// that failed matches nothing. EXPECT_THAT is in gmock/gmock.h, which this header does not include:
// tests without it compile faster.
namespace duetbench {

namespace internal {

// A gate as a matcher. A value that makes no sense stops the program when it is used.
class GateMatcher {
 public:
  GateMatcher(GateSpec::Kind kind, double value) : kind_(kind), value_(value) {}

  bool MatchAndExplain(const ComparisonResult& result,
                       testing::MatchResultListener* listener) const;
  void DescribeTo(std::ostream* stream) const;
  void DescribeNegationTo(std::ostream* stream) const;

 private:
  GateSpec MakeSpec() const;

  GateSpec::Kind kind_;
  double value_;
};

class VerdictMatcher {
 public:
  explicit VerdictMatcher(Verdict verdict) : verdict_(verdict) {}

  bool MatchAndExplain(const ComparisonResult& result,
                       testing::MatchResultListener* listener) const;
  void DescribeTo(std::ostream* stream) const;
  void DescribeNegationTo(std::ostream* stream) const;

 private:
  Verdict verdict_;
};

}  // namespace internal

// The ratio new/old is at most `ratio`: NotSlowerThan(1.05) allows new to be 5 % slower.
testing::PolymorphicMatcher<internal::GateMatcher> NotSlowerThan(double ratio);

// New is at least `factor` times as fast as old: FasterThan(1.2).
testing::PolymorphicMatcher<internal::GateMatcher> FasterThan(double factor);

// New is neither slower nor faster than old by more than `margin`: EquivalentWithin(0.02).
testing::PolymorphicMatcher<internal::GateMatcher> EquivalentWithin(double margin);

// The verdict is `verdict`: HasVerdict(duetbench::Verdict::kFaster).
testing::PolymorphicMatcher<internal::VerdictMatcher> HasVerdict(Verdict verdict);

}  // namespace duetbench

#endif  // DUETBENCH_GTEST_MATCHERS_H_
