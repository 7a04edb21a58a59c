#ifndef DUETBENCH_TOOLS_DUET_STAT_INPUT_TIMES_CSV_H_
#define DUETBENCH_TOOLS_DUET_STAT_INPUT_TIMES_CSV_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/duet_stat/input/byte_source.h"
#include "tools/duet_stat/input/pairs_csv.h"
#include "tools/stats/rules/decision_rules.h"

namespace duetbench::duet_stat {

// The times of one benchmark that were measured without a partner.
struct BenchmarkTimes {
  std::string name;      // "time" where the file gives none
  stats::Sample sample;  // `machine` is empty if the file marks none
};

struct TimesData {
  std::vector<BenchmarkTimes> benchmarks;  // in the order in which they first appear
  std::vector<std::string> notices = {};
  std::string machine = {};  // on which all of them were measured; empty: not known
};

// Reads a file with the column 'time' (or 'time_ns') and, if they are there, 'run' (without it all
// times are of one run, and a notice says so), 'benchmark' and 'machine'; others are ignored.
// 'trial' and 'instance' (Laaber et al.) are other names of 'run' and 'machine'. Errors and notices
// as PairsCsvReader; options.machine is not used, as each of two compared files would be a machine
// by itself.
absl::StatusOr<TimesData> ReadTimesCsv(ByteSource source, const std::string& name,
                                       const PairsCsvOptions& options = {});

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_INPUT_TIMES_CSV_H_
