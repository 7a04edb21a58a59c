#ifndef DUETBENCH_TOOLS_DUET_LAB_PRECISION_H_
#define DUETBENCH_TOOLS_DUET_LAB_PRECISION_H_

namespace duetbench::lab {

// The role of a process with old and new of a workload in Google Benchmark alone, in ABBA order.
inline constexpr char kGoogleRole[] = "google";
inline constexpr int kGoogleRepetitions = 20;  // of old and new together

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_PRECISION_H_
