#ifndef DUETBENCH_REPORT_REPEAT_COMMAND_H_
#define DUETBENCH_REPORT_REPEAT_COMMAND_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"

namespace duetbench {

// `text` as one word of a POSIX shell: unchanged if every character is harmless, else in single
// quotes.
std::string ShellQuoted(absl::string_view text);

// The filter that selects these benchmarks and no others: "^(BM_Sort|BM_Map/8)$". At least one
// name.
std::string ExactFilter(const std::vector<std::string>& names);

// The command line of this program with other flags: `argv` and `environment` as in RepeatCommand,
// without the flags that `flags` has.
std::string ChangedCommand(const std::vector<std::string>& argv,
                           const std::vector<std::pair<std::string, std::string>>& environment,
                           const std::vector<std::string>& flags);

// The command line that measures benchmarks alone, with the same options: `argv` of this program
// with the filter and the seed set, without the flags that write files or print lists.
// `environment` has the variables that set flags (DUET_…, BENCHMARK_…); the same flags are left out
// of them.
std::string RepeatCommand(const std::vector<std::string>& argv,
                          const std::vector<std::pair<std::string, std::string>>& environment,
                          const std::vector<std::string>& names, uint64_t seed);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_REPEAT_COMMAND_H_
