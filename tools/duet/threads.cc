#include "tools/duet/threads.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/main/interrupt.h"
#include "duetbench/process/subprocess.h"
#include "duetbench/report/repeat_command.h"

namespace duetbench::duet {
namespace {

// Starts the program without the flags and gates that are for this tool, and with its report alone
// on stdout.
constexpr char kAlone[] =
    "for v in $(env | sed -n -e 's/^\\(DUET_[A-Z_]*\\)=.*/\\1/p' "
    "-e 's/^\\(BENCHMARK_[A-Z_]*\\)=.*/\\1/p'); do unset \"$v\"; done; exec \"$@\" 2>/dev/null";

double NsOfUnit(const std::string& unit) {
  if (unit == "us") return 1e3;
  if (unit == "ms") return 1e6;
  return unit == "s" ? 1e9 : 1;
}

ChildRequest RequestFor(const ProgramCommand& program, const std::string& name,
                        const RunPlan& plan) {
  ChildRequest request;
  std::string executable;
  std::vector<std::string> words = WordsOf(program, &executable);
  // A name without a folder is one of this folder, as elsewhere.
  words[0] = absl::StrContains(executable, '/') ? executable : absl::StrCat("./", executable);
  request.executable = "/bin/sh";
  request.argv = {"sh", "-c", kAlone, "duet"};
  request.argv.insert(request.argv.end(), words.begin(), words.end());
  // Google Benchmark takes about one and a half times as long, to find the number of iterations.
  // Without a unit: all versions take that, and those before 1.8 nothing else.
  const double seconds = std::max(plan.budget_ns * 1e-9 / 3, 0.001);
  for (const std::string& flag : {absl::StrCat("--benchmark_filter=", ExactFilter({name})),
                                  absl::StrFormat("--benchmark_min_time=%.4f", seconds),
                                  std::string("--benchmark_format=json")}) {
    request.argv.push_back(flag);
  }
  request.result_fd_variable = "DUET_THREADS_FD";
  request.tail_bytes = size_t{1} << 20;
  request.interrupted = InterruptSignal();
  const double timeout_ns = plan.timeout_ns > 0 ? plan.timeout_ns : 3600e9;
  request.timeout = std::chrono::nanoseconds(static_cast<int64_t>(timeout_ns + plan.budget_ns));
  return request;
}

LaunchedRun Failed(int side, const std::string& cause) {
  LaunchedRun run;
  run.result.error = {side, cause};
  return run;
}

}  // namespace

absl::StatusOr<ProgramTimes> TimesIn(absl::string_view report) {
  const nlohmann::json json = nlohmann::json::parse(report, nullptr, /*allow_exceptions=*/false);
  const absl::Status none = absl::DataLossError("it reported no time");
  if (!json.is_object() || !json.contains("benchmarks")) return none;
  ProgramTimes sum;
  int rows = 0;
  for (const nlohmann::json& row : json["benchmarks"]) {
    if (!row.is_object()) return none;
    if (row.value("error_occurred", false)) {
      return absl::AbortedError(
          absl::StrCat("reported an error: ", row.value("error_message", std::string())));
    }
    if (row.value("run_type", std::string()) != "iteration") continue;
    const double unit_ns = NsOfUnit(row.value("time_unit", std::string("ns")));
    sum.real_ns += row.value("real_time", 0.0) * unit_ns;
    sum.cpu_ns += row.value("cpu_time", 0.0) * unit_ns;
    sum.iterations += row.value("iterations", 0.0);
    ++rows;
  }
  if (rows == 0 || !(sum.real_ns > 0) || !(sum.iterations >= 1)) return none;
  sum.real_ns /= rows;
  sum.cpu_ns /= rows;
  return sum;
}

std::function<absl::StatusOr<LaunchedRun>(const RunPlan&)> TurnsOfPrograms(
    const ProgramCommand& old_program, const ProgramCommand& new_program, const std::string& name) {
  return [=](const RunPlan& plan) -> absl::StatusOr<LaunchedRun> {
    const ProgramCommand* const programs[2] = {&old_program, &new_program};
    std::mt19937_64 random(plan.seed + plan.run);
    const auto first = static_cast<int>(random() & 1);
    LaunchedRun run;
    PairRecord pair{};
    pair.assignment = static_cast<uint32_t>(first);
    const auto begin = std::chrono::steady_clock::now();
    for (const int side : {first, 1 - first}) {
      const ProgramCommand& program = *programs[plan.self >= 0 ? plan.self : side];
      const absl::StatusOr<ChildOutcome> outcome = RunSelf(RequestFor(program, name, plan));
      if (!outcome.ok()) return outcome.status();
      if (outcome->end == ChildOutcome::End::kInterrupted) {
        run.interrupted = true;
        return run;
      }
      const absl::StatusOr<ProgramTimes> times = TimesIn(outcome->output_tail);
      if (!times.ok()) {
        const bool reported = absl::IsAborted(times.status());
        return Failed(side, reported ? std::string(times.status().message())
                                     : absl::StrCat(DescribeEnd(*outcome), ": ",
                                                    std::string(times.status().message())));
      }
      pair.ticks[side] = times->real_ns * times->iterations / plan.ns_per_tick;
      pair.cpu_ns[side] = times->cpu_ns * times->iterations;
      pair.iterations[side] = static_cast<uint64_t>(times->iterations);
      pair.cpus[side] = -1;
    }
    run.wall_ns =
        std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
    run.result.batch = pair.iterations[0];
    run.result.sample_ns = std::max(pair.ticks[0], pair.ticks[1]) * plan.ns_per_tick;
    run.result.wall_ns = std::min(run.wall_ns, (pair.ticks[0] + pair.ticks[1]) * plan.ns_per_tick);
    run.result.pairs.push_back(pair);
    return run;
  };
}

}  // namespace duetbench::duet
