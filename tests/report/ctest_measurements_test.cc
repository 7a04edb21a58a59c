#include "duetbench/report/ctest_measurements.h"

#include <limits>

#include "gtest/gtest.h"
#include "tests/report/comparisons.h"

namespace duetbench {
namespace {

TEST(CtestMeasurementsTest, AreTheRatioAndItsEnds) {
  EXPECT_EQ(
      CtestMeasurements(FasterComparison()),
      "<CTestMeasurement type=\"numeric/double\" name=\"ratio\">0.8</CTestMeasurement>\n"
      "<CTestMeasurement type=\"numeric/double\" name=\"ratio_lo\">0.79</CTestMeasurement>\n"
      "<CTestMeasurement type=\"numeric/double\" name=\"ratio_hi\">0.81</CTestMeasurement>\n");
}

TEST(CtestMeasurementsTest, AnUnboundedEndIsLeftOut) {
  EXPECT_EQ(
      CtestMeasurements(WithVerdict(stats::Verdict::kInconclusive,
                                    Interval(1.5, 0.25, std::numeric_limits<double>::infinity()))),
      "<CTestMeasurement type=\"numeric/double\" name=\"ratio\">1.5</CTestMeasurement>\n"
      "<CTestMeasurement type=\"numeric/double\" name=\"ratio_lo\">0.25</CTestMeasurement>\n");
}

TEST(CtestMeasurementsTest, ThereAreNoneWithoutAnEstimate) {
  Comparison comparison = FasterComparison();
  comparison.has_estimate = false;
  EXPECT_EQ(CtestMeasurements(comparison), "");
}

}  // namespace
}  // namespace duetbench
