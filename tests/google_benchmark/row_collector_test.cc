#include <utility>
#include <vector>

#include "duetbench/google_benchmark/duet_rows.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/google_benchmark/duets.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Comparison OfSize(int64_t n) {
  Comparison comparison = FasterComparison();
  for (VariantReport& variant : comparison.estimate()->variants) variant.complexity_n = n;
  return comparison;
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
  }
  DuetRowCollector collector(instances);
  EXPECT_THAT(RowNames(collector.Add(1, OfSize(64))), ElementsAre("f/64/old", "f/64/new", "f/64"));
  EXPECT_THAT(RowNames(collector.Add(0, OfSize(8))),
              ElementsAre("f/8/old", "f/8/new", "f/8", "f/old_BigO", "f/new_BigO", "f/old_RMS",
                          "f/new_RMS"));
}

TEST(DuetRowCollectorTest, ThePairsAreNotKept) {
  const std::vector<DuetInstance> instances = {InstanceOf("a")};
  DuetRowCollector collector(instances);
  Comparison comparison = FasterComparison();
  comparison.results.resize(3);
  comparison.estimate()->run_pairs.resize(3);
  const std::vector<ReportRow> rows = collector.Add(0, std::move(comparison));
  EXPECT_THAT(rows[2].comparison->results, IsEmpty());
  EXPECT_THAT(rows[2].comparison->estimate()->run_pairs, IsEmpty());
}

}  // namespace
}  // namespace duetbench
