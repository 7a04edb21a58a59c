#ifndef DUETBENCH_RUNNER_GATE_H_
#define DUETBENCH_RUNNER_GATE_H_

#include "duetbench/stats/interval.h"
#include "duetbench/stats/verdict.h"

namespace duetbench {

// What a benchmark demands of its ratio new/old, as the user wrote it: that it lies in [lo(),
// hi()], both ends included.
struct GateDemand {
  enum class Kind {
    kNone,        // nothing: the benchmark has no gate
    kMaxRatio,    // at most `value`, such as 1.05: new may be 5 % slower
    kMinSpeedup,  // new is at least `value` times as fast, such as 1.2: ratio <= 1 / value
    kEquivalent,  // neither slower nor faster by more than `value`, such as 0.02
  };
  Kind kind = Kind::kNone;
  double value = 0;

  // Each stops the program unless Allows(kind, value).
  static GateDemand MaxRatio(double ratio);
  static GateDemand MinSpeedup(double factor);
  static GateDemand Equivalent(double margin);

  // Whether `value` makes sense: a finite ratio > 0, a finite factor > 0, 0 < margin < 1.
  static bool Allows(Kind kind, double value);

  bool exists() const { return kind != Kind::kNone; }
  double lo() const;  // 0 where there is none; 1 / (1 + value) for kEquivalent
  double hi() const;  // infinite for kNone
};

// PASS: the interval lies in the allowed range. FAIL: it lies outside, entirely on one side. Else,
// and for NaN, INCONCLUSIVE. For kMaxRatio this is stats::Gate.
//   Judge(GateDemand::MaxRatio(1.05), [1.061, 1.085])   ->  kFail
//   Judge(GateDemand::Equivalent(0.02), [0.99, 1.03])   ->  kInconclusive
stats::GateOutcome Judge(const GateDemand& demand, const stats::RatioInterval& interval);

// How a gate came out.
struct GateResult {
  GateDemand demand;
  stats::GateOutcome outcome = stats::GateOutcome::kInconclusive;
  // The smallest 1 - level at which the gate FAILs: what Holm's correction over a suite works on.
  // At most 1 - level exactly if the gate FAILs.
  double p = 1;
  int looks = 1;            // at the interval, this one included
  double share = 1;         // of 1 - level that this look had (stats/looks.h); 1: the only one
  bool time_spent = false;  // undecided when --duet_max_time was over
};

// Whether no more looks are needed at `level`. A PASS ends the measuring. A FAIL does when its p is
// at most (1 - level) / 1000, so that it survives Holm's correction in a suite of 1000 gates; else
// it is measured on, and the last look decides. What has failed clearly has so small a p by the
// second look: 10 % against 5 % with runs that spread by 0.3 % within 8 runs.
bool EndsMeasuring(const GateResult& gate, double level);

// What becomes of a gate that stays inconclusive (--duet_inconclusive).
enum class WhenInconclusive {
  kPass,  // it holds, with a warning
  kFail,  // as if it had failed
  kSkip,  // the program ends with 77, which test runners take as 'skipped'
};

}  // namespace duetbench

#endif  // DUETBENCH_RUNNER_GATE_H_
