#include "duetbench/main/flags.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace duetbench {
namespace {

// NaN, which no rule allows, for anything but a finite number.
double ReadNumber(absl::string_view text) {
  double number = 0;
  return absl::SimpleAtod(text, &number) && std::isfinite(number) ? number : NAN;
}

template <class Value>
Value& FieldOf(Flags* flags, Value DuetOptions::*field) {
  return flags->options.*field;
}
template <class Value>
Value& FieldOf(Flags* flags, Value Flags::*field) {
  return flags->*field;
}

// The readers: each sets one field from a text, and returns what the text should have been. Numbers
// that the rules of options (option_rules.h) know are checked there, when the flag has been
// applied.
const char* ReadInto(absl::string_view text, std::optional<int>* value) {
  int number = 0;
  *value = absl::SimpleAtoi(text, &number) ? number : 0;
  return nullptr;
}
const char* ReadInto(absl::string_view text, std::optional<double>* value) {
  *value = ReadNumber(text);
  return nullptr;
}
const char* ReadInto(absl::string_view text, std::optional<uint64_t>* value) {
  return absl::SimpleAtoi(text, &value->emplace())
             ? nullptr
             : "a whole number from 0 to 18446744073709551615";
}
const char* ReadInto(absl::string_view text, bool* value) {
  return absl::SimpleAtob(text, value) ? nullptr : "true or false";
}
const char* ReadInto(absl::string_view text, std::optional<bool>* value) {
  return ReadInto(text, &value->emplace());
}
const char* ReadInto(absl::string_view text, std::string* name) {
  *name = std::string(text);
  return text.empty() ? "the name of a file" : nullptr;
}

// "INSTRUCTIONS:1.02,perf::PAGE-FAULTS:1": names have colons, too.
const char* ReadInto(absl::string_view text, std::vector<CounterGateSpec>* gates) {
  const char* const kWanted = "a counter and a positive ratio, such as INSTRUCTIONS:1.02";
  gates->clear();
  for (const absl::string_view item : absl::StrSplit(text, ',')) {
    const size_t colon = item.rfind(':');
    if (colon == absl::string_view::npos || colon == 0) return kWanted;
    const double ratio = ReadNumber(item.substr(colon + 1));
    if (!GateSpec::IsValid(GateSpec::Kind::kMaxRatio, ratio)) return kWanted;
    gates->push_back({std::string(item.substr(0, colon)), ratio});
  }
  return nullptr;
}

// "0.5,0.99"; nothing, or "true": the usual ones.
const char* ReadInto(absl::string_view text, std::vector<double>* quantiles) {
  if (text.empty() || text == "true") text = "0.5,0.9,0.99,0.999";
  quantiles->clear();
  for (const absl::string_view item : absl::StrSplit(text, ',')) {
    quantiles->push_back(ReadNumber(item));
    if (!QuantileGateSpec::IsQuantile(quantiles->back())) {
      return "numbers between 0 and 1, such as 0.5,0.99";
    }
  }
  return nullptr;
}

// "0.99:1.1,0.5:1.05".
const char* ReadInto(absl::string_view text, std::vector<QuantileGateSpec>* gates) {
  gates->clear();
  for (const absl::string_view item : absl::StrSplit(text, ',')) {
    const std::vector<absl::string_view> parts = absl::StrSplit(item, ':');
    gates->push_back({ReadNumber(parts.front()), ReadNumber(parts.back())});
    if (parts.size() != 2 || !gates->back().IsValid()) {
      return "a number between 0 and 1 and a positive ratio, such as 0.99:1.1";
    }
  }
  return nullptr;
}

template <auto field>
std::string Read(const Flag&, absl::string_view text, Flags* flags) {
  const char* const wanted = ReadInto(text, &FieldOf(flags, field));
  return wanted == nullptr ? "" : wanted;
}

template <auto field>
std::string ReadTime(const Flag&, absl::string_view text, Flags* flags) {
  FieldOf(flags, field) = ReadSeconds(text);
  return "";
}

// The first choice of a flag that may be left to the program.
enum Auto { kAuto };
template <class Value>
void Set(Value choice, Value* field) {
  *field = choice;
}
template <class Value>
void Set(Value choice, std::optional<Value>* field) {
  *field = choice;
}
template <class Value>
void Set(Auto, std::optional<Value>* field) {
  field->reset();
}

// `choices` are the values of the names in Flag::value, in that order.
template <auto field, auto... choices>
std::string Choose(const Flag& flag, absl::string_view text, Flags* flags) {
  const std::vector<std::string> names = absl::StrSplit(flag.value, '|');
  size_t i = 0;
  bool known = false;
  const auto try_choice = [&](auto choice) {
    if (names[i++] != text) return;
    Set(choice, &FieldOf(flags, field));
    known = true;
  };
  (try_choice(choices), ...);
  if (known) return "";
  return absl::StrCat(absl::StrJoin(names.begin(), names.end() - 1, ", "), " or ", names.back());
}

const Flag kFlags[] = {
    {"runs", "N",
     "processes each duet is measured in; 1: in this very process, for a debugger or profiler "
     "(default: 10 to 40, as many as start-up allows, or from 5 on if set-up is expensive)",
     Read<&DuetOptions::runs>},
    {"level", "P", "level of the confidence interval (default: 0.99)", Read<&DuetOptions::level>},
    {"margin", "D",
     "a difference that counts as none: EQUAL if the interval lies within 1/(1+D) and 1+D "
     "(default: 0.01)",
     Read<&DuetOptions::margin>},
    {"schedule", "auto|crossed|alternating|duet|interleaved",
     "how the variants share the machine: both at the same time on two CPUs, sample by sample in "
     "turns (crossed) or swapped between blocks (duet); one at a time on one CPU, sample by sample "
     "(interleaved) or in blocks (alternating); auto chooses by a pilot run (default: auto)",
     Choose<&DuetOptions::schedule, kAuto, Schedule::kCrossed, Schedule::kAlternating,
            Schedule::kDuet, Schedule::kInterleaved>},
    {"order", "interleaved|sequential",
     "where a program measures several duets, their runs take place in random order over the whole "
     "time, so that each duet sees all states of the machine, or duet by duet, for debugging "
     "(default: interleaved)",
     Choose<&Flags::sequential, false, true>},
    {"budget", "TIME",
     "time for all duets together, such as 300, 90s, 5min or 1h: each is measured until it is "
     "decided, and the time goes to those that it can decide (default: --benchmark_min_time for "
     "each)",
     [](const Flag&, absl::string_view value, Flags* flags) -> std::string {
       flags->budget = ReadDuration(value);
       const bool is_time = flags->budget > 0 && flags->budget <= 1e6;
       return is_time ? "" : "a positive time, such as 300, 90s, 5min or 1h";
     }},
    {"unchanged", "measure|report|explain",
     "under `duet OLD NEW` and `duet git`, a benchmark that is proved to execute the same code in "
     "both programs is measured all the same, or reported as UNCHANGED; explain: reported, with "
     "why the others are measured (default: measure)",
     Choose<&Flags::unchanged, WhenUnchanged::kMeasure, WhenUnchanged::kReport,
            WhenUnchanged::kExplain>},
    {"isolation", "fork|thread|process",
     "fork: each variant in a single-threaded process that is forked where the benchmark begins; "
     "thread: both in one process, for variants that share state by design; process: each in a "
     "start of the program (default: fork)",
     Choose<&DuetOptions::isolation, Isolation::kFork, Isolation::kThread, Isolation::kProcess>},
    {"cpus_per_variant", "auto|1|N|all",
     "CPUs that a variant and the threads that it starts may use: one, at the same time as its "
     "partner, or N or all, in turns with it; auto chooses all where a pilot run sees that a "
     "variant starts threads (default: auto)",
     [](const Flag&, absl::string_view value, Flags* flags) -> std::string {
       std::optional<int>& cpus = flags->options.cpus_per_variant;
       int number = 0;
       cpus = absl::SimpleAtoi(value, &number) && number > 0 ? number : -1;
       if (value == "all") cpus = kAllCpus;
       if (value == "auto") cpus.reset();
       return "";
     }},
    {"layouts", "N",
     "link layouts of the program that the runs are divided among; 1: its own alone (default: all "
     "that duet_target_layouts has linked)",
     Read<&DuetOptions::layouts>},
    {"fresh_copy", "BOOL",
     "each run executes a fresh copy of the program in memory, whose code lies on other physical "
     "pages (default: false)",
     Read<&DuetOptions::fresh_copy>},
    {"fill", "BOOL",
     "the variant that is done keeps executing untimed iterations until the other one is done, so "
     "that unequal variants share the machine evenly (default: false)",
     Read<&DuetOptions::fill>},
    {"cpus", "A,B", "the two CPUs (default: the best pair of those allowed)",
     [](const Flag&, absl::string_view value, Flags* flags) -> std::string {
       flags->cpus = std::string(value);
       return value.empty() ? "two CPUs, such as 2,3" : "";
     }},
    {"lock", "on|off",
     "on: waits while another program measures duets on the same CPUs (default: on)",
     Choose<&Flags::lock, true, false>},
    {"seed", "N", "seed of every random choice; printed with each report (default: random)",
     Read<&DuetOptions::seed>},
    {"out", "FILE", "writes every measured pair to FILE, for duet_stat (CSV)", Read<&Flags::out>},
    {"time", "real|cpu", "compare real or CPU time; UseRealTime() takes precedence (default: real)",
     Choose<&DuetOptions::cpu_time, false, true>},
    {"estimand", "auto|typical|total",
     "which ratio decides: typical (typical samples), total (total times), or auto: total where "
     "the two differ, else typical (default: auto)",
     Choose<&DuetOptions::estimand, stats::Estimand::kAuto, stats::Estimand::kTypical,
            stats::Estimand::kTotal>},
    {"quantiles", "Q,...",
     "also reports the ratio at these quantiles of the times of single calls, which are then timed "
     "one by one; alone it means 0.5,0.9,0.99,0.999 (default: none)",
     Read<&DuetOptions::quantiles>},
    {"require_counters", "BOOL",
     "an event of --benchmark_perf_counters that cannot be counted is an error (default: false)",
     Read<&Flags::require_counters>},
    {"timeout", "SECONDS", "longest time of one run, its set-up included (default: 60)",
     ReadTime<&DuetOptions::timeout>},
    {"max_ratio", "R",
     "gate for every duet that has none: new may take R times as long as old, such as "
     "1.05; measures until that is decided (default: no gate)",
     [](const Flag&, absl::string_view value, Flags* flags) -> std::string {
       flags->options.gate = {GateSpec::Kind::kMaxRatio, ReadNumber(value)};
       return "";
     }},
    {"max_counter_ratio", "COUNTER:R",
     "gate for every duet: new may count R times as much as old per iteration, such as "
     "INSTRUCTIONS:1.02, ALLOCATIONS:1 or PEAK-RSS:1.1; several with commas (default: no gate)",
     Read<&DuetOptions::counter_gates>},
    {"max_quantile_ratio", "Q:R",
     "gate for every duet: the quantile Q of the times of single calls of new may be R times that "
     "of old, such as 0.99:1.1; several with commas (default: no gate)",
     Read<&DuetOptions::quantile_gates>},
    {"max_time", "SECONDS",
     "longest time of a benchmark whose gate is not decided (default: 10, or the measuring time if "
     "that is longer)",
     ReadTime<&DuetOptions::max_time>},
    {"inconclusive", "pass|fail|skip",
     "what becomes of a gate that is not decided: it counts as passed, with a warning; it counts "
     "as failed; or the exit status is 77, 'skipped' (default: skip)",
     Choose<&Flags::inconclusive, WhenInconclusive::kPass, WhenInconclusive::kFail,
            WhenInconclusive::kSkip>},
    {"summary", "FILE",
     "appends a table of all duets and what failed to FILE (Markdown, for $GITHUB_STEP_SUMMARY or "
     "a merge request)",
     Read<&Flags::summary>},
    {"junit", "FILE", "writes a test case for each duet to FILE (JUnit XML)", Read<&Flags::junit>},
    {"report", "FILE",
     "writes a page with pictures of all duets to FILE (HTML, without scripts and links)",
     Read<&Flags::report>},
    {"bmf", "FILE", "writes all ratios and times to FILE (Bencher Metric Format)",
     Read<&Flags::bmf>},
    {"gobench", "FILE",
     "writes the means of all runs to FILE (Go's benchmark format, for benchstat -col /variant)",
     Read<&Flags::gobench>},
    {"openmetrics", "FILE",
     "writes all ratios, times, verdicts and gates to FILE (OpenMetrics, for Prometheus)",
     Read<&Flags::openmetrics>},
    {"controls", "BOOL",
     "runs controls after up to 8 duets: old against itself, and old against itself with 2 % "
     "added; reports how many were judged correctly",
     Read<&Flags::controls>},
    {"calibrate", "D",
     "also prints the smallest slow-down that each duet finds in 95 % of cases in this time, and "
     "the time that it takes to find one of D, such as 0.01; without gates",
     [](const Flag&, absl::string_view value, Flags* flags) -> std::string {
       flags->calibrate = value != "false";
       const bool has_slow_down = !value.empty() && value != "true" && value != "false";
       flags->detect = has_slow_down ? ReadNumber(value) : 0;
       return !has_slow_down || (flags->detect > 0 && flags->detect <= 100)
                  ? ""
                  : "a positive number, at most 100, such as 0.01 for 1 %";
     }},
    {"profile", "BOOL",
     "also prints where the wall time of each duet went, and why its schedule was chosen",
     Read<&Flags::profile>},
    {"list", "BOOL",
     "lists the selected duets and measures nothing; one a line: duet MAX_SECONDS NAME",
     Read<&Flags::list>},
    {"ctest", "BOOL",
     "also prints the ratio and its ends as measurements for ctest; duet_discover_benchmarks sets "
     "it",
     Read<&Flags::ctest>},
};

}  // namespace

absl::Span<const Flag> AllFlags() { return kFlags; }

double ReadDuration(absl::string_view text) {
  constexpr double kMinute = 60;
  constexpr double kHour = 3600;
  if (absl::ConsumeSuffix(&text, "min")) return kMinute * ReadNumber(text);
  if (absl::ConsumeSuffix(&text, "h")) return kHour * ReadNumber(text);
  return ReadSeconds(text);
}

double ReadSeconds(absl::string_view text) { return ReadNumber(absl::StripSuffix(text, "s")); }

}  // namespace duetbench
