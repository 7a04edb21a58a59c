#include "tools/duet/plain_program.h"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "duetbench/report/repeat_command.h"

namespace duetbench::duet {
namespace {

double NsOfUnit(const std::string& unit) {
  if (unit == "us") return 1e3;
  if (unit == "ms") return 1e6;
  return unit == "s" ? 1e9 : 1;
}

// Adds up the rows of one kind.
struct Sum {
  ExecutionTimes times = {0, 0, 0};
  int rows = 0;

  void Add(const nlohmann::json& row) {
    const double unit_ns = NsOfUnit(row.value("time_unit", std::string("ns")));
    times.real_ns += row.value("real_time", 0.0) * unit_ns;
    times.cpu_ns += row.value("cpu_time", 0.0) * unit_ns;
    times.iterations += row.value("iterations", 0.0);
    ++rows;
  }
};

}  // namespace

OfferedBenchmark BenchmarkCalled(absl::string_view name) {
  OfferedBenchmark offered;
  offered.name = std::string(name);
  offered.family_name = offered.name;
  offered.is_foreign = true;
  for (absl::string_view part : absl::StrSplit(name, '/')) {
    if (part == "manual_time") offered.manual_time = true;
    if (part == "real_time") offered.real_time = true;
    if (part == "process_time") offered.process_cpu_time = true;
    int threads = 0;
    if (absl::ConsumePrefix(&part, "threads:") && absl::SimpleAtoi(part, &threads)) {
      offered.threads = threads;
    }
  }
  return offered;
}

Offer OfferOfList(absl::string_view list, absl::string_view other) {
  Offer offer;
  offer.protocol = kPlainProtocol;
  const std::set<absl::string_view> others = absl::StrSplit(other, '\n');
  for (const absl::string_view name : absl::StrSplit(list, '\n', absl::SkipWhitespace())) {
    if (others.count(name) == 0) {
      offer.benchmarks.push_back(BenchmarkCalled(absl::StripSuffix(name, "\r")));
    }
  }
  return offer;
}

absl::StatusOr<ExecutionTimes> TimesIn(absl::string_view report) {
  const absl::Status none = absl::DataLossError("reported no time");
  // As the reporter of Google Benchmark writes a row.
  constexpr absl::string_view kBegin = "    {\n      \"name\":";
  constexpr absl::string_view kEnd = "\n    }";
  Sum samples;
  Sum means;  // of a benchmark that reports aggregates only
  for (size_t at = 0; (at = report.find(kBegin, at)) != absl::string_view::npos; ++at) {
    const size_t end = report.find(kEnd, at);
    if (end == absl::string_view::npos) return none;
    const nlohmann::json row =
        nlohmann::json::parse(report.substr(at, end + kEnd.size() - at), nullptr, false);
    if (!row.is_object()) return none;
    if (row.value("error_occurred", false)) {
      return absl::AbortedError(
          absl::StrCat("reported an error: ", row.value("error_message", std::string())));
    }
    if (row.value("run_type", std::string()) == "iteration") samples.Add(row);
    if (row.value("aggregate_name", std::string()) == "mean") means.Add(row);
  }
  Sum sum = samples.rows > 0 ? samples : means;
  if (sum.rows == 0 || !(sum.times.real_ns > 0) || !(sum.times.iterations >= 1)) return none;
  sum.times.real_ns /= sum.rows;
  sum.times.cpu_ns /= sum.rows;
  return sum.times;
}

void LeaveOutOthers(double waited_ns, double times_blocked, ExecutionTimes* times) {
  constexpr double kMargin = 1.02;          // chosen
  constexpr double kBlockedAtTheEnds = 50;  // chosen: reading its libraries, writing its report
  if (times_blocked > kBlockedAtTheEnds) return;
  const double others_ns = (times->real_ns - times->cpu_ns) * times->iterations;
  if (others_ns > 0 && others_ns <= kMargin * waited_ns) times->real_ns = times->cpu_ns;
}

ExecutedPrograms BenchmarkOf(const ProgramCommand (&programs)[2], const std::string& name) {
  ExecutedPrograms executed;
  std::vector<std::string> words[2];
  for (const int side : {0, 1}) {
    std::string executable;
    words[side] = WordsOf(programs[side], &executable);
    executed.folders[side] = programs[side].folder;
    // A name without a folder is one of this folder, as elsewhere.
    words[side][0] =
        absl::StrContains(executable, '/') ? executable : absl::StrCat("./", executable);
  }
  executed.takes_seconds = true;
  executed.has_report = true;
  executed.words = [old_words = words[0], new_words = words[1], name](int side, const RunPlan& plan,
                                                                      double seconds) {
    std::vector<std::string> all = side == 0 ? old_words : new_words;
    all.push_back(absl::StrCat("--benchmark_filter=", ExactFilter({name})));
    // Seconds without a unit: all versions take that, and those before 1.8 nothing else.
    all.push_back(plan.fixed_iterations > 0
                      ? absl::StrCat("--benchmark_min_time=", plan.fixed_iterations, "x")
                      : absl::StrFormat("--benchmark_min_time=%.4f", seconds));
    all.emplace_back("--benchmark_format=json");
    return all;
  };
  const OfferedBenchmark offered = BenchmarkCalled(name);
  const bool has_own_time =
      !offered.manual_time && !offered.process_cpu_time && offered.threads <= 1;
  executed.times = [has_own_time](const Execution& execution) -> absl::StatusOr<ExecutionTimes> {
    absl::StatusOr<ExecutionTimes> times = TimesIn(execution.report);
    if (times.ok() && has_own_time)
      LeaveOutOthers(execution.record.waited_ns, execution.record.times_blocked, &*times);
    if (times.ok() || absl::IsAborted(times.status())) return times;
    return absl::DataLossError(
        absl::StrCat(execution.HowItEnded(), "; it ", times.status().message()));
  };
  return executed;
}

}  // namespace duetbench::duet
