#ifndef DUETBENCH_RECORD_VERDICT_H_
#define DUETBENCH_RECORD_VERDICT_H_

#include <string>
#include <vector>

// Verdicts, the demands of gates, and the answers to them. Users' headers include this one: it
// includes nothing of Abseil.
namespace duetbench::stats {

// Verdict about the new variant, from an interval of new/old.
enum class Verdict {
  kFaster,        // the whole interval lies below 1
  kSlower,        // the whole interval lies above 1
  kEqual,         // the whole interval lies in the band that counts as no difference
  kInconclusive,  // none of these: more runs are needed
};

// "FASTER", "SLOWER", "EQUAL" or "INCONCLUSIVE".
const char* VerdictName(Verdict verdict);

// Which ratio of the times of the variants decides about verdict and gate.
enum class Estimand {
  kAuto,     // the typical one, unless the total one differs from it
  kTypical,  // of typical samples: the trimmed mean of the log-ratios of the pairs
  kTotal,    // of total times: what a program spends that calls the variants
};

}  // namespace duetbench::stats

namespace duetbench {

// The thing that a gate compares: one value of each run for each variant. The time of an iteration,
// unless one of these is set.
struct Metric {
  std::string counter;  // "ALLOCATIONS", "INSTRUCTIONS", "PEAK-RSS", …: what an iteration counts
  double quantile = 0;  // in (0, 1): of the times of single calls

  bool is_time() const { return counter.empty() && quantile == 0; }
  bool is_quantile() const { return quantile != 0; }
  static bool IsQuantile(double quantile) { return quantile > 0 && quantile < 1; }
};

inline bool operator==(const Metric& a, const Metric& b) {
  return a.counter == b.counter && a.quantile == b.quantile;
}

// A requirement on the ratio new/old of a metric: it lies in [lo(), hi()], both ends included.
struct GateSpec {
  enum class Kind {
    kMaxRatio,    // at most `value`, such as 1.05: new may be 5 % slower
    kMinSpeedup,  // new is at least `value` times as fast, such as 1.2: ratio <= 1 / value
    kMinRatio,    // at least `value`, such as 0.98: new may be 2 % faster
    kEquivalent,  // neither slower nor faster by more than `value`, such as 0.02
  };
  Kind kind = Kind::kMaxRatio;
  double value = 1;
  Metric metric = {};  // only kMaxRatio has others than the time

  // Each stops the program unless IsValid(kind, value).
  static GateSpec MaxRatio(double ratio, Metric metric = {});
  static GateSpec MinSpeedup(double factor);
  static GateSpec MinRatio(double ratio);
  static GateSpec Equivalent(double margin);

  // True if a gate of this kind may have this value: a finite ratio > 0, a finite factor > 0, a
  // margin between 0 and 1.
  static bool IsValid(Kind kind, double value);

  double lo() const;  // 0 where slower is all that is forbidden; 1 / (1 + value) for kEquivalent
  double hi() const;  // infinite for kMinRatio
};

inline bool operator==(const GateSpec& a, const GateSpec& b) {
  return a.kind == b.kind && a.value == b.value && a.metric == b.metric;
}

// Adds a gate, in place of the one on the same metric.
void SetGate(GateSpec gate, std::vector<GateSpec>* gates);

// The gate on times; null: there is none.
const GateSpec* TimeGate(const std::vector<GateSpec>& gates);

// The effect of an inconclusive gate (--duet_inconclusive).
enum class WhenInconclusive {
  kPass,  // it counts as passed, with a warning
  kFail,  // it counts as failed
  kSkip,  // the program ends with kExitSkipped, which test runners report as 'skipped'
};

// The answer to a gate, the worst one first: by itself PASS, FAIL, or neither.
enum class GateStatus {
  kError,
  kFail,
  kUnproven,  // in a suite: FAIL by itself, but not after Holm's correction; counts as inconclusive
  kInconclusive,
  kNotMeasured,  // a variant asked not to be measured, or the budget had no time
  kPass,
  kNoGate,
};

// "ERROR", "FAIL", "UNPROVEN", "INCONCLUSIVE", "SKIPPED", "PASS", "-".
const char* GateStatusName(GateStatus status);

}  // namespace duetbench

#endif  // DUETBENCH_RECORD_VERDICT_H_
