#ifndef DUETBENCH_GTEST_MEASUREMENT_H_
#define DUETBENCH_GTEST_MEASUREMENT_H_

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/decide/comparison.h"
#include "duetbench/experiment/experiment_host.h"
#include "duetbench/google_benchmark/program_options.h"
#include "duetbench/gtest/compare_options.h"
#include "duetbench/gtest/test_place.h"
#include "duetbench/measure/duet_run.h"

namespace duetbench {

namespace internal {

// State that the comparisons of one test program share.
struct TestProgram {
  explicit TestProgram(std::vector<std::string> command_line);

  absl::StatusOr<ProgramOptions> options;  // flags that GoogleTest's main leaves alone
  ExperimentHost host;
  std::map<std::string, int> repetitions;  // of each comparison, by name
};

// Made at the first call.
TestProgram& ThisTestProgram();

// One call of Compare: what is to be measured and, once it has been, what came out.
class Measurement {
 public:
  // At the place of the call.
  Measurement(DuetFunctions functions, CompareOptions options, VariantNames names = {});
  // One that has been made; for tests.
  Measurement(std::string name, Comparison comparison,
              WhenInconclusive when_inconclusive = WhenInconclusive::kSkip);

  // Measures at the first call, with this gate, if there is one. In the process of a run that was
  // started for this very place it does not return.
  const Comparison& Measure(const std::optional<GateSpec>& gate = {});

  // As above, and judged by `spec`, whatever gate it was measured for: it has the answer to this
  // gate.
  Comparison Judged(const GateSpec& spec);

  bool measured() const { return comparison_.has_value(); }
  // This process is a run of another place: nothing is measured here, and nothing depends on it.
  bool passed_by() const { return passed_by_; }

  // The test, and the number of the call if it is not the first: "Parser.IsFast",
  // "Parser.IsFast#2".
  const std::string& name() const { return name_; }

  // --duet_inconclusive.
  WhenInconclusive when_inconclusive() const { return when_inconclusive_; }

  // The message of a comparison that Judged returned.
  std::string Message(const Comparison& judged) const;

  // True once: for what is to be said a single time, however often matchers are asked.
  bool FirstToTell() { return !std::exchange(told_, true); }

 private:
  Comparison MeasureHere(const std::optional<GateSpec>& gate);

  DuetFunctions functions_;
  CompareOptions options_;
  VariantNames names_;
  std::optional<TestPlace> place_;
  std::string name_;
  std::optional<Comparison> comparison_;
  WhenInconclusive when_inconclusive_ = WhenInconclusive::kSkip;
  bool passed_by_ = false;
  bool told_ = false;
};

}  // namespace internal
}  // namespace duetbench

#endif  // DUETBENCH_GTEST_MEASUREMENT_H_
