#include <benchmark/benchmark.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "duetbench/counters/counter_set.h"
#include "duetbench/counters/event_names.h"
#include "duetbench/counters/survey.h"
#include "duetbench/platform/ticks.h"
#include "duetbench/run/duet_run.h"
#include "duetbench/stats/interval.h"
#include "duetbench/stats/robust.h"
#include "tools/duet_lab/measurements.h"
#include "tools/stats/hodges_lehmann.h"

namespace duetbench::lab {
namespace {

constexpr double kLevel = 0.99;
// Differences up to this are no difference that counting makes.
constexpr double kMargin = 0.005;

struct CountedWorkload {
  const char* name;
  std::function<void(State&)> variant;
  // Values of each repetition: with counters over without.
  std::vector<double> log_times;
  std::vector<double> log_ratios;
  std::vector<double> pairs_share;  // pairs with counters by pairs without
};

void Loop(State& state) {
  for (auto _ : state) {
    for (int i = 0; i < 30; ++i) benchmark::DoNotOptimize(i);
  }
}

// A walk in random order through more than the first-level cache holds.
void Walk(State& state) {
  std::vector<uint32_t> next(64 << 10);
  std::iota(next.begin(), next.end(), 0u);
  std::mt19937 random(7);
  // Sattolo: one cycle through all.
  for (size_t i = next.size() - 1; i > 0; --i) std::swap(next[i], next[random() % i]);
  uint32_t at = 0;
  for (auto _ : state) {
    for (int i = 0; i < 10; ++i) at = next[at];
    benchmark::DoNotOptimize(at);
  }
}

// Every event makes the kernel count.
void Faults(State& state) {
  const auto page_bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t bytes = 16 * page_bytes;
  for (auto _ : state) {
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (size_t i = 0; i < bytes; i += page_bytes) static_cast<volatile char*>(memory)[i] = 1;
    munmap(memory, bytes);
  }
}

// The result of one run: the time per iteration of both variants, and their ratio.
struct Measured {
  double log_time;
  double log_ratio;
  double pairs;
};

absl::StatusOr<Measured> Measure(const RunPlan& plan, const CountedWorkload& workload) {
  const DuetFunctions functions = {{MakeVariant(workload.variant), MakeVariant(workload.variant)},
                                   {}};
  const RunResult result = ExecuteRun(plan, functions);
  if (!result.error.cause.empty()) return absl::InternalError(result.error.cause);
  std::vector<double> log_times;
  std::vector<double> log_ratios;
  for (const PairRecord& pair : result.pairs) {
    if (pair.flags != 0) continue;
    double log_time[2];
    for (int variant = 0; variant < 2; ++variant) {
      log_time[variant] =
          std::log(pair.ticks[variant] / static_cast<double>(pair.iterations[variant]));
    }
    log_times.push_back((log_time[0] + log_time[1]) / 2);
    log_ratios.push_back(log_time[1] - log_time[0]);
  }
  if (log_times.empty()) return absl::FailedPreconditionError("every pair was disturbed");
  const auto pairs = static_cast<double>(log_times.size());
  return Measured{stats::TrimmedMean(std::move(log_times), stats::kTrimFraction),
                  stats::TrimmedMean(std::move(log_ratios), stats::kTrimFraction), pairs};
}

// Nanoseconds of one call: of many in a row, the row that was disturbed least.
double CallNs(const Machine& machine, const std::function<void()>& call) {
  constexpr int kRows = 20;
  constexpr int kCalls = 100;
  double least = 0;
  for (int row = 0; row < kRows; ++row) {
    const uint64_t begin = ticks::Now();
    for (int i = 0; i < kCalls; ++i) call();
    const double ns = static_cast<double>(ticks::Now() - begin) * machine.ns_per_tick / kCalls;
    least = row == 0 ? ns : std::min(least, ns);
  }
  return least;
}

void AddCosts(const Machine& machine, const std::vector<EventCode>& codes, LabReport* report) {
  CounterSet counters(&LinuxPerf(), codes.data(), codes.size());
  const double switching = CallNs(machine, [&counters] {
    counters.Enable(0);
    counters.Disable();
  });
  counters.Enable(0);
  const double reading = CallNs(machine, [&counters] {
    counters.Start();
    counters.Stop();
  });
  counters.Disable();
  report->context["enable_disable_ns"] = switching;
  report->context["two_readings_ns"] = reading;
  report->summary.push_back(absl::StrFormat(
      "for a sample that counts, outside of the timed region: enabling and disabling %.0f ns, two "
      "readings %.0f ns",
      switching, reading));
}

void AddRow(const CountedWorkload& workload, LabReport* report) {
  nlohmann::ordered_json row = {{"workload", workload.name}};
  const auto add = [&](const char* what, const std::vector<double>& logs) {
    const auto interval = stats::HodgesLehmannInterval(logs, kLevel);
    const std::string key = what;
    if (!interval.ok()) return;
    row[key + "_percent"] = 100 * (interval->ratio - 1);
    row[key + "_lo_percent"] = 100 * (interval->lo - 1);
    row[key + "_hi_percent"] = 100 * (interval->hi - 1);
    const bool excludes = interval->lo > 1 + kMargin || interval->hi < 1 / (1 + kMargin);
    report->checks.push_back(
        {absl::StrFormat("%s: counting is not seen to change the %s by more than %.1f %%",
                         workload.name, what, 100 * kMargin),
         absl::StrFormat("%+.3f %%, 99 %% interval [%+.3f, %+.3f]", 100 * (interval->ratio - 1),
                         100 * (interval->lo - 1), 100 * (interval->hi - 1)),
         !excludes});
  };
  add("time", workload.log_times);
  add("ratio", workload.log_ratios);
  row["pairs_share"] = stats::Median(workload.pairs_share);
  report->rows.push_back(std::move(row));
}

}  // namespace

absl::StatusOr<LabReport> MeasureCounting(Arguments& arguments) {
  const int64_t run_ms = arguments.Whole("run_ms", 100, 1, 100'000);
  const std::string names = arguments.Text(
      "events", "perf::PAGE-FAULTS,perf::CONTEXT-SWITCHES,INSTRUCTIONS,CYCLES,BRANCH-MISSES");
  LabReport report;
  report.measurement = "counters";
  const absl::StatusOr<RepetitionPlan> repeated = PlanRepetitions(arguments, 40, 2, &report);
  if (!repeated.ok()) return repeated.status();
  const Machine& machine = repeated->machine;
  if (machine.cpus.relation == CpuRelation::kOneCpu) {
    return absl::FailedPreconditionError("a duet needs two CPUs");
  }
  const EventSurvey survey =
      SurveyEvents(SplitEventNames(names), ResolveEvent, &LinuxPerf(), ReadPerfSurroundings(""));
  for (const std::string& line : MissingLines(survey.missing)) report.summary.push_back(line);
  if (survey.events.empty()) return absl::FailedPreconditionError("no event can be counted here");

  RunPlan plan;
  plan.ns_per_tick = machine.ns_per_tick;
  plan.cpus[0] = machine.cpus.cpus[0];
  plan.cpus[1] = machine.cpus.cpus[1];
  plan.budget_ns = static_cast<double>(run_ms) * 1e6;
  std::vector<EventCode> codes;
  for (const Event& event : survey.events) codes.push_back(event.code);
  const std::string counted = absl::StrJoin(
      survey.events, ", ", [](std::string* out, const Event& event) { out->append(event.name); });
  report.context["events"] = counted;
  report.context["run_ms"] = run_ms;
  report.summary.push_back(absl::StrFormat(
      "counting %s; %d runs of %d ms with and as many without, by turns; with counters against "
      "without, in per cent, Hodges-Lehmann with its 99 %% interval",
      counted, repeated->repetitions, run_ms));
  AddCosts(machine, codes, &report);

  CountedWorkload workloads[] = {{"loop", Loop, {}, {}, {}},
                                 {"walk 256 KiB", Walk, {}, {}, {}},
                                 {"16 page faults", Faults, {}, {}, {}}};
  std::mt19937_64 random(repeated->seed);
  for (int64_t repetition = 0; repetition < repeated->repetitions; ++repetition) {
    for (CountedWorkload& workload : workloads) {
      plan.seed = random();
      plan.run = static_cast<uint32_t>(repetition);
      Measured measured[2];  // without, with
      const auto first = static_cast<int>(random() & 1u);
      for (const int with : {first, 1 - first}) {
        RunPlan run = plan;
        for (size_t i = 0; with == 1 && i < codes.size(); ++i) {
          run.event_codes[run.events++] = codes[i];
        }
        const absl::StatusOr<Measured> one = Measure(run, workload);
        if (!one.ok()) return one.status();
        measured[with] = *one;
      }
      workload.log_times.push_back(measured[1].log_time - measured[0].log_time);
      workload.log_ratios.push_back(measured[1].log_ratio - measured[0].log_ratio);
      workload.pairs_share.push_back(measured[1].pairs / measured[0].pairs);
    }
  }
  report.columns = {{"workload", "duet of"},           {"time_percent", "time [%]", 3},
                    {"time_lo_percent", "from", 3},    {"time_hi_percent", "to", 3},
                    {"ratio_percent", "ratio [%]", 3}, {"ratio_lo_percent", "from", 3},
                    {"ratio_hi_percent", "to", 3},     {"pairs_share", "pairs", 2}};
  for (const CountedWorkload& workload : workloads) AddRow(workload, &report);
  return report;
}

}  // namespace duetbench::lab
