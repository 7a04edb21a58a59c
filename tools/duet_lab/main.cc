// Measures what duetbench promises about itself, beside the alternatives.
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "duetbench/version.h"
#include "tools/duet_lab/lab_report.h"
#include "tools/duet_lab/measurements.h"
#include "tools/duet_lab/roles.h"

namespace duetbench::lab {
namespace {

constexpr int kNotMet = 1;
constexpr int kError = 2;
constexpr int kNotHere = 77;  // what ctest takes as "skipped"

struct Command {
  const char* name;
  const char* description;
  Measure (*add)(CLI::App& command);
  bool has_checks = false;
};
constexpr Command kCommands[] = {
    {"aa", "how accurate the intervals and verdicts of duet programs are", AddAa, true},
    {"replicate", "whether intervals of unlike code hold when the measurement is repeated",
     AddReplicate, true},
    {"precision", "widths at equal wall time, beside plain ABBA and Google Benchmark",
     AddPrecision},
};

// Measurements and options of earlier versions, with what replaces them.
constexpr std::pair<const char*, const char*> kRemoved[] = {
    {"rendezvous", "the start skew is settled; 'duet_lab aa' shows what it does to results"},
    {"overhead", "'duet_lab replicate' compares duets with plain loops of Google Benchmark"},
    {"loops", "'duet_lab replicate' compares duets with plain loops of Google Benchmark"},
    {"counters", "compare two runs of 'duet_lab aa', one with -- --benchmark_perf_counters=EVENT"},
    {"gates", "'duet_lab replicate' counts gates that are wrong or contradict each other"},
    {"shuffle", "'duet_stat --paper --shuffle' takes the pairing of a file of --duet_out away"},
    {"load", "'duet_lab precision --loads=none,one,both,bursts,memory' has widths under loads"},
    {"power", "'duet_lab aa' counts false alarms, and with --truth=NAME=RATIO differences found"},
    {"instances", "'duet_stat --grid times.csv --mds' computes it from times of any program"},
    {"accuracy",
     "'duet_lab precision' has widths beside plain methods, 'duet_stat --paper' the paper's"},
    {"known-ratio", "'duet_lab precision --ratio=2 -- --duet_schedule=duet' has a known ratio"},
    {"--workload", "-- --benchmark_filter=REGEX selects benchmarks"},
    {"--summary", "with all tasks in the file of --state, nothing is measured"},
    {"--form", "--pairs='^NAME$' measures one pair in a program"},
    {"--schedules", "a measurement for each schedule, with -- --duet_schedule=NAME"},
    {"--set=group", "'duet_lab aa --binary=PROGRAM' measures groups of variants, too"},
    {"--loads=quota", "systemd-run --scope -p CPUQuota=150% duet_lab precision"},
};

// The replacement of a word of the command line; null: it was not removed.
const char* ReplacementOf(absl::string_view word) {
  for (const auto& [removed, replacement] : kRemoved) {
    if (word == removed || word.substr(0, word.find('=')) == removed) return replacement;
  }
  return nullptr;
}

int Fail(absl::string_view message) {
  std::fprintf(stderr, "duet_lab: %s\n", std::string(message).c_str());
  return kError;
}

int Run(std::vector<std::string> words) {
  CommonOptions common;
  const auto separator = std::find(words.begin(), words.end(), "--");
  if (separator != words.end()) common.program_arguments.assign(separator + 1, words.end());
  words.erase(separator, words.end());

  CLI::App app("Measures what duetbench promises about itself, beside the alternatives.",
               "duet_lab");
  app.set_version_flag("--version", "duet_lab " DUETBENCH_VERSION_TEXT);
  app.require_subcommand(1);
  app.footer(
      "'duet_lab MEASUREMENT --help' lists the options of a measurement; arguments after -- are\n"
      "for the programs that it runs.\n"
      "Workloads: integer, float, cache, memory, sort. Loads: none, one, both, bursts, memory.\n"
      "Exit status: 0 measured, 1 a target was not met (with --check), 2 an error, 77 this "
      "machine\n"
      "cannot do it.");
  std::string format = "console";
  bool check = false;
  Measure measure;
  for (const Command& command : kCommands) {
    CLI::App* const added = app.add_subcommand(command.name, command.description);
    added->add_option("--format", format, "console or json (default: console)")
        ->check(CLI::IsMember({"console", "json"}).description(""));
    added->add_option("--cpus", common.cpus, "the CPUs A,B of the two variants");
    added->add_option("--seed", common.seed, "of every random choice (default: 1)");
    if (command.has_checks) added->add_flag("--check", check, "exit status 1 if one was not met");
    added->callback([&measure, one = command.add(*added)] { measure = one; });
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    const char* const replacement =
        i == 0 || words[i][0] == '-' ? ReplacementOf(words[i]) : nullptr;
    if (replacement != nullptr) return Fail(absl::StrCat(words[i], " is gone: ", replacement));
  }
  if (!words.empty() && words[0][0] != '-' &&
      std::none_of(std::begin(kCommands), std::end(kCommands),
                   [&](const Command& command) { return command.name == words[0]; })) {
    return Fail(absl::StrCat("there is no measurement '", words[0], "'; see --help"));
  }
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::CallForHelp&) {
    std::fputs(app.help().c_str(), stdout);
    return 0;
  } catch (const CLI::CallForVersion& version) {
    std::puts(version.what());
    return 0;
  } catch (const CLI::ParseError& error) {
    return Fail(absl::StrCat(error.what(), "; see --help"));
  }
  const absl::StatusOr<LabReport> report = measure(common);
  if (!report.ok()) {
    Fail(report.status().message());
    return absl::IsFailedPrecondition(report.status()) ? kNotHere : kError;
  }
  std::fputs((format == "json" ? ToJson(*report) : ToConsole(*report)).c_str(), stdout);
  const bool met = std::all_of(report->checks.begin(), report->checks.end(),
                               [](const LabReport::Check& promise) { return promise.met; });
  return check && !met ? kNotMet : 0;
}

}  // namespace
}  // namespace duetbench::lab

int main(int argc, char** argv) {
  if (const std::optional<int> status = duetbench::lab::RunRole(argc, argv)) return *status;
  return duetbench::lab::Run({argv + 1, argv + argc});
}
