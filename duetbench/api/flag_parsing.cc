#include "duetbench/api/flag_parsing.h"

#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "duetbench/report/text.h"

namespace duetbench {
namespace {

// Levenshtein's.
std::size_t Distance(absl::string_view a, absl::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

// For the nearest name: the flags of Google Benchmark, 1.7.1 to the newest, that are not read here.
constexpr const char* kOtherFlags[] = {
    "benchmark_filter",
    "benchmark_enable_random_interleaving",
    "benchmark_report_aggregates_only",
    "benchmark_display_aggregates_only",
    "benchmark_context",
    "help",
    "version",
};

constexpr char kLayout[] =
    "every run has another code layout (--duet_layout=linked: that of the linker)";
constexpr char kSelf[] =
    "`duet PROGRAM PROGRAM --duet_unchanged=measure` compares a program with itself";
constexpr char kMds[] =
    "`duet_stat --mds FILE`, with the file of --duet_out, tells the smallest "
    "slow-down that is found";
constexpr char kJunit[] = "--duet_junit and --benchmark_out have the ratios";
constexpr char kJq[] =
    "jq makes that format of the JSON of --benchmark_out; the section 'Other formats' of "
    "tools/README.md has the command";

// Flags of earlier versions, and their replacements.
constexpr struct RemovedFlag {
  const char* name;
  const char* instead;
} kRemovedFlags[] = {
    {"duet_bmf", kJq},
    {"duet_gobench", kJq},
    {"duet_openmetrics", kJq},
    {"duet_ctest", kJunit},
    {"duet_aa", kSelf},
    {"duet_controls", kSelf},
    {"duet_calibrate", kMds},
    {"duet_detect", kMds},
    {"duet_fresh_copy", kLayout},
    {"duet_layout_noise", kLayout},
    {"duet_layouts", kLayout},
};

const Flag* FindFlag(absl::string_view name) {
  for (const Flag& flag : AllFlags()) {
    if (name == flag.name) return &flag;
  }
  return nullptr;
}

absl::Status ApplyFlag(const Flag& flag, absl::string_view value, const std::string& source,
                       Flags* flags) {
  const std::string wanted = ReadFlag(flag, value, flags);
  if (wanted.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(source, ": '", value, "' should be ", wanted));
}

absl::Status RemovedError(const std::string& source, const RemovedFlag& removed) {
  return absl::InvalidArgumentError(
      absl::StrCat("'", source, "': this flag was removed; ", removed.instead));
}

std::vector<std::string> NamesOfFlags() {
  std::vector<std::string> names;
  for (const Flag& flag : AllFlags()) names.emplace_back(flag.name);
  return names;
}

absl::Status ApplyVariable(const std::string& name, const std::string& value, Flags* flags) {
  constexpr std::size_t kMostMisspelt = 2;
  const bool is_of_duets = absl::StartsWith(name, "DUET_");
  if (!is_of_duets && !absl::StartsWith(name, "BENCHMARK_")) return absl::OkStatus();
  const std::string wanted = absl::AsciiStrToLower(name);
  for (const RemovedFlag& removed : kRemovedFlags) {
    if (wanted == removed.name) return RemovedError(name, removed);
  }
  if (const Flag* flag = FindFlag(wanted)) return ApplyFlag(*flag, value, name, flags);
  const std::string nearest = NearestName(wanted, NamesOfFlags());
  if (!is_of_duets || Distance(wanted, nearest) > kMostMisspelt) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("unknown variable ", name,
                                                 " of the environment; did you mean ",
                                                 absl::AsciiStrToUpper(nearest), "?"));
}

absl::Status ApplyArgument(absl::string_view argument, Flags* flags) {
  const bool is_of_duets = absl::StartsWith(argument, "--duet_");
  if (!is_of_duets && !absl::StartsWith(argument, "--benchmark_")) return absl::OkStatus();
  const size_t equals = argument.find('=');
  const std::string source(argument.substr(0, equals));
  const Flag* flag = FindFlag(absl::StripPrefix(source, "--"));
  if (flag == nullptr) {
    return is_of_duets ? UnknownArgument(std::string(argument)) : absl::OkStatus();
  }
  flags->gate_on_command_line |=
      absl::StartsWith(source, "--duet_max_") && absl::EndsWith(source, "_ratio");
  // --duet_fill alone means true; other flags need a value and say so.
  const absl::string_view value = equals != absl::string_view::npos ? argument.substr(equals + 1)
                                  : absl::string_view(flag->value) == "BOOL" ? "true"
                                                                             : "";
  return ApplyFlag(*flag, value, source, flags);
}

}  // namespace

std::string NearestName(absl::string_view name, const std::vector<std::string>& candidates) {
  std::size_t nearest_distance = 1 + std::max<std::size_t>(2, name.size() / 3);
  std::string nearest;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = Distance(name, candidate);
    if (distance >= nearest_distance) continue;
    nearest_distance = distance;
    nearest = candidate;
  }
  return nearest;
}

Variables TrustedVariables() {
  Variables environment;
  if (getauxval(AT_SECURE) != 0) return environment;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::pair<std::string, std::string> variable =
        absl::StrSplit(*entry, absl::MaxSplits('=', 1));
    environment.insert(variable);
  }
  return environment;
}

absl::StatusOr<Flags> ReadFlags(const std::vector<std::string>& arguments,
                                const Variables& environment) {
  Flags flags;
  absl::Status status;
  for (const auto& [name, value] : environment) {
    if (status.ok()) status = ApplyVariable(name, value, &flags);
  }
  for (const std::string& argument : arguments) {
    if (status.ok()) status = ApplyArgument(argument, &flags);
  }
  if (!status.ok()) return status;
  if (flags.budget > 0 && (flags.sequential || flags.options.runs > 0)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--duet_budget decides the number and the order of runs: leave out ",
                     flags.sequential ? "--duet_order=sequential" : "--duet_runs"));
  }
  if (!flags.options.seed.is_set()) flags.options.seed = std::random_device()();
  return flags;
}

constexpr size_t kHelpColumns = 80;

std::string UsersHelp() {
  return R"(Compares two variants of a function: ratio, interval and verdict for each duet.

Measuring
  --benchmark_filter=REGEX       only these benchmarks (-REGEX: all others)
  --benchmark_min_time=SECONDS   time for each duet, from 0.2 on (default: 1)
  --duet_budget=TIME             for all duets together, such as 5min: measures
                                 each until it is decided
  --benchmark_repetitions=N      measures N times as long, for one result
  --duet_margin=D                a difference up to D is EQUAL (default: 0.01)
  --duet_level=P                 level of the intervals (default: 0.99)
  --duet_seed=N                  repeats the random choices of a report
  --benchmark_list_tests         lists the benchmarks
  --benchmark_dry_run            one iteration of each variant, no verdict

Gates
  --duet_max_ratio=R             fails if new takes more than R times as long as
                                 old, such as 1.05; measures until decided
  --duet_max_time=SECONDS        for an undecided gate (default: 10)
  --duet_inconclusive=pass|fail|skip
                                 an undecided gate passes, fails, or makes the
                                 exit status 77 (default: skip)

Output
  --benchmark_format=console|json|csv
  --benchmark_out=FILE           also to FILE (--benchmark_out_format)
  --duet_report=FILE             page with pictures (HTML)
  --duet_summary=FILE            appends a table (Markdown)
  --duet_junit=FILE              a test case for each duet (JUnit XML)
  --duet_out=FILE                every measured pair, for duet_stat (CSV)

Exit status: 0; 1 a gate failed; 2 an error; 77 a gate is undecided.
--duet_level=0.95 is also DUET_LEVEL=0.95 in the environment.
--help=all lists every flag.
)";
}

std::string FlagsHelp() {
  std::string help = "\nduetbench flags, each also an environment variable (DUET_RUNS=20):\n";
  for (const Flag& flag : AllFlags()) {
    if (flag.help == nullptr) continue;
    absl::StrAppend(&help, "  --", flag.name, "=<", flag.value, ">\n",
                    Wrapped(absl::StrCat("      ", flag.help), kHelpColumns, "      "), "\n");
  }
  absl::StrAppend(
      &help,
      "\n--benchmark_dry_run executes one iteration of each variant of a duet and gives\n"
      "no verdict; the exit status is 2 if a benchmark fails. It also works with Google\n"
      "Benchmark before 1.9.2, except for ordinary benchmarks that set MinTime,\n"
      "Iterations or Repetitions.\n");
  return help;
}

absl::Status UnknownArgument(const std::string& argument) {
  if (argument == "--duet_help" || argument == "-help" || absl::StartsWith(argument, "--help=")) {
    return absl::InvalidArgumentError(
        absl::StrCat("unknown argument '", argument, "'; there are --help and --help=all"));
  }
  absl::string_view name = argument;
  name = absl::StripPrefix(name, "--");
  name = name.substr(0, name.find('='));
  for (const RemovedFlag& removed : kRemovedFlags) {
    if (name == removed.name) return RemovedError(argument, removed);
  }
  std::vector<std::string> names = NamesOfFlags();
  for (const char* flag : kOtherFlags) names.emplace_back(flag);
  const std::string nearest = NearestName(name, names);
  if (!nearest.empty() && nearest == name) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", argument, "': --", nearest, " takes other values; see --help"));
  }
  return absl::InvalidArgumentError(
      nearest.empty()
          ? absl::StrCat("unknown argument '", argument, "'; --help lists what there is")
          : absl::StrCat("unknown argument '", argument, "'; did you mean --", nearest, "?"));
}

}  // namespace duetbench
