#include "duetbench/experiment/duet_job.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "duetbench/decide/interim_analysis.h"
#include "duetbench/experiment/explaining_runs.h"
#include "duetbench/stats/number_text.h"

namespace duetbench {
namespace {

// The assumptions for a job that has not begun.
constexpr double kUsualRuns = 20;
constexpr double kUsualPilots = 3;
constexpr double kUsualPairsPerSecond = 20e3;

// On a terminal all the time; else a line in each tenth of the budget.
void TellProgress(DuetJobs* all) {
  const std::string text = all->BudgetText();
  ExperimentHost& host = all->measurer->host();
  if (host.ShowProgressText(text)) return;
  const int tenths = static_cast<int>(10 * all->clock() / all->budget_s);
  if (tenths <= all->tenths_told) return;
  all->tenths_told = tenths;
  std::fprintf(stderr, "duetbench: %s\n", text.c_str());
}

}  // namespace

DuetJob::DuetJob(DuetTask task, int number, DuetJobs* all, TakeComparison take)
    : task_(std::move(task)),
      number_(number),
      all_(*all),
      measurer_(*all->measurer),
      options_(measurer_.OptionsFor(task_)),
      take_(std::move(take)) {}

void DuetJob::Begin() {
  begun_ = true;
  absl::StatusOr<ExperimentRequest> request = measurer_.RequestFor(task_);
  if (request.ok() && measurer_.IsUnchanged(task_)) {
    for (size_t duet = 0; duet < duets(); ++duet) comparisons_.push_back(UnchangedComparison());
    return;
  }
  absl::Status status = request.status();
  if (request.ok()) {
    absl::StatusOr<std::unique_ptr<HostedExperiment>> hosted =
        measurer_.host().Begin(*std::move(request));
    status = hosted.status();
    if (hosted.ok()) hosted_ = *std::move(hosted);
  }
  if (!status.ok()) SetAll(FailedComparison(std::string(status.message())));
}

bool DuetJob::LaunchNext() {
  Experiment& experiment = hosted_->experiment;
  if (all_.budget_s > 0) {
    TellProgress(&all_);
  } else if (experiment.Next() != nullptr && experiment.HasProgress()) {
    measurer_.host().ShowProgress(absl::StrCat(all_.PlaceOf(*this), ", ", task_.name),
                                  experiment.done(), experiment.runs(),
                                  all_.interleaved ? all_.SecondsLeft() : experiment.SecondsLeft());
  }
  return measurer_.host().LaunchNext(hosted_.get());
}

void DuetJob::End(bool interrupted) {
  is_out_of_time_ = !interrupted;
  if (hosted_ == nullptr) return;
  Experiment& experiment = hosted_->experiment;
  interrupted ? experiment.Interrupt() : experiment.End();
}

bool DuetJob::IsToBeExplained(size_t duet) const {
  return measurer_.IsExplained(comparisons_[duet]);
}

void DuetJob::Finish() {
  is_done_ = true;
  if (hosted_ == nullptr) return;
  const bool has_runs = hosted_->experiment.done() > 0;
  const RunPlan last_plan = hosted_->experiment.last_plan();
  comparisons_ = hosted_->experiment.Finish();
  for (size_t duet = 0; duet < duets() && !is_out_of_time_; ++duet) {
    Comparison& comparison = comparisons_[duet];
    if (!IsToBeExplained(duet)) continue;
    const ExperimentRequest& request = hosted_->request;
    comparison.explanation = measurer_.Explain(task_.group.empty() ? request : request.duets[duet],
                                               last_plan, *comparison.estimate());
  }
  if (is_out_of_time_ && !has_runs && comparisons_.front().failure() != nullptr) {
    SetAll(OutOfTimeComparison());
  }
  hosted_.reset();
  is_recorded_ = false;
  // It may be long before the jobs in front of it are done, and it is reported.
  if (measurer_.ReportsPairs()) return;
  for (Comparison& comparison : comparisons_) comparison.DropPairs();
}

void DuetJob::Report() {
  measurer_.host().ClearProgress();
  if (!begun_) {
    SetAll(is_out_of_time_ ? OutOfTimeComparison() : FailedComparison("not measured: interrupted"));
  }
  const bool is_recorded = std::exchange(is_recorded_, true);
  for (size_t duet = 0; duet < duets(); ++duet) {
    if (!is_recorded) measurer_.host().Record(TaskOf(duet).name, comparisons_[duet]);
    take_(duet, std::move(comparisons_[duet]), begun_ || is_out_of_time_);
  }
  comparisons_.clear();
}

DuetTask DuetJob::TaskOf(size_t duet) const {
  if (task_.group.empty()) return task_;
  const DuetInstance* const instance = task_.group[duet];
  return {instance, ShortName(*instance)};
}

void DuetJob::SetAll(const Comparison& comparison) { comparisons_.assign(duets(), comparison); }

double DuetJob::RunsLeft() const {
  if (is_done_ || (begun_ && hosted_ == nullptr)) return 0;
  if (!begun_) return options_.runs > 0 ? options_.runs : kUsualRuns;
  Experiment& experiment = hosted_->experiment;
  if (experiment.Next() == nullptr) return 0;
  if (experiment.runs() == 0) return kUsualRuns;
  return std::max(1, experiment.runs() - experiment.done());
}

double DuetJob::Bytes() const {
  double pairs = kUsualPairsPerSecond * options_.min_time;
  if (is_done_) {
    pairs = 0;
    for (const Comparison& comparison : comparisons_) {
      for (const RunResult& result : comparison.results) {
        pairs += static_cast<double>(result.pairs.size());
      }
    }
  } else if (hosted_ != nullptr && hosted_->experiment.done() > 0) {
    const Experiment& experiment = hosted_->experiment;
    const double of_all = std::max(experiment.done(), experiment.runs());
    pairs = static_cast<double>(experiment.pairs()) * of_all / experiment.done();
  }
  return pairs * (sizeof(PairRecord) + sizeof(stats::Pair));
}

Prospect DuetJob::prospect() const {
  if (hosted_ != nullptr) return hosted_->experiment.prospect();
  Prospect prospect;
  prospect.first_runs = kUsualPilots + stats::AnalysisRuns(1);
  prospect.run_s = options_.min_time / kUsualRuns;
  return prospect;
}

double DuetJob::SecondsLeft() const {
  if (is_done_) return 0;
  return hosted_ == nullptr ? options_.min_time : hosted_->experiment.SecondsLeft();
}

std::string DuetJobs::PlaceOf(const DuetJob& job) const {
  if (!interleaved) return absl::StrCat("duet ", job.number(), " of ", same_jobs.size());
  const auto done = std::count_if(same_jobs.begin(), same_jobs.end(),
                                  [](const DuetJob* other) { return other->is_done(); });
  return absl::StrCat(done, " of ", same_jobs.size(), " duets done");
}

std::string DuetJobs::BudgetText() const {
  const auto done = std::count_if(same_jobs.begin(), same_jobs.end(),
                                  [](const DuetJob* job) { return job->is_done(); });
  const auto all = static_cast<std::ptrdiff_t>(same_jobs.size());
  return absl::StrCat(done, " of ", all, " duets decided, ", all - done, " open, ",
                      DurationText(std::max(0.0, budget_s - clock())), " left");
}

double DuetJobs::SecondsLeft() const {
  double seconds = 0;
  for (const DuetJob* const job : same_jobs) seconds += job->SecondsLeft();
  return seconds;
}

void AddJob(DuetTask task, int number, TakeComparison take, DuetJobs* all) {
  auto job = std::make_unique<DuetJob>(std::move(task), number, all, std::move(take));
  all->same_jobs.push_back(job.get());
  all->jobs.push_back(std::move(job));
}

}  // namespace duetbench
