#ifndef DUETBENCH_TOOLS_DUET_STAT_INPUT_TIMES_FILE_H_
#define DUETBENCH_TOOLS_DUET_STAT_INPUT_TIMES_FILE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/duet_stat/input/csv_file.h"
#include "tools/stats/rules/decision_rules.h"

namespace duetbench::duet_stat {

// A time is between these, in any unit: its square is no infinity and no zero.
inline constexpr double kMinTime = 1e-60;
inline constexpr double kMaxTime = 1e60;

// The times of one benchmark that were measured without a partner.
struct BenchmarkTimes {
  std::string name;  // "time" where the file gives none
  stats::Sample sample;
};

struct TimesData {
  std::vector<BenchmarkTimes> benchmarks;  // in the order in which they first appear
  std::vector<std::string> notices = {};   // what was left out, and what may mislead
  std::string machine = {};                // on which all were measured; empty: not known
};

// True if the file is of another tool: JSON, or the text of Go's benchmarks.
bool IsForeign(const Input& input);

// Reads times; what is no positive number is left out, with a notice.
//
// CSV               the column 'time' (or 'time_ns') and, if they are there, 'run' (without it all
//                   times are of one run), 'benchmark' and 'machine'. 'trial' and 'instance'
//                   (Laaber et al.) are other names of 'run' and 'machine'
// Google Benchmark  JSON of --benchmark_out: the real time of each repetition, in ns, is a run of
//                   one time. The second benchmark of a name is NAME#2
// hyperfine         JSON of --export-json: each of the times of a command is a run
// Go                text of `go test -bench . -count N`: each line is a run. A benchmark is its
//                   package and its whole name, as '-4' may be part of it
//
// InvalidArgument for another kind of file, for what CsvFile refuses, and without any time.
absl::StatusOr<TimesData> ReadTimes(const Input& input);

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_INPUT_TIMES_FILE_H_
