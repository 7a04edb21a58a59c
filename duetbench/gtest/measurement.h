#ifndef DUETBENCH_GTEST_MEASUREMENT_H_
#define DUETBENCH_GTEST_MEASUREMENT_H_

#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "duetbench/decide/comparison.h"
#include "duetbench/gtest/compare.h"
#include "duetbench/record/verdict.h"
#include "duetbench/report/facts.h"
#include "duetbench/variant/duet_functions.h"

namespace duetbench::internal {

// A call of Compare in a test.
struct TestPlace {
  std::string test;  // "Suite.Test", "Instance/Suite.Test/0"
  int call = 1;      // the first, second … of the test

  std::string Text() const { return absl::StrCat(test, "#", call); }
};

// One call of Compare: what is to be measured and, once it has been, what came out.
class Measurement {
 public:
  // At the place of the call.
  Measurement(DuetFunctions functions, CompareOptions options);
  // One that has been made; for tests.
  Measurement(std::string name, Comparison comparison,
              WhenInconclusive when_inconclusive = WhenInconclusive::kSkip);

  // Measures at the first call, with this gate, if there is one. In the process of a run that was
  // started for this very place it does not return.
  const Comparison& Measure(const std::optional<GateSpec>& gate = {});

  // Reports take these; without a ratio its interval has no bounds.
  // Measures.
  Facts facts();

  // As above, judged by `spec`, whatever gate it was measured for: with the answer to this gate,
  // and its message.
  Facts Judged(const GateSpec& spec);

  bool measured() const { return comparison_.has_value(); }
  // This process is a run of another place: nothing is measured here, and nothing depends on it.
  bool passed_by() const { return passed_by_; }

  // The test, and the number of the call if it is not the first: "Parser.IsFast",
  // "Parser.IsFast#2".
  const std::string& name() const { return name_; }

  // --duet_inconclusive.
  WhenInconclusive when_inconclusive() const { return when_inconclusive_; }

  // True once: for what is to be said a single time, however often matchers are asked.
  bool FirstToTell() { return !std::exchange(told_, true); }

 private:
  Comparison MeasureHere(const std::optional<GateSpec>& gate);

  DuetFunctions functions_;
  CompareOptions options_;
  std::optional<TestPlace> place_;
  std::string name_;
  std::optional<Comparison> comparison_;
  WhenInconclusive when_inconclusive_ = WhenInconclusive::kSkip;
  bool passed_by_ = false;
  bool told_ = false;
};

}  // namespace duetbench::internal

#endif  // DUETBENCH_GTEST_MEASUREMENT_H_
