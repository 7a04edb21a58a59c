#include "duetbench/gtest/measurement.h"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "duetbench/api/option_table.h"
#include "duetbench/experiment/comparison_in_progress.h"
#include "duetbench/experiment/interrupt.h"
#include "duetbench/measure/loop_processes.h"
#include "duetbench/measure/this_process.h"
#include "duetbench/platform/environment.h"
#include "duetbench/platform/exit_status.h"
#include "duetbench/report/comparison_format.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

Comparison Failed(const absl::Status& status) {
  return FailedComparison(std::string(status.message()));
}

// A demanded file that was not written is an error, whatever main returns.
void CommitPairs() {
  const absl::Status written = internal::ThisTestProgram().host.CommitPairsFile();
  if (written.ok()) return;
  std::fprintf(stderr, "duetbench: %s\n", std::string(written.message()).c_str());
  std::fflush(nullptr);
  _exit(kExitError);
}

}  // namespace

namespace internal {

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

TestProgram::TestProgram(std::vector<std::string> command_line)
    : options(ReadProgramOptions(command_line, std::getenv)),
      host(std::move(command_line), options.ok() ? options->flags.cpus : "",
           options.ok() ? options->flags.out : "", options.ok() && options->flags.lock) {}

Measurement::Measurement(DuetFunctions functions, CompareOptions options, VariantNames names)
    : functions_(std::move(functions)),
      options_(std::move(options)),
      names_(std::move(names)),
      place_(NextPlace()) {
  functions_.ranges = options_.ranges;
  if (!place_.has_value()) {
    name_ = "Compare";
  } else {
    name_ = place_->call == 1 ? place_->test : place_->Text();
  }
}

Measurement::Measurement(std::string name, Comparison comparison,
                         WhenInconclusive when_inconclusive)
    : name_(std::move(name)),
      comparison_(std::move(comparison)),
      when_inconclusive_(when_inconclusive) {}

const Comparison& Measurement::Measure(const std::optional<GateSpec>& gate) {
  if (comparison_.has_value()) return *comparison_;
  const std::optional<AssignedRun>& run = RunOfThisProcess();
  if (!run.has_value()) {
    comparison_ = MeasureHere(gate);
    comparison_->names = names_;
    return *comparison_;
  }
  if (place_.has_value() && IsPlaceOfThisRun(*place_)) {
    ServeRun(run->task, functions_, run->result_fd);
  }
  passed_by_ = true;
  comparison_.emplace();
  return *comparison_;
}

Comparison Measurement::MeasureHere(const std::optional<GateSpec>& gate) {
  TestProgram& program = ThisTestProgram();
  if (!program.options.ok()) return Failed(program.options.status());
  if (const std::string broken = BrokenRule(options_); !broken.empty()) {
    return Failed(absl::InvalidArgumentError(absl::StrCat("CompareOptions().", broken)));
  }
  when_inconclusive_ = program.options->flags.inconclusive;
  ExperimentRequest request;
  request.name = name_;
  request.repetition = program.repetitions[name_]++;
  request.functions = functions_;
  request.options = MakeExperimentOptions(program.options->flags.options, options_);
  request.options.gates.clear();  // those of flags: matchers are about times
  if (gate.has_value()) request.options.gates = {*gate};
  if (place_.has_value()) request.command = CommandFor(*place_, program.host.command_line());
  request.command.serve = [this](const RunTask& task, int result_fd) {
    ServeRun(task, functions_, result_fd);
  };

  // Why runs are no starts of this program.
  std::string reason;
  if (!place_.has_value()) {
    reason = "it is compared outside of a test, which no other process would reach";
  } else if (IsTraced()) {
    reason = "a debugger is attached";
  }
  if (!reason.empty()) request.options.isolation = Isolation::kOnce;
  Comparison comparison = program.host.Measure(request);
  const Failure* const failure = comparison.failure();
  if (failure != nullptr && absl::StartsWith(failure->error.cause, kDidNotArrive) &&
      CanForkLoops()) {
    reason = failure->error.cause;
    request.options.isolation = Isolation::kOnce;
    comparison = program.host.Measure(request);
  }
  if (!reason.empty()) {
    comparison.notices.push_back({Notice::Kind::kForksOfThisProcess, {}, reason});
  }
  // Ctrl-C ended the experiment; the whole program was meant.
  if (ExperimentHost::interrupted()) {
    CommitPairs();
    std::raise(*InterruptSignal());
  }
  return comparison;
}

Comparison Measurement::Judged(const GateSpec& spec) {
  Comparison judged = Measure(spec);
  if (Estimate* const estimate = judged.estimate()) estimate->gates = {JudgeGate(spec, *estimate)};
  return judged;
}

std::string Measurement::Message(const Comparison& judged) const {
  const absl::StatusOr<Machine>& machine = ThisTestProgram().host.machine();
  return AllGatesMessage(name_, judged, machine.ok() ? machine->cpus : CpuPairChoice());
}

}  // namespace internal
}  // namespace duetbench
