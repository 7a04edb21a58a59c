#include "duetbench/google_benchmark/distinct_names.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

DuetSpec Spec(const char* name, const char* file, int line) {
  DuetSpec spec;
  spec.name = name;
  spec.location = {file, line};
  return spec;
}

TEST(CheckDistinctNames, TwoDuetsOfOneNameAreRefusedWithBothPlaces) {
  const DuetSpec first = Spec("A_vs_B", "a.cc", 12);
  const DuetSpec second = Spec("A_vs_B", "b.cc", 34);
  const absl::Status status = CheckDistinctNames({&first, &second}, {});
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(),
              AllOf(HasSubstr("'A_vs_B', at a.cc:12 and at b.cc:34"), HasSubstr("->Name(")));
  const DuetSpec disabled = Spec("DISABLED_A", "a.cc", 1);
  EXPECT_TRUE(CheckDistinctNames({&first, &disabled, &disabled}, {}).ok());
}

TEST(CheckDistinctNames, ArgumentsArePartOfTheName) {
  DuetSpec first = Spec("A", "a.cc", 1);
  DuetSpec second = Spec("A", "a.cc", 2);
  first.arguments = {{1}, {2}};
  second.arguments = {{3}};
  EXPECT_TRUE(CheckDistinctNames({&first, &second}, {}).ok());
  second.arguments = {{2}};
  EXPECT_THAT(CheckDistinctNames({&first, &second}, {}).message(), HasSubstr("'A/2'"));
  first.arguments = {{1}, {1}};
  EXPECT_THAT(CheckDistinctNames({&first}, {}).message(),
              HasSubstr("'A/1' at a.cc:1 has the same arguments twice"));
}

TEST(CheckDistinctNames, ADuetHasARowForEachVariant) {
  const DuetSpec duet = Spec("A", "a.cc", 1);
  for (const char* const name : {"A/old", "A/new"}) {
    const DuetSpec other = Spec(name, "b.cc", 2);
    EXPECT_THAT(CheckDistinctNames({&other, &duet}, {}).message(),
                AllOf(HasSubstr("b.cc:2"), HasSubstr("a.cc:1")));
    EXPECT_THAT(CheckDistinctNames({&duet}, {name}).message(), HasSubstr("an ordinary benchmark"));
  }
  const DuetSpec other = Spec("A/older", "b.cc", 2);
  EXPECT_TRUE(CheckDistinctNames({&other, &duet}, {"B", "B", "A/oldest"}).ok());
}

TEST(CheckDistinctNames, AnOrdinaryBenchmarkMayNotHaveTheNameOfADuet) {
  const DuetSpec duet = Spec("A", "a.cc", 1);
  EXPECT_THAT(CheckDistinctNames({&duet}, {"B", "A"}).message(), HasSubstr("a.cc:1"));
}

}  // namespace
}  // namespace duetbench
