#ifndef DUETBENCH_TESTS_GOOGLE_BENCHMARK_DUETS_H_
#define DUETBENCH_TESTS_GOOGLE_BENCHMARK_DUETS_H_

#include <benchmark/benchmark.h>

#include <deque>
#include <string>
#include <vector>

#include "duetbench/google_benchmark/duet_instance.h"
#include "duetbench/google_benchmark/google_benchmark_calls.h"
#include "duetbench/google_benchmark/reports.h"
#include "duetbench/report/suite_facts.h"
#include "tests/report/comparisons.h"

// Duets as they are selected and measured, their rows, and rows of ordinary benchmarks.
namespace duetbench {

// The row of an ordinary benchmark.
inline benchmark::BenchmarkReporter::Run OrdinaryRow(const std::string& name) {
  benchmark::BenchmarkReporter::Run run;
  run.run_name.function_name = name;
  run.run_type = benchmark::BenchmarkReporter::Run::RT_Iteration;
  run.iterations = 1000;
  run.threads = 1;
  run.time_unit = benchmark::kNanosecond;
  run.real_accumulated_time = 50e-9 * 1000;
  run.cpu_accumulated_time = 40e-9 * 1000;
  return run;
}

// The row of a benchmark that failed.
inline benchmark::BenchmarkReporter::Run ErrorRow(const std::string& name,
                                                  const std::string& message) {
  benchmark::BenchmarkReporter::Run run = OrdinaryRow(name);
  internal::SetSkipped(run, message, /*is_error=*/true);
  return run;
}

// The context that Google Benchmark first passes to its reporters.
inline benchmark::BenchmarkReporter::Context ContextOfWidth(size_t name_field_width) {
  benchmark::BenchmarkReporter::Context context;
  context.name_field_width = name_field_width;
  return context;
}

// The instance of a spec that has no more than a name; it lives as long as the program.
inline DuetInstance InstanceOf(const std::string& name) {
  static std::deque<DuetSpec> specs;
  DuetSpec& spec = specs.emplace_back();
  spec.name = name;
  DuetInstance instance;
  instance.spec = &spec;
  instance.name.function_name = name;
  return instance;
}

// Their facts live as long as the program.
inline std::vector<ReportRow> RowsOf(const DuetInstance& instance, const Comparison& comparison) {
  static std::deque<Facts> facts;
  return MakeInstanceRows(instance, comparison,
                          facts.emplace_back(FactsOf(instance.name.str(), comparison)));
}

// Old, new and the verdict, or an error.
inline std::vector<ReportRow> DuetRows(const std::string& name, const Comparison& comparison) {
  return RowsOf(InstanceOf(name), comparison);
}

inline std::vector<ReportRow> PlainRows(
    const std::vector<benchmark::BenchmarkReporter::Run>& runs) {
  std::vector<ReportRow> rows;
  for (const auto& run : runs) rows.push_back({run});
  return rows;
}

inline std::vector<std::string> RowNames(const std::vector<ReportRow>& rows) {
  std::vector<std::string> names;
  for (const ReportRow& row : rows) names.push_back(row.run.benchmark_name());
  return names;
}

}  // namespace duetbench

#endif  // DUETBENCH_TESTS_GOOGLE_BENCHMARK_DUETS_H_
