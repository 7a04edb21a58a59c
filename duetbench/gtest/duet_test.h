#ifndef DUETBENCH_GTEST_DUET_TEST_H_
#define DUETBENCH_GTEST_DUET_TEST_H_

#include <memory>
#include <utility>

#include "duetbench/gtest/compare.h"
#include "duetbench/gtest/matchers.h"
#include "duetbench/variant/variant.h"

namespace duetbench {

// A comparison as a test of GoogleTest: what DUET_TEST gives, for chaining. Without a demand the
// test measures, prints what came out, and fails only if a variant does.
class DuetTest {
 public:
  // `texts` are the variants as they stand in the source; where both are names of functions, the
  // verdict says them.
  struct Place {
    const char* suite;
    const char* name;
    const char* file;
    int line;
    const char* texts[2];
  };
  DuetTest(const Place& place, std::shared_ptr<const Variant> old_variant,
           std::shared_ptr<const Variant> new_variant);

  DuetTest& MaxRatio(double ratio) { return Demand(NotSlowerThan(ratio)); }
  DuetTest& MinSpeedup(double factor) { return Demand(FasterThan(factor)); }
  DuetTest& Equivalent(double margin) { return Demand(EquivalentWithin(margin)); }
  // Sets the options of the measurement.
  DuetTest& With(const CompareOptions& options);

 private:
  struct Case;
  class Body;

  DuetTest& Demand(ComparisonMatcher demand);

  const std::shared_ptr<Case> case_;  // the test that is registered refers to it, too
};

namespace internal {

// Registered by the time that it returns; must be called before RUN_ALL_TESTS.
template <class Old, class New>
DuetTest RegisterDuetTest(const DuetTest::Place& place, Old old_variant, New new_variant) {
  return DuetTest(place, MakeVariant(std::move(old_variant)), MakeVariant(std::move(new_variant)));
}
inline DuetTest RegisterDuetTest(const DuetTest::Place& place, void (*old_variant)(State&),
                                 void (*new_variant)(State&)) {
  return DuetTest(place, MakeVariant(old_variant), MakeVariant(new_variant));
}

}  // namespace internal
}  // namespace duetbench

#define DUETBENCH_TEST_JOIN2(a, b) a##b
#define DUETBENCH_TEST_JOIN(a, b) DUETBENCH_TEST_JOIN2(a, b)

// Registers the comparison of two variants as the test SUITE.NAME. A suite may have ordinary TESTs
// beside it; names follow the rules of TEST. At namespace scope:
//
//   DUET_TEST(Parser, Speed, OldParse, NewParse).MaxRatio(1.05);
#define DUET_TEST(suite, name, old_variant, new_variant)                                        \
  [[maybe_unused]] static const ::duetbench::DuetTest DUETBENCH_TEST_JOIN(duet_test_of_##suite, \
                                                                          _##name) =            \
      ::duetbench::internal::RegisterDuetTest(                                                  \
          {#suite, #name, __FILE__, __LINE__, {#old_variant, #new_variant}}, old_variant,       \
          new_variant)

#endif  // DUETBENCH_GTEST_DUET_TEST_H_
