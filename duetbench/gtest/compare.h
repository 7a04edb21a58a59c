#ifndef DUETBENCH_GTEST_COMPARE_H_
#define DUETBENCH_GTEST_COMPARE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "duetbench/record/options.h"
#include "duetbench/record/verdict.h"
#include "duetbench/variant/check_equal.h"
#include "gtest/gtest.h"

namespace duetbench {

using stats::Verdict;

namespace internal {
class Measurement;
}

// Options of one comparison, which take precedence over the flags and the environment (--duet_*,
// DUET_*, BENCHMARK_MIN_TIME), for chaining:
//
//   Compare(Old, New, CompareOptions().MinTime(2).Fill())
//
// A value that makes no sense fails the test that it is used in.
struct CompareOptions : ExperimentOptions {
  std::vector<int64_t> ranges;  // State::range

  CompareOptions& Runs(int value) { return Set(&runs, value); }
  CompareOptions& MinTime(double seconds) { return Set(&min_time, seconds); }
  CompareOptions& MaxTime(double seconds) { return Set(&max_time, seconds); }
  CompareOptions& Level(double value) { return Set(&level, value); }
  CompareOptions& Margin(double value) { return Set(&margin, value); }
  CompareOptions& Fill(bool value = true) { return Set(&fill, value); }
  // On one CPU in random ABBA order instead of at the same time.
  CompareOptions& InTurns() { return Set(&schedule, Schedule::kInterleaved); }
  CompareOptions& Args(std::vector<int64_t> values) { return Set(&ranges, std::move(values)); }

 private:
  template <class Option, class Value>
  CompareOptions& Set(Option* option, Value value) {
    *option = std::move(value);
    return *this;
  }
};

// Result of a comparison of two variants. A copy shares the measurement.
//
// It is measured when it is first asked: by a matcher, which knows the limit, so that it measures
// as long as that needs and no longer; or by one of the functions here. At the latest it is
// measured when it becomes a ComparisonResult, so a function that returns one has measured while
// its local variables were alive. (What Compare returns, kept with `auto`, has not: it must not
// outlive them.)
class ComparisonResult {
 public:
  // Measures.
  ComparisonResult(const ComparisonResult& other);
  ComparisonResult& operator=(const ComparisonResult& other);

  // The error of the comparison ("old threw std::runtime_error: … (in run 1)"); empty if it has
  // none. With an error, the ratio is 1 with an interval from 0 to infinity, and INCONCLUSIVE.
  std::string error() const;

  // New time / old time, and its interval of confidence.
  double ratio() const;
  double lo() const;
  double hi() const;
  Verdict verdict() const;

  // Per iteration, in ns: means over the runs.
  double old_time_ns() const;
  double new_time_ns() const;

  // By the names that they have in the JSON of a duet: "runs", "pairs", "pairs_dropped".
  std::map<std::string, double> numbers() const;

  // Warnings, such as that the runs fall into clusters, that there is one process only.
  std::vector<std::string> warnings() const;

  // For the matchers.
  internal::Measurement& measurement() const { return *measurement_; }

 protected:
  explicit ComparisonResult(std::shared_ptr<internal::Measurement> measurement)
      : measurement_(std::move(measurement)) {}

 private:
  std::shared_ptr<internal::Measurement> measurement_;
};

// "1.0732 x [1.0612, 1.0851] SLOWER: new takes 1.073 × the time of old (10 runs)", and the
// warnings, each on a separate line. Does not measure.
std::ostream& operator<<(std::ostream& stream, const ComparisonResult& result);

// Return value of Compare: a comparison that has not been measured yet. It can be neither copied
// nor moved; a result that may outlive the variables of its variants is a ComparisonResult.
class PendingComparison : public ComparisonResult {
 public:
  explicit PendingComparison(std::shared_ptr<internal::Measurement> measurement)
      : ComparisonResult(std::move(measurement)) {}
  PendingComparison(const PendingComparison&) = delete;
  PendingComparison& operator=(const PendingComparison&) = delete;
};

// Compares two variants within a test. A variant is callable with duetbench::State& (and has its
// own loop), or with nothing (and is looped, its result kept alive). Both run at the same time:
// what they share by capture they may read, and write only what the other one does not touch. No
// variant runs twice at once.
//
// Each run is a process: this program again, with a filter for the very test that is running. It
// executes the test up to this call, and ends in it. So a test should come to its comparison
// quickly, and the same way each time; comparisons before it are not measured again in there,
// and every expectation about them holds. Where that is impossible the comparison says so and runs
// are forks of this process: outside of a test, under a debugger, and when a process of a run did
// not come to the call.
[[nodiscard]] PendingComparison Compare(const AnyVariant& old_variant,
                                        const AnyVariant& new_variant,
                                        const CompareOptions& options = {});

// Matchers of comparisons. NotSlowerThan, FasterThan and EquivalentWithin are gates: a comparison
// that has not been measured yet is measured until the gate is decided, or its time is over
// (--duet_max_time, 10 s). A gate that is inconclusive then marks the test as skipped;
// --duet_inconclusive=pass makes it pass with a warning, and `fail` makes it fail. A comparison
// that failed matches nothing. EXPECT_THAT is in gmock/gmock.h, which this header does not include:
// tests without it compile faster.
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

// A comparison as a test of GoogleTest: what DUET_TEST registers, for chaining. Without a demand
// the test measures, prints what came out, and fails only if a variant does.
class DuetTest {
 public:
  DuetTest(const char* suite, const char* name, const char* file, int line,
           const AnyVariant& old_variant, const AnyVariant& new_variant);

  DuetTest& MaxRatio(double ratio) { return Demand(NotSlowerThan(ratio)); }
  DuetTest& MinSpeedup(double factor) { return Demand(FasterThan(factor)); }
  DuetTest& Equivalent(double margin) { return Demand(EquivalentWithin(margin)); }
  DuetTest& With(const CompareOptions& options);

 private:
  struct Case;
  DuetTest& Demand(const ComparisonMatcher& demand);

  std::shared_ptr<Case> case_;  // the test that is registered refers to it, too
};

}  // namespace duetbench

// Registers the comparison of two variants as the test SUITE.NAME. A suite may have ordinary TESTs
// beside it; names follow the rules of TEST. At namespace scope:
//
//   DUET_TEST(Parser, Speed, OldParse, NewParse).MaxRatio(1.05);
#define DUET_TEST(suite, name, old_variant, new_variant)                           \
  [[maybe_unused]] static const ::duetbench::DuetTest duet_test_##suite##_##name = \
      ::duetbench::DuetTest(#suite, #name, __FILE__, __LINE__, old_variant, new_variant)

#endif  // DUETBENCH_GTEST_COMPARE_H_
