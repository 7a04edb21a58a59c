#ifndef DUETBENCH_DECIDE_SUITE_H_
#define DUETBENCH_DECIDE_SUITE_H_

#include <vector>

#include "absl/types/span.h"
#include "duetbench/decide/comparison.h"
#include "duetbench/decide/gate.h"
#include "duetbench/platform/exit_status.h"
#include "duetbench/record/gate_spec.h"

// The gates of all duets that one program has run, and their meaning together. Pure functions.
namespace duetbench {

// kUnproven, kInconclusive or kNotMeasured: WhenInconclusive says what it means.
bool IsUndecided(GateStatus status);
// Undecided, failed or an error: a report explains it.
bool NeedsAttention(GateStatus status);

struct SuiteGates {
  std::vector<GateStatus> statuses;  // of each duet; of several gates the worst one
  // A duet may have several gates; each counts. One that was not measured counts as one gate. Those
  // of code that is unchanged hold.
  int gates = 0;  // without errors
  int passed = 0;
  int failed = 0;
  int undecided = 0;
  int errors = 0;  // duets
};

// A gate that FAILs stands if its p, adjusted by Holm (1979) over all gates, is at most alpha: then
// the chance that any gate fails whose requirement is in fact met is at most that, however many
// there are. Gates of different alphas are put on one scale by dividing p by alpha.
SuiteGates JudgeSuite(absl::Span<const Comparison* const> duets);

// The exit status of a program: kExitError if there were `errors` (of ordinary benchmarks, too),
// kExitGateFailed if a gate failed, kExitSkipped if one is undecided and these are to be skipped,
// else kExitSuccess. Errors go first: a suite with an error has not been measured, and the report
// names the failed gates anyway.
ExitStatus SuiteExitStatus(const SuiteGates& gates, int errors, WhenInconclusive when);

}  // namespace duetbench

#endif  // DUETBENCH_DECIDE_SUITE_H_
