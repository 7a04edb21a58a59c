#ifndef DUETBENCH_REPORT_GATE_WORDS_H_
#define DUETBENCH_REPORT_GATE_WORDS_H_

#include <string>

#include "duetbench/platform/cpu_pair.h"
#include "duetbench/runner/comparison.h"
#include "duetbench/runner/gate.h"

// What is said about a gate to someone who sees only these lines in a log. Pure functions. Numbers
// are rounded, the decision was made before.
namespace duetbench {

// "new is 7.3 % slower than old (99 % interval +6.1 … +8.5 %)", "new takes 3.2 % less time than old
// (…)", "new takes 2.05 times as long as old (99 % interval 2.01 … 2.09 times)".
std::string DifferenceText(const stats::RatioInterval& interval);

// "allowed +5 %", "allowed -10 %", "allowed ±2 %", "demanded 1.2 times as fast".
std::string DemandText(const GateDemand& demand);

// "10 runs, 18,431 pairs, 212 dropped; CPUs 0,1 (separate cores, shared L3)"; where it is so: ";
// not a duet: interleaved on CPU 0", "; this process only", "; interrupted".
std::string MeasuredText(const Comparison& comparison, const CpuPairChoice& cpus);

// Smallest slow-down that as many runs, with the spread that these had, find in 95 % of cases at
// the interval's level: 0.004 for 0.4 %. 0 where nothing tells: fewer than two runs.
double DetectableSlowdown(const Comparison& comparison);

// All of it, for a comparison with an estimate and a gate:
//   FAIL BM_Parse/1024: new is 7.3 % slower than old (99 % interval +6.1 … +8.5 %), allowed +5 %.
//   10 runs, 18,431 pairs, 212 dropped; CPUs 0,1 (separate cores). A/A on this machine detects ≥
//   0.4 %.
// in one line. An inconclusive one says after what time it was given up.
std::string GateMessage(const std::string& name, const Comparison& comparison,
                        const CpuPairChoice& cpus);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_GATE_WORDS_H_
