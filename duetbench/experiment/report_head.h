#ifndef DUETBENCH_EXPERIMENT_REPORT_HEAD_H_
#define DUETBENCH_EXPERIMENT_REPORT_HEAD_H_

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/api/duet_spec.h"
#include "duetbench/api/flags.h"
#include "duetbench/experiment/experiment_plan.h"
#include "duetbench/experiment/launcher.h"
#include "duetbench/record/options.h"

// The head of a report: the machine, and the way in which the flags measure the duets of a program.
namespace duetbench {

// The programs, for the head of the reports.
struct ProgramsCompared {
  std::vector<std::pair<std::string, std::string>> programs;  // names ("old"), and what is started
  std::string remark = {};                                    // follows them
  bool have_layouts = false;                                  // runs have random code layouts
  std::string why_linked = {};  // why they have not, or not of all functions
};

// The lines above the rows of duets.
struct SuiteHeader {
  std::vector<std::string> lines;                                 // of the console
  std::vector<std::pair<std::string, std::string>> json_context;  // names and values
};

// Describes the machine, the programs compared if there are any, how the variants are called and
// compiled, and the counters; `duets` with their arguments. Inspects the machine. The error is that
// of the machine, or that a counter is missing and --duet_require_counters demands it.
absl::StatusOr<SuiteHeader> DescribeSuite(const Flags& flags,
                                          const std::vector<const DuetSpec*>& specs,
                                          const std::optional<ProgramsCompared>& programs,
                                          size_t duets, Launcher* launcher);

// The parts of it that depend on nothing else. Pure functions.

// For consoles: the CPUs and the clock, the options, then every warning, a line each.
// `budget_s` is that of --duet_budget, 0 without one: where `duets` take long, a line names it.
std::vector<std::string> HeaderLines(const Machine& machine, const ExperimentOptions& options,
                                     double budget_s = 0, size_t duets = 1);

// For the "context" of a JSON report, by key; the seed makes the same random choices again. The
// keys begin with "duet_"; the values are text, because Google Benchmark has no others. What a
// benchmark sets for itself in the chain is not included.
std::vector<std::pair<std::string, std::string>> ContextEntries(const Machine& machine,
                                                                const ExperimentOptions& options);

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_REPORT_HEAD_H_
