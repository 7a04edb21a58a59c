#include "duetbench/decide/counter_summary.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "absl/status/statusor.h"
#include "duetbench/decide/hypothesis_tests.h"
#include "duetbench/record/explanation.h"

namespace duetbench {
namespace {

constexpr double kMinEvents = 10;
constexpr double kDifferLevel = 0.999;

struct AlwaysCounted {
  const char* name;
  uint64_t UsageTally::*count;
  // Other programs cause it, in proportion to the time of a variant.
  bool by_others = false;
  uint64_t UsageTally::*iterations = &UsageTally::iterations;
};

constexpr AlwaysCounted kUsage[] = {
    {"MINOR-FAULTS", &UsageTally::minor_faults},
    {"MAJOR-FAULTS", &UsageTally::major_faults},
    {"VOLUNTARY-SWITCHES", &UsageTally::voluntary_switches},
    {"INVOLUNTARY-SWITCHES", &UsageTally::involuntary_switches, true},
    {"MIGRATIONS", &UsageTally::migrations, true}};
constexpr AlwaysCounted kAllocations = {"ALLOCATIONS", &UsageTally::allocations, false,
                                        &UsageTally::allocating_iterations};

const AlwaysCounted* FindAlwaysCounted(const std::string& name) {
  if (name == kAllocations.name) return &kAllocations;
  const auto* const found =
      std::find_if(std::begin(kUsage), std::end(kUsage),
                   [&](const AlwaysCounted& one) { return name == one.name; });
  return found == std::end(kUsage) ? nullptr : found;
}

RunRate RateOf(const RunResult& run, const AlwaysCounted& counter) {
  RunRate rate{};
  for (int variant = 0; variant < 2; ++variant) {
    rate.count[variant] = static_cast<double>(run.usage[variant].*counter.count);
    rate.per[variant] = static_cast<double>(run.usage[variant].*counter.iterations);
  }
  return rate;
}

std::optional<RunRate> RateOf(const RunResult& run, const std::string& counter,
                              const std::vector<Event>& events) {
  if (const AlwaysCounted* const one = FindAlwaysCounted(counter)) return RateOf(run, *one);
  for (const Amount& amount : run.amounts) {
    if (counter == amount.name) return RunRate{{amount.of[0], amount.of[1]}, {1, 1}};
  }
  for (size_t i = 0; i < events.size() && i < run.events.size(); ++i) {
    const EventTally& tally = run.events[i];
    if (events[i].name != counter || tally.pairs == 0) continue;
    return RunRate{{tally.counts[0], tally.counts[1]}, {tally.iterations[0], tally.iterations[1]}};
  }
  return std::nullopt;
}

RunRate SumOf(const std::vector<RunRate>& runs) {
  RunRate sum{};
  for (const RunRate& run : runs) {
    for (int variant = 0; variant < 2; ++variant) {
      sum.count[variant] += run.count[variant];
      sum.per[variant] += run.per[variant];
    }
  }
  return sum;
}

// The rates over all runs together, and the ratio with its interval.
CounterComparison Compare(const std::string& name, const std::vector<RunRate>& runs, double level) {
  CounterComparison comparison;
  comparison.name = name;
  comparison.counted = !runs.empty();
  const RunRate sum = SumOf(runs);
  for (int variant = 0; variant < 2; ++variant) {
    if (sum.per[variant] > 0) comparison.per_iteration[variant] = sum.Of(variant);
  }
  const double* const rates = comparison.per_iteration;
  if (!(rates[0] > 0) || !(rates[1] > 0)) return comparison;
  comparison.ratio = rates[1] / rates[0];
  const std::vector<double> log_ratios = LogRatiosOf(runs);
  absl::StatusOr<stats::RatioInterval> interval = stats::TInterval(log_ratios, level);
  if (log_ratios.size() < 2 || !interval.ok()) return comparison;
  comparison.ratio = interval->ratio;
  comparison.interval = *std::move(interval);
  return comparison;
}

bool Differ(const std::vector<RunRate>& runs) {
  const RunRate sum = SumOf(runs);
  // As if new had executed as many iterations as old.
  const double difference = sum.Of(1) * sum.per[0] - sum.count[0];
  if (runs.size() < 2 || std::abs(difference) < kMinEvents) return false;
  std::vector<double> differences;
  for (const RunRate& run : runs) differences.push_back(run.Of(1) - run.Of(0));
  return stats::PairedTTest(differences).p < 1 - kDifferLevel;
}

void AddUsage(const std::vector<RunResult>& results, double level,
              std::vector<CounterComparison>* summary) {
  for (const AlwaysCounted& counter : kUsage) {
    const std::vector<RunRate> runs = RatesOf(results, counter.name, {});
    if (!counter.by_others && Differ(runs)) {
      summary->push_back(Compare(counter.name, runs, level));
    }
  }
  const std::vector<RunRate> allocations = RatesOf(results, kAllocations.name, {});
  if (!allocations.empty()) {
    summary->push_back(Compare(kAllocations.name, allocations, level));
  }
}

// Amounts that are always shown, and memory of which the variants need notably more or less: the
// kernel counts resident pages in steps of up to 64 for each thread and CPU.
void AddAmounts(const std::vector<RunResult>& results, double level,
                std::vector<CounterComparison>* summary) {
  constexpr double kNotableBytes = 1 << 20;
  std::map<std::string, bool> amounts;  // and whether it is always shown
  for (const RunResult& result : results) {
    for (const Amount& amount : result.amounts) amounts[amount.name] |= amount.shown;
  }
  for (const auto& [name, is_shown] : amounts) {
    const std::vector<RunRate> runs = RatesOf(results, name, {});
    CounterComparison amount = Compare(name, runs, level);
    const double difference = amount.per_iteration[1] - amount.per_iteration[0];
    const bool differs = std::abs(difference) >= kNotableBytes && Differ(runs);
    if (!differs && !is_shown) continue;
    amount.requested = IsCallgrindEvent(name);
    amount.of_run = !amount.requested;
    summary->push_back(std::move(amount));
  }
}

}  // namespace

std::vector<double> LogRatiosOf(absl::Span<const RunRate> runs) {
  std::vector<double> log_ratios;
  for (const RunRate& run : runs) {
    if (!(run.Of(0) > 0) || !(run.Of(1) > 0)) return {};
    log_ratios.push_back(std::log(run.Of(1) / run.Of(0)));
  }
  return log_ratios;
}

bool IsAlwaysCounted(const std::string& counter) { return FindAlwaysCounted(counter) != nullptr; }

std::vector<RunRate> RatesOf(absl::Span<const RunResult> results, const std::string& counter,
                             const std::vector<Event>& events) {
  std::vector<RunRate> rates;
  for (const RunResult& result : results) {
    const std::optional<RunRate> rate = RateOf(result, counter, events);
    if (rate.has_value() && rate->per[0] > 0 && rate->per[1] > 0) rates.push_back(*rate);
  }
  return rates;
}

std::vector<CounterComparison> SummarizeCounters(const std::vector<RunResult>& results,
                                                 const std::vector<Event>& events, double level) {
  std::vector<CounterComparison> summary;
  for (size_t event = 0; event < events.size(); ++event) {
    double pairs = 0;
    double scaled = 0;
    for (const RunResult& result : results) {
      if (event >= result.events.size()) continue;
      pairs += static_cast<double>(result.events[event].pairs);
      scaled += static_cast<double>(result.events[event].scaled);
    }
    const std::string& name = events[event].name;
    CounterComparison counter = Compare(name, RatesOf(results, name, events), level);
    counter.requested = true;
    if (pairs > 0) counter.scaled_share = scaled / pairs;
    summary.push_back(std::move(counter));
  }
  AddUsage(results, level, &summary);
  AddAmounts(results, level, &summary);
  return summary;
}

}  // namespace duetbench
