#include "tools/duet_lab/program_run.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "tools/duet_lab/result_file.h"

namespace duetbench::lab {

absl::StatusOr<ProgramResult> RunBenchmarkProgram(ChildRequest request) {
  const absl::StatusOr<ResultFile> file = ResultFile::Create();
  if (!file.ok()) return file.status();
  request.argv.push_back(absl::StrCat("--benchmark_out=", file->path()));
  request.argv.emplace_back("--benchmark_out_format=json");
  request.result_fd_variable = "DUET_LAB_FD";  // not used by the program
  request.timeout = std::chrono::hours(24);    // its runs have their own
  absl::StatusOr<ChildOutcome> outcome = RunSelf(request);
  if (!outcome.ok()) return outcome.status();
  if (outcome->end == ChildOutcome::End::kInterrupted) return absl::CancelledError("interrupted");
  // 1, 77: gates failed, or were not decided. 2: some of the benchmarks ended with an error; the
  // others are in the file.
  constexpr int kEnds[] = {0, 1, 2, 77};
  const bool ended =
      outcome->end == ChildOutcome::End::kExited &&
      std::find(std::begin(kEnds), std::end(kEnds), outcome->exit_code) != std::end(kEnds);
  std::string end = absl::StrCat(request.argv[0], " ", DescribeEnd(*outcome));
  if (!ended) return absl::InternalError(absl::StrCat(end, "\n", outcome->output_tail));
  return ProgramResult{file->Read(), std::move(outcome->output_tail), std::move(end),
                       1e-9 * static_cast<double>(outcome->wall_time.count())};
}

absl::StatusOr<std::vector<Observation>> RunDuetProgram(const ChildRequest& request) {
  const absl::StatusOr<ProgramResult> result = RunBenchmarkProgram(request);
  if (!result.ok()) return result.status();
  if (absl::StrContains(result->output, "no benchmark matches --benchmark_filter")) {
    return std::vector<Observation>();
  }
  absl::StatusOr<std::vector<Observation>> observations = ParseObservations(result->json);
  if (!observations.ok()) {
    return absl::InternalError(absl::StrCat(
        result->end, "; of its results: ", observations.status().message(), "\n", result->output));
  }
  for (Observation& observation : *observations) {
    observation.wall_seconds = result->wall_seconds / static_cast<double>(observations->size());
  }
  return observations;
}

}  // namespace duetbench::lab
