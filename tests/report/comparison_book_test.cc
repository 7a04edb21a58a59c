#include "duetbench/report/comparison_book.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/comparisons.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Comparison Failed() {
  Comparison comparison;
  comparison.error.cause = "threw int";
  return comparison;
}

TEST(ComparisonBookTest, FindsByNumber) {
  ComparisonBook book;
  const int64_t first = book.Add(FasterComparison(), "a", {}, true);
  const int64_t second = book.Add(Failed(), "a", {1}, true);
  EXPECT_EQ(book.size(), 2);
  ASSERT_NE(book.Find(first), nullptr);
  EXPECT_EQ(book.Find(first)->runs, 40);
  EXPECT_EQ(book.Find(second)->error.cause, "threw int");
  EXPECT_EQ(book.Find(0), nullptr);
  EXPECT_EQ(book.Find(second + 1), nullptr);
}

TEST(ComparisonBookTest, DoesNotKeepThePairs) {
  ComparisonBook book;
  Comparison comparison = FasterComparison();
  comparison.results.resize(3);
  comparison.run_pairs.resize(3);
  const int64_t number = book.Add(comparison, "a", {}, true);
  EXPECT_THAT(book.Find(number)->results, IsEmpty());
  EXPECT_THAT(book.Find(number)->run_pairs, IsEmpty());
}

// Random interleaving reports the repetitions of several benchmarks in any order.
TEST(ComparisonBookTest, GroupsRepetitionsByFamilyAndArguments) {
  ComparisonBook book;
  const int64_t a1 = book.Add(FasterComparison(), "a", {1}, true);
  const int64_t a2 = book.Add(FasterComparison(), "a", {2}, true);
  const int64_t b1 = book.Add(FasterComparison(), "b", {1}, true);
  const int64_t a1_again = book.Add(FasterComparison(), "a", {1}, false);
  const int64_t a1_failed = book.Add(Failed(), "a", {1}, false);
  const int64_t a2_again = book.Add(FasterComparison(), "a", {2}, false);
  EXPECT_EQ(book.GroupOf(a1_again), book.GroupOf(a1));
  EXPECT_EQ(book.GroupOf(a1_failed), book.GroupOf(a1));
  EXPECT_NE(book.GroupOf(a2), book.GroupOf(a1));
  EXPECT_NE(book.GroupOf(b1), book.GroupOf(a1));
  EXPECT_THAT(book.Repetitions(book.GroupOf(a1)), ElementsAre(book.Find(a1), book.Find(a1_again)));
  EXPECT_THAT(book.Repetitions(book.GroupOf(a2)), ElementsAre(book.Find(a2), book.Find(a2_again)));
  EXPECT_THAT(book.Repetitions(77), IsEmpty());
}

TEST(ComparisonBookTest, ABenchmarkThatIsRunAgainIsAnotherGroup) {
  ComparisonBook book;
  const int64_t first = book.Add(FasterComparison(), "a", {}, true);
  const int64_t second = book.Add(FasterComparison(), "a", {}, true);
  EXPECT_NE(book.GroupOf(first), book.GroupOf(second));
  EXPECT_THAT(book.Repetitions(book.GroupOf(second)), ElementsAre(book.Find(second)));
}

TEST(ComparisonBookTest, AFamilyHasAllThatSucceeded) {
  ComparisonBook book;
  EXPECT_EQ(book.FindFamily("a"), nullptr);
  const int64_t first = book.Add(FasterComparison(), "a", {1}, true);
  book.Add(FasterComparison(), "b", {1}, true);
  book.Add(Failed(), "a", {2}, true);
  const int64_t second = book.Add(FasterComparison(), "a", {3}, true);
  EXPECT_EQ(book.FindFamily("a")->complexity, benchmark::oNone);
  book.SetComplexity("a", benchmark::oNLogN, nullptr);
  ASSERT_NE(book.FindFamily("a"), nullptr);
  EXPECT_EQ(book.FindFamily("a")->complexity, benchmark::oNLogN);
  EXPECT_THAT(book.FindFamily("a")->comparisons, ElementsAre(book.Find(first), book.Find(second)));
}

}  // namespace
}  // namespace duetbench
