#ifndef DUETBENCH_REPORT_DUET_CONSOLE_H_
#define DUETBENCH_REPORT_DUET_CONSOLE_H_

#include <benchmark/benchmark.h>

#include <string>
#include <utility>
#include <vector>

#include "duetbench/report/comparison_book.h"

namespace duetbench {

// Google Benchmark's console table in which a duet has three lines: old and new like any benchmark,
// and the verdict.
//
//   Benchmark                    Time             CPU   Iterations
//   ------------------------------------------------------------------
//   BM_A_vs_BM_B/64/old       12.3 ns         12.3 ns     18213000
//   BM_A_vs_BM_B/64/new       9.81 ns         9.80 ns     18213000
//   BM_A_vs_BM_B/64          0.797 x          [0.795, 0.799]  FASTER: new takes 20.3 % less time …
class DuetConsole : public benchmark::ConsoleReporter {
 public:
  // `book` outlives this. `header` is printed once, below the context of the library.
  // `columns`: of the terminal; where a verdict does not fit into them it has a line of its own. 0:
  // no limit.
  DuetConsole(OutputOptions options, const ComparisonBook* book, std::vector<std::string> header,
              int columns = 0)
      : benchmark::ConsoleReporter(options),
        book_(book),
        header_(std::move(header)),
        columns_(columns) {}

  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;

 private:
  void PrintVerdict(const Run& row, const Comparison& comparison);
  void PrintStatistic(const Run& row);
  void PrintName(const Run& row);

  const ComparisonBook* const book_;
  const std::vector<std::string> header_;
  const int columns_;
  std::vector<std::string> said_;  // notices, each printed once
};

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_DUET_CONSOLE_H_
