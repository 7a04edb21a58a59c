#include "duetbench/gtest/measurement.h"

#include <cmath>
#include <csignal>
#include <fstream>
#include <iterator>
#include <map>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "duetbench/registry/session.h"
#include "duetbench/report/gate_words.h"

namespace duetbench {
namespace {

absl::Status Wanted(const char* call, double value, const char* wanted) {
  return absl::InvalidArgumentError(
      absl::StrCat("CompareOptions().", call, "(", value, ") should be ", wanted));
}

std::string StatusOfThisProcess() {
  std::ifstream file("/proc/self/status");
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

Comparison Failed(const absl::Status& status) {
  Comparison comparison;
  comparison.error.cause = std::string(status.message());
  return comparison;
}

// The flags of the command line, which GoogleTest's main leaves to whoever knows them; taken once.
const absl::Status& FlagsOfThisProgram() {
  static const auto* const status = new absl::Status(Session::Get().TakeFlagsOfProcess());
  return *status;
}

}  // namespace

absl::StatusOr<ExperimentOptions> Merge(const CompareOptions& call, ExperimentOptions options) {
  const auto is_time = [](double seconds) { return seconds > 0 && seconds <= 1e6; };
  if (call.runs.has_value()) {
    if (*call.runs < 1) return Wanted("Runs", *call.runs, "at least 1");
    options.runs = *call.runs;
  }
  if (call.min_time.has_value()) {
    if (!is_time(*call.min_time)) return Wanted("MinTime", *call.min_time, "seconds above 0");
    options.min_time = *call.min_time;
  }
  if (call.max_time.has_value()) {
    if (!is_time(*call.max_time)) return Wanted("MaxTime", *call.max_time, "seconds above 0");
    options.max_time = *call.max_time;
  }
  if (call.level.has_value()) {
    if (!(*call.level > 0 && *call.level < 1)) {
      return Wanted("Level", *call.level, "between 0 and 1, such as 0.99");
    }
    options.level = *call.level;
  }
  if (call.margin.has_value()) {
    if (!(*call.margin >= 0 && *call.margin < 1)) {
      return Wanted("Margin", *call.margin, "from 0 to below 1, such as 0.01");
    }
    options.margin = *call.margin;
  }
  if (call.fill.has_value()) options.fill = *call.fill;
  if (call.schedule.has_value()) options.schedule = *call.schedule;
  return options;
}

namespace internal {

Measurement::Measurement(DuetFunctions functions, CompareOptions options)
    : functions_(std::move(functions)), options_(std::move(options)), place_(NextPlace()) {
  functions_.ranges = options_.ranges;
  if (!place_.has_value()) {
    name_ = "Compare";
  } else {
    name_ = place_->call == 1 ? place_->test : place_->Text();
  }
}

Measurement::Measurement(std::string name, Comparison comparison)
    : name_(std::move(name)), comparison_(std::move(comparison)) {}

const Comparison& Measurement::Measure(const GateDemand& demand) {
  if (comparison_.has_value()) return *comparison_;
  const Session& session = Session::Get();
  if (!session.task().has_value()) {
    comparison_ = MeasureHere(demand);
    return *comparison_;
  }
  if (place_.has_value() && IsPlaceOfThisRun(*place_)) {
    ServeRun(session.task()->plan, functions_, session.result_fd());
  }
  passed_by_ = true;
  comparison_.emplace();
  return *comparison_;
}

Comparison Measurement::MeasureHere(const GateDemand& demand) {
  Session& session = Session::Get();
  if (!FlagsOfThisProgram().ok()) return Failed(FlagsOfThisProgram());
  absl::StatusOr<ExperimentOptions> options = Merge(options_, session.options());
  if (!options.ok()) return Failed(options.status());
  options->gate = demand;

  // Why there are no processes for the runs.
  std::string reason;
  if (!place_.has_value()) {
    reason = "it is compared outside of a test, where no other process would come to";
  } else if (IsTraced(StatusOfThisProcess())) {
    reason = "a debugger is attached";
  }
  static auto* const repetitions = new std::map<std::string, int>;
  const int repetition = (*repetitions)[name_]++;
  RunTask task;
  task.family = -1;
  const auto compare = [&](const RunRoute& route) {
    if (!reason.empty()) options->runs = 1;
    return session.Compare(route, name_, repetition, task, functions_, *options);
  };
  Comparison comparison = compare(place_.has_value() ? RouteToPlace(*place_) : RunRoute());
  if (absl::StartsWith(comparison.error.cause, kDidNotArrive)) {
    reason = std::move(comparison.error.cause);
    comparison = compare({});
  }
  if (!reason.empty()) {
    comparison.notices.push_back(absl::StrCat("measured in this process only: ", reason));
  }
  // Ctrl-C ended the experiment; it is the whole program that it was for.
  if (session.interrupted()) std::raise(SIGINT);
  return comparison;
}

Comparison Measurement::Judged(const GateDemand& demand) {
  Comparison judged = Measure(demand);
  if (!judged.has_estimate) return judged;
  const bool measured_for_it = judged.gate.has_value() && judged.gate->demand.kind == demand.kind &&
                               judged.gate->demand.value == demand.value;
  if (measured_for_it) return judged;
  GateResult gate;
  gate.demand = demand;
  gate.outcome = Judge(demand, judged.interval);
  judged.gate = gate;
  return judged;
}

std::string Measurement::Message(const Comparison& judged) const {
  const absl::StatusOr<Machine>& machine = Session::Get().machine();
  return GateMessage(name_, judged, machine.ok() ? machine->cpus : CpuPairChoice());
}

}  // namespace internal
}  // namespace duetbench
