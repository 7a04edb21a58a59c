#include "duetbench/report/duet_file.h"

namespace duetbench {

bool DuetFile::ReportContext(const Context& context) {
  // Not virtual, and set on this object after its construction.
  inner_->SetOutputStream(&GetOutputStream());
  inner_->SetErrorStream(&GetErrorStream());
  return inner_->ReportContext(context);
}

void DuetFile::ReportRuns(const std::vector<Run>& runs) {
  std::vector<Run> rows;
  for (const Run& run : runs) {
    const Comparison* comparison = ComparisonOf(run, find_);
    if (comparison == nullptr) {
      rows.push_back(run);
      continue;
    }
    if (!comparison->error.cause.empty()) {
      rows.push_back(MakeErrorRow(run, *comparison));
      continue;
    }
    DuetRows duet = MakeDuetRows(run, *comparison);
    rows.push_back(std::move(duet.variants[0]));
    rows.push_back(std::move(duet.variants[1]));
    rows.push_back(std::move(duet.comparison));
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
