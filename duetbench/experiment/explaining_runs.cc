#include "duetbench/experiment/explaining_runs.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "duetbench/decide/decision.h"
#include "duetbench/decide/select_pairs.h"
#include "duetbench/experiment/interrupt.h"
#include "duetbench/experiment/report_tool.h"
#include "duetbench/measure/stack_sampler.h"
#include "duetbench/platform/counter_set.h"
#include "duetbench/platform/process.h"
#include "duetbench/platform/text_file.h"
#include "duetbench/record/explanation_json.h"
#include "duetbench/record/variant_pair.h"
#include "duetbench/report/text.h"

namespace duetbench {
namespace {

// Chosen: the time without Callgrind, with which it takes about 50 times as long.
constexpr double kCountedNs = 1e6;

void ExecuteByCallgrind(const std::string& valgrind, const std::string& file, RunCommand* command) {
  std::vector<std::string> argv = {"valgrind",
                                   "--tool=callgrind",
                                   "-q",
                                   "--instr-atstart=no",
                                   "--collect-atstart=no",
                                   "--compress-strings=no",
                                   "--compress-pos=no",
                                   "--dump-line=no",
                                   "--separate-recs=1",
                                   absl::StrCat("--callgrind-out-file=", file),
                                   "--"};
  argv.push_back(command->executable.empty() ? PathOfThisProgram() : command->executable);
  argv.insert(argv.end(), command->argv.begin() + 1, command->argv.end());
  command->argv = std::move(argv);
  command->executable = valgrind;
}

// `iterations` of each variant after its set-up, in two samples, at the same time without pinning:
// counts are not disturbed.
void PlanCounting(uint64_t iterations, double time_ns, RunPlan* plan) {
  plan->schedule = Schedule::kDuet;
  std::fill(std::begin(plan->cpus), std::end(plan->cpus), -1);
  plan->other_cpu = -1;
  plan->in_processes = 0;
  plan->fill = 0;
  plan->fixed_iterations = iterations;
  plan->batch = std::max<uint64_t>(1, iterations / 2);
  plan->sample_ns = time_ns * static_cast<double>(plan->batch);
  plan->budget_ns = 1;
  plan->warm_up_ns = 0;
  plan->solo_share = 0;
  plan->events = 0;
  plan->timeout_ns = std::max(plan->timeout_ns, 60e9);
  plan->stack_interval_ns = kForCallgrind;
}

// Chosen: by this share of itself, the difference may be another one in the explaining runs.
constexpr double kOtherShare = 0.5;

// Empty if the runs show the difference of `comparison` again, else their ratio.
std::string WhyNotAgain(const std::vector<RunResult>& results, const ExperimentOptions& options,
                        double ns_per_tick, const Comparison& comparison) {
  const SelectedPairs selected = SelectPairs(results, options, ns_per_tick);
  ExperimentOptions same_ratio = options;
  same_ratio.estimand =
      comparison.total_decides ? stats::Estimand::kTotal : stats::Estimand::kTypical;
  const auto again = stats::Decide(selected, same_ratio);
  if (!again.ok()) return std::string(again.status().message());
  const stats::RatioInterval& first = comparison.interval;
  const stats::RatioInterval& shown = again->interval;
  const double allowed = std::exp(kOtherShare * std::abs(std::log(first.ratio)));
  const bool differs = first.ratio > 1 ? shown.lo > 1 : shown.hi < 1;
  if (differs && shown.lo <= first.hi * allowed && shown.hi >= first.lo / allowed) return "";
  return absl::StrCat("the runs that recorded stacks do not show the difference again: ",
                      RatioText(shown), " ", IntervalText(shown));
}

// The path of valgrind(1). NotFound: it is not in PATH, or this processor is not x86-64.
absl::StatusOr<std::string> FindValgrind() {
#if defined(__x86_64__)
  std::string path = FindInPath("valgrind");
  if (!path.empty()) return path;
  return absl::NotFoundError("valgrind is not installed");
#else
  return absl::NotFoundError("instructions are counted on Linux on x86-64 only");
#endif
}

}  // namespace

absl::StatusOr<std::vector<CallgrindFile>> CountInstructions(std::vector<RunCommand> commands,
                                                             RunTask task, double time_ns,
                                                             double longest_ns) {
  const absl::StatusOr<std::string> valgrind = FindValgrind();
  if (!valgrind.ok()) return valgrind.status();
  if (!(time_ns < longest_ns)) {
    return absl::FailedPreconditionError("an iteration takes too long to be counted by Callgrind");
  }
  std::error_code ignored;
  std::string folder =
      (std::filesystem::temp_directory_path(ignored) / "duetbench-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) {
    return absl::UnavailableError("there is no folder for temporary files (TMPDIR)");
  }
  const absl::Cleanup remove = [&] { std::filesystem::remove_all(folder, ignored); };
  const double wanted = std::clamp(kCountedNs / std::max(time_ns, 1.0), 1.0, 1e5);
  const uint64_t iterations = 2 * static_cast<uint64_t>(std::ceil(wanted / 2));
  PlanCounting(iterations, time_ns, &task.plan);
  const auto file = [&](size_t number) { return absl::StrCat(folder, "/", number); };
  for (size_t number = 0; number < commands.size(); ++number) {
    ExecuteByCallgrind(*valgrind, file(number), &commands[number]);
  }
  // Two at a time; the last one may be left over, and takes the one before along.
  for (size_t number = 0; number < commands.size(); number += 2) {
    const auto first = commands.begin() + std::min(number, commands.size() - 2);
    const absl::StatusOr<RunOfPairs> launched =
        LaunchRun({first, first + 2}, task, InterruptSignal());
    if (!launched.ok()) return launched.status();
    std::fputs(launched->front().output.c_str(), stderr);
    if (launched->front().interrupted) return absl::CancelledError("interrupted");
    const RunError& error = launched->front().error;
    if (!error.cause.empty()) {
      return absl::UnavailableError(
          absl::StrCat("a variant failed under Callgrind: ", error.cause));
    }
  }
  std::vector<CallgrindFile> counts;
  for (size_t number = 0; number < commands.size(); ++number) {
    counts.push_back({ReadTextFile(file(number)).value_or(""), static_cast<double>(iterations)});
    if (!absl::StrContains(counts.back().text, "\nfn=")) {
      return absl::UnavailableError("Callgrind counted nothing");
    }
  }
  return counts;
}

absl::StatusOr<std::vector<InstructionCounts>> CountsOf(const std::vector<CallgrindFile>& files) {
  std::string recording;
  nlohmann::json::to_cbor(files, recording);
  const absl::StatusOr<std::string> counts = RunReportTool("count", recording);
  if (!counts.ok()) return counts.status();
  return nlohmann::json::parse(*counts).get<std::vector<InstructionCounts>>();
}

EventSurvey SurveyAllEvents(const std::vector<std::string>& names) {
  std::vector<std::string> by_machine;
  std::vector<std::string> by_callgrind;
  std::partition_copy(names.begin(), names.end(), std::back_inserter(by_callgrind),
                      std::back_inserter(by_machine), IsCallgrindEvent);
  EventSurvey survey;
  if (!by_machine.empty()) {
    survey = SurveyEvents(by_machine, ResolveEvent, &LinuxPerf(), ReadPerfSurroundings(""));
  }
  if (by_callgrind.empty()) return survey;
  if (const absl::Status found = FindValgrind().status(); !found.ok()) {
    for (const std::string& name : by_callgrind) {
      survey.missing.push_back({name, std::string(found.message())});
    }
    return survey;
  }
  survey.by_callgrind = std::move(by_callgrind);
  return survey;
}

void AddCallgrindEvents(const std::vector<InstructionCounts>& counts,
                        const std::vector<std::string>& events, RunOfPairs* run) {
  const auto count = [&](int variant, const std::string& event) {
    return *CallgrindCount(event, counts[static_cast<size_t>(variant)]);
  };
  const std::vector<VariantPair> pairs = PairsOfGroup(static_cast<int>(counts.size()));
  for (size_t i = 0; i < pairs.size(); ++i) {
    const auto [old_variant, new_variant] = pairs[i];
    for (const std::string& event : events) {
      (*run)[i].amounts.push_back(
          {event, /*shown=*/true, {count(old_variant, event), count(new_variant, event)}});
    }
  }
}

Explanation NotExplained(const std::string& error) {
  return {{absl::StrCat("not explained: ", Printable(error))},
          {},
          nlohmann::json({{"error", Printable(error)}}).dump()};
}

Explanation ExplainByRuns(std::vector<RunResult> results, const ExperimentOptions& options,
                          double ns_per_tick, const Comparison& comparison, bool with_code,
                          const std::function<absl::StatusOr<std::vector<CallgrindFile>>()>& count,
                          const ReportTool& tool) {
  const std::string error = WhyNotAgain(results, options, ns_per_tick, comparison);
  if (!error.empty()) return NotExplained(error);
  RecordedStacks recorded;
  for (RunResult& result : results) {
    RunStacks& stacks = recorded.runs.emplace_back();
    for (int v = 0; v < 2; ++v) stacks.variants[v] = std::move(result.stacks[v]);
  }
  std::copy_n(comparison.time_ns, 2, recorded.time_ns);
  recorded.level = comparison.interval.level;
  recorded.with_code = with_code;
  absl::StatusOr<std::vector<CallgrindFile>> counts = count();
  if (counts.ok()) {
    recorded.counts = *std::move(counts);
  } else if (static bool has_told = false; !std::exchange(has_told, true)) {
    std::fprintf(stderr, "duetbench: explained without exact counts: %s\n",
                 Printable(std::string(counts.status().message())).c_str());
  }
  std::string recording;
  nlohmann::json::to_cbor(recorded, recording);
  const absl::StatusOr<std::string> answer = tool("explain", recording);
  if (!answer.ok()) return NotExplained(std::string(answer.status().message()));
  auto explanation = nlohmann::json::parse(*answer).get<Explanation>();
  for (std::string& line : explanation.lines) line = Printable(line);
  for (std::string& line : explanation.listing) line = Printable(line);
  return explanation;
}

}  // namespace duetbench
