#ifndef DUETBENCH_STATS_ESTIMAND_H_
#define DUETBENCH_STATS_ESTIMAND_H_

// Users' headers include this one: it includes nothing.
namespace duetbench::stats {

// Which ratio of the times of the variants decides about verdict and gate.
enum class Estimand {
  kAuto,     // the typical one, unless the total one differs from it
  kTypical,  // of typical samples: the trimmed mean of the log-ratios of the pairs
  kTotal,    // of total times: what a program spends that calls the variants
};

}  // namespace duetbench::stats

#endif  // DUETBENCH_STATS_ESTIMAND_H_
