#ifndef DUETBENCH_DECIDE_GATE_H_
#define DUETBENCH_DECIDE_GATE_H_

#include <vector>

#include "absl/types/span.h"
#include "duetbench/decide/comparison.h"
#include "duetbench/decide/decision.h"
#include "duetbench/decide/select_pairs.h"
#include "duetbench/platform/exit_status.h"
#include "duetbench/record/options.h"
#include "duetbench/record/run_result.h"
#include "duetbench/record/verdict.h"

// The answers to gates on times, on quantiles of single calls, and on what variants count. Pure
// functions.
namespace duetbench {

using stats::GateResult;
using stats::Judge;
using stats::JudgeGate;

// True for the counter of an event. Counted in every run without one is what IsAlwaysCounted, and
// amounts (record/run_result.h).
bool NeedsEvent(const Metric& metric);

// The answers to the gates of `options`, in their order. `decision` is made of `selected`, the
// pairs of `results`; its level, and its share of 1 - level, are those of each answer.
//
// Quantiles of calls: inconclusive with too few calls or runs, and where reservations withhold the
// ratio of times. `selected` is not needed without such a gate.
//
// Counters: each run gives one value, and the runs the t interval: ln of the ratio or, where a
// variant counted 0 in a run, the difference new - max_ratio * old in units of the largest one. A
// counter that is the same in every run is decided by the first analysis. Inconclusive with fewer
// than two runs.
std::vector<GateResult> JudgeGates(const ExperimentOptions& options,
                                   absl::Span<const RunResult> results,
                                   const SelectedPairs& selected, const stats::Decision& decision);

// The gates of all duets that one program has run, and their meaning together. Pure functions.

// kUnproven, kInconclusive or kNotMeasured: WhenInconclusive says what it means.
bool IsUndecided(GateStatus status);
// Undecided, failed or an error: a report explains it.
bool NeedsAttention(GateStatus status);

// By duet, the outcomes of its gates, the worst one first; without gates kNoGate. A duet that was
// not measured has one: kError, or kNotMeasured if it has gates; those of unchanged code hold.
//
// A gate that FAILs stands if its p, adjusted by Holm (1979) over all gates, is at most alpha: then
// the chance that any gate fails whose requirement is in fact met is at most that, however many
// there are. Gates of different alphas are put on one scale by dividing p by alpha.
std::vector<std::vector<GateStatus>> JudgeSuite(absl::Span<const Comparison* const> duets);

// The exit status of a program with this worst outcome of a gate: kExitError also if there were
// `errors` (of ordinary benchmarks, too), kExitGateFailed if a gate failed, kExitSkipped if one is
// undecided and these are to be skipped, else kExitSuccess. Errors go first: a suite with an error
// has not been measured, and the report names the failed gates anyway.
ExitStatus SuiteExitStatus(GateStatus worst, int errors, WhenInconclusive when);

}  // namespace duetbench

#endif  // DUETBENCH_DECIDE_GATE_H_
