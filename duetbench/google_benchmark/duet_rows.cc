#include "duetbench/google_benchmark/duet_rows.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "duetbench/estimate/pool_repetitions.h"
#include "duetbench/gates/group.h"
#include "duetbench/google_benchmark/aggregate_statistics.h"
#include "duetbench/google_benchmark/versions.h"
#include "duetbench/report/comparison_format.h"
#include "duetbench/report/facts.h"
#include "duetbench/report/printable.h"

namespace duetbench {
namespace {

using Run = benchmark::BenchmarkReporter::Run;
using ComparisonPtr = std::shared_ptr<const Comparison>;
using Values = std::vector<double>;

bool Failed(const Comparison& comparison) { return comparison.failure() != nullptr; }

// A row with the fields that all rows of an instance share.
Run MakeRun(const DuetInstance& instance) {
  Run run;
  run.run_name = instance.name;
  run.run_name.function_name = Printable(instance.name.function_name);
  run.family_index = instance.family;
  run.per_family_instance_index = instance.instance;
  run.run_type = Run::RT_Iteration;
  run.threads = std::max(1, instance.spec->threads);
  run.iterations = 0;
  run.repetition_index = Run::no_repetition_index;
  run.repetitions = instance.repetitions;
  run.time_unit = instance.spec->unit.value_or(benchmark::GetDefaultTimeUnit());
  run.statistics = nullptr;
  return run;
}

Run MakeAggregate(const DuetInstance& instance, const std::string& name,
                  benchmark::StatisticUnit unit) {
  Run run = MakeRun(instance);
  run.run_type = Run::RT_Aggregate;
  run.aggregate_name = name;
  run.aggregate_unit = unit;
  return run;
}

// Behind all other parts of the name.
void NameAfterVariant(int variant, Run* run) {
  run->run_name.threads = variant == 0 ? "old" : "new";
}

void SetTimes(const Measured& measured, int variant, Run* run) {
  run->iterations =
      static_cast<benchmark::IterationCount>(std::max<uint64_t>(1, measured.iterations[variant]));
  const auto iterations = static_cast<double>(run->iterations);
  run->real_accumulated_time = measured.time_ns[variant] * 1e-9 * iterations;
  run->cpu_accumulated_time = measured.cpu_ns[variant] * 1e-9 * iterations;
}

// Flags have been applied to the value; reporters look at kIsRate for the unit only.
benchmark::Counter ShownCounter(const CounterValue& counter, double value) {
  return {value, static_cast<benchmark::Counter::Flags>(counter.flags),
          static_cast<benchmark::Counter::OneK>(counter.one_k)};
}

Run VariantRow(Run run, const Measured& measured, int variant) {
  const VariantReport& report = measured.variants[variant];
  NameAfterVariant(variant, &run);
  SetTimes(measured, variant, &run);
  for (const CounterValue& counter : report.counters) {
    run.counters[counter.name] = ShownCounter(counter, counter.value);
  }
  // Events by their plain names, per iteration, as Google Benchmark itself reports them.
  for (const CounterComparison& counter : measured.counters.counters) {
    if (!counter.requested || !counter.counted) continue;
    run.counters[counter.name] = benchmark::Counter(counter.per_iteration[variant]);
  }
  run.report_label = Printable(Shortened(report.label));
  return run;
}

ReportRow VerdictRow(Run run, const ComparisonPtr& comparison) {
  SetTimes(*comparison->measured(), 1, &run);
  for (const auto& [name, value] : NumbersOf(*comparison)) {
    run.counters[name] = benchmark::Counter(value);
  }
  const Estimate* const estimate = comparison->estimate();
  run.report_label =
      estimate != nullptr ? stats::VerdictName(estimate->verdict) : VerdictSentence(*comparison);
  return {std::move(run), ReportRow::Kind::kVerdict, comparison};
}

Run ErrorRow(Run run, const Comparison& comparison) {
  const Failure& failure = *comparison.failure();
  const std::string text = Printable(ErrorText(failure));
  if (failure.unchanged) {
    run.report_label = text;
  } else if (failure.error.skipped) {
    internal::SetSkipped(run, text, 0);
  } else {
    internal::SetError(run, text);
  }
  return run;
}

// --- Statistics over repetitions ---

std::vector<DuetStatistic> StatisticsOf(const DuetSpec& spec) {
  std::vector<DuetStatistic> statistics = DefaultStatistics();
  statistics.insert(statistics.end(), spec.statistics.begin(), spec.statistics.end());
  return statistics;
}

double FiniteOrZero(double value) { return std::isfinite(value) ? value : 0; }

// Makes the rows of statistics of `repetitions`, which are without error and not empty.
class StatisticRows {
 public:
  StatisticRows(const DuetInstance& instance, std::vector<ComparisonPtr> repetitions)
      : instance_(instance), repetitions_(std::move(repetitions)) {}

  void Append(const DuetStatistic& statistic, std::vector<ReportRow>* rows) const {
    for (int variant = 0; variant < 2; ++variant) {
      Run run = WithTimes(statistic, variant);
      NameAfterVariant(variant, &run);
      AddCounters(statistic, variant, &run);
      run.report_label = CommonLabel(variant);
      rows->push_back({std::move(run), ReportRow::Kind::kPlain, nullptr});
    }
    Run run = WithTimes(statistic, 1);
    run.counters["ratio"] = benchmark::Counter(Compute(statistic, [](const Comparison& c) {
      return c.estimate() != nullptr ? c.estimate()->interval.ratio : 0;
    }));
    rows->push_back({std::move(run), ReportRow::Kind::kRatioStatistic, nullptr});
  }

 private:
  template <class Value>
  double Compute(const DuetStatistic& statistic, const Value& value) const {
    Values values;
    for (const ComparisonPtr& repetition : repetitions_) values.push_back(value(*repetition));
    return FiniteOrZero(statistic.compute(values));
  }

  Run WithTimes(const DuetStatistic& statistic, int variant) const {
    Run run = MakeAggregate(instance_, statistic.name, statistic.unit);
    run.iterations = instance_.repetitions;
    // Reporters divide times by the number of iterations, but not percentages.
    const double scale =
        statistic.unit == benchmark::kTime ? static_cast<double>(run.iterations) : 1;
    run.real_accumulated_time = scale * Compute(statistic, [&](const Comparison& c) {
                                  return c.measured()->time_ns[variant] * 1e-9;
                                });
    run.cpu_accumulated_time = scale * Compute(statistic, [&](const Comparison& c) {
                                 return c.measured()->cpu_ns[variant] * 1e-9;
                               });
    return run;
  }

  // Adds the statistic of each counter of the user, over the repetitions that have it.
  void AddCounters(const DuetStatistic& statistic, int variant, Run* run) const {
    std::map<std::string, std::pair<const CounterValue*, Values>> counters;
    for (const ComparisonPtr& repetition : repetitions_) {
      for (const CounterValue& counter : repetition->measured()->variants[variant].counters) {
        auto& [first, values] = counters[counter.name];
        if (first == nullptr) first = &counter;
        values.push_back(counter.value);
      }
    }
    for (const auto& [name, counter] : counters) {
      const double value = statistic.compute(counter.second);
      if (std::isfinite(value)) run->counters[name] = ShownCounter(*counter.first, value);
    }
  }

  std::string CommonLabel(int variant) const {
    const std::string& label = repetitions_.front()->measured()->variants[variant].label;
    for (const ComparisonPtr& repetition : repetitions_) {
      if (repetition->measured()->variants[variant].label != label) return "";
    }
    return Printable(label);
  }

  const DuetInstance& instance_;
  const std::vector<ComparisonPtr> repetitions_;
};

// The ranking of the group by the runs of all repetitions.
Ranking PooledRanking(const std::vector<ComparisonPtr>& repetitions) {
  std::vector<const GroupRuns*> runs;
  for (const ComparisonPtr& repetition : repetitions) runs.push_back(repetition->group.get());
  return RankVariants(runs);
}

std::vector<ReportRow> MakeAggregates(const DuetInstance& instance,
                                      const std::vector<ComparisonPtr>& repetitions) {
  std::vector<ReportRow> rows;
  std::vector<ComparisonPtr> measured;
  for (const ComparisonPtr& repetition : repetitions) {
    if (!Failed(*repetition)) measured.push_back(repetition);
  }
  if (measured.size() < 2) return rows;
  const StatisticRows statistics(instance, measured);
  for (const DuetStatistic& statistic : StatisticsOf(*instance.spec)) {
    statistics.Append(statistic, &rows);
  }
  std::vector<const Estimate*> estimates;
  for (const ComparisonPtr& repetition : measured) {
    if (repetition->estimate() != nullptr) estimates.push_back(repetition->estimate());
  }
  const bool is_of_group = measured.front()->group != nullptr;
  std::optional<Estimate> estimate = PoolRepetitions(estimates, is_of_group);
  if (estimate.has_value()) {
    Comparison pooled;
    pooled.outcome = *std::move(estimate);
    pooled.names = measured.front()->names;
    for (const ComparisonPtr& repetition : measured) {
      pooled.wall_s += repetition->wall_s;
      if (repetition->explanation.is_wanted()) pooled.explanation = repetition->explanation;
    }
    if (measured.front()->ranking.has_value()) pooled.ranking = PooledRanking(measured);
    rows.push_back(VerdictRow(MakeAggregate(instance, "pooled", benchmark::kTime),
                              std::make_shared<const Comparison>(std::move(pooled))));
  }
  return rows;
}

}  // namespace

InstanceRows MakeInstanceRows(const DuetInstance& instance,
                              const std::vector<ComparisonPtr>& repetitions) {
  InstanceRows rows;
  Run run = MakeRun(instance);
  run.repetition_index = 0;
  for (const ComparisonPtr& comparison : repetitions) {
    if (Failed(*comparison)) {
      rows.repetitions.push_back({ErrorRow(run, *comparison), ReportRow::Kind::kPlain, nullptr});
    } else {
      for (const int variant : {0, 1}) {
        rows.repetitions.push_back(
            {VariantRow(run, *comparison->measured(), variant), ReportRow::Kind::kPlain, nullptr});
      }
      rows.repetitions.push_back(VerdictRow(run, comparison));
    }
    ++run.repetition_index;
  }
  rows.aggregates = MakeAggregates(instance, repetitions);
  return rows;
}

std::vector<ReportRow> MakeComplexityRows(const std::vector<FamilyMember>& family) {
  const auto first = std::find_if(family.begin(), family.end(), [](const FamilyMember& member) {
    return !Failed(*member.comparison);
  });
  std::vector<ReportRow> rows;
  if (first == family.end()) return rows;
  const DuetInstance& instance = *first->instance;
  std::optional<ComplexityFit> fits[2];
  for (int variant = 0; variant < 2; ++variant) {
    std::vector<ComplexityPoint> points;
    for (const auto& [member, comparison] : family) {
      if (Failed(*comparison)) continue;
      const Measured& measured = *comparison->measured();
      points.push_back({measured.variants[variant].complexity_n, measured.time_ns[variant] * 1e-9,
                        measured.cpu_ns[variant] * 1e-9});
    }
    fits[variant] =
        FitComplexity(points, instance.spec->complexity, instance.spec->complexity_function);
  }
  const auto add = [&](Run run, int variant, double real, double cpu) {
    run.run_name.args.clear();
    run.complexity = fits[variant]->complexity;
    run.real_accumulated_time = real;
    run.cpu_accumulated_time = cpu;
    NameAfterVariant(variant, &run);
    rows.push_back({std::move(run), ReportRow::Kind::kPlain, nullptr});
  };
  for (const int variant : {0, 1}) {
    if (!fits[variant].has_value()) continue;
    Run run = MakeAggregate(instance, "BigO", benchmark::kTime);
    run.report_big_o = true;
    // As Google Benchmark does: never in the benchmark's own unit.
    run.time_unit = benchmark::GetDefaultTimeUnit();
    add(std::move(run), variant, fits[variant]->real_coefficient, fits[variant]->cpu_coefficient);
  }
  for (const int variant : {0, 1}) {
    if (!fits[variant].has_value()) continue;
    Run run = MakeAggregate(instance, "RMS", benchmark::kPercentage);
    run.report_rms = true;
    // A relative error, which the reporters multiply as if it were a time.
    const double multiplier = benchmark::GetTimeUnitMultiplier(run.time_unit);
    add(std::move(run), variant, fits[variant]->real_rms / multiplier,
        fits[variant]->cpu_rms / multiplier);
  }
  return rows;
}

DuetRowCollector::DuetRowCollector(const std::vector<DuetInstance>& instances)
    : instances_(instances), comparisons_(instances.size()) {
  for (const DuetInstance& instance : instances) {
    repetitions_left_[instance.family] += instance.repetitions;
  }
}

std::optional<InstanceRows> DuetRowCollector::Add(size_t index, Comparison comparison) {
  const DuetInstance& instance = instances_[index];
  comparison.DropPairs();
  const auto kept = std::make_shared<const Comparison>(std::move(comparison));
  const bool has_complexity = instance.spec->complexity != benchmark::oNone;
  if (has_complexity) families_[instance.family].push_back({&instance, kept});
  std::vector<std::shared_ptr<const Comparison>>& repetitions = comparisons_[index];
  repetitions.push_back(kept);
  const bool family_is_complete = --repetitions_left_[instance.family] == 0;
  if (static_cast<int>(repetitions.size()) < instance.repetitions) return std::nullopt;

  InstanceRows rows = MakeInstanceRows(instance, repetitions);
  repetitions.clear();
  if (has_complexity && family_is_complete) {
    for (ReportRow& row : MakeComplexityRows(families_[instance.family])) {
      rows.aggregates.push_back(std::move(row));
    }
    families_.erase(instance.family);
  }
  return rows;
}

}  // namespace duetbench
