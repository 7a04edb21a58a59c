#include <optional>
#include <utility>
#include <vector>

#include "duetbench/google_benchmark/duet_rows.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/google_benchmark/duets.h"

namespace duetbench {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

Comparison OfSize(int64_t n) {
  Comparison comparison = FasterComparison();
  for (VariantReport& variant : comparison.estimate()->variants) variant.complexity_n = n;
  return comparison;
}

TEST(DuetRowCollectorTest, RowsComeAfterTheLastRepetition) {
  const std::vector<DuetInstance> instances = {InstanceOf("a", 2), InstanceOf("b", 1)};
  DuetRowCollector collector(instances);
  EXPECT_FALSE(collector.Add(0, RepetitionOf(0.8, 80)).has_value());
  const std::optional<InstanceRows> b = collector.Add(1, FasterComparison());
  ASSERT_TRUE(b.has_value());
  EXPECT_THAT(RowNames(b->repetitions), ElementsAre("b/old", "b/new", "b"));
  EXPECT_THAT(b->aggregates, IsEmpty());
  const std::optional<InstanceRows> a = collector.Add(0, RepetitionOf(0.9, 80));
  ASSERT_TRUE(a.has_value());
  EXPECT_THAT(a->repetitions, SizeIs(6));
  EXPECT_THAT(RowNames(a->aggregates), Contains("a_pooled"));
}

TEST(DuetRowCollectorTest, ErrorsCountAsRepetitions) {
  const std::vector<DuetInstance> instances = {InstanceOf("a", 2)};
  DuetRowCollector collector(instances);
  EXPECT_FALSE(collector.Add(0, FailedComparison("threw int")).has_value());
  const std::optional<InstanceRows> rows = collector.Add(0, FasterComparison());
  ASSERT_TRUE(rows.has_value());
  EXPECT_THAT(RowNames(rows->repetitions), ElementsAre("a", "a/old", "a/new", "a"));
}

// Whatever the order: the instance that is complete last is followed by the fits.
TEST(DuetRowCollectorTest, ComplexityComesAfterTheWholeFamily) {
  DuetSpec spec;
  spec.name = "f";
  spec.complexity = benchmark::oN;
  std::vector<DuetInstance> instances;
  for (const char* argument : {"8", "64"}) {
    DuetInstance& instance = instances.emplace_back();
    instance.spec = &spec;
    instance.name.function_name = "f";
    instance.name.args = argument;
    instance.repetitions = 2;
  }
  DuetRowCollector collector(instances);
  collector.Add(0, OfSize(8));
  collector.Add(1, OfSize(64));
  const std::optional<InstanceRows> last_argument = collector.Add(1, OfSize(64));
  ASSERT_TRUE(last_argument.has_value());
  EXPECT_THAT(RowNames(last_argument->aggregates), Not(Contains("f/old_BigO")));
  const std::optional<InstanceRows> last = collector.Add(0, OfSize(8));
  ASSERT_TRUE(last.has_value());
  EXPECT_THAT(RowNames(last->aggregates), Contains("f/8_cv"));
  EXPECT_EQ(RowNames(last->aggregates).back(), "f/new_RMS");
}

TEST(DuetRowCollectorTest, ThePairsAreNotKept) {
  const std::vector<DuetInstance> instances = {InstanceOf("a")};
  DuetRowCollector collector(instances);
  Comparison comparison = FasterComparison();
  comparison.results.resize(3);
  comparison.estimate()->run_pairs.resize(3);
  const std::optional<InstanceRows> rows = collector.Add(0, std::move(comparison));
  ASSERT_TRUE(rows.has_value());
  EXPECT_THAT(rows->repetitions[2].comparison->results, IsEmpty());
  EXPECT_THAT(rows->repetitions[2].comparison->estimate()->run_pairs, IsEmpty());
}

}  // namespace
}  // namespace duetbench
