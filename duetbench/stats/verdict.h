#ifndef DUETBENCH_STATS_VERDICT_H_
#define DUETBENCH_STATS_VERDICT_H_

// Users' headers include this one: it includes nothing.
namespace duetbench::stats {

struct RatioInterval;  // interval.h

// Verdict about the new variant, from an interval of new/old.
enum class Verdict {
  kFaster,        // the whole interval lies below 1
  kSlower,        // the whole interval lies above 1
  kEqual,         // the whole interval lies in the band that counts as no difference
  kInconclusive,  // none of these: more runs are needed
};

// "FASTER", "SLOWER", "EQUAL" or "INCONCLUSIVE".
const char* VerdictName(Verdict verdict);

// The verdict with the practical margin d = `margin` >= 0 and the band [1/(1+d), 1+d]. The rules,
// in this order: the interval is inside the band (ends included): kEqual; above 1: kSlower; below
// 1: kFaster; else kInconclusive. The band comes first: a difference that is proved but smaller
// than the margin does not matter. With margin 0 this is the rule of the duet paper (Bulej et al.,
// ICPE 2020, section 3): an interval that contains 1 reports no difference; only the interval
// [1, 1] is then kEqual. An interval with a NaN end is kInconclusive. A negative or NaN margin
// stops the program.
//   Decide({1.002, 0.996, 1.008, ...}, 0.01)  ->  kEqual
//   Decide({1.030, 0.999, 1.061, ...}, 0.01)  ->  kInconclusive
Verdict Decide(const RatioInterval& interval, double margin);

// Which ratio of the times of the variants decides about verdict and gate.
enum class Estimand {
  kAuto,     // the typical one, unless the total one differs from it
  kTypical,  // of typical samples: the trimmed mean of the log-ratios of the pairs
  kTotal,    // of total times: what a program spends that calls the variants
};

}  // namespace duetbench::stats

#endif  // DUETBENCH_STATS_VERDICT_H_
