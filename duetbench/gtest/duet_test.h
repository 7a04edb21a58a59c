#ifndef DUETBENCH_GTEST_DUET_TEST_H_
#define DUETBENCH_GTEST_DUET_TEST_H_

#include <memory>

#include "duetbench/gtest/compare.h"

namespace duetbench {

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

#endif  // DUETBENCH_GTEST_DUET_TEST_H_
