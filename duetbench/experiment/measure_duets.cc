#include "duetbench/experiment/measure_duets.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "duetbench/decide/interval.h"
#include "duetbench/experiment/interrupt.h"
#include "duetbench/experiment/suite_runs.h"
#include "duetbench/report/comparison_format.h"
#include "duetbench/report/facts.h"
#include "duetbench/report/suite_facts.h"
#include "duetbench/report/text.h"

namespace duetbench {
namespace {

// The assumptions for a job that has not begun.
constexpr double kUsualRuns = 20;
constexpr double kUsualPilots = 3;
constexpr double kUsualPairsPerSecond = 20e3;

class DuetJob;

// The duets of a program while they are measured.
struct Suite {
  const Flags& flags;
  Launcher& launcher;
  Reports& reports;
  bool interleaved = false;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  int tenths_told = 0;  // of the budget, where there is no progress line
  std::vector<std::unique_ptr<DuetJob>> jobs = {};
  std::vector<SuiteEntry> entries = {};  // of what was measured, or was tried

  bool has_budget() const { return flags.budget_of_each > 0; }
  double SecondsPassed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  // On a terminal all the time; else, with a budget, a line in each tenth of it.
  void TellProgress(const DuetJob& job, Experiment* experiment);
  // Reports what became of a duet, of `duets` that were measured together. `is_entry`: it was
  // measured, or it was tried.
  void Report(const DuetInstance& instance, const DuetsOfRuns& duets, Comparison comparison,
              bool is_entry);
};

// Duets that are measured together, as a job of a suite.
class DuetJob final : public SuiteJob {
 public:
  // `suite` outlives it.
  DuetJob(DuetsOfRuns duets, Suite* suite)
      : duets_(std::move(duets)),
        suite_(*suite),
        launcher_(suite->launcher),
        options_(ExperimentOptionsOf(duets_, suite->flags)) {}

  bool LaunchNext(double most_s) override;
  void Finish(End end) override;
  void Report() override;

  double RunsLeft() const override;
  double Bytes() const override;  // of pairs, which are what fills the memory
  Prospect prospect() const override;

  const DuetInstance& first() const { return *duets_.front(); }
  bool is_done() const { return is_done_; }
  double SecondsLeft() const;

 private:
  void Begin();
  // Its verdict, or its failed gate, is to be explained (Flags::explain).
  bool IsExplained(const Comparison& comparison) const;
  // The outcome of all its duets.
  void SetAll(const Comparison& comparison) { comparisons_.assign(duets_.size(), comparison); }

  const DuetsOfRuns duets_;
  Suite& suite_;
  Launcher& launcher_;
  const ExperimentOptions options_;
  bool begun_ = false;
  bool is_done_ = false;
  bool is_out_of_time_ = false;  // the budget has ended it
  bool is_recorded_ = true;      // in the file of pairs, or there is nothing to record
  std::unique_ptr<LaunchedExperiment> launched_;  // while there are runs to launch
  std::vector<Comparison> comparisons_;           // after it, of each duet
};

void DuetJob::Begin() {
  begun_ = true;
  absl::StatusOr<ExperimentRequest> request = RequestFor(duets_, suite_.flags, &launcher_);
  const ComparedPrograms* const programs = first().spec->programs.get();
  if (request.ok() && programs != nullptr && programs->are_same && !options_.dry_run &&
      !suite_.flags.measure_unchanged) {
    return SetAll(UnchangedComparison());
  }
  absl::Status status = request.status();
  if (request.ok()) {
    absl::StatusOr<std::unique_ptr<LaunchedExperiment>> launched =
        launcher_.Begin(*std::move(request));
    status = launched.status();
    if (launched.ok()) launched_ = *std::move(launched);
  }
  if (!status.ok()) SetAll(FailedComparison(std::string(status.message())));
}

bool DuetJob::LaunchNext(double most_s) {
  if (!begun_) Begin();
  if (launched_ == nullptr) return false;
  suite_.TellProgress(*this, &launched_->experiment);
  return launcher_.LaunchNext(launched_.get(), most_s);
}

bool DuetJob::IsExplained(const Comparison& comparison) const {
  const WhenExplained when = suite_.flags.explain;
  if (when == WhenExplained::kNever || !comparison.has_ratio() || is_out_of_time_) return false;
  // A difference that may be none, and one that is too small to matter, have no explanation.
  if (comparison.verdict != stats::Verdict::kFaster &&
      comparison.verdict != stats::Verdict::kSlower) {
    return false;
  }
  const GateResult* const gate = comparison.time_gate();
  return when != WhenExplained::kFailedGates ||
         (gate != nullptr && gate->outcome == GateStatus::kFail);
}

void DuetJob::Finish(End end) {
  is_done_ = true;
  is_out_of_time_ = end == End::kOutOfTime;
  if (launched_ == nullptr) return;
  if (end == End::kInterrupted) launched_->experiment.Interrupt();
  if (is_out_of_time_) launched_->experiment.End();
  const bool has_runs = launched_->experiment.done() > 0;
  comparisons_ = launched_->experiment.Finish();
  const ExperimentRequest& request = launched_->request;
  for (size_t duet = 0; duet < duets_.size(); ++duet) {
    Comparison& comparison = comparisons_[duet];
    if (!IsExplained(comparison)) continue;
    comparison.explanation = launcher_.Explain(
        request.duets.empty() ? request : request.duets[duet], launched_->experiment.last_plan(),
        comparison, suite_.flags.explain == WhenExplained::kWithCode);
  }
  if (is_out_of_time_ && !has_runs && comparisons_.front().has_failed()) {
    SetAll(OutOfTimeComparison(launched_->experiment.ended_after_s()));
  }
  launched_.reset();
  is_recorded_ = false;
  // It may be long before the jobs in front of it are done, and it is reported.
  if (!suite_.flags.report.empty() || !suite_.flags.out.empty()) return;
  for (Comparison& comparison : comparisons_) comparison.DropPairs();
}

void DuetJob::Report() {
  launcher_.progress().Clear();
  if (!begun_) {
    SetAll(is_out_of_time_ ? OutOfTimeComparison() : FailedComparison("not measured: interrupted"));
  }
  const bool is_recorded = std::exchange(is_recorded_, true);
  for (size_t duet = 0; duet < duets_.size(); ++duet) {
    if (!is_recorded) launcher_.Record(ShortName(*duets_[duet]), comparisons_[duet]);
    suite_.Report(*duets_[duet], duets_, std::move(comparisons_[duet]), begun_ || is_out_of_time_);
  }
  comparisons_.clear();
}

double DuetJob::RunsLeft() const {
  if (is_done_ || (begun_ && launched_ == nullptr)) return 0;
  if (!begun_) return options_.runs > 0 ? options_.runs : kUsualRuns;
  Experiment& experiment = launched_->experiment;
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
  } else if (launched_ != nullptr && launched_->experiment.done() > 0) {
    const Experiment& experiment = launched_->experiment;
    const double of_all = std::max(experiment.done(), experiment.runs());
    pairs = static_cast<double>(experiment.pairs()) * of_all / experiment.done();
  }
  return pairs * (sizeof(PairRecord) + sizeof(stats::Pair));
}

Prospect DuetJob::prospect() const {
  if (launched_ != nullptr) return launched_->experiment.prospect();
  Prospect prospect;
  prospect.first_runs = kUsualPilots + stats::AnalysisRuns(1);
  prospect.run_s = options_.min_time / kUsualRuns;
  return prospect;
}

double DuetJob::SecondsLeft() const {
  if (is_done_) return 0;
  return launched_ == nullptr ? options_.min_time : launched_->experiment.SecondsLeft();
}

void Suite::TellProgress(const DuetJob& job, Experiment* experiment) {
  const auto done =
      std::count_if(jobs.begin(), jobs.end(), [](const auto& other) { return other->is_done(); });
  const auto all = static_cast<std::ptrdiff_t>(jobs.size());
  if (has_budget()) {
    const std::string text =
        absl::StrCat(done, " of ", all, " duets decided, ", all - done, " open, ",
                     DurationText(std::max(0.0, flags.budget - SecondsPassed())), " left");
    const int tenths = static_cast<int>(10 * SecondsPassed() / flags.budget);
    if (launcher.progress().Show(text) || tenths <= tenths_told) return;
    tenths_told = tenths;
    std::fprintf(stderr, "duetbench: %s\n", text.c_str());
    return;
  }
  if (experiment->Next() == nullptr || !experiment->HasProgress()) return;
  double seconds_left = interleaved ? 0 : experiment->SecondsLeft();
  std::string place = absl::StrCat("duet ", done + 1, " of ", all);
  if (interleaved) {
    place = absl::StrCat(done, " of ", all, " duets done");
    for (const auto& each : jobs) seconds_left += each->SecondsLeft();
  }
  launcher.progress().Show(absl::StrCat(place, ", ", ShortName(job.first())), experiment->done(),
                           experiment->runs(), seconds_left);
}

// Benchmarks of programs are registered one by one, with their arguments in their names.
std::string FamilyName(const DuetSpec& spec) {
  const std::string name = Printable(spec.name);
  if (spec.programs == nullptr) return name;
  const std::string function = name.substr(0, name.find('/'));
  return spec.group == nullptr ? function : absl::StrCat(function, name.substr(name.rfind('/')));
}

// Why a gate could not be measured; empty: each was.
std::string UnmeasuredGate(const Comparison& comparison) {
  for (const GateResult& gate : comparison.gates) {
    if (gate.runs > 0) continue;
    return absl::StrCat("a gate on ", MetricName(gate.spec.metric),
                        gate.spec.metric.is_quantile()
                            ? ": one call is too short for the clock to be timed alone"
                            : ": no run has counted it for both variants");
  }
  return "";
}

void Suite::Report(const DuetInstance& instance, const DuetsOfRuns& duets, Comparison comparison,
                   bool is_entry) {
  const DuetSpec& spec = *instance.spec;
  comparison.names = spec.variant_names;
  const std::string unmeasured = UnmeasuredGate(comparison);
  if (!unmeasured.empty()) comparison = FailedComparison(unmeasured);
  const ExperimentOptions options = OptionsOf(spec, flags);
  comparison.has_gate = !options.gates.empty() && !options.dry_run;
  SuiteEntry entry;
  entry.facts = FactsOf(instance.name.str(), comparison);
  entry.facts.file = Printable(spec.location.file);
  entry.facts.line = spec.location.line;
  if (!flags.report.empty() && launcher.machine().ok()) {
    entry.facts.picture = PictureOfMiddleRun(comparison, launcher.machine()->ns_per_tick);
  }
  entry.family = FamilyName(spec);
  comparison.DropPairs();
  entry.comparison = std::move(comparison);
  reports.Add(MakeInstanceRows(instance, entry.comparison, entry.facts));
  if (!is_entry) return;
  for (const DuetInstance* const each : duets) {
    entry.same_runs.push_back(Printable(each->name.str()));
  }
  entries.push_back(std::move(entry));
}

}  // namespace

std::vector<SuiteEntry> MeasureDuets(const std::vector<DuetInstance>& instances, Flags flags,
                                     Launcher* launcher, Reports* reports) {
  if (instances.empty()) return {};
  const bool is_dry_run = OptionsOf(*instances.front().spec, flags).dry_run;
  if (flags.budget > 0 && !is_dry_run) {
    // For the report; a start of a run that the time does not suffice for is no start.
    constexpr double kMeasuringShare = 0.95;
    flags.budget_of_each = kMeasuringShare * flags.budget / static_cast<double>(instances.size());
  }
  Suite suite{flags, *launcher, *reports};
  // A dry run is too short for random order.
  suite.interleaved = !flags.sequential && instances.size() > 1 && !is_dry_run;
  std::vector<SuiteJob*> jobs;
  std::set<size_t> in_a_group;  // instances of jobs before
  for (size_t i = 0; i < instances.size(); ++i) {
    if (in_a_group.count(i) > 0) continue;
    DuetsOfRuns duets;
    for (const size_t each : WithSameRuns(i, instances, flags)) {
      duets.push_back(&instances[each]);
      in_a_group.insert(each);
    }
    suite.jobs.push_back(std::make_unique<DuetJob>(std::move(duets), &suite));
    jobs.push_back(suite.jobs.back().get());
  }
  SuiteOrder order;
  order.interleaved = suite.interleaved;
  order.seed = flags.options.seed;
  if (suite.has_budget()) {
    order.budget_s = flags.budget;
    order.clock = [&suite] { return suite.SecondsPassed(); };
  }
  const InterruptGuard guard;
  MakeSuiteRuns(jobs, order, Launcher::interrupted);
  return std::move(suite.entries);
}

}  // namespace duetbench
