#ifndef DUETBENCH_STATS_FALSE_ALARMS_H_
#define DUETBENCH_STATS_FALSE_ALARMS_H_

namespace duetbench::stats {

// The most false alarms that `experiments` independent intervals at `level` may raise before
// something is wrong with them: more than that happen by chance in less than 0.5 % of cases
// (binomial). 0 without experiments.
//   FalseAlarmLimit(100, 0.95)  ->  11
int FalseAlarmLimit(int experiments, double level);

}  // namespace duetbench::stats

#endif  // DUETBENCH_STATS_FALSE_ALARMS_H_
