#include "tools/duet_lab/program_run.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "duetbench/platform/text_file.h"
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

void NoteInterrupt(LabReport* report) {
  report->context["interrupted"] = WasInterrupted();
  if (WasInterrupted()) report->summary.emplace_back("interrupted: what was measured by then");
}

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
  const char* const folder = std::getenv("TMPDIR");
  std::string path = absl::StrCat(folder != nullptr ? folder : "/tmp", "/duet_lab_XXXXXX");
  const int descriptor = mkstemp(path.data());
  if (descriptor < 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat("cannot create the file ", path));
  }
  close(descriptor);
  request.argv.push_back(absl::StrCat("--benchmark_out=", path));
  // 1, 77: gates failed, or were not decided. 2: some of the benchmarks ended with an error; the
  // others are in the file.
  absl::StatusOr<ChildOutcome> outcome = RunProgram(request, {0, 1, 2, 77});
  std::string text = ReadTextFile(path).value_or("");
  unlink(path.c_str());
  if (!outcome.ok()) return outcome.status();
  return ProgramResult{std::move(text), std::move(outcome->output_tail),
                       absl::StrCat(request.argv[0], " ", DescribeEnd(*outcome)),
                       1e-9 * static_cast<double>(outcome->wall_time.count())};
}

absl::StatusOr<std::vector<duet_stat::BenchmarkTimes>> RunPlainProgram(
    const ChildRequest& request) {
  const absl::StatusOr<ProgramResult> result = RunBenchmarkProgram(request);
  if (!result.ok()) return result.status();
  std::istringstream stream(result->text);
  duet_stat::Input input{result->end, &stream, ""};
  std::getline(stream, input.first_line);
  absl::StatusOr<duet_stat::TimesData> times = duet_stat::ReadTimes(input);
  if (times.ok()) return std::move(times->benchmarks);
  return absl::InternalError(absl::StrCat(times.status().message(), "\n", result->output));
}

absl::StatusOr<std::vector<Observation>> RunDuetProgram(const ChildRequest& request) {
  const absl::StatusOr<ProgramResult> result = RunBenchmarkProgram(request);
  if (!result.ok()) return result.status();
  if (absl::StrContains(result->output, "no benchmark matches --benchmark_filter")) {
    return std::vector<Observation>();
  }
  absl::StatusOr<std::vector<Observation>> observations = ParseObservations(result->text);
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
