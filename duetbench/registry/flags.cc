#include "duetbench/registry/flags.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace duetbench {
namespace {

// A flag's value, or what it should have been: "a whole number of at least 1".
using Apply = const char* (*)(absl::string_view value, Flags* flags);

struct Flag {
  const char* name;
  const char* value;  // as --help calls it
  const char* help;
  Apply apply;  // returns null, or what the value should have been
};

bool ReadDouble(absl::string_view text, double* value) {
  return absl::SimpleAtod(text, value) && std::isfinite(*value);
}

const char* ReadBool(absl::string_view text, bool* value) {
  return absl::SimpleAtob(text, value) ? nullptr : "true or false";
}

const Flag kFlags[] = {
    {"runs", "N",
     "processes each duet is measured in; 1: in this very process, for a debugger or profiler "
     "(default: 10 to 40, as many as start-up allows)",
     [](absl::string_view value, Flags* flags) -> const char* {
       int runs = 0;
       if (!absl::SimpleAtoi(value, &runs) || runs < 1 || runs > 100'000) {
         return "a whole number from 1 to 100000";
       }
       flags->experiment.runs = runs;
       return nullptr;
     }},
    {"level", "P", "level of the confidence interval (default: 0.99)",
     [](absl::string_view value, Flags* flags) -> const char* {
       double level = 0;
       if (!ReadDouble(value, &level) || level <= 0 || level >= 1) {
         return "a number between 0 and 1, such as 0.99 for 99 %";
       }
       flags->experiment.level = level;
       return nullptr;
     }},
    {"margin", "D",
     "a difference that counts as none: EQUAL if the interval lies within 1/(1+D) and 1+D "
     "(default: "
     "0.01)",
     [](absl::string_view value, Flags* flags) -> const char* {
       double margin = 0;
       if (!ReadDouble(value, &margin) || margin < 0 || margin >= 1) {
         return "a number from 0 to below 1, such as 0.01 for 1 %";
       }
       flags->experiment.margin = margin;
       return nullptr;
     }},
    {"schedule", "duet|interleaved",
     "both variants at the same time on two CPUs, or in random ABBA order on one (default: duet)",
     [](absl::string_view value, Flags* flags) -> const char* {
       if (value == "duet") {
         flags->experiment.schedule = Schedule::kDuet;
       } else if (value == "interleaved") {
         flags->experiment.schedule = Schedule::kInterleaved;
       } else {
         return "duet or interleaved";
       }
       return nullptr;
     }},
    {"fill", "BOOL",
     "the side that is done keeps executing untimed operations until its partner is done, so that "
     "unequal variants share the machine evenly (default: false)",
     [](absl::string_view value, Flags* flags) -> const char* {
       return ReadBool(value, &flags->experiment.fill);
     }},
    {"cpus", "A,B", "the two CPUs (default: the best pair of those allowed)",
     [](absl::string_view value, Flags* flags) -> const char* {
       flags->cpus = std::string(value);
       return nullptr;
     }},
    {"seed", "N", "seed of every random choice; printed with each report (default: random)",
     [](absl::string_view value, Flags* flags) -> const char* {
       uint64_t seed = 0;
       if (!absl::SimpleAtoi(value, &seed)) return "a whole number";
       flags->experiment.seed = seed;
       flags->seed_given = true;
       return nullptr;
     }},
    {"out", "FILE", "writes every measured pair to FILE, for duet_stat (CSV)",
     [](absl::string_view value, Flags* flags) -> const char* {
       if (value.empty()) return "the name of a file";
       flags->out = std::string(value);
       return nullptr;
     }},
    {"time", "real|cpu",
     "which time of the variants the ratio and the verdict are of; UseRealTime holds against cpu "
     "(default: real)",
     [](absl::string_view value, Flags* flags) -> const char* {
       if (value != "real" && value != "cpu") return "real or cpu";
       flags->experiment.cpu_time = value == "cpu";
       return nullptr;
     }},
    {"require_counters", "BOOL",
     "an event of --benchmark_perf_counters that cannot be counted is an error (default: false)",
     [](absl::string_view value, Flags* flags) -> const char* {
       return ReadBool(value, &flags->require_counters);
     }},
    {"timeout", "SECONDS", "longest time of one run, its set-up included (default: 60)",
     [](absl::string_view value, Flags* flags) -> const char* {
       double timeout = 0;
       if (!ReadDouble(absl::StripSuffix(value, "s"), &timeout) || timeout <= 0 || timeout > 1e6) {
         return "a positive number of seconds";
       }
       flags->experiment.timeout = timeout;
       return nullptr;
     }},
    {"max_ratio", "R",
     "gate for every duet without one of its own: new may take R times as long as old, such as "
     "1.05; measures until that is decided (default: no gate)",
     [](absl::string_view value, Flags* flags) -> const char* {
       double ratio = 0;
       if (!ReadDouble(value, &ratio) || !GateDemand::Allows(GateDemand::Kind::kMaxRatio, ratio)) {
         return "a positive ratio, such as 1.05 for 5 % slower";
       }
       flags->experiment.gate = GateDemand::MaxRatio(ratio);
       return nullptr;
     }},
    {"max_time", "SECONDS",
     "longest time of a benchmark whose gate is not decided (default: 10, or the measuring time if "
     "that is longer)",
     [](absl::string_view value, Flags* flags) -> const char* {
       double seconds = 0;
       if (!ReadDouble(absl::StripSuffix(value, "s"), &seconds) || seconds <= 0 || seconds > 1e6) {
         return "a positive number of seconds";
       }
       flags->experiment.max_time = seconds;
       return nullptr;
     }},
    {"inconclusive", "pass|fail|skip",
     "what becomes of a gate that is not decided: it holds, with a warning; it counts as failed; "
     "or the exit status is 77, 'skipped' (default: pass)",
     [](absl::string_view value, Flags* flags) -> const char* {
       if (value == "pass") {
         flags->inconclusive = WhenInconclusive::kPass;
       } else if (value == "fail") {
         flags->inconclusive = WhenInconclusive::kFail;
       } else if (value == "skip") {
         flags->inconclusive = WhenInconclusive::kSkip;
       } else {
         return "pass, fail or skip";
       }
       return nullptr;
     }},
    {"summary", "FILE",
     "appends a table of all duets and what failed to FILE (Markdown, for $GITHUB_STEP_SUMMARY or "
     "a merge request)",
     [](absl::string_view value, Flags* flags) -> const char* {
       if (value.empty()) return "the name of a file";
       flags->summary = std::string(value);
       return nullptr;
     }},
    {"junit", "FILE", "writes a test case for each duet to FILE (JUnit XML)",
     [](absl::string_view value, Flags* flags) -> const char* {
       if (value.empty()) return "the name of a file";
       flags->junit = std::string(value);
       return nullptr;
     }},
    {"aa", "BOOL",
     "compares each variant with itself instead, and reports false alarms and side bias",
     [](absl::string_view value, Flags* flags) -> const char* {
       return ReadBool(value, &flags->aa);
     }},
    {"calibrate", "BOOL",
     "also prints the smallest slow-down that each duet finds in 95 % of cases in this time; "
     "without gates",
     [](absl::string_view value, Flags* flags) -> const char* {
       return ReadBool(value, &flags->calibrate);
     }},
    {"detect", "D",
     "with --duet_calibrate: also the time that it takes to find a slow-down of D, such as 0.01",
     [](absl::string_view value, Flags* flags) -> const char* {
       double slowdown = 0;
       if (!ReadDouble(value, &slowdown) || slowdown <= 0 || slowdown > 100) {
         return "a positive number, such as 0.01 for 1 %";
       }
       flags->detect = slowdown;
       flags->calibrate = true;
       return nullptr;
     }},
    {"list", "BOOL",
     "lists the duets that the filter selects, without the ordinary benchmarks, and measures "
     "nothing; a line is: duet, the longest time in seconds that it may take, its name",
     [](absl::string_view value, Flags* flags) -> const char* {
       return ReadBool(value, &flags->list);
     }},
    {"ctest", "BOOL",
     "also prints the ratio and its ends as measurements for ctest; duet_discover_benchmarks sets "
     "it",
     [](absl::string_view value, Flags* flags) -> const char* {
       return ReadBool(value, &flags->ctest);
     }},
};

// For the nearest name; the library's own flags, 1.7.1 to the newest.
constexpr const char* kGoogleBenchmarkFlags[] = {
    "benchmark_list_tests",
    "benchmark_filter",
    "benchmark_min_time",
    "benchmark_min_warmup_time",
    "benchmark_repetitions",
    "benchmark_enable_random_interleaving",
    "benchmark_dry_run",
    "benchmark_report_aggregates_only",
    "benchmark_format",
    "benchmark_display_aggregates_only",
    "benchmark_out",
    "benchmark_out_format",
    "benchmark_color",
    "benchmark_counters_tabular",
    "benchmark_perf_counters",
    "benchmark_context",
    "benchmark_time_unit",
    "help",
    "version",
};

const Flag* FindFlag(absl::string_view name) {
  for (const Flag& flag : kFlags) {
    if (name == flag.name) return &flag;
  }
  return nullptr;
}

absl::Status ApplyFlag(const Flag& flag, absl::string_view value, const std::string& source,
                       Flags* flags) {
  const char* wanted = flag.apply(value, flags);
  if (wanted == nullptr) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(source, ": '", value, "' should be ", wanted));
}

// Levenshtein.
size_t Distance(absl::string_view a, absl::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

std::string EnvironmentName(const Flag& flag) {
  return absl::StrCat("DUET_", absl::AsciiStrToUpper(flag.name));
}

}  // namespace

absl::Status ApplyEnvironment(const GetEnvironment& environment, Flags* flags) {
  for (const Flag& flag : kFlags) {
    const std::string name = EnvironmentName(flag);
    const char* value = environment(name.c_str());
    if (value == nullptr) continue;
    absl::Status status = ApplyFlag(flag, value, name, flags);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status ParseArguments(std::vector<std::string>* arguments, Flags* flags) {
  std::vector<std::string> rest;
  for (const std::string& argument : *arguments) {
    absl::string_view text = argument;
    if (!absl::ConsumePrefix(&text, "--duet_")) {
      rest.push_back(argument);
      continue;
    }
    const size_t equals = text.find('=');
    const absl::string_view name = text.substr(0, equals);
    const Flag* flag = FindFlag(name);
    if (flag == nullptr) return UnknownArgument(argument);
    // --duet_fill alone means true; other flags need a value and say so.
    const absl::string_view value = equals != absl::string_view::npos ? text.substr(equals + 1)
                                    : absl::string_view(flag->value) == "BOOL" ? "true"
                                                                               : "";
    absl::Status status = ApplyFlag(*flag, value, absl::StrCat("--duet_", name), flags);
    if (!status.ok()) return status;
  }
  *arguments = std::move(rest);
  return absl::OkStatus();
}

std::string FlagsHelp() {
  std::string help =
      "\nduetbench flags, each also an environment variable (--duet_runs=20 is DUET_RUNS=20):\n";
  for (const Flag& flag : kFlags) {
    absl::StrAppend(&help, "          --duet_", flag.name, "=<", flag.value, ">\n              ",
                    flag.help, "\n");
  }
  absl::StrAppend(
      &help,
      "\nOf a duet --benchmark_dry_run executes one operation of each variant and gives no\n"
      "verdict; the exit status is 2 if a benchmark fails. With versions of Google Benchmark that\n"
      "do not know this flag (before 1.9.2) it works too, but for ordinary benchmarks that set\n"
      "MinTime, Iterations or Repetitions themselves.\n");
  return help;
}

absl::Status UnknownArgument(const std::string& argument) {
  absl::string_view name = argument;
  name = absl::StripPrefix(name, "--");
  name = name.substr(0, name.find('='));
  std::string nearest;
  size_t nearest_distance = 1 + std::max<size_t>(2, name.size() / 3);
  const auto consider = [&](const std::string& candidate) {
    const size_t distance = Distance(name, candidate);
    if (distance >= nearest_distance) return;
    nearest_distance = distance;
    nearest = candidate;
  };
  for (const Flag& flag : kFlags) consider(absl::StrCat("duet_", flag.name));
  for (const char* flag : kGoogleBenchmarkFlags) consider(flag);
  if (!nearest.empty() && nearest == name) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", argument, "': --", nearest, " takes other values; see --help"));
  }
  return absl::InvalidArgumentError(
      nearest.empty()
          ? absl::StrCat("unknown argument '", argument, "'; --help lists what there is")
          : absl::StrCat("unknown argument '", argument, "'; did you mean --", nearest, "?"));
}

std::string GoogleBenchmarkFlag(const std::vector<std::string>& arguments,
                                const GetEnvironment& environment, const std::string& name) {
  const char* from_environment =
      environment(absl::StrCat("BENCHMARK_", absl::AsciiStrToUpper(name)).c_str());
  std::string value = from_environment != nullptr ? from_environment : "";
  const std::string flag = absl::StrCat("--benchmark_", name);
  for (const std::string& argument : arguments) {
    if (argument == flag) {
      value = "true";
    } else if (absl::StartsWith(argument, flag + "=")) {
      value = argument.substr(flag.size() + 1);
    }
  }
  return value;
}

absl::Status CheckGoogleBenchmarkFlags(const std::vector<std::string>& arguments,
                                       const GetEnvironment& environment) {
  const struct {
    const char* name;
    std::vector<std::string> values;
    const char* wanted;
  } kChecks[] = {{"format", {"console", "json", "csv"}, "console, json or csv"},
                 {"out_format", {"console", "json", "csv"}, "console, json or csv"},
                 {"time_unit", {"ns", "us", "ms", "s"}, "ns, us, ms or s"}};
  for (const auto& [name, values, wanted] : kChecks) {
    const std::string value = GoogleBenchmarkFlag(arguments, environment, name);
    if (value.empty() || std::find(values.begin(), values.end(), value) != values.end()) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("--benchmark_", name, ": '", value, "' should be ", wanted));
  }
  return absl::OkStatus();
}

absl::StatusOr<double> ParseMinTime(const std::string& text) {
  if (text.empty()) return 0.0;
  int64_t iterations = 0;
  if (absl::EndsWith(text, "x") && absl::SimpleAtoi(absl::StripSuffix(text, "x"), &iterations)) {
    return 0.0;
  }
  double seconds = 0;
  if (!ReadDouble(absl::StripSuffix(text, "s"), &seconds) || seconds <= 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("--benchmark_min_time: '", text, "' should be a positive number of seconds"));
  }
  return seconds;
}

bool IsTruthy(const std::string& text) {
  if (text.empty()) return false;
  const std::string lower = absl::AsciiStrToLower(text);
  return lower != "0" && lower != "f" && lower != "n" && lower != "false" && lower != "no" &&
         lower != "off";
}

}  // namespace duetbench
