#include "duetbench/report/duet_file.h"

#include <cmath>
#include <iterator>
#include <utility>

#include "duetbench/report/report_rows.h"

namespace duetbench {
namespace {

// Ordinary benchmarks have such numbers too: the relative deviation of a counter that is always
// zero. The reporters of the library write them as they are, and no parser reads the file.
void DropWhatIsNotFinite(benchmark::BenchmarkReporter::Run* row) {
  for (auto it = row->counters.begin(); it != row->counters.end();) {
    it = std::isfinite(it->second.value) ? std::next(it) : row->counters.erase(it);
  }
  for (double* time : {&row->real_accumulated_time, &row->cpu_accumulated_time}) {
    if (!std::isfinite(*time)) *time = 0;
  }
}

}  // namespace

bool DuetFile::ReportContext(const Context& context) {
  // Not virtual, and set on this object after its construction.
  inner_->SetOutputStream(&GetOutputStream());
  inner_->SetErrorStream(&GetErrorStream());
  return inner_->ReportContext(context);
}

void DuetFile::ReportRuns(const std::vector<Run>& runs) {
  std::vector<Run> rows;
  for (ReportRow& row : MakeReportRows(runs, *book_)) {
    DropWhatIsNotFinite(&row.run);
    rows.push_back(std::move(row.run));
  }
  if (at_the_end_) {
    kept_.insert(kept_.end(), rows.begin(), rows.end());
  } else {
    inner_->ReportRuns(rows);
  }
}

void DuetFile::Finalize() {
  if (!kept_.empty()) inner_->ReportRuns(kept_);
  kept_.clear();
  inner_->Finalize();
}

}  // namespace duetbench
