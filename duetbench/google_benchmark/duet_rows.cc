#include "duetbench/google_benchmark/duet_rows.h"

#include <algorithm>
#include <cstdint>
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
  for (const CounterComparison& counter : measured.counters) {
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
  } else {
    internal::SetSkipped(run, facts.error, comparison.is_error());
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

}  // namespace duetbench
