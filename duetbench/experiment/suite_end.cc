#include "duetbench/experiment/suite_end.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/decide/gate.h"
#include "duetbench/experiment/report_tool.h"
#include "duetbench/report/comparison_format.h"
#include "duetbench/report/repeat_command.h"
#include "duetbench/report/suite_facts.h"
#include "duetbench/report/suite_formats.h"
#include "duetbench/report/text.h"

namespace duetbench {
namespace {

constexpr char kSummary[] = "--duet_summary";

// A file that replaces an earlier one.
struct SuiteFile {
  const char* flag;
  std::string Flags::*path;
  absl::StatusOr<std::string> (*text)(const SuiteFacts& suite, const Flags& flags);
};

absl::Status WriteWhole(OutputFile* file, const absl::StatusOr<std::string>& text) {
  if (!text.ok()) return text.status();
  const absl::Status written = file->Append(*text);
  return written.ok() ? file->Commit() : written;
}

// The page, or an error that says where the recording is, so that it can be made later.
absl::StatusOr<std::string> Page(const SuiteFacts& suite, const Flags& flags) {
  const std::string recording = PageRecording(suite);
  absl::StatusOr<std::string> page = RunReportTool("page", recording);
  if (page.ok()) return page;
  const std::string file = flags.report + ".recording";
  const auto opened = OutputFile::Open("--duet_report", file);
  const absl::Status saved = opened.ok() ? WriteWhole(opened->get(), recording) : opened.status();
  return absl::UnavailableError(
      absl::StrCat("--duet_report: no page: ", page.status().message(), "; ",
                   saved.ok() ? absl::StrCat("`duet_report page ", file, "` prints it")
                              : std::string(saved.message())));
}

absl::StatusOr<std::string> Junit(const SuiteFacts& suite, const Flags& flags) {
  return SuiteJunit(suite, flags.inconclusive);
}

const SuiteFile kSuiteFiles[] = {{"--duet_junit", &Flags::junit, Junit},
                                 {"--duet_report", &Flags::report, Page}};

// The flags that the environment gives.
std::vector<std::pair<std::string, std::string>> FlagVariables() {
  std::vector<std::pair<std::string, std::string>> variables;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string text = *variable;
    const size_t equals = text.find('=');
    if (equals == std::string::npos) continue;
    if (!absl::StartsWith(text, "DUET_") && !absl::StartsWith(text, "BENCHMARK_")) continue;
    variables.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return variables;
}

std::string Variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::string NameOfProgram(const std::vector<std::string>& command_line) {
  const std::string path = command_line.empty() ? "" : command_line.front();
  return path.substr(path.rfind('/') + 1);
}

std::vector<std::string> EndLines(const MeasuredSuite& suite, const SuiteFacts& facts,
                                  const Flags& flags) {
  std::vector<std::string> lines = ConsoleLines(facts.summary, kMaxColumns);
  const auto append = [&lines](const std::vector<std::string>& more) {
    lines.insert(lines.end(), more.begin(), more.end());
  };
  append(ClosingLines(facts, flags.inconclusive));
  if (flags.profile) append(TimeAccountLines(suite.entries));
  if (Variable("GITHUB_ACTIONS") == "true") {
    append(Annotations(facts, flags.inconclusive, Variable("GITHUB_WORKSPACE")));
  }
  return lines;
}

// Duets with the same runs, and how long each of them takes to decide those of them that are open.
struct RunsToRepeat {
  std::vector<std::string> duets;
  double seconds = 0;
};

std::vector<RunsToRepeat> RunsOf(const std::vector<const SuiteEntry*>& open_duets) {
  std::vector<RunsToRepeat> all;
  for (const SuiteEntry* const open : open_duets) {
    const auto known = std::find_if(all.begin(), all.end(), [open](const RunsToRepeat& runs) {
      return runs.duets == open->same_runs;
    });
    RunsToRepeat& runs = known != all.end() ? *known : all.emplace_back();
    runs.duets = open->same_runs;
    runs.seconds = std::max(runs.seconds, SecondsToDecide(open->comparison).value_or(0));
  }
  return all;
}

// The flag for a time that decides the open duets, without those that would take more than an hour.
std::string TimeToDecide(const std::vector<RunsToRepeat>& all, const Flags& flags) {
  constexpr double kMinute = 60;
  constexpr double kMaxOfOne = 60 * kMinute;
  double longest = 0;
  double sum = 0;
  for (const RunsToRepeat& runs : all) {
    if (runs.seconds > kMaxOfOne) continue;
    longest = std::max(longest, runs.seconds);
    sum += runs.seconds * static_cast<double>(runs.duets.size());
  }
  if (longest == 0) return "";
  if (flags.sequential || flags.options.runs.is_set()) {
    return absl::StrFormat("--benchmark_min_time=%.0f", std::ceil(longest));
  }
  return sum <= 2 * kMinute ? absl::StrFormat("--duet_budget=%.0fs", std::ceil(sum))
                            : absl::StrFormat("--duet_budget=%.0fmin", std::ceil(sum / kMinute));
}

// The flags that measure the open duets again.
std::vector<std::string> FlagsToDecide(const MeasuredSuite& suite, const Flags& flags) {
  // A longer argument is refused by Linux (MAX_ARG_STRLEN): all duets are measured again.
  constexpr size_t kMaxFilter = 100'000;
  std::vector<std::string> names;
  const std::vector<RunsToRepeat> all = RunsOf(suite.summary.open_duets);
  for (const RunsToRepeat& runs : all) {
    names.insert(names.end(), runs.duets.begin(), runs.duets.end());
  }
  std::vector<std::string> changed;
  std::string filter = absl::StrCat("--benchmark_filter=", ExactFilter(names));
  if (filter.size() <= kMaxFilter) changed.push_back(std::move(filter));
  std::string time = TimeToDecide(all, flags);
  if (!time.empty()) changed.push_back(std::move(time));
  return changed;
}

}  // namespace

void Summarize(const Flags& flags, MeasuredSuite* suite) {
  const auto variables = FlagVariables();
  for (SuiteEntry& entry : suite->entries) {
    entry.facts.repeat =
        Printable(RepeatCommand(suite->command_line, variables, entry.same_runs, suite->seed));
  }
  SuiteSummary& summary = suite->summary;
  summary = SummarizeSuite(suite->entries);
  summary.duets += suite->not_begun;
  summary.not_measured += suite->not_begun;
  if (summary.open_duets.empty()) return;
  summary.repeat = ChangedCommand(suite->command_line, variables, FlagsToDecide(*suite, flags));
}

absl::Status CheckDistinctOutputs(const Flags& flags) {
  std::vector<NamedPath> paths = {{"--benchmark_out", flags.benchmark_out},
                                  {"--duet_out", flags.out},
                                  {kSummary, flags.summary}};
  for (const SuiteFile& file : kSuiteFiles) paths.push_back({file.flag, flags.*file.path});
  return CheckDistinct(paths);
}

absl::Status CheckFreeDescriptors() {
  constexpr int kNeeded = 8;
  int opened[kNeeded];
  int count = 0;
  while (count < kNeeded && (opened[count] = open("/", O_RDONLY | O_CLOEXEC)) >= 0) ++count;
  const int error = errno;
  for (int i = 0; i < count; ++i) close(opened[i]);
  if (count == kNeeded) return absl::OkStatus();
  return absl::ErrnoToStatus(error, "no descriptors are free for files and processes");
}

absl::StatusOr<SuiteFiles> OpenSuiteFiles(const Flags& flags) {
  if (!flags.summary.empty()) {
    const absl::Status status = CheckAppendable(kSummary, flags.summary);
    if (!status.ok()) return status;
  }
  SuiteFiles files;
  for (const SuiteFile& file : kSuiteFiles) {
    files.push_back(nullptr);
    if ((flags.*file.path).empty()) continue;
    absl::StatusOr<std::unique_ptr<OutputFile>> opened =
        OutputFile::Open(file.flag, flags.*file.path);
    if (!opened.ok()) return opened.status();
    files.back() = *std::move(opened);
  }
  return files;
}

int EndSuite(MeasuredSuite suite, const Flags& flags) {
  const SuiteFacts facts = FactsOf(suite.entries, suite.summary, NameOfProgram(suite.command_line),
                                   suite.header, suite.cpus);
  std::FILE* const out = suite.text_to_stderr ? stderr : stdout;
  std::fflush(stdout);
  for (const std::string& line : EndLines(suite, facts, flags)) {
    std::fprintf(out, "%s\n", line.c_str());
  }
  std::fflush(out);

  std::vector<absl::Status> written;
  if (!flags.summary.empty()) {
    written.push_back(AppendToFile(kSummary, flags.summary, SuiteMarkdown(facts)));
  }
  for (size_t i = 0; i < suite.files.size(); ++i) {
    if (suite.files[i] == nullptr) continue;
    written.push_back(WriteWhole(suite.files[i].get(), kSuiteFiles[i].text(facts, flags)));
  }
  for (const absl::Status& status : written) {
    if (status.ok()) continue;
    std::fprintf(stderr, "duetbench: %s\n", std::string(status.message()).c_str());
    ++suite.errors;
  }
  GateStatus worst = GateStatus::kNoGate;
  for (size_t i = 0; i < suite.entries.size(); ++i) {
    worst = std::min(worst, facts.duets[i].gate);
    // Without a gate, too: what was not measured may have changed.
    if (suite.entries[i].comparison.failure.out_of_time) {
      worst = std::min(worst, GateStatus::kNotMeasured);
    }
  }
  return SuiteExitStatus(worst, suite.errors, flags.inconclusive);
}

}  // namespace duetbench
