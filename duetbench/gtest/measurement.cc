#include "duetbench/gtest/measurement.h"

#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "duetbench/api/flag_parsing.h"
#include "duetbench/api/option_table.h"
#include "duetbench/decide/comparison.h"
#include "duetbench/experiment/interrupt.h"
#include "duetbench/experiment/launcher.h"
#include "duetbench/measure/loop_processes.h"
#include "duetbench/measure/this_process.h"
#include "duetbench/platform/environment.h"
#include "duetbench/platform/exit_status.h"
#include "duetbench/report/comparison_format.h"
#include "duetbench/report/suite_facts.h"
#include "gtest/gtest.h"

namespace duetbench::internal {
namespace {

// The comparisons of one test program share it.
struct TestProgram {
  explicit TestProgram(std::vector<std::string> command_line)
      : flags(ReadFlags(command_line, std::getenv)),
        launcher(std::move(command_line), flags.ok() ? flags->cpus : "",
                 flags.ok() ? flags->out : "", flags.ok() && flags->lock) {}

  absl::StatusOr<Flags> flags;  // that GoogleTest's main leaves alone
  Launcher launcher;
  std::map<std::string, int> repetitions;  // of each comparison, by name
};

TestProgram& ThisTestProgram();

// A demanded file that was not written is an error, whatever main returns.
void CommitPairs() {
  const absl::Status written = ThisTestProgram().launcher.CommitPairsFile();
  if (written.ok()) return;
  std::fprintf(stderr, "duetbench: %s\n", std::string(written.message()).c_str());
  std::fflush(stderr);
  _exit(kExitError);
}

// Made at the first call.
TestProgram& ThisTestProgram() {
  static auto* const program = [] {
    SaveCommandLine(testing::internal::GetArgvs());
    auto* const created = new TestProgram(CommandLineOfThisProcess());
    // GoogleTest has no end of all tests that every main reaches.
    std::atexit(CommitPairs);
    return created;
  }();
  return *program;
}

}  // namespace

PendingComparison MakeComparison(std::shared_ptr<const Variant> old_variant,
                                 std::shared_ptr<const Variant> new_variant,
                                 const CompareOptions& options, const VariantNames& names) {
  DuetFunctions functions;
  functions.variants[0] = std::move(old_variant);
  functions.variants[1] = std::move(new_variant);
  return PendingComparison(std::make_shared<Measurement>(std::move(functions), options, names));
}

Measurement::Measurement(DuetFunctions functions, CompareOptions options, VariantNames names)
    : functions_(std::move(functions)),
      options_(std::move(options)),
      names_(std::move(names)),
      place_(NextPlace()) {
  functions_.ranges = options_.ranges;
  name_ = !place_.has_value() ? "Compare" : place_->call == 1 ? place_->test : place_->Text();
}

Measurement::Measurement(std::string name, Comparison comparison,
                         WhenInconclusive when_inconclusive)
    : name_(std::move(name)),
      comparison_(std::move(comparison)),
      when_inconclusive_(when_inconclusive) {}

const Comparison& Measurement::Measure(const std::optional<GateSpec>& gate) {
  if (comparison_.has_value()) return *comparison_;
  if (const std::optional<AssignedRun>& run = RunOfThisProcess()) {
    if (place_.has_value() && IsPlaceOfThisRun(*place_)) {
      ServeRun(run->task, functions_, run->result_fd);
    }
    passed_by_ = true;
    return comparison_.emplace();
  }
  comparison_ = MeasureHere(gate);
  comparison_->names = names_;
  return *comparison_;
}

Comparison Measurement::MeasureHere(const std::optional<GateSpec>& gate) {
  TestProgram& program = ThisTestProgram();
  if (!program.flags.ok()) {
    return FailedComparison(std::string(program.flags.status().message()));
  }
  if (const std::string broken = BrokenRule(options_); !broken.empty()) {
    return FailedComparison(absl::StrCat("CompareOptions().", broken));
  }
  when_inconclusive_ = program.flags->inconclusive;
  ExperimentRequest request;
  request.name = name_;
  request.repetition = program.repetitions[name_]++;
  request.functions = functions_;
  request.options = MakeExperimentOptions(program.flags->options, options_);
  request.options.gates.clear();  // those of flags: matchers are about times
  if (gate.has_value()) request.options.gates = {*gate};
  if (place_.has_value()) request.command = CommandFor(*place_, program.launcher.command_line());
  request.command.serve = [this](const RunTask& task, int result_fd) {
    ServeRun(task, functions_, result_fd);
  };

  // Why runs are no starts of this program.
  std::string reason = !place_.has_value()
                           ? "it is compared outside of a test, which no other process would reach"
                       : IsTraced() ? "a debugger is attached"
                                    : "";
  if (!reason.empty()) request.options.isolation = Isolation::kOnce;
  Comparison comparison = program.launcher.Measure(request);
  const Failure* const failure = comparison.failure();
  if (failure != nullptr && absl::StartsWith(failure->error.cause, kDidNotArrive) &&
      CanForkLoops()) {
    reason = failure->error.cause;
    request.options.isolation = Isolation::kOnce;
    comparison = program.launcher.Measure(request);
  }
  if (!reason.empty()) {
    comparison.notices.push_back({Notice::Kind::kForksOfThisProcess, {}, reason});
  }
  // Ctrl-C ended the experiment; the whole program was meant.
  if (Launcher::interrupted()) {
    CommitPairs();
    std::raise(*InterruptSignal());
  }
  return comparison;
}

Facts Measurement::facts() {
  Facts facts = FactsOf(name_, Measure());
  if (comparison_->estimate() == nullptr) facts.interval.ratio = 1, facts.interval.hi = HUGE_VAL;
  return facts;
}

Facts Measurement::Judged(const GateSpec& spec) {
  Comparison judged = Measure(spec);
  Estimate* const estimate = judged.estimate();
  if (estimate == nullptr) return facts();
  estimate->gates = {JudgeGate(spec, *estimate)};
  Facts facts = FactsOf(name_, judged);
  const absl::StatusOr<Machine>& machine = ThisTestProgram().launcher.machine();
  facts.message = AllGatesMessage(name_, judged, machine.ok() ? machine->cpus : CpuPairChoice());
  return facts;
}

}  // namespace duetbench::internal
