#ifndef DUETBENCH_REPORT_CTEST_MEASUREMENTS_H_
#define DUETBENCH_REPORT_CTEST_MEASUREMENTS_H_

#include <string>

#include "duetbench/runner/comparison.h"

namespace duetbench {

// The ratio and the ends of its interval, each a line that ctest takes out of the output of a test
// and puts into Test.xml ("ctest -T Test"), for CDash and the like:
//
//   <CTestMeasurement type="numeric/double" name="ratio">0.8</CTestMeasurement>
//
// An end that is unbounded is left out; empty without an estimate.
std::string CtestMeasurements(const Comparison& comparison);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_CTEST_MEASUREMENTS_H_
