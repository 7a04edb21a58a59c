#ifndef DUETBENCH_GATES_GATE_SPEC_H_
#define DUETBENCH_GATES_GATE_SPEC_H_

#include <string>

// The demands of gates. Users' headers include this one: it includes nothing of Abseil.
namespace duetbench {

// A requirement on the ratio new/old of a benchmark: it lies in [lo(), hi()], both ends included.
struct GateSpec {
  enum class Kind {
    kMaxRatio,    // at most `value`, such as 1.05: new may be 5 % slower
    kMinSpeedup,  // new is at least `value` times as fast, such as 1.2: ratio <= 1 / value
    kMinRatio,    // at least `value`, such as 0.98: new may be 2 % faster
    kEquivalent,  // neither slower nor faster by more than `value`, such as 0.02
  };
  Kind kind = Kind::kMaxRatio;
  double value = 1;

  // Each stops the program unless IsValid(kind, value).
  static GateSpec MaxRatio(double ratio);
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
  return a.kind == b.kind && a.value == b.value;
}

// The effect of an inconclusive gate (--duet_inconclusive).
enum class WhenInconclusive {
  kPass,  // it counts as passed, with a warning
  kFail,  // it counts as failed
  kSkip,  // the program ends with kExitSkipped, which test runners report as 'skipped'
};

// A requirement on what both variants count per iteration: new counts at most `max_ratio` times as
// much as old. 1 allows no increase. A finite number above 0.
struct CounterGateSpec {
  std::string counter;  // "ALLOCATIONS", "INSTRUCTIONS", …
  double max_ratio = 1;
};

inline bool operator==(const CounterGateSpec& a, const CounterGateSpec& b) {
  return a.counter == b.counter && a.max_ratio == b.max_ratio;
}

// A requirement on a quantile of the times of single calls: that of new is at most `max_ratio`
// times that of old.
struct QuantileGateSpec {
  double quantile = 0.99;  // in (0, 1)
  double max_ratio = 1;    // positive and finite

  static bool IsQuantile(double quantile) { return quantile > 0 && quantile < 1; }
  bool IsValid() const {
    return IsQuantile(quantile) && GateSpec::IsValid(GateSpec::Kind::kMaxRatio, max_ratio);
  }
};

inline bool operator==(const QuantileGateSpec& a, const QuantileGateSpec& b) {
  return a.quantile == b.quantile && a.max_ratio == b.max_ratio;
}

}  // namespace duetbench

#endif  // DUETBENCH_GATES_GATE_SPEC_H_
