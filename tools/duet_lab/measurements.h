#ifndef DUETBENCH_TOOLS_DUET_LAB_MEASUREMENTS_H_
#define DUETBENCH_TOOLS_DUET_LAB_MEASUREMENTS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/duet_lab/lab_report.h"

namespace CLI {
class App;
}

namespace duetbench::lab {

// The options that all measurements have.
struct CommonOptions {
  std::string cpus;  // "0,1"; empty: the library chooses
  std::uint64_t seed = 1;
  std::vector<std::string> program_arguments;  // those after "--"
};

using Measure = std::function<absl::StatusOr<LabReport>(const CommonOptions&)>;

// Each function adds the options of one measurement to its command, and returns the function that
// measures with them. FailedPrecondition: this machine cannot do it.

// `duet_lab aa`: runs duet programs many times with different seeds, and counts how often their
// intervals and verdicts are wrong. A benchmark compares a function with itself unless --truth says
// what the ratio is.
Measure AddAa(CLI::App& command);

// `duet_lab replicate`: whether an interval holds when the measurement of unlike code is repeated:
// pairs of unlike code again and again at random moments, among plain loops of Google Benchmark;
// resumable.
Measure AddReplicate(CLI::App& command);

// `duet_lab precision`: widths of intervals at equal wall time, beside plain ABBA batches and
// repetitions of Google Benchmark, quiet and under loads; true ratio --ratio (2 in RQ4 of
// Bulej et al., ICPE 2020, section 4.4). At most 4 s a trial of a workload; a default run takes
// about 10 minutes.
Measure AddPrecision(CLI::App& command);

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_MEASUREMENTS_H_
