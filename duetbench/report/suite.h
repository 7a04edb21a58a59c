#ifndef DUETBENCH_REPORT_SUITE_H_
#define DUETBENCH_REPORT_SUITE_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/platform/cpu_pair.h"
#include "duetbench/runner/comparison.h"
#include "duetbench/runner/gate.h"

// The duets that one program has run, and what their gates mean together. Pure functions.
namespace duetbench {

struct SuiteEntry {
  std::string name;       // whole, arguments included: "BM_A_vs_BM_B/64"
  std::string file;       // of the DUET_BENCHMARK; empty if it is not known
  int line = 0;           // in it
  std::string error;      // why there is no estimate; empty: there is one, or it was a dry run
  Comparison comparison;  // its pairs are not looked at
  std::string repeat;     // the command line that measures it alone
};

// Where an entry stands after Holm's correction over all gates of the suite.
enum class Standing {
  kNoGate,
  kPass,
  kFail,
  kUnproven,      // FAIL by itself, but not among so many gates: counts as inconclusive
  kInconclusive,  // nor PASS nor FAIL
  kError,
};

// "-", "PASS", "FAIL", "UNPROVEN", "INCONCLUSIVE", "ERROR".
const char* StandingName(Standing standing);

// A gate that FAILs stands if its p, adjusted by Holm (1979) over all gates of the suite, is at
// most 1 - level: then the chance that any gate fails whose demand is in fact kept is at most that,
// however many there are. Each repetition of a benchmark is a gate. Gates of different levels are
// put on one scale by dividing p by their 1 - level.
std::vector<Standing> SettleSuite(absl::Span<const SuiteEntry> suite);

struct SuiteCounts {
  int gates = 0;
  int passed = 0;
  int failed = 0;
  int unproven = 0;
  int inconclusive = 0;
  int errors = 0;
};
SuiteCounts CountStandings(absl::Span<const Standing> standings);

// How a program ends: 2 if there were `errors` (of ordinary benchmarks, too), 1 if a gate failed,
// 77 if one is inconclusive or unproven and these are to be skipped, else 0. Errors go first: a
// suite with an error has not been measured, and what failed stands in the report all the same.
int SuiteStatus(const SuiteCounts& counts, int errors, WhenInconclusive when);

// "2 of 31 gates failed", "30 of 31 gates hold, 1 is inconclusive", "1 gate holds"; empty without
// gates.
std::string SuiteHeadline(const SuiteCounts& counts);

// What is said of an entry that is not simply as it should be: the message of its gate, the
// correction if that changed it, or the error.
std::string EntryMessage(const SuiteEntry& entry, Standing standing, const CpuPairChoice& cpus);

// The end of the report: the headline, then a message and the command line for every gate that does
// not hold. Empty without gates.
std::vector<std::string> ClosingLines(absl::Span<const SuiteEntry> suite,
                                      absl::Span<const Standing> standings, WhenInconclusive when,
                                      const CpuPairChoice& cpus);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_SUITE_H_
