#ifndef DUETBENCH_REPORT_REPORT_ROWS_H_
#define DUETBENCH_REPORT_REPORT_ROWS_H_

#include <benchmark/benchmark.h>

#include <memory>
#include <vector>

#include "duetbench/report/comparison_book.h"
#include "duetbench/runner/comparison.h"

namespace duetbench {

// A row as reports show it.
struct ReportRow {
  enum class Kind {
    kLibrary,         // a row as the library knows it: an ordinary benchmark, a variant, an error
    kVerdict,         // the ratio of a duet, its interval and its verdict
    kRatioStatistic,  // a statistic of the ratio over repetitions: the counter "ratio"
  };

  benchmark::BenchmarkReporter::Run run;
  Kind kind = Kind::kLibrary;
  std::shared_ptr<const Comparison> comparison;  // of a verdict
};

// The rows to show for the rows of one call of ReportRuns. Those of ordinary benchmarks stay as
// they are. The names of duets become printable (printable.h), and of a duet
//
//   NAME, an iteration          becomes NAME/old, NAME/new and NAME (rows.h), or an error
//   NAME_mean and the like      NAME/old_mean, NAME/new_mean and NAME_mean: the statistic of the
//                               times and counters of each, and of the ratio. The ends of intervals
//                               have no statistics.
//   after the last of these     NAME_pooled: the interval and the verdict from the runs of all
//                               repetitions together
//   NAME_BigO, NAME_RMS         NAME/old_BigO, NAME/new_BigO and so on: a fit for each variant
std::vector<ReportRow> MakeReportRows(const std::vector<benchmark::BenchmarkReporter::Run>& runs,
                                      const ComparisonBook& book);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_REPORT_ROWS_H_
