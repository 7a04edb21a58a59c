#include "tools/duet_lab/program_run.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "tools/duet_lab/result_file.h"
#include "tools/duet_lab/roles.h"

namespace duetbench::lab {
namespace {

volatile std::sig_atomic_t interrupted = 0;
void OnInterrupt(int) { interrupted = 1; }

}  // namespace

void CatchInterrupts() {
  std::signal(SIGINT, OnInterrupt);
  std::signal(SIGTERM, OnInterrupt);
}

bool WasInterrupted() { return interrupted != 0; }

absl::StatusOr<ChildOutcome> RunProgram(ChildRequest request, const std::vector<int>& statuses) {
  request.result_fd_variable = kResultFdVariable;
  request.timeout = std::chrono::hours(24);
  request.interrupted = &interrupted;
  absl::StatusOr<ChildOutcome> outcome = RunSelf(request);
  if (!outcome.ok()) return outcome;
  if (outcome->end == ChildOutcome::End::kInterrupted) return absl::CancelledError("interrupted");
  if (outcome->end == ChildOutcome::End::kExited &&
      std::find(statuses.begin(), statuses.end(), outcome->exit_code) != statuses.end()) {
    return outcome;
  }
  return absl::InternalError(
      absl::StrCat(request.argv[0], " ", DescribeEnd(*outcome), "\n", outcome->output_tail));
}

absl::StatusOr<ProgramResult> RunBenchmarkProgram(ChildRequest request) {
  const absl::StatusOr<ResultFile> file = ResultFile::Create();
  if (!file.ok()) return file.status();
  request.argv.push_back(absl::StrCat("--benchmark_out=", file->path()));
  request.argv.emplace_back("--benchmark_out_format=json");
  // 1, 77: gates failed, or were not decided. 2: some of the benchmarks ended with an error; the
  // others are in the file.
  absl::StatusOr<ChildOutcome> outcome = RunProgram(request, {0, 1, 2, 77});
  if (!outcome.ok()) return outcome.status();
  return ProgramResult{file->Read(), std::move(outcome->output_tail),
                       absl::StrCat(request.argv[0], " ", DescribeEnd(*outcome)),
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
