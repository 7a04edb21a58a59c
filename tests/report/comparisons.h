#ifndef DUETBENCH_TESTS_REPORT_COMPARISONS_H_
#define DUETBENCH_TESTS_REPORT_COMPARISONS_H_

#include <benchmark/benchmark.h>

#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "duetbench/report/comparison_book.h"
#include "duetbench/report/google_benchmark.h"
#include "duetbench/report/hidden_counters.h"

// Comparisons as an experiment leaves them, and the rows that Google Benchmark makes of them.
namespace duetbench {

inline stats::RatioInterval Interval(double ratio, double lo, double hi) {
  stats::RatioInterval interval{};
  interval.ratio = ratio;
  interval.lo = lo;
  interval.hi = hi;
  interval.level = 0.99;
  return interval;
}

// 40 runs: new takes 20 % less time.
inline Comparison FasterComparison() {
  Comparison comparison;
  comparison.runs_planned = 40;
  comparison.runs = 40;
  comparison.has_estimate = true;
  comparison.interval = Interval(0.8, 0.79, 0.81);
  comparison.verdict = stats::Verdict::kFaster;
  comparison.margin = 0.01;
  comparison.time_ns[0] = 125;
  comparison.time_ns[1] = 100;
  comparison.cpu_ns[0] = 124;
  comparison.cpu_ns[1] = 99;
  comparison.operations[0] = 3000;
  comparison.operations[1] = 3010;
  comparison.pairs = 18213;
  comparison.dropped = 12;
  comparison.skew_p50_ns = 8.5;
  comparison.batch = 1000;
  return comparison;
}

inline Comparison WithVerdict(stats::Verdict verdict, const stats::RatioInterval& interval) {
  Comparison comparison = FasterComparison();
  comparison.verdict = verdict;
  comparison.interval = interval;
  return comparison;
}

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

// The row that stands for a comparison, by its number in `book`.
inline benchmark::BenchmarkReporter::Run DuetRow(const std::string& name, int64_t number,
                                                 const ComparisonBook& book) {
  benchmark::BenchmarkReporter::Run run = OrdinaryRow(name);
  run.iterations = 1'000'000'000'000;
  run.counters = EncodeHiddenCounters(*book.Find(number), number, book.GroupOf(number));
  return run;
}

// The same where nothing but the number matters.
inline benchmark::BenchmarkReporter::Run DuetRow(const std::string& name, int64_t number) {
  benchmark::BenchmarkReporter::Run run = OrdinaryRow(name);
  run.iterations = 1'000'000'000'000;
  run.counters[kComparisonKey] = benchmark::Counter(static_cast<double>(number));
  return run;
}

// The row of a benchmark that failed.
inline benchmark::BenchmarkReporter::Run ErrorRow(const std::string& name,
                                                  const std::string& message) {
  benchmark::BenchmarkReporter::Run run = OrdinaryRow(name);
  internal::SetError(run, message);
  return run;
}

// A book in which number 1 is the first of `comparisons`; it lives as long as the program.
inline const ComparisonBook* BookOf(std::vector<Comparison> comparisons) {
  static std::deque<ComparisonBook> books;
  ComparisonBook& book = books.emplace_back();
  for (Comparison& comparison : comparisons) book.Add(std::move(comparison), "family", {}, true);
  return &book;
}

// What the library tells its reporters first.
inline benchmark::BenchmarkReporter::Context ContextOfWidth(size_t name_field_width) {
  benchmark::BenchmarkReporter::Context context;
  context.name_field_width = name_field_width;
  return context;
}

}  // namespace duetbench

#endif  // DUETBENCH_TESTS_REPORT_COMPARISONS_H_
