#include "duetbench/experiment/experiment.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "duetbench/decide/notice.h"
#include "duetbench/decide/select_pairs.h"
#include "duetbench/record/measuring_policy.h"

namespace duetbench {
namespace {

// Since the first call.
double SecondsNow() {
  using Clock = std::chrono::steady_clock;
  static const Clock::time_point first = Clock::now();
  return std::chrono::duration<double>(Clock::now() - first).count();
}

// The largest part of the time of the runs; empty: samples, or what these took is not known.
std::string LargestPartOutsideOfSamples(const TimeAccount& account) {
  const std::pair<double, const char*> parts[] = {
      {account.solo_ns + account.dropped_ns + account.kept_ns, ""},
      {account.start_ns, "starting"},
      {account.set_up_ns + account.call_set_ups_ns, "in set-up"},
      {account.unmeasured_ns, "in warm-up"},
      {account.waiting_ns(), "waiting for a CPU, or ending"}};
  const auto is_shorter = [](const auto& a, const auto& b) { return a.first < b.first; };
  return std::max_element(std::begin(parts), std::end(parts), is_shorter)->second;
}

}  // namespace

Experiment::Experiment(ExperimentOptions options, const Machine& machine, GroupQuestions group)
    : options_(std::move(options)),
      group_(std::move(group)),
      rule_(options_, machine.ns_per_tick),
      evidence_{options_, machine} {
  step_.course = FirstCourse(options_, machine);
  if (rule_.analyzes()) evidence_.seconds = rule_.SecondsLeft(0, 0);
}

const RunPlan* Experiment::Next() {
  while (!is_over_ && !has_step_) {
    step_ = NextStep(evidence_, std::move(step_.course));
    has_step_ = step_.kind == Step::Kind::kLaunch;
    if (!has_step_) Apply(step_);
  }
  start_s_ = SecondsNow();
  return is_over_ ? nullptr : &step_.plan;
}

void Experiment::Apply(const Step& step) {
  switch (step.kind) {
    case Step::Kind::kLaunch:
      return;
    case Step::Kind::kMeasure:
      if (!evidence_.is_measuring) {
        evidence_.is_measuring = true;
        evidence_.calibration.clear();
        evidence_.account.EndPilots();
      }
      PlanEnd(step.course);
      return;
    case Step::Kind::kRestart:
    case Step::Kind::kTakeLongCalls:
      for (std::vector<RunResult>& results : evidence_.pairs) results.clear();
      if (step.kind == Step::Kind::kTakeLongCalls) evidence_.pairs.swap(evidence_.long_calls);
      evidence_.account.EndPilots();
      rule_.Restart();
      PlanEnd(step.course);
      return;
    case Step::Kind::kEnd:
      is_over_ = true;
      return;
  }
}

void Experiment::PlanEnd(const Course& course) {
  const double left = options_.min_time - evidence_.account.wall_ns * 1e-9;
  const double limit_ns = options_.runs == 0 ? course.limit_ns : 0;
  rule_.Plan(course.runs, std::max(0.0, left), limit_ns);
  AskWhetherEnough();
}

void Experiment::AskWhetherEnough() {
  evidence_.is_enough =
      !rule_.Continue(evidence_.results(), evidence_.account.wall_ns, SecondsOfRun() * 1e9);
}

void Experiment::Take(absl::StatusOr<RunOfPairs> launched) {
  const int run = step_.purpose == RunPurpose::kCheck ? -1 : done();
  has_step_ = false;
  if (!launched.ok()) {
    failure_.error.cause = std::string(launched.status().message());
    failure_.run = run;
    is_over_ = true;
  } else if (launched->front().interrupted) {
    Interrupt();
  } else if (launched->front().out_of_time) {
    ended_after_s_ = launched->front().process_ns * 1e-9;
    evidence_.account.wall_ns += launched->front().process_ns;
    has_step_ = true;
  } else if (!launched->front().error.cause.empty()) {
    failure_.error = std::move(launched->front().error);
    if (!failure_.error.skipped) failure_.run = run;
    is_over_ = true;
  } else {
    Keep(*std::move(launched));
  }
}

void Experiment::Keep(RunOfPairs launched) {
  const RunPlan& plan = step_.plan;
  evidence_.last = step_.purpose;
  // A launcher that simulates runs has its own clock.
  if (launched.front().start_s < 0) launched.front().start_s = start_s_;
  const double wall_ns_before = evidence_.account.wall_ns;
  evidence_.account.AddRun(launched.front(), plan);
  last_run_s_ = (evidence_.account.wall_ns - wall_ns_before) * 1e-9;
  switch (step_.purpose) {
    case RunPurpose::kCheck:
      return;
    case RunPurpose::kDryRun:
      last_dry_run_ = std::move(launched.front());
      return;
    case RunPurpose::kLongCalls:
      KeepPairs(std::move(launched), &evidence_.long_calls);
      return;
    case RunPurpose::kMeasuring:
      KeepPairs(std::move(launched), &evidence_.pairs);
      AskWhetherEnough();
      return;
    default:
      evidence_.calibration = std::move(launched);
  }
}

// A second run with the same number takes the place of the first.
void Experiment::KeepPairs(RunOfPairs launched, std::vector<std::vector<RunResult>>* pairs) {
  pairs->resize(launched.size());
  for (size_t i = 0; i < pairs->size(); ++i) {
    (*pairs)[i].resize(step_.plan.run);
    RunResult& result = (*pairs)[i].emplace_back(std::move(launched[i]));
    result.start_s = pairs->front().back().start_s;
    result.layout = pairs->front().back().layout;
    result.depends_on_position =
        step_.purpose == RunPurpose::kLongCalls || step_.course.depends_on_position.value_or(false);
  }
}

void Experiment::Interrupt() {
  interrupted_ = true;
  is_over_ = true;
}

std::vector<Comparison> Experiment::Finish() {
  if (evidence_.last == RunPurpose::kDryRun) {
    return {SummarizeDryRun(std::move(last_dry_run_), options_, evidence_.machine.ns_per_tick)};
  }
  std::vector<Question> questions = group_.questions;
  if (questions.empty()) questions.push_back({VariantPair(), options_.gates});
  if (!failure_.error.cause.empty() || done() == 0)
    return std::vector<Comparison>(questions.size(), Failed());
  std::optional<Ranking> ranking;
  if (IsGroup(options_)) ranking = RankGroup();
  const double share = rule_.final_share() / static_cast<double>(questions.size());
  std::vector<Comparison> answers;
  size_t last_with_base = 0;
  for (const Question& question : questions) {
    if (question.pair.old_variant == 0) last_with_base = answers.size();
    answers.push_back(Answer(question, share));
  }
  answers[last_with_base].ranking = std::move(ranking);
  return answers;
}

Comparison Experiment::Failed() {
  RunError& error = failure_.error;
  if (error.cause.empty()) error.cause = "was interrupted before there was a result";
  if (IsGroup(options_) && error.variant >= 0) {  // a row knows only two variants
    error.cause = absl::StrCat(group_.names[static_cast<size_t>(error.variant)], " ", error.cause);
    error.variant = -1;
  }
  Comparison failed;
  failed.failure = failure_;
  return failed;
}

Ranking Experiment::RankGroup() const {
  std::vector<stats::DecisionInput> pairs;
  for (size_t i = 0; i < evidence_.pairs.size(); ++i) {
    stats::DecisionInput& pair = pairs.emplace_back(
        SelectPairs(evidence_.pairs[i], options_, evidence_.machine.ns_per_tick));
    pair.measured_together = WereMeasuredTogether(CourseOfPair(i), options_);
  }
  return RankVariants(pairs, group_.names, options_, rule_.final_share());
}

Course Experiment::CourseOfPair(size_t index) const {
  Course course = step_.course;
  if (index != course.disturbed_pair) {
    course.disturbance.reset();
    course.disturb_each_other = false;
  }
  return course;
}

Comparison Experiment::Answer(const Question& question, double share) {
  const std::vector<VariantPair> pairs = PairsOfGroup(options_.variants);
  const auto index =
      static_cast<size_t>(std::find(pairs.begin(), pairs.end(), question.pair) - pairs.begin());
  const Course course = CourseOfPair(index);
  ExperimentOptions options = EffectiveOptions(course, options_);
  options.gates = question.gates;
  const auto runs = static_cast<int>(evidence_.pairs[index].size());
  Comparison result =
      Summarize(std::move(evidence_.pairs[index]), options, evidence_.machine.ns_per_tick, share,
                WereMeasuredTogether(course, options_));
  result.within_budget = options_.until_verdict;
  // A group takes as long as the comparisons with its base would one by one.
  const double comparisons = options_.variants - 1;
  const double wall_s = evidence_.account.wall_ns * 1e-9;
  result.wall_s = wall_s / comparisons;
  if (options_.fixed_iterations > 0 && options_.fill) {
    result.notices.push_back({Notice::Kind::kNotFilled, {}, ""});
  }
  const bool takes_time = runs <= kMeasuringPolicy.fewest_runs && runs < course.short_runs &&
                          !course.depends_on_position.value_or(false);
  const bool is_shortened =
      !interrupted_ && !rule_.analyzes() && (runs < rule_.runs() || takes_time);
  if (options_.runs == 0 && (is_shortened || course.costs.first_calls_ns > 0)) {
    const TimeAccount& account = evidence_.account;
    const double run_s = (account.wall_ns - account.pilots_ns) * 1e-9 / runs;
    result.notices.push_back({Notice::Kind::kExpensiveRuns,
                              {static_cast<double>(runs), run_s},
                              LargestPartOutsideOfSamples(account)});
  }
  AddCourse(course, options_, &result);
  if (!result.has_ratio()) return result;
  result.measuring_s = course.plan.budget_ns * 1e-9 * result.runs / comparisons;
  result.interrupted = interrupted_;
  result.runs_planned = rule_.analyzes() && !interrupted_ ? result.runs : rule_.runs();
  result.threads = options_.threads;
  result.time = evidence_.account;
  if (rule_.analyzes()) {
    result.analyses = rule_.analyses();
    result.time_spent = rule_.time_spent();
  }
  return result;
}

bool Experiment::HasProgress() const {
  return step_.purpose != RunPurpose::kCheck && step_.purpose != RunPurpose::kDryRun;
}

int Experiment::runs() const { return evidence_.is_measuring ? rule_.runs() : options_.runs; }

double Experiment::SecondsLeft() const {
  return evidence_.is_measuring ? rule_.SecondsLeft(done(), evidence_.account.wall_ns)
                                : options_.min_time;
}

Prospect Experiment::prospect() const {
  Prospect prospect = rule_.prospect(done());
  constexpr double kTimesAsLong = 2;  // what a run may need that did not end
  prospect.run_s =
      done() > 0 ? SecondsOfRun() : std::max(last_run_s_, kTimesAsLong * ended_after_s_);
  prospect.spent_s = evidence_.account.wall_ns * 1e-9;
  return prospect;
}

double Experiment::SecondsOfRun() const {
  const TimeAccount& account = evidence_.account;
  return done() > 0 ? (account.wall_ns - account.pilots_ns) * 1e-9 / done() : last_run_s_;
}

size_t Experiment::pairs() const {
  size_t pairs = evidence_.calibration.empty() ? 0 : evidence_.calibration.front().pairs.size();
  for (const std::vector<RunResult>& results : evidence_.pairs) {
    for (const RunResult& result : results) pairs += result.pairs.size();
  }
  return pairs;
}

}  // namespace duetbench
