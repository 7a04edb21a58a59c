#ifndef DUETBENCH_MAIN_SUITE_HEADER_H_
#define DUETBENCH_MAIN_SUITE_HEADER_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/api/duet_spec.h"
#include "duetbench/api/flags.h"
#include "duetbench/experiment/launcher.h"
#include "duetbench/main/tool.h"

namespace duetbench {

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

}  // namespace duetbench

#endif  // DUETBENCH_MAIN_SUITE_HEADER_H_
