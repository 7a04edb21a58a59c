#ifndef DUETBENCH_GTEST_MEASUREMENT_H_
#define DUETBENCH_GTEST_MEASUREMENT_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "duetbench/gtest/compare_options.h"
#include "duetbench/gtest/test_place.h"
#include "duetbench/runner/comparison.h"
#include "duetbench/runner/duet_run.h"
#include "duetbench/runner/gate.h"
#include "duetbench/runner/options.h"

namespace duetbench {

// `options` of the flags with those of a call over them. InvalidArgument names the one that makes
// no sense.
absl::StatusOr<ExperimentOptions> Merge(const CompareOptions& call, ExperimentOptions options);

namespace internal {

// One call of Compare: what is to be measured and, once it has been, what came out.
class Measurement {
 public:
  // At the place of the call.
  Measurement(DuetFunctions functions, CompareOptions options);
  // One that has been made; for tests.
  Measurement(std::string name, Comparison comparison);

  // Measures at the first call, with `demand` as its gate. In the process of a run that was started
  // for this very place it does not return.
  const Comparison& Measure(const GateDemand& demand = {});

  // As above, and judged by `demand`, whatever it was measured for: Comparison::gate is set.
  Comparison Judged(const GateDemand& demand);

  bool measured() const { return comparison_.has_value(); }
  // This process is a run of another place: nothing is measured here, and nothing depends on it.
  bool passed_by() const { return passed_by_; }

  // The test, and the number of the call if it is not the first: "Parser.IsFast",
  // "Parser.IsFast#2".
  const std::string& name() const { return name_; }

  // What GateMessage says of a comparison that Judged gave.
  std::string Message(const Comparison& judged) const;

  // True once: for what is to be said a single time, however often matchers are asked.
  bool FirstToTell() { return !std::exchange(told_, true); }

 private:
  Comparison MeasureHere(const GateDemand& demand);

  DuetFunctions functions_;
  CompareOptions options_;
  std::optional<TestPlace> place_;
  std::string name_;
  std::optional<Comparison> comparison_;
  bool passed_by_ = false;
  bool told_ = false;
};

}  // namespace internal
}  // namespace duetbench

#endif  // DUETBENCH_GTEST_MEASUREMENT_H_
