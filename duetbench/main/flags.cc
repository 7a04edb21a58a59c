#include "duetbench/main/flags.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <utility>

#include "absl/strings/numbers.h"
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

const char* ReadBool(absl::string_view text, bool* value) {
  return absl::SimpleAtob(text, value) ? nullptr : "true or false";
}

const char* ReadFileName(absl::string_view text, std::string* name) {
  *name = std::string(text);
  return text.empty() ? "the name of a file" : nullptr;
}

// `choices`: the value for each text.
template <class Value>
bool ReadChoice(absl::string_view text,
                std::initializer_list<std::pair<absl::string_view, Value>> choices,
                std::optional<Value>* value) {
  for (const auto& [name, choice] : choices) {
    if (text != name) continue;
    *value = choice;
    return true;
  }
  return false;
}

// "INSTRUCTIONS:1.02,perf::PAGE-FAULTS:1": names have colons, too.
const char* ReadCounterGates(absl::string_view text, std::vector<CounterGateSpec>* gates) {
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
const char* ReadQuantiles(absl::string_view text, std::vector<double>* quantiles) {
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
const char* ReadQuantileGates(absl::string_view text, std::vector<QuantileGateSpec>* gates) {
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

// The rules of options (option_rules.h) are checked when a flag has been applied.
const Flag kFlags[] = {
    {"runs", "N",
     "processes each duet is measured in; 1: in this very process, for a debugger or profiler "
     "(default: 10 to 40, as many as start-up allows, or from 5 on if set-up is expensive)",
     [](absl::string_view value, Flags* flags) -> const char* {
       int runs = 0;
       flags->options.runs = absl::SimpleAtoi(value, &runs) ? runs : 0;
       return nullptr;
     }},
    {"level", "P", "level of the confidence interval (default: 0.99)",
     [](absl::string_view value, Flags* flags) -> const char* {
       flags->options.level = ReadNumber(value);
       return nullptr;
     }},
    {"margin", "D",
     "a difference that counts as none: EQUAL if the interval lies within 1/(1+D) and 1+D "
     "(default: 0.01)",
     [](absl::string_view value, Flags* flags) -> const char* {
       flags->options.margin = ReadNumber(value);
       return nullptr;
     }},
    {"schedule", "auto|crossed|uncoupled|alternating|duet|interleaved",
     "how the variants share the machine: both at the same time on two CPUs, sample by sample in "
     "turns (crossed, uncoupled) or swapped between blocks (duet); one at a time on one CPU, "
     "sample by sample (interleaved) or in blocks (alternating); auto chooses by pilot runs "
     "(default: auto)",
     [](absl::string_view value, Flags* flags) -> const char* {
       if (value == "auto") {
         flags->options.schedule.reset();
         return nullptr;
       }
       const bool known = ReadChoice<Schedule>(value,
                                               {{"crossed", Schedule::kCrossed},
                                                {"uncoupled", Schedule::kUncoupled},
                                                {"alternating", Schedule::kAlternating},
                                                {"duet", Schedule::kDuet},
                                                {"interleaved", Schedule::kInterleaved}},
                                               &flags->options.schedule);
       return known ? nullptr : "auto, crossed, uncoupled, alternating, duet or interleaved";
     }},
    {"order", "interleaved|sequential",
     "where a program measures several duets, their runs take place in random order over the whole "
     "time, so that each duet sees all states of the machine, or duet by duet, for debugging "
     "(default: interleaved)",
     [](absl::string_view value, Flags* flags) -> const char* {
       std::optional<bool> sequential;
       const bool known =
           ReadChoice<bool>(value, {{"interleaved", false}, {"sequential", true}}, &sequential);
       flags->sequential = sequential.value_or(false);
       return known ? nullptr : "interleaved or sequential";
     }},
    {"isolation", "fork|thread|process",
     "fork: each variant in a single-threaded process that is forked where the benchmark begins; "
     "thread: both in one process, for variants that share state by design; process: each in a "
     "start of the program (default: fork)",
     [](absl::string_view value, Flags* flags) -> const char* {
       const bool known = ReadChoice<Isolation>(value,
                                                {{"fork", Isolation::kFork},
                                                 {"thread", Isolation::kThread},
                                                 {"process", Isolation::kProcess}},
                                                &flags->options.isolation);
       return known ? nullptr : "fork, thread or process";
     }},
    {"cpus_per_variant", "auto|1|N|all",
     "CPUs that a variant and the threads that it starts may use: one, at the same time as its "
     "partner, or N or all, in turns with it; auto chooses all where a pilot run sees that a "
     "variant starts threads (default: auto)",
     [](absl::string_view value, Flags* flags) -> const char* {
       std::optional<int>& cpus = flags->options.cpus_per_variant;
       if (value == "auto") {
         cpus.reset();
         return nullptr;
       }
       if (ReadChoice<int>(value, {{"all", kAllCpus}}, &cpus)) return nullptr;
       int number = 0;
       cpus = absl::SimpleAtoi(value, &number) && number > 0 ? number : -1;
       return nullptr;
     }},
    {"layouts", "N",
     "link layouts of the program that the runs are divided among; 1: its own alone (default: all "
     "that duet_target_layouts has linked)",
     [](absl::string_view value, Flags* flags) -> const char* {
       int layouts = 0;
       flags->options.layouts = absl::SimpleAtoi(value, &layouts) ? layouts : 0;
       return nullptr;
     }},
    {"layout_noise", "D",
     "how far apart copies of the same function lie on this machine, such as 0.05 for 5 % "
     "(duet_lab layout measures it): a smaller difference that is measured in one link layout gets "
     "a notice (default: 0)",
     [](absl::string_view value, Flags* flags) -> const char* {
       flags->options.layout_noise = ReadNumber(value);
       return nullptr;
     }},
    {"fresh_copy", "BOOL",
     "each run executes a fresh copy of the program in memory, whose code lies on other physical "
     "pages (default: false)",
     [](absl::string_view value, Flags* flags) -> const char* {
       return ReadBool(value, &flags->options.fresh_copy.emplace());
     }},
    {"fill", "BOOL",
     "the variant that is done keeps executing untimed iterations until the other one is done, so "
     "that unequal variants share the machine evenly (default: false)",
     [](absl::string_view value, Flags* flags) -> const char* {
       return ReadBool(value, &flags->options.fill.emplace());
     }},
    {"cpus", "A,B", "the two CPUs (default: the best pair of those allowed)",
     [](absl::string_view value, Flags* flags) -> const char* {
       flags->cpus = std::string(value);
       return value.empty() ? "two CPUs, such as 2,3" : nullptr;
     }},
    {"seed", "N", "seed of every random choice; printed with each report (default: random)",
     [](absl::string_view value, Flags* flags) -> const char* {
       return absl::SimpleAtoi(value, &flags->options.seed.emplace())
                  ? nullptr
                  : "a whole number from 0 to 18446744073709551615";
     }},
    {"out", "FILE", "writes every measured pair to FILE, for duet_stat (CSV)",
     [](absl::string_view value, Flags* flags) -> const char* {
       return ReadFileName(value, &flags->out);
     }},
    {"time", "real|cpu", "compare real or CPU time; UseRealTime() takes precedence (default: real)",
     [](absl::string_view value, Flags* flags) -> const char* {
       const bool known =
           ReadChoice<bool>(value, {{"real", false}, {"cpu", true}}, &flags->options.cpu_time);
       return known ? nullptr : "real or cpu";
     }},
    {"estimand", "auto|typical|total",
     "which ratio decides: typical (typical samples), total (total times), or auto: total where "
     "the two differ, else typical (default: auto)",
     [](absl::string_view value, Flags* flags) -> const char* {
       const bool known = ReadChoice<stats::Estimand>(value,
                                                      {{"auto", stats::Estimand::kAuto},
                                                       {"typical", stats::Estimand::kTypical},
                                                       {"total", stats::Estimand::kTotal}},
                                                      &flags->options.estimand);
       return known ? nullptr : "auto, typical or total";
     }},
    {"quantiles", "Q,...",
     "also reports the ratio at these quantiles of the times of single calls, which are then timed "
     "one by one; alone it means 0.5,0.9,0.99,0.999 (default: none)",
     [](absl::string_view value, Flags* flags) -> const char* {
       return ReadQuantiles(value, &flags->options.quantiles);
     }},
    {"require_counters", "BOOL",
     "an event of --benchmark_perf_counters that cannot be counted is an error (default: false)",
     [](absl::string_view value, Flags* flags) -> const char* {
       return ReadBool(value, &flags->require_counters);
     }},
    {"timeout", "SECONDS", "longest time of one run, its set-up included (default: 60)",
     [](absl::string_view value, Flags* flags) -> const char* {
       flags->options.timeout = ReadSeconds(value);
       return nullptr;
     }},
    {"max_ratio", "R",
     "gate for every duet that has none: new may take R times as long as old, such as "
     "1.05; measures until that is decided (default: no gate)",
     [](absl::string_view value, Flags* flags) -> const char* {
       flags->options.gate = {GateSpec::Kind::kMaxRatio, ReadNumber(value)};
       return nullptr;
     }},
    {"max_counter_ratio", "COUNTER:R",
     "gate for every duet: new may count R times as much as old per iteration, such as "
     "INSTRUCTIONS:1.02 or ALLOCATIONS:1; several with commas (default: no gate)",
     [](absl::string_view value, Flags* flags) -> const char* {
       return ReadCounterGates(value, &flags->options.counter_gates);
     }},
    {"max_quantile_ratio", "Q:R",
     "gate for every duet: the quantile Q of the times of single calls of new may be R times that "
     "of old, such as 0.99:1.1; several with commas (default: no gate)",
     [](absl::string_view value, Flags* flags) -> const char* {
       return ReadQuantileGates(value, &flags->options.quantile_gates);
     }},
    {"max_time", "SECONDS",
     "longest time of a benchmark whose gate is not decided (default: 10, or the measuring time if "
     "that is longer)",
     [](absl::string_view value, Flags* flags) -> const char* {
       flags->options.max_time = ReadSeconds(value);
       return nullptr;
     }},
    {"inconclusive", "pass|fail|skip",
     "what becomes of a gate that is not decided: it counts as passed, with a warning; it counts "
     "as failed; or the exit status is 77, 'skipped' (default: skip)",
     [](absl::string_view value, Flags* flags) -> const char* {
       std::optional<WhenInconclusive> when;
       const bool known = ReadChoice<WhenInconclusive>(value,
                                                       {{"pass", WhenInconclusive::kPass},
                                                        {"fail", WhenInconclusive::kFail},
                                                        {"skip", WhenInconclusive::kSkip}},
                                                       &when);
       flags->inconclusive = when.value_or(flags->inconclusive);
       return known ? nullptr : "pass, fail or skip";
     }},
    {"summary", "FILE",
     "appends a table of all duets and what failed to FILE (Markdown, for $GITHUB_STEP_SUMMARY or "
     "a merge request)",
     [](absl::string_view value, Flags* flags) -> const char* {
       return ReadFileName(value, &flags->summary);
     }},
    {"junit", "FILE", "writes a test case for each duet to FILE (JUnit XML)",
     [](absl::string_view value, Flags* flags) -> const char* {
       return ReadFileName(value, &flags->junit);
     }},
    {"report", "FILE",
     "writes a page with pictures of all duets to FILE (HTML, without scripts and links)",
     [](absl::string_view value, Flags* flags) -> const char* {
       return ReadFileName(value, &flags->report);
     }},
    {"bmf", "FILE", "writes all ratios and times to FILE (Bencher Metric Format)",
     [](absl::string_view value, Flags* flags) -> const char* {
       return ReadFileName(value, &flags->bmf);
     }},
    {"gobench", "FILE",
     "writes the means of all runs to FILE (Go's benchmark format, for benchstat -col /variant)",
     [](absl::string_view value, Flags* flags) -> const char* {
       return ReadFileName(value, &flags->gobench);
     }},
    {"openmetrics", "FILE",
     "writes all ratios, times, verdicts and gates to FILE (OpenMetrics, for Prometheus)",
     [](absl::string_view value, Flags* flags) -> const char* {
       return ReadFileName(value, &flags->openmetrics);
     }},
    {"aa", "BOOL",
     "compares each variant with itself instead, and reports false alarms and side bias",
     [](absl::string_view value, Flags* flags) -> const char* {
       return ReadBool(value, &flags->aa);
     }},
    {"controls", "BOOL",
     "runs controls after up to 8 duets: old against itself, and old against itself with 2 % "
     "added; reports how many were judged correctly",
     [](absl::string_view value, Flags* flags) -> const char* {
       return ReadBool(value, &flags->controls);
     }},
    {"calibrate", "BOOL",
     "also prints the smallest slow-down that each duet finds in 95 % of cases in this time; "
     "without gates",
     [](absl::string_view value, Flags* flags) -> const char* {
       return ReadBool(value, &flags->calibrate);
     }},
    {"profile", "BOOL",
     "also prints where the wall time of each duet went, and why its schedule was chosen",
     [](absl::string_view value, Flags* flags) -> const char* {
       return ReadBool(value, &flags->profile);
     }},
    {"detect", "D",
     "with --duet_calibrate: also the time that it takes to find a slow-down of D, such as 0.01",
     [](absl::string_view value, Flags* flags) -> const char* {
       flags->detect = ReadNumber(value);
       flags->calibrate = true;
       return flags->detect > 0 && flags->detect <= 100
                  ? nullptr
                  : "a positive number, at most 100, such as 0.01 for 1 %";
     }},
    {"list", "BOOL",
     "lists the selected duets and measures nothing; one a line: duet MAX_SECONDS NAME",
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

}  // namespace

absl::Span<const Flag> AllFlags() { return kFlags; }

double ReadSeconds(absl::string_view text) { return ReadNumber(absl::StripSuffix(text, "s")); }

}  // namespace duetbench
