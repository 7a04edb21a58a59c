// Rows over the sizes of a family.
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "duetbench/experiment/comparison_in_progress.h"
#include "duetbench/google_benchmark/duet_rows.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/google_benchmark/duets.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class ComplexityRowsTest : public ::testing::Test {
 protected:
  ComplexityRowsTest() : instance_(InstanceOf("f")) {
    instance_.spec = &spec_;
    instance_.name.args = "8";
    instance_.name.time_type = "manual_time";
    spec_.complexity = benchmark::oAuto;
  }
  static Comparison Measured(int64_t n, double old_ns, double new_ns) {
    Comparison comparison = FasterComparison();
    comparison.estimate()->time_ns[0] = old_ns;
    comparison.estimate()->time_ns[1] = new_ns;
    for (VariantReport& variant : comparison.estimate()->variants) variant.complexity_n = n;
    return comparison;
  }
  // The rows behind those of the last instance.
  std::vector<ReportRow> Fits(const std::vector<Comparison>& measured) const {
    const std::vector<DuetInstance> instances(measured.size(), instance_);
    DuetRowCollector collector(instances);
    std::vector<ReportRow> rows;
    for (size_t i = 0; i < measured.size(); ++i) {
      rows = collector.Add(i, measured[i], FactsOf("f", measured[i]));
      const std::ptrdiff_t own = measured[i].failure() != nullptr ? 1 : 3;
      rows.erase(rows.begin(), rows.begin() + own);
      const bool is_last = i + 1 == measured.size();
      EXPECT_TRUE(is_last || rows.empty()) << "the family is not complete";
    }
    return rows;
  }

  DuetSpec spec_;
  DuetInstance instance_;
};

TEST_F(ComplexityRowsTest, AFitIsMadeForEachVariant) {
  std::vector<Comparison> measured;
  for (const int64_t n : {8, 64, 512}) {
    measured.push_back(Measured(n, 3.0 * static_cast<double>(n), 100 * std::log2(n)));
  }
  const std::vector<ReportRow> rows = Fits(measured);
  ASSERT_THAT(RowNames(rows), ElementsAre("f/manual_time/old_BigO", "f/manual_time/new_BigO",
                                          "f/manual_time/old_RMS", "f/manual_time/new_RMS"));
  EXPECT_EQ(rows[0].run.complexity, benchmark::oN);
  EXPECT_TRUE(rows[0].run.report_big_o);
  EXPECT_NEAR(rows[0].run.GetAdjustedRealTime(), 3, 1e-9);
  EXPECT_EQ(rows[1].run.complexity, benchmark::oLogN);
  EXPECT_NEAR(rows[1].run.GetAdjustedRealTime(), 100, 1e-9);
  EXPECT_TRUE(rows[2].run.report_rms);
  EXPECT_NEAR(rows[2].run.GetAdjustedRealTime(), 0, 1e-9);
}

TEST_F(ComplexityRowsTest, AVariantWithoutSizesHasNoFit) {
  spec_.complexity = benchmark::oN;
  std::vector<Comparison> measured = {Measured(8, 10, 10), Measured(64, 10, 10)};
  for (Comparison& comparison : measured) comparison.estimate()->variants[0].complexity_n = 0;
  EXPECT_THAT(RowNames(Fits(measured)),
              ElementsAre("f/manual_time/new_BigO", "f/manual_time/new_RMS"));
}

TEST_F(ComplexityRowsTest, ErrorsAreLeftOut) {
  std::vector<Comparison> measured = {FailedComparison("threw int"), Measured(8, 8, 8),
                                      Measured(64, 64, 64)};
  EXPECT_THAT(Fits(measured), SizeIs(4));
  measured.pop_back();
  EXPECT_THAT(Fits(measured), IsEmpty()) << "of one point";
  EXPECT_THAT(Fits({FailedComparison("threw int")}), IsEmpty());
}

}  // namespace
}  // namespace duetbench
