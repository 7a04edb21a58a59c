#ifndef DUETBENCH_DECIDE_SUITE_H_
#define DUETBENCH_DECIDE_SUITE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/decide/comparison.h"
#include "duetbench/decide/gate.h"
#include "duetbench/platform/exit_status.h"
#include "duetbench/record/gate_spec.h"
#include "duetbench/stats/pair_digest.h"

// The duets that one program has run, and what their gates mean together. Pure functions.
namespace duetbench {

struct SuiteEntry {
  std::string name;                    // whole, arguments included: "BM_A_vs_BM_B/64"
  std::vector<std::string> same_runs;  // the names of all duets that its runs measure
  std::string family;                  // the name without arguments
  std::string file;                    // of the DUET_BENCHMARK; empty if it is not known
  int line = 0;                        // in it
  bool has_gate = false;               // one was demanded, whatever became of it
  Comparison comparison;               // its pairs are not needed
  std::shared_ptr<const stats::PairDigest> digest;  // for pictures; may be null
  std::string repeat;                               // the command line that measures it alone

  // It was measured with the others of a group of more than two variants.
  bool is_of_group() const { return same_runs.size() > 1; }
};

// The failure of the entry; null if it has a result, or if its variants asked not to be measured.
const Failure* ErrorOf(const SuiteEntry& entry);

// Old and new are the same program, which was not measured; its gates hold.
bool IsUnchanged(const SuiteEntry& entry);

// --duet_budget had no time for it; its gates are undecided.
bool IsOutOfTime(const SuiteEntry& entry);

// kUnproven, kInconclusive or kNotMeasured: WhenInconclusive says what it means.
bool IsUndecided(GateStatus status);
// Undecided, failed or an error: a report explains it.
bool NeedsAttention(GateStatus status);

// The statuses of the entries; of several gates of a duet the worst one. A gate that FAILs stands
// if its p, adjusted by Holm (1979) over all gates, is at most alpha: then the chance that any gate
// fails whose requirement is in fact met is at most that, however many there are. Gates of
// different alphas are put on one scale by dividing p by alpha.
std::vector<GateStatus> GateStatuses(absl::Span<const SuiteEntry> suite);

// A duet may have several gates; each counts. One that was not measured counts as one gate.
struct SuiteCounts {
  int gates = 0;  // without errors
  int passed = 0;
  int failed = 0;
  int undecided = 0;
  int errors = 0;  // duets
};
SuiteCounts CountGates(absl::Span<const SuiteEntry> suite);

// The exit status of a program: kExitError if there were `errors` (of ordinary benchmarks, too),
// kExitGateFailed if a gate failed, kExitSkipped if one is undecided and these are to be skipped,
// else kExitSuccess. Errors go first: a suite with an error has not been measured, and the report
// names the failed gates anyway.
ExitStatus SuiteExitStatus(const SuiteCounts& counts, int errors, WhenInconclusive when);

}  // namespace duetbench

#endif  // DUETBENCH_DECIDE_SUITE_H_
