#include "duetbench/experiment/measure_duets.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <random>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "duetbench/api/option_table.h"
#include "duetbench/experiment/demands.h"
#include "duetbench/experiment/duet_job.h"
#include "duetbench/experiment/duet_measurer.h"
#include "duetbench/experiment/interrupt.h"
#include "duetbench/experiment/suite_runs.h"
#include "duetbench/google_benchmark/duet_rows.h"
#include "duetbench/google_benchmark/registered_benchmarks.h"
#include "duetbench/google_benchmark/registry.h"
#include "duetbench/platform/event_names.h"
#include "duetbench/platform/exit_status.h"
#include "duetbench/platform/ticks.h"
#include "duetbench/report/pair_digest.h"
#include "duetbench/report/printable.h"
#include "duetbench/report/suite_facts.h"

namespace duetbench {
namespace {

// The runs of several duets take place in random order. A dry run is too short for that.
bool IsInterleaved(const std::vector<DuetInstance>& instances, const DuetSettings& settings) {
  return !settings.flags.sequential && instances.size() > 1 &&
         !OptionsOf(*instances.front().spec, settings.flags).dry_run;
}

// Benchmarks of programs are registered one by one, with their arguments in their names.
std::string FamilyName(const DuetSpec& spec) {
  const std::string name = Printable(spec.name);
  if (spec.programs == nullptr) return name;
  const std::string function = name.substr(0, name.find('/'));
  return spec.group == nullptr ? function : absl::StrCat(function, name.substr(name.rfind('/')));
}

// The rate of the clock if there is to be a page with pictures, else 0.
double PictureNsPerTick(const DuetSettings& settings, ExperimentHost* host) {
  return settings.flags.report.empty() || !host->machine().ok() ? 0 : host->machine()->ns_per_tick;
}

// `picture_ns_per_tick` is PictureNsPerTick.
SuiteEntry MakeEntry(const DuetInstance& instance, Comparison comparison,
                     double picture_ns_per_tick) {
  SuiteEntry entry;
  entry.facts = FactsOf(instance.name.str(), comparison);
  entry.facts.file = Printable(instance.spec->location.file);
  entry.facts.line = instance.spec->location.line;
  if (picture_ns_per_tick > 0) {
    entry.facts.digest = DigestOfExperiment(comparison, picture_ns_per_tick);
  }
  entry.family = FamilyName(*instance.spec);
  entry.comparison = std::move(comparison);
  entry.comparison.DropPairs();
  return entry;
}

// With the part of the budget that each of `jobs` jobs has, if there is a budget.
DuetSettings WithBudget(DuetSettings settings, const std::vector<DuetInstance>& instances,
                        size_t jobs) {
  // For the report; a start of a run that the time does not suffice for is no start.
  constexpr double kMeasuringShare = 0.95;
  if (settings.flags.budget == 0 || jobs == 0) return settings;
  if (OptionsOf(*instances.front().spec, settings.flags).dry_run) return settings;
  settings.budget_of_each = kMeasuringShare * settings.flags.budget / static_cast<double>(jobs);
  return settings;
}

void MakeRuns(const DuetSettings& settings, DuetJobs* all) {
  SuiteOrder order;
  order.interleaved = all->interleaved;
  order.seed = settings.flags.options.seed;
  if (settings.budget_of_each > 0) {
    using Clock = TickClock;
    order.budget_s = all->budget_s = settings.flags.budget;
    order.clock = all->clock = [start = Clock::now()] {
      return std::chrono::duration<double>(Clock::now() - start).count();
    };
  }
  const InterruptGuard guard;
  MakeSuiteRuns(all->jobs, order, ExperimentHost::interrupted);
}

}  // namespace

ExperimentOptions OptionsOf(const DuetSpec& spec, const Flags& flags) {
  return MakeExperimentOptions(flags.options, spec.options);
}

std::vector<size_t> MeasuredTogether(size_t number, const std::vector<DuetInstance>& instances,
                                     const Flags& flags) {
  const DuetInstance& instance = instances[number];
  const std::shared_ptr<const DuetGroup>& group = instance.spec->group;
  if (group == nullptr) return {number};
  const ExperimentOptions options = OptionsOf(*instance.spec, flags);
  const bool is_of_pairs = options.dry_run || options.runs == 1 || options.fixed_iterations > 0 ||
                           options.isolation == Isolation::kThread ||
                           options.isolation == Isolation::kProcess ||
                           HasCpusForThreads(options.cpus_per_variant) ||
                           RunsConcurrently(options.schedule.value_or(Schedule::kAlternating));
  if (is_of_pairs) return {number};
  std::vector<size_t> together;
  size_t with_base = 0;
  for (size_t i = 0; i < instances.size(); ++i) {
    if (instances[i].spec->group != group || instances[i].ranges != instance.ranges) continue;
    together.push_back(i);
    with_base += instances[i].spec->pair.old_variant == 0 ? 1 : 0;
  }
  return with_base + 1 == group->names.size() ? together : std::vector<size_t>{number};
}

std::vector<std::string> EventNames(const Flags& flags, const std::vector<const DuetSpec*>& specs) {
  std::vector<std::string> names = SplitEventNames(flags.perf_counters);
  const auto add = [&names](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  const auto add_gates = [&add](const std::vector<GateSpec>& gates) {
    for (const GateSpec& gate : gates) {
      if (NeedsEvent(gate.metric)) add(gate.metric.counter);
    }
  };
  add_gates(flags.options.gates);
  for (const DuetSpec* spec : specs) {
    for (const std::string& name : spec->counter_names) add(name);
    add_gates(spec->options.gates);
  }
  return names;
}

double MaxSeconds(const ExperimentOptions& options) {
  // The machines of continuous integration are slow.
  constexpr double kSlowness = 10;
  // A run that is stuck reports it after the time-out of one run; the second one is for what
  // happened before it.
  constexpr double kRunTimeouts = 2;
  const double seconds = !options.gates.empty() && options.runs == 0
                             ? std::max(options.min_time.value(), MaxTime(options))
                             : options.min_time;
  return kSlowness * seconds + kRunTimeouts * options.timeout;
}

std::vector<SuiteEntry> MeasureDuets(const std::vector<DuetInstance>& instances,
                                     const DuetSettings& all_settings, ExperimentHost* host,
                                     Reports* reports) {
  const DuetSettings settings = WithBudget(all_settings, instances, instances.size());
  DuetMeasurer measurer(settings, host);
  std::vector<SuiteEntry> entries;
  const auto take = [&](const std::vector<size_t>& of_job, size_t duet, Comparison comparison,
                        bool begun) {
    const DuetInstance& instance = instances[of_job[duet]];
    comparison.names = instance.spec->variant_names;
    CheckDemands(&comparison);
    const ExperimentOptions options = OptionsOf(*instance.spec, settings.flags);
    comparison.has_gate = !options.gates.empty() && !options.dry_run;
    SuiteEntry entry = MakeEntry(instance, std::move(comparison), PictureNsPerTick(settings, host));
    reports->Add(MakeInstanceRows(instance, entry.comparison, entry.facts));
    if (!begun) return;
    for (const size_t other : of_job) {
      entry.same_runs.push_back(Printable(instances[other].name.str()));
    }
    entries.push_back(std::move(entry));
  };
  DuetJobs all;
  all.measurer = &measurer;
  all.interleaved = IsInterleaved(instances, settings);
  int count = 0;
  std::set<size_t> in_a_group;  // instances of jobs before
  for (size_t i = 0; i < instances.size(); ++i) {
    if (in_a_group.count(i) > 0) continue;
    const std::vector<size_t> of_job = MeasuredTogether(i, instances, settings.flags);
    const DuetInstance& first = instances[of_job.front()];
    DuetTask task = {&first, ShortName(first)};
    for (const size_t each : of_job) {
      if (of_job.size() == 1) break;
      task.group.push_back(&instances[each]);
      in_a_group.insert(each);
    }
    AddJob(
        std::move(task), ++count,
        [&take, of_job](size_t duet, Comparison comparison, bool begun) {
          take(of_job, duet, std::move(comparison), begun);
        },
        &all);
  }
  MakeRuns(settings, &all);
  return entries;
}

void ServeAssignedRun(const AssignedRun& run, benchmark::MemoryManager* memory_manager) {
  std::vector<const DuetSpec*> specs = RegisteredDuets();
  if (run.task.family >= static_cast<int>(specs.size())) {
    const std::vector<const DuetSpec*> ordinary = OrdinaryBenchmarks();
    specs.insert(specs.end(), ordinary.begin(), ordinary.end());
  }
  const char* const name = std::getenv(kDuetVariable);
  const auto family = static_cast<size_t>(run.task.family);
  if (name != nullptr && family < specs.size() && specs[family]->name == name) {
    WithFunctions(
        *specs[family], run.task.ranges, memory_manager,
        [&run](const DuetFunctions& functions) { ServeRun(run.task, functions, run.result_fd); });
  }
  std::fprintf(stderr,
               "duetbench: this process did not find the benchmark it was started for; are duet "
               "benchmarks registered in the same order in every process?\n");
  std::exit(kExitError);
}

}  // namespace duetbench
