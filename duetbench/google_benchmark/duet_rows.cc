#include "duetbench/google_benchmark/duet_rows.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "duetbench/google_benchmark/versions.h"
#include "duetbench/report/printable.h"

namespace duetbench {
namespace {

using Run = benchmark::BenchmarkReporter::Run;

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
  run.repetitions = 1;
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

ReportRow VerdictRow(Run run, const Measured& measured, const Facts& facts) {
  SetTimes(measured, 1, &run);
  for (const auto& [name, value] : facts.numbers) run.counters[name] = benchmark::Counter(value);
  run.report_label = facts.error.empty() ? stats::VerdictName(facts.verdict) : facts.sentence;
  return {std::move(run), &facts};
}

Run ErrorRow(Run run, const Comparison& comparison, const Facts& facts) {
  if (facts.unchanged) {
    run.report_label = facts.error;
  } else if (comparison.is_error()) {
    internal::SetError(run, facts.error);
  } else {
    internal::SetSkipped(run, facts.error, 0);
  }
  return run;
}

}  // namespace

std::vector<ReportRow> MakeInstanceRows(const DuetInstance& instance, const Comparison& comparison,
                                        const Facts& facts) {
  Run run = MakeRun(instance);
  run.repetition_index = 0;
  const Measured* const measured = comparison.measured();
  if (measured == nullptr) return {{ErrorRow(std::move(run), comparison, facts)}};
  std::vector<ReportRow> rows;
  for (const int variant : {0, 1}) rows.push_back({VariantRow(run, *measured, variant)});
  rows.push_back(VerdictRow(std::move(run), *measured, facts));
  return rows;
}

namespace {

std::vector<ReportRow> MakeComplexityRows(const DuetInstance& instance,
                                          const std::vector<ComplexityPoint> (&points)[2]) {
  std::vector<ReportRow> rows;
  std::optional<ComplexityFit> fits[2];
  for (int variant = 0; variant < 2; ++variant) {
    fits[variant] = FitComplexity(points[variant], instance.spec->complexity,
                                  instance.spec->complexity_function);
  }
  const auto add = [&](Run run, int variant, double real, double cpu) {
    run.run_name.args.clear();
    run.complexity = fits[variant]->complexity;
    run.real_accumulated_time = real;
    run.cpu_accumulated_time = cpu;
    NameAfterVariant(variant, &run);
    rows.push_back({std::move(run)});
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

}  // namespace

DuetRowCollector::DuetRowCollector(const std::vector<DuetInstance>& instances)
    : instances_(instances) {
  for (const DuetInstance& instance : instances) ++families_[instance.family].left;
}

std::vector<ReportRow> DuetRowCollector::Add(size_t index, const Comparison& comparison,
                                             const Facts& facts) {
  const DuetInstance& instance = instances_[index];
  Family& family = families_[instance.family];
  if (const Measured* const measured = comparison.measured()) {
    for (int variant = 0; variant < 2; ++variant) {
      family.points[variant].push_back({measured->variants[variant].complexity_n,
                                        measured->time_ns[variant] * 1e-9,
                                        measured->cpu_ns[variant] * 1e-9});
    }
  }
  std::vector<ReportRow> rows = MakeInstanceRows(instance, comparison, facts);
  if (--family.left > 0 || instance.spec->complexity == benchmark::oNone) return rows;
  for (ReportRow& row : MakeComplexityRows(instance, family.points)) rows.push_back(std::move(row));
  return rows;
}

}  // namespace duetbench
