#ifndef DUETBENCH_REPORT_DUET_FILE_H_
#define DUETBENCH_REPORT_DUET_FILE_H_

#include <benchmark/benchmark.h>

#include <memory>
#include <utility>
#include <vector>

#include "duetbench/report/comparison_book.h"

namespace duetbench {

// Gives another reporter (JSON, CSV) the rows of duets (report_rows.h) in place of those of the
// library, and no number that is not finite.
class DuetFile : public benchmark::BenchmarkReporter {
 public:
  // `book` outlives this. With `at_the_end` the inner reporter gets everything in one call, as the
  // CSV reporter needs it: it takes its columns from the first call and ends the program at a
  // counter that it does not know.
  DuetFile(std::unique_ptr<benchmark::BenchmarkReporter> inner, const ComparisonBook* book,
           bool at_the_end)
      : inner_(std::move(inner)), book_(book), at_the_end_(at_the_end) {}

  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override;

 private:
  const std::unique_ptr<benchmark::BenchmarkReporter> inner_;
  const ComparisonBook* const book_;
  const bool at_the_end_;
  std::vector<Run> kept_;
};

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_DUET_FILE_H_
