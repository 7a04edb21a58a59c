#ifndef DUETBENCH_RECORD_VERDICT_H_
#define DUETBENCH_RECORD_VERDICT_H_

// Users' headers include this one: it includes nothing.
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

#endif  // DUETBENCH_RECORD_VERDICT_H_
