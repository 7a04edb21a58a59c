#include "duetbench/decide/counter_summary.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "absl/status/statusor.h"
#include "duetbench/platform/derived.h"
#include "duetbench/record/amount.h"
#include "duetbench/record/explanation.h"
#include "duetbench/stats/hypothesis_tests.h"

namespace duetbench {
namespace {

constexpr double kMinEvents = 10;
constexpr double kDifferLevel = 0.999;
constexpr double kPoissonDeviations = 4;
// Clock rates that differ by less do no harm worth a line.
constexpr double kMinFrequencyDifference = 0.01;

// Something of a run, by variant, and what it is a rate of.
struct RunRate {
  double count[2];
  double per[2];
};

// The rates over all runs together, and the ratio with its interval.
struct RateRatio {
  double rate[2] = {0, 0};
  std::optional<double> ratio;
  std::optional<stats::RatioInterval> interval;
};

RateRatio SummarizeRates(const std::vector<RunRate>& runs, double level) {
  RateRatio summary;
  double count[2] = {0, 0};
  double per[2] = {0, 0};
  std::vector<double> log_ratios;
  for (const RunRate& run : runs) {
    for (int variant = 0; variant < 2; ++variant) {
      count[variant] += run.count[variant];
      per[variant] += run.per[variant];
    }
    if (run.count[0] > 0 && run.count[1] > 0 && run.per[0] > 0 && run.per[1] > 0) {
      log_ratios.push_back(std::log(run.count[1] / run.per[1]) -
                           std::log(run.count[0] / run.per[0]));
    }
  }
  for (int variant = 0; variant < 2; ++variant) {
    if (per[variant] > 0) summary.rate[variant] = count[variant] / per[variant];
  }
  if (!(summary.rate[0] > 0) || !(summary.rate[1] > 0)) return summary;
  summary.ratio = summary.rate[1] / summary.rate[0];
  // Runs in which a variant counted nothing have no log-ratio; an interval of the rest would be one
  // of other data.
  if (log_ratios.size() < 2 || log_ratios.size() < runs.size()) return summary;
  absl::StatusOr<stats::RatioInterval> interval = stats::TInterval(log_ratios, level);
  if (!interval.ok()) return summary;
  summary.ratio = interval->ratio;
  summary.interval = *std::move(interval);
  return summary;
}

CounterComparison Compare(const std::string& name, const std::vector<RunRate>& runs, double level) {
  CounterComparison comparison;
  comparison.name = name;
  comparison.counted = !runs.empty();
  const RateRatio summary = SummarizeRates(runs, level);
  comparison.per_iteration[0] = summary.rate[0];
  comparison.per_iteration[1] = summary.rate[1];
  comparison.ratio = summary.ratio;
  comparison.interval = summary.interval;
  return comparison;
}

bool Differ(const std::vector<RunRate>& runs) {
  double count[2] = {0, 0};
  double per[2] = {0, 0};
  std::vector<double> differences;
  for (const RunRate& run : runs) {
    for (int variant = 0; variant < 2; ++variant) {
      count[variant] += run.count[variant];
      per[variant] += run.per[variant];
    }
    differences.push_back(run.count[1] / run.per[1] - run.count[0] / run.per[0]);
  }
  // As if new had executed as many iterations as old.
  const double difference = count[1] / per[1] * per[0] - count[0];
  if (std::abs(difference) < kMinEvents) return false;
  if (runs.size() < 2) {
    return std::abs(difference) > kPoissonDeviations * std::sqrt(count[0] + count[1] + 1);
  }
  return stats::PairedTTest(differences).p < 1 - kDifferLevel;
}

double MeasuredTicks(const RunResult& result, int variant) {
  double ticks = 0;
  for (const PairRecord& pair : result.pairs) ticks += pair.ticks[variant];
  return ticks;
}

void AddUsage(const std::vector<RunResult>& results, double level, CounterSummary* summary) {
  // Other programs disturb a variant in proportion to its time: one that takes ten times as long is
  // preempted ten times as often. That is no difference between the variants.
  const struct {
    const char* name;
    uint64_t UsageTally::*field;
    bool in_proportion;
  } kUsage[] = {{"MINOR-FAULTS", &UsageTally::minor_faults, false},
                {"MAJOR-FAULTS", &UsageTally::major_faults, false},
                {"VOLUNTARY-SWITCHES", &UsageTally::voluntary_switches, false},
                {"INVOLUNTARY-SWITCHES", &UsageTally::involuntary_switches, true},
                {"MIGRATIONS", &UsageTally::migrations, true}};
  for (const auto& [name, field, in_proportion] : kUsage) {
    std::vector<RunRate> runs;
    std::vector<RunRate> by_time;
    for (const RunResult& result : results) {
      const UsageTally* usage = result.usage;
      if (usage[0].iterations == 0 || usage[1].iterations == 0) continue;
      RunRate& run = runs.emplace_back();
      RunRate timed{};
      for (int variant = 0; variant < 2; ++variant) {
        run.count[variant] = static_cast<double>(usage[variant].*field);
        run.per[variant] = static_cast<double>(usage[variant].iterations);
        timed.count[variant] = run.count[variant];
        timed.per[variant] = MeasuredTicks(result, variant);
      }
      if (timed.per[0] > 0 && timed.per[1] > 0) by_time.push_back(timed);
    }
    const std::vector<RunRate>& compared = in_proportion ? by_time : runs;
    if (!compared.empty() && Differ(compared)) {
      summary->counters.push_back(Compare(name, runs, level));
    }
  }
}

// Adds the counts of the memory manager that the program registered, if it did.
void AddAllocations(const std::vector<RunResult>& results, double level, CounterSummary* summary) {
  std::vector<RunRate> runs;
  for (const RunResult& result : results) {
    const UsageTally* usage = result.usage;
    if (usage[0].allocating_iterations == 0 || usage[1].allocating_iterations == 0) continue;
    runs.push_back(
        {{static_cast<double>(usage[0].allocations), static_cast<double>(usage[1].allocations)},
         {static_cast<double>(usage[0].allocating_iterations),
          static_cast<double>(usage[1].allocating_iterations)}});
  }
  if (!runs.empty()) summary->counters.push_back(Compare("ALLOCATIONS", runs, level));
}

// Amounts that are always shown, and memory of which the variants need notably more or less: the
// kernel counts resident pages in steps of up to 64 for each thread and CPU.
void AddAmounts(const std::vector<RunResult>& results, double level, CounterSummary* summary) {
  constexpr double kNotableBytes = 1 << 20;
  std::map<std::string, std::vector<RunRate>> amounts;
  std::set<std::string> shown;
  for (const RunResult& result : results) {
    for (const Amount& amount : result.amounts) {
      amounts[amount.name].push_back({{amount.of[0], amount.of[1]}, {1, 1}});
      if (amount.shown != 0) shown.insert(amount.name);
    }
  }
  for (const auto& [name, runs] : amounts) {
    CounterComparison amount = Compare(name, runs, level);
    const double difference = amount.per_iteration[1] - amount.per_iteration[0];
    const bool differs = std::abs(difference) >= kNotableBytes && Differ(runs);
    if (!differs && shown.count(name) == 0) continue;
    amount.requested = IsCallgrindEvent(name);
    amount.of_run = !amount.requested;
    summary->counters.push_back(std::move(amount));
  }
}

void AddDerived(const double bytes_per_iteration[2], CounterSummary* summary) {
  for (int variant = 0; variant < 2; ++variant) {
    std::vector<EventRate> rates;
    for (const CounterComparison& counter : summary->counters) {
      if (!counter.counted || counter.role == EventRole::kOther) continue;
      rates.push_back({counter.name, counter.role, counter.per_iteration[variant]});
    }
    for (const DerivedColumn& column : DeriveColumns(rates, bytes_per_iteration[variant])) {
      auto& derived = summary->derived;
      auto it = std::find_if(derived.begin(), derived.end(), [&](const DerivedComparison& other) {
        return other.name == column.name;
      });
      if (it == derived.end()) it = derived.insert(it, {column.name, {}});
      it->value[variant] = column.value;
    }
  }
}

// Cycles by CPU time of the first event that counts cycles. The clock rates of two cores differ by
// turbo and load, and two threads of one core share its cycles.
void AddFrequency(const std::vector<RunResult>& results, size_t event, double level,
                  CounterSummary* summary) {
  std::vector<RunRate> runs;
  for (const RunResult& result : results) {
    const EventTally& tally = result.events[event];
    if (!(tally.undisturbed_cpu_ns[0] > 0) || !(tally.undisturbed_cpu_ns[1] > 0)) continue;
    runs.push_back({{tally.undisturbed_counts[0], tally.undisturbed_counts[1]},
                    {tally.undisturbed_cpu_ns[0], tally.undisturbed_cpu_ns[1]}});
  }
  const RateRatio frequency = SummarizeRates(runs, level);
  if (!frequency.ratio.has_value()) return;
  summary->derived.push_back({"EFFECTIVE-GHZ", {frequency.rate[0], frequency.rate[1]}});
  const bool certain =
      frequency.interval.has_value() && (frequency.interval->lo > 1 || frequency.interval->hi < 1);
  if (certain && std::abs(*frequency.ratio - 1) >= kMinFrequencyDifference) {
    summary->clock_rates_differ =
        Notice{Notice::Kind::kClockRatesDiffer, {frequency.rate[0], frequency.rate[1]}, ""};
  }
}

}  // namespace

CounterSummary SummarizeCounters(const std::vector<RunResult>& results,
                                 const std::vector<Event>& events, double level,
                                 const double bytes_per_iteration[2]) {
  CounterSummary summary;
  std::optional<size_t> cycles;
  for (size_t event = 0; event < events.size(); ++event) {
    std::vector<RunRate> runs;
    double pairs = 0;
    double scaled = 0;
    for (const RunResult& result : results) {
      if (event >= result.events.size() || result.events[event].pairs == 0) continue;
      const EventTally& tally = result.events[event];
      pairs += static_cast<double>(tally.pairs);
      scaled += static_cast<double>(tally.scaled);
      runs.push_back(
          {{tally.counts[0], tally.counts[1]}, {tally.iterations[0], tally.iterations[1]}});
    }
    CounterComparison counter = Compare(events[event].name, runs, level);
    counter.requested = true;
    counter.role = RoleOf(events[event].code, events[event].name);
    if (pairs > 0) counter.scaled_share = scaled / pairs;
    if (counter.counted && counter.role == EventRole::kCycles && !cycles.has_value()) {
      cycles = event;
    }
    summary.counters.push_back(std::move(counter));
  }
  AddDerived(bytes_per_iteration, &summary);
  if (cycles.has_value()) AddFrequency(results, *cycles, level, &summary);
  AddUsage(results, level, &summary);
  AddAllocations(results, level, &summary);
  AddAmounts(results, level, &summary);
  return summary;
}

}  // namespace duetbench
