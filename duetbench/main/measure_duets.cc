#include "duetbench/main/measure_duets.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <random>
#include <utility>

#include "absl/strings/str_cat.h"
#include "duetbench/api/option_rules.h"
#include "duetbench/counters/event_names.h"
#include "duetbench/counters/survey.h"
#include "duetbench/experiment/pair_digest.h"
#include "duetbench/google_benchmark/google_benchmark_calls.h"
#include "duetbench/google_benchmark/registered_benchmarks.h"
#include "duetbench/google_benchmark/registry.h"
#include "duetbench/google_benchmark/row_collector.h"
#include "duetbench/main/demands.h"
#include "duetbench/process/exit_status.h"
#include "duetbench/report/printable.h"

namespace duetbench {
namespace {

// Calls `body` with the functions of `spec` for `ranges`, and with a State of Google Benchmark
// around it if its callbacks or its variants take one.
void WithFunctions(const DuetSpec& spec, const std::vector<int64_t>& ranges,
                   benchmark::MemoryManager* memory_manager,
                   const std::function<void(const DuetFunctions&)>& body) {
  DuetFunctions functions = spec.functions;
  functions.ranges = ranges;
  functions.name = spec.name;
  functions.memory_manager = memory_manager;
  if (!spec.needs_google_benchmark_state && !spec.set_up && !spec.tear_down) {
    body(functions);
    return;
  }
  CallWithBorrowedState(ranges, [&](const benchmark::State& state) {
    functions.google_benchmark_state = &state;
    if (spec.set_up) functions.set_up = [&] { (*spec.set_up)(state); };
    if (spec.tear_down) functions.tear_down = [&] { (*spec.tear_down)(state); };
    body(functions);
  });
}

// Without argument names and options: "BM_A_vs_BM_B/64".
std::string ShortName(const DuetInstance& instance) {
  std::string name = Printable(instance.spec->name);
  if (instance.spec->programs != nullptr) return name;  // with arguments
  for (const int64_t range : instance.ranges) absl::StrAppend(&name, "/", range);
  return name;
}

// A repetition of an instance.
struct Turn {
  size_t instance;
  int repetition;
};

std::vector<Turn> Turns(const std::vector<DuetInstance>& instances, const DuetSettings& settings) {
  std::vector<Turn> turns;
  for (size_t i = 0; i < instances.size(); ++i) {
    for (int repetition = 0; repetition < instances[i].repetitions; ++repetition) {
      turns.push_back({i, repetition});
    }
  }
  if (!settings.random_interleaving) return turns;
  std::vector<size_t> order;
  for (const Turn& turn : turns) order.push_back(turn.instance);
  std::shuffle(order.begin(), order.end(),
               std::mt19937_64(settings.flags.options.seed.value_or(0)));
  std::vector<int> done(instances.size());
  for (size_t i = 0; i < turns.size(); ++i) turns[i] = {order[i], done[order[i]]++};
  return turns;
}

class DuetMeasurer {
 public:
  DuetMeasurer(const DuetSettings& settings, ExperimentHost* host)
      : settings_(settings), host_(*host), registered_(RegisteredDuets()) {}

  // `name` is in the file of pairs, `place` on the progress line. `self`: 0 or 1 for a variant
  // against itself, else -1; then new is slowed down by the part `slow_down`.
  Comparison Measure(const DuetInstance& instance, int repetition, const std::string& name,
                     const std::string& place, int self, double slow_down = 0) {
    const DuetSpec& spec = *instance.spec;
    if (host_.interrupted()) return FailedComparison("not measured: interrupted");
    if (!spec.error.empty()) return FailedComparison(spec.error);
    ExperimentRequest request;
    request.options = OptionsOf(spec, settings_.flags);
    request.options.self = self;
    request.options.threads = spec.threads;
    request.options.slow_down = slow_down;
    if (self >= 0) {
      // Without their counters there is nothing to judge.
      request.options.DropGates();
    }
    for (const auto& variant : spec.functions.variants) {
      if (variant->is_called_for_each_sample()) request.options.calls = true;
    }
    if (self < 0) {
      const EventSurvey& survey = host_.Survey(EventNames(settings_.perf_counters, {&spec}));
      if (settings_.flags.require_counters && !survey.missing.empty()) {
        return FailedComparison(MissingLines(survey.missing).front());
      }
      const std::string uncounted = WhyNotCounted(spec, request.options, survey);
      if (!uncounted.empty()) return FailedComparison(uncounted);
      if (!request.options.dry_run) request.options.events = survey.events;
    }

    request.name = name;
    request.place = place;
    request.repetition = repetition;
    request.selector.environment = {{kDuetVariable, spec.name}};
    request.family = static_cast<int>(std::find(registered_.begin(), registered_.end(), &spec) -
                                      registered_.begin());
    request.functions = spec.functions;
    request.functions.ranges = instance.ranges;
    request.programs = spec.programs;
    if (request.options.runs != 1 || spec.programs != nullptr)
      return host_.Measure(std::move(request));
    Comparison comparison;
    WithFunctions(spec, instance.ranges, settings_.memory_manager,
                  [&](const DuetFunctions& functions) {
                    request.functions = functions;
                    comparison = host_.Measure(std::move(request));
                  });
    return comparison;
  }

 private:
  // Why a gate on a counter cannot be measured; empty if each can.
  std::string WhyNotCounted(const DuetSpec& spec, const ComparisonOptions& options,
                            const EventSurvey& survey) const {
    for (const CounterGateSpec& gate : options.counter_gates) {
      if (gate.counter == "ALLOCATIONS" && settings_.memory_manager == nullptr &&
          spec.programs == nullptr) {
        return "a gate on ALLOCATIONS needs a memory manager that counts them: call "
               "duetbench::RegisterMemoryManager";
      }
      for (const MissingEvent& missing : survey.missing) {
        if (missing.name != gate.counter) continue;
        return absl::StrCat("a gate on ", gate.counter, ": ", MissingLines({missing}).front());
      }
    }
    return "";
  }

  const DuetSettings& settings_;
  ExperimentHost& host_;
  const std::vector<const DuetSpec*> registered_;
};

// Benchmarks of two programs are registered one by one, with their arguments in their names.
std::string FamilyName(const DuetSpec& spec) {
  const std::string name = Printable(spec.name);
  return spec.programs == nullptr ? name : name.substr(0, name.find('/'));
}

// Of the clock if there is to be a page with pictures, else 0.
double PictureNsPerTick(const DuetSettings& settings, ExperimentHost* host) {
  return settings.flags.report.empty() || !host->machine().ok() ? 0 : host->machine()->ns_per_tick;
}

// `picture_ns_per_tick` is PictureNsPerTick.
SuiteEntry MakeEntry(const DuetInstance& instance, const std::string& name,
                     const Comparison& comparison, double picture_ns_per_tick) {
  SuiteEntry entry;
  entry.name = name;
  entry.file = instance.spec->location.file;
  entry.line = instance.spec->location.line;
  entry.family = FamilyName(*instance.spec);
  entry.comparison = comparison;
  if (picture_ns_per_tick > 0) {
    entry.digest = std::make_shared<const stats::PairDigest>(
        DigestOfExperiment(comparison, picture_ns_per_tick));
  }
  // The pairs of a long suite would fill the memory.
  entry.comparison.results.clear();
  if (Estimate* const estimate = entry.comparison.estimate()) {
    entry.run_times = stats::MeanTimesOfRuns(estimate->run_pairs);
    estimate->run_pairs.clear();
  }
  return entry;
}

// Whether the duet with this number, from 1, is followed by controls: kMaxControls at most, spread
// over the suite. What reports times of its own cannot be slowed down.
bool HasControl(int number, int duets, const DuetSettings& settings, const DuetInstance& instance) {
  constexpr int kMaxControls = 8;
  const ComparisonOptions options = OptionsOf(*instance.spec, settings.flags);
  if (!settings.flags.controls || options.dry_run || options.manual_time) return false;
  const int controls = std::min(kMaxControls, duets);
  return number * controls / duets > (number - 1) * controls / duets;
}

void MeasureControls(const Turn& turn, const DuetInstance& instance, DuetMeasurer* measurer,
                     Controls* controls) {
  const struct {
    const char* name;
    double slow_down;
    std::vector<SuiteEntry>* entries;
  } kKinds[] = {{" A/A", 0, &controls->same}, {" +2 %", kControlSlowDown, &controls->slower}};
  for (const auto& [kind, slow_down, entries] : kKinds) {
    if (ExperimentHost::interrupted()) return;
    const std::string name = ShortName(instance) + kind;
    entries->push_back(MakeEntry(instance, name,
                                 measurer->Measure(instance, turn.repetition, name, "control",
                                                   /*self=*/0, slow_down),
                                 /*picture_ns_per_tick=*/0));
  }
}

}  // namespace

ComparisonOptions OptionsOf(const DuetSpec& spec, const Flags& flags) {
  ComparisonOptions options = MakeComparisonOptions(flags.options, spec.options);
  if (flags.calibrate || flags.aa) {
    options.DropGates();
  }
  return options;
}

std::vector<std::string> EventNames(const std::string& perf_counters,
                                    const std::vector<const DuetSpec*>& specs) {
  std::vector<std::string> names = SplitEventNames(perf_counters);
  const auto add = [&names](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const DuetSpec* spec : specs) {
    for (const std::string& name : spec->counter_names) add(name);
    for (const CounterGateSpec& gate : spec->options.counter_gates) {
      if (!IsCountedAlways(gate.counter)) add(gate.counter);
    }
  }
  return names;
}

double MaxSeconds(const ComparisonOptions& options, int repetitions) {
  // The machines of continuous integration are slow.
  constexpr double kSlowness = 10;
  // A run that is stuck reports it after the time-out of one run; the second one is for what
  // happened before it.
  constexpr double kRunTimeouts = 2;
  const double seconds = options.has_gates() && options.runs == 0
                             ? std::max(options.min_time, MaxTime(options))
                             : options.min_time;
  return kSlowness * seconds * std::max(repetitions, 1) + kRunTimeouts * options.timeout;
}

std::vector<SuiteEntry> MeasureDuets(const std::vector<DuetInstance>& instances,
                                     const DuetSettings& settings, ExperimentHost* host,
                                     Reports* reports, Controls* controls) {
  DuetMeasurer measurer(settings, host);
  DuetRowCollector collector(instances);
  std::vector<SuiteEntry> entries;
  const std::vector<Turn> turns = Turns(instances, settings);
  int count = 0;
  for (const Turn& turn : turns) {
    const DuetInstance& instance = instances[turn.instance];
    const bool measured = !host->interrupted();
    const std::string place = absl::StrCat("duet ", ++count, " of ", turns.size());
    Comparison comparison =
        measurer.Measure(instance, turn.repetition, ShortName(instance), place, /*self=*/-1);
    comparison.names = instance.spec->variant_names;
    CheckDemands(*instance.spec, &comparison);
    if (measured) {
      SuiteEntry& entry = entries.emplace_back(MakeEntry(
          instance, Printable(instance.name.str()), comparison, PictureNsPerTick(settings, host)));
      const ComparisonOptions options = OptionsOf(*instance.spec, settings.flags);
      entry.has_gate = options.has_gates() && !options.dry_run;
    }
    if (auto rows = collector.Add(turn.instance, std::move(comparison))) {
      reports->Add(*instance.spec, *std::move(rows));
    }
    if (HasControl(count, static_cast<int>(turns.size()), settings, instance)) {
      MeasureControls(turn, instance, &measurer, controls);
    }
  }
  return entries;
}

std::vector<SuiteEntry> MeasureSelfComparisons(const std::vector<DuetInstance>& instances,
                                               const DuetSettings& settings, ExperimentHost* host) {
  DuetMeasurer measurer(settings, host);
  std::vector<SuiteEntry> entries;
  const std::vector<Turn> turns = Turns(instances, settings);
  int count = 0;
  for (const Turn& turn : turns) {
    const DuetInstance& instance = instances[turn.instance];
    for (const int self : {0, 1}) {
      if (host->interrupted()) return entries;
      const std::string place = absl::StrCat("A/A ", ++count, " of ", 2 * turns.size());
      const std::string name = ShortName(instance) + (self == 0 ? " old" : " new");
      entries.push_back(MakeEntry(instance, name,
                                  measurer.Measure(instance, turn.repetition, name, place, self),
                                  PictureNsPerTick(settings, host)));
    }
  }
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
