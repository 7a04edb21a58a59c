#include "tools/duet_lab/lab_report.h"

#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench::lab {
namespace {

using ::testing::HasSubstr;

LabReport SomeReport() {
  LabReport report;
  report.measurement = "lengths";
  report.context = {{"cpus", "CPUs 0 and 1"}};
  report.summary = {"CPUs 0 and 1"};
  report.columns = {{"name", "what"}, {"length_ns", "length [ns]", 1}, {"ok", "ok"}};
  report.rows = {{{"name", "short"}, {"length_ns", 1.25}, {"ok", true}, {"hidden", 7}},
                 {{"name", "±"}, {"length_ns", {{"text", "20.0 (10.0-30.0)"}, {"median", 20}}}}};
  report.checks = {{"short enough", "1.2 ns", true}, {"long enough", "1.2 ns", false}};
  return report;
}

TEST(LabReport, TheConsoleAlignsWhatTheColumnsName) {
  EXPECT_EQ(ToConsole(SomeReport()),
            "duet_lab: CPUs 0 and 1\n"
            "what        length [ns]   ok\n"
            "short               1.2  yes\n"
            "±      20.0 (10.0-30.0)    -\n"
            "met:     short enough (found 1.2 ns)\n"
            "NOT MET: long enough (found 1.2 ns)\n");
}

TEST(LabReport, WhatIsNotANumberIsADash) {
  EXPECT_EQ(CellText(std::numeric_limits<double>::quiet_NaN(), 2), "-");
  EXPECT_EQ(CellText(std::numeric_limits<double>::infinity(), 2), "-");
  EXPECT_EQ(CellText(nullptr, 2), "-");
  EXPECT_EQ(CellText(12345678901, 2), "12345678901");
  // JSON has no such numbers either.
  LabReport report;
  report.rows = {{{"value", std::numeric_limits<double>::quiet_NaN()}}};
  EXPECT_THAT(ToJson(report), HasSubstr("\"value\": null"));
}

}  // namespace
}  // namespace duetbench::lab
