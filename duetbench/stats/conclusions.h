#ifndef DUETBENCH_STATS_CONCLUSIONS_H_
#define DUETBENCH_STATS_CONCLUSIONS_H_

// What can be concluded from an interval: names alone, for headers that users include.
namespace duetbench::stats {

// What an interval of new/old says about the new variant.
enum class Verdict {
  kFaster,        // the whole interval lies below 1
  kSlower,        // the whole interval lies above 1
  kEqual,         // the whole interval lies in the band that counts as no difference
  kInconclusive,  // none of these: more runs are needed
};

// What an interval says about a limit on the ratio.
enum class GateOutcome { kPass, kFail, kInconclusive };

}  // namespace duetbench::stats

#endif  // DUETBENCH_STATS_CONCLUSIONS_H_
