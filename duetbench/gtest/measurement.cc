#include "duetbench/gtest/measurement.h"

#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "duetbench/api/flag_parsing.h"
#include "duetbench/api/flags.h"
#include "duetbench/experiment/interrupt.h"
#include "duetbench/experiment/launcher.h"
#include "duetbench/measure/duet_run.h"
#include "duetbench/measure/run_process.h"
#include "duetbench/measure/run_protocol.h"
#include "duetbench/platform/environment.h"
#include "duetbench/platform/exit_status.h"
#include "duetbench/report/comparison_format.h"
#include "duetbench/report/suite_facts.h"
#include "gtest/gtest.h"

namespace duetbench::internal {
namespace {

constexpr char kPlaceVariable[] = "DUETBENCH_TEST";
// The beginning of the error of a run that did not reach its place.
constexpr char kDidNotArrive[] = "a process of a run did not come to this call of Compare";

int calls_in_this_test = 0;

class CallCounter : public testing::EmptyTestEventListener {
 public:
  void OnTestStart(const testing::TestInfo&) override { calls_in_this_test = 0; }
};

// The place that this process was started for; empty: it is no run. Read before
// main, so that a run dies with its parent from the beginning on.
const std::string& PlaceOfThisRun() {
  static const std::string* const place = [] {
    const char* const text = std::getenv(kPlaceVariable);
    auto* const copy = new std::string(text != nullptr ? text : "");
    unsetenv(kPlaceVariable);
    RunOfThisProcess();
    return copy;
  }();
  return *place;
}

[[maybe_unused]] const bool started = [] {
  testing::UnitTest::GetInstance()->listeners().Append(new CallCounter);
  PlaceOfThisRun();
  return true;
}();

// The place of the current call: the running test, and the number of its calls so far. None outside
// of tests (in main, in set-ups of suites and environments).
std::optional<TestPlace> NextPlace() {
  const testing::TestInfo* const test = testing::UnitTest::GetInstance()->current_test_info();
  if (test == nullptr) return std::nullopt;
  return TestPlace{absl::StrCat(test->test_suite_name(), ".", test->name()), ++calls_in_this_test};
}

// Selects that one test by flags of GoogleTest, as its death tests do. Special characters of its
// filters cannot be escaped and become '?', so that similar names may match too.
RunCommand CommandFor(const TestPlace& place, std::vector<std::string> argv) {
  std::string filter = place.test;
  for (char& character : filter) {
    if (absl::string_view("*?:-").find(character) != absl::string_view::npos) character = '?';
  }
  RunCommand command;
  command.argv = std::move(argv);
  // An unknown flag makes GoogleTest print its help: these flags exist in all versions.
  command.argv.insert(
      command.argv.end(),
      {absl::StrCat("--gtest_filter=", filter), "--gtest_also_run_disabled_tests=true",
       "--gtest_list_tests=false", "--gtest_repeat=1", "--gtest_shuffle=false",
       "--gtest_output=", "--gtest_stream_result_to=", "--gtest_color=no",
       "--gtest_break_on_failure=false", "--gtest_throw_on_failure=false"});
  command.environment = {{kPlaceVariable, place.Text()},
                         {"GTEST_TOTAL_SHARDS", "1"},
                         {"GTEST_SHARD_INDEX", "0"},
                         {"GTEST_SHARD_STATUS_FILE", "/dev/null"},
                         {"TEST_PREMATURE_EXIT_FILE", ""}};
  command.did_not_arrive = kDidNotArrive;
  return command;
}

// The comparisons of one test program share it.
struct TestProgram {
  explicit TestProgram(std::vector<std::string> command_line)
      : flags(ReadFlags(command_line, TrustedVariables())),
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
    auto* const created = new TestProgram(CommandLineOfThisProcess());
    // GoogleTest has no end of all tests that every main reaches.
    std::atexit(CommitPairs);
    return created;
  }();
  return *program;
}

}  // namespace

Measurement::Measurement(DuetFunctions functions, CompareOptions options)
    : functions_(std::move(functions)), options_(std::move(options)), place_(NextPlace()) {
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
    if (place_.has_value() && place_->Text() == PlaceOfThisRun()) {
      ServeRun(run->task, functions_, run->result_fd);
    }
    passed_by_ = true;
    return comparison_.emplace();
  }
  return comparison_.emplace(MeasureHere(gate));
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
  if (absl::StartsWith(comparison.failure.error.cause, kDidNotArrive) && CanForkLoops()) {
    reason = comparison.failure.error.cause;
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
  if (!comparison_->has_ratio()) facts.interval.ratio = 1, facts.interval.hi = HUGE_VAL;
  return facts;
}

Facts Measurement::Judged(const GateSpec& spec) {
  Comparison judged = Measure(spec);
  if (!judged.has_ratio()) return facts();
  judged.gates = {JudgeGate(spec, judged)};
  Facts facts = FactsOf(name_, judged);
  const absl::StatusOr<Machine>& machine = ThisTestProgram().launcher.machine();
  facts.message = AllGatesMessage(name_, judged, machine.ok() ? machine->cpus : CpuPairChoice());
  return facts;
}

}  // namespace duetbench::internal
