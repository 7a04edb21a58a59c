#ifndef DUETBENCH_REPORT_DUET_FILE_H_
#define DUETBENCH_REPORT_DUET_FILE_H_

#include <benchmark/benchmark.h>

#include <memory>
#include <utility>
#include <vector>

#include "duetbench/report/rows.h"

namespace duetbench {

// Gives another reporter (JSON, CSV) the three rows of each duet in place of one.
class DuetFile : public benchmark::BenchmarkReporter {
 public:
  // With `at_the_end` the inner reporter gets everything in one call, as the CSV reporter needs it:
  // it takes its columns from the first call and ends the program at a counter that it does not
  // know.
  DuetFile(std::unique_ptr<benchmark::BenchmarkReporter> inner, FindComparison find,
           bool at_the_end)
      : inner_(std::move(inner)), find_(std::move(find)), at_the_end_(at_the_end) {}

  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override;

 private:
  const std::unique_ptr<benchmark::BenchmarkReporter> inner_;
  const FindComparison find_;
  const bool at_the_end_;
  std::vector<Run> kept_;
};

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_DUET_FILE_H_
