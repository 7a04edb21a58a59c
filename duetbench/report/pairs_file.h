#ifndef DUETBENCH_REPORT_PAIRS_FILE_H_
#define DUETBENCH_REPORT_PAIRS_FILE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "duetbench/decide/comparison.h"
#include "duetbench/report/output_file.h"

namespace duetbench {

// The file of --duet_out: every measured pair of every benchmark, also those that the estimate does
// not use, as CSV (RFC 4180) for duet_stat. Columns:
//   benchmark, run, block   where the pair belongs
//   iteration               its number in the run
//   old_ns, new_ns          time of each variant's sample, with its whole batch (manual time where
//                           the variants set it)
//   old_cpu, new_cpu        the CPU of each
//   ops, new_ops            iterations of the batch of old and of new
//   flags                   PairFlag, 0: undisturbed
//   assignment              0 or 1: of the variants to the CPUs or, interleaved, their order
//   old_cpu_ns, new_cpu_ns  CPU time of each sample
//   clock                   'real' or 'cpu': which times the ratio is of
//   layout                  number of the code layout of the run (RunResult::layout)
//   start_s                 when the run began, in seconds since the first run of the program;
//                           -1: not known (RunResult::start_s)
//   old_probe_ns, new_probe_ns  time of the probe of the core's speed before each sample
//                           (ticks.h); 0: there was none
//   old_pause_share, new_pause_share  time of the pauses of each variant in this run, over that of
//                           its work (RunResult::pause_share)
//   position_error, taper   of the experiment (stats::Reservations)
// The ratio of a pair is that of the times per iteration by its clock. Times have as many digits as
// it takes to read the same double again.

// The first line, with its line end.
std::string PairsCsvHeader();

// The lines of all pairs of a comparison, whose runs are numbered from `first_run` on.
std::string PairsCsvRows(absl::string_view benchmark, uint64_t first_run, const Comparison& result,
                         double ns_per_tick);

// Appends `cell` as it is, or in quotes if it has a comma, a quote, a line end or a space at either
// end.
void AppendCsvCell(absl::string_view cell, std::string* out);

class PairsFile {
 public:
  // Opens the file, if it is not open yet; `path` is empty: there is to be none. The error says why
  // it cannot be written.
  absl::Status Open(const std::string& path);

  // Appends the pairs of a comparison, if there is a file. The runs of one benchmark are numbered
  // on from call to call.
  void Append(const std::string& benchmark, const Comparison& result, double ns_per_tick);

  // The file gets its name, if anything was appended (output_file.h); else an earlier one stays as
  // it is. The error is the first one.
  absl::Status Commit();

 private:
  std::unique_ptr<OutputFile> file_;  // may be null
  std::map<std::string, uint64_t> runs_;
};

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_PAIRS_FILE_H_
