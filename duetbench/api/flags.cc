#include "duetbench/api/flags.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace duetbench {
namespace {

// --- From texts to fields ---

// A finite number; NaN, which no rule allows, for anything else.
double ReadNumber(absl::string_view text) {
  double number = 0;
  return absl::SimpleAtod(text, &number) && std::isfinite(number) ? number : NAN;
}

// Each sets a value from a text and returns "", or what the text should have been. A number that
// is none becomes 0 or NaN: the rule of its option refuses it.
std::string ReadInto(absl::string_view text, OptionValue<int>* value) {
  int number = 0;
  *value = absl::SimpleAtoi(text, &number) ? number : 0;
  return "";
}

std::string ReadInto(absl::string_view text, OptionValue<double>* value) {
  *value = ReadNumber(text);
  return "";
}

std::string ReadInto(absl::string_view text, OptionValue<uint64_t>* value) {
  uint64_t number = 0;
  if (!absl::SimpleAtoi(text, &number)) return "a whole number from 0 to 18446744073709551615";
  *value = number;
  return "";
}

std::string ReadInto(absl::string_view text, bool* value) {
  return absl::SimpleAtob(text, value) ? "" : "true or false";
}

std::string ReadInto(absl::string_view text, OptionValue<bool>* value) {
  bool is_true = false;
  std::string wanted = ReadInto(text, &is_true);
  *value = is_true;
  return wanted;
}

// The name of a file.
std::string ReadInto(absl::string_view text, std::string* name) {
  *name = std::string(text);
  return text.empty() ? "the name of a file" : "";
}

// "0.5,0.99"; nothing, or "true": the usual quantiles.
std::string ReadInto(absl::string_view text, std::vector<double>* quantiles) {
  if (text.empty() || text == "true") text = "0.5,0.9,0.99,0.999";
  quantiles->clear();
  for (const absl::string_view item : absl::StrSplit(text, ',')) {
    quantiles->push_back(ReadNumber(item));
    if (!Metric::IsQuantile(quantiles->back())) {
      return "numbers between 0 and 1, such as 0.5,0.99";
    }
  }
  return "";
}

// The place of `name` among those of `list`, "on|off"; -1: it has none.
int PlaceOf(absl::string_view name, const char* list) {
  const std::vector<absl::string_view> names = absl::StrSplit(list, '|');
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

// "on, off or auto".
std::string Alternatives(const char* list) {
  const std::vector<absl::string_view> names = absl::StrSplit(list, '|');
  return absl::StrCat(absl::StrJoin(names.begin(), names.end() - 1, ", "), " or ", names.back());
}

template <class T>
T& FieldOf(T Flags::*field, Flags* flags) {
  return flags->*field;
}
template <class T>
T& FieldOf(T ExperimentOptions::*field, Flags* flags) {
  return flags->options.*field;
}

template <auto field>
std::string Read(const char* /*value*/, absl::string_view text, Flags* flags) {
  return ReadInto(text, &FieldOf(field, flags));
}

// As Google Benchmark reads truth.
template <auto field>
std::string ReadTruth(const char* /*value*/, absl::string_view text, Flags* flags) {
  FieldOf(field, flags) = IsTruthy(text);
  return text.empty() ? "true or false" : "";
}

// With or without the unit, "0.5" or "0.5s".
template <auto field>
std::string ReadSeconds(const char* /*value*/, absl::string_view text, Flags* flags) {
  FieldOf(field, flags) = ReadNumber(absl::StripSuffix(text, "s"));
  return "";
}

// The first choice of a flag that may be left to the program.
enum Auto { kAuto };
template <class Choice, class Field>
void SetChoice(Choice choice, Field* field) {
  *field = choice;
}
template <class Value>
void SetChoice(Auto, std::optional<Value>* field) {
  field->reset();
}

// `choices` are the values of the names in `value`, "on|off", in that order.
template <auto field, auto... choices>
std::string Choose(const char* value, absl::string_view text, Flags* flags) {
  int place = PlaceOf(text, value);
  if (place < 0) return Alternatives(value);
  const auto try_choice = [&](auto choice) {
    if (place-- == 0) SetChoice(choice, &FieldOf(field, flags));
  };
  (try_choice(choices), ...);
  return "";
}

// The field is the name itself.
template <auto field>
std::string ChooseName(const char* value, absl::string_view text, Flags* flags) {
  FieldOf(field, flags) = std::string(text);
  return PlaceOf(text, value) < 0 ? Alternatives(value) : "";
}

// Seconds or, "100x", a number of iterations. The last one given counts.
std::string ReadMinTime(const char*, absl::string_view text, Flags* flags) {
  ExperimentOptions* const options = &flags->options;
  int64_t iterations = 0;
  options->min_time = OptionValue<double>(1);
  options->fixed_iterations = OptionValue<int64_t>(0);
  if (absl::EndsWith(text, "x") && absl::SimpleAtoi(absl::StripSuffix(text, "x"), &iterations)) {
    options->fixed_iterations = iterations;
    return iterations < 1 ? "a number of iterations of at least 1x" : "";
  }
  options->min_time = ReadNumber(absl::StripSuffix(text, "s"));
  return "";
}

std::string ReadMaxRatio(const char*, absl::string_view text, Flags* flags) {
  SetGate({GateSpec::Kind::kMaxRatio, ReadNumber(text)}, &flags->options.gates);
  return "";
}

// "INSTRUCTIONS:1.02,perf::PAGE-FAULTS:1"; of quantiles "0.99:1.1,0.5:1.05". In place of the gates
// on counters, or on quantiles, that are there.
template <bool of_quantiles>
std::string ReadGates(const char*, absl::string_view text, Flags* flags) {
  std::vector<GateSpec>* const gates = &flags->options.gates;
  const char* const wanted = of_quantiles
                                 ? "a number between 0 and 1 and a positive ratio, such as 0.99:1.1"
                                 : "a counter and a positive ratio, such as INSTRUCTIONS:1.02";
  const auto is_replaced = [&](const GateSpec& gate) {
    return !gate.metric.is_time() && gate.metric.is_quantile() == of_quantiles;
  };
  gates->erase(std::remove_if(gates->begin(), gates->end(), is_replaced), gates->end());
  for (const absl::string_view item : absl::StrSplit(text, ',')) {
    const size_t colon = item.rfind(':');  // names have colons, too
    if (colon == absl::string_view::npos || colon == 0) return wanted;
    const absl::string_view name = item.substr(0, colon);
    Metric metric;
    if (of_quantiles) metric.quantile = ReadNumber(name);
    if (of_quantiles && !Metric::IsQuantile(metric.quantile)) return wanted;
    if (!of_quantiles) metric.counter = std::string(name);
    const double ratio = ReadNumber(item.substr(colon + 1));
    if (!GateSpec::IsValid(GateSpec::Kind::kMaxRatio, ratio)) return wanted;
    SetGate(GateSpec::MaxRatio(ratio, std::move(metric)), gates);
  }
  return "";
}

std::string ReadCpusPerVariant(const char*, absl::string_view text, Flags* flags) {
  int number = 0;
  OptionValue<int>& cpus = flags->options.cpus_per_variant;
  cpus = absl::SimpleAtoi(text, &number) && number > 0 ? number : kCpusByThreads - 1;
  if (text == "all") cpus = kAllCpus;
  if (text == "auto") cpus = OptionValue<int>(kCpusByThreads);
  return "";
}

// Seconds of "300", "90s", "5min" and "1.5h"; NaN if `text` is none of these.
double ReadDuration(absl::string_view text) {
  constexpr double kMinute = 60;
  constexpr double kHour = 3600;
  if (absl::ConsumeSuffix(&text, "min")) return kMinute * ReadNumber(text);
  if (absl::ConsumeSuffix(&text, "h")) return kHour * ReadNumber(text);
  return ReadNumber(absl::StripSuffix(text, "s"));
}

// --- The rules of options ---

template <class T>
void MergeInto(const OptionValue<T>& from, OptionValue<T>* to) {
  if (from.is_set()) *to = from;
}
template <class T>
void MergeInto(const std::optional<T>& from, std::optional<T>* to) {
  if (from.has_value()) *to = from;
}
void MergeInto(const std::vector<double>& from, std::vector<double>* to) {
  if (!from.empty()) *to = from;
}
void MergeInto(const std::vector<GateSpec>& from, std::vector<GateSpec>* to) {
  for (const GateSpec& gate : from) SetGate(gate, to);
}

template <auto field>
void Merge(const ExperimentOptions& from, ExperimentOptions* to) {
  MergeInto(from.*field, &(to->*field));
}

template <class T>
std::optional<double> NumberOf(const OptionValue<T>& setting) {
  if (!std::is_arithmetic_v<T> || !setting.is_set()) return std::nullopt;
  return static_cast<double>(setting.value());
}
template <class T>
std::optional<double> NumberOf(const T&) {
  return std::nullopt;
}

template <auto field>
std::optional<double> Number(const ExperimentOptions& options) {
  return NumberOf(options.*field);
}

template <auto field>
constexpr DuetOption Of(const char* method = nullptr, const char* wanted = nullptr,
                        bool (*allows)(double number) = nullptr) {
  return {method, wanted, allows, Merge<field>, Number<field>};
}

// The gate on times, of which there is one: each kind is a row, and the first row merges it.
template <GateSpec::Kind kind>
constexpr DuetOption OfGate(const char* method, const char* wanted) {
  return {method, wanted, [](double value) { return GateSpec::IsValid(kind, value); },
          kind == GateSpec::Kind::kMaxRatio ? Merge<&ExperimentOptions::gates> : nullptr,
          [](const ExperimentOptions& options) -> std::optional<double> {
            const GateSpec* const gate = TimeGate(options.gates);
            if (gate == nullptr || gate->kind != kind) return std::nullopt;
            return gate->value;
          }};
}

// Comparisons with NaN are false: it is never allowed.
bool IsTime(double seconds) { return seconds > 0 && seconds <= 1e6; }
constexpr char kTime[] = "a positive number of seconds, at most 1000000";

// --- The table ---

using Options = ExperimentOptions;
constexpr Flag kFlags[] = {
    {"duet_runs", "N",
     "processes each duet is measured in, all of the same length: no longer one shows whether the "
     "ratio depends on the length; 1: one fork of this process, without an interval, for a "
     "debugger or profiler (default: "
     "5 to 40, the first one long)",
     Read<&Options::runs>,
     Of<&Options::runs>("Runs", "a whole number from 1 to 100000",
                        [](double runs) { return runs >= 1 && runs <= 100'000; })},
    {"duet_level", "P", "level of the confidence interval (default: 0.99)", Read<&Options::level>,
     Of<&Options::level>("Level", "a number between 0 and 1, such as 0.99 for 99 %",
                         [](double level) { return level > 0 && level < 1; })},
    {"duet_margin", "D",
     "a difference that counts as none: EQUAL if the interval lies within 1/(1+D) and 1+D "
     "(default: 0.01)",
     Read<&Options::margin>,
     Of<&Options::margin>("Margin", "a number from 0 to below 1, such as 0.01 for 1 %",
                          [](double margin) { return margin >= 0 && margin < 1; })},
    {"benchmark_min_time", "SECONDS", nullptr, ReadMinTime,
     Of<&Options::min_time>("MinTime", kTime, IsTime)},
    {"benchmark_repetitions", "N", nullptr, Read<&Options::repetitions>,
     Of<&Options::repetitions>(
         "Repetitions", "a whole number from 1 to 1000000",
         [](double repetitions) { return repetitions >= 1 && repetitions <= 1e6; })},
    {"duet_max_time", "SECONDS",
     "longest time of a benchmark whose gate is not decided (default: 10, or the measuring time if "
     "that is longer)",
     ReadSeconds<&Options::max_time>, Of<&Options::max_time>("MaxTime", kTime, IsTime)},
    {"duet_timeout", "SECONDS", "longest time of one run, its set-up included (default: 60)",
     ReadSeconds<&Options::timeout>, Of<&Options::timeout>("Timeout", kTime, IsTime)},
    {"benchmark_min_warmup_time", "SECONDS", nullptr, ReadSeconds<&Options::warm_up>,
     Of<&Options::warm_up>("MinWarmUpTime", "a number of seconds from 0 to 1000000",
                           [](double seconds) { return seconds >= 0 && seconds <= 1e6; })},
    {"duet_layout", "random|linked",
     "where the functions of the program lie: elsewhere in each run, so that a ratio does not "
     "depend on the addresses that the linker has chosen, or as they are linked (default: random)",
     Choose<&Options::layout, CodeLayout::kRandom, CodeLayout::kLinked>, Of<&Options::layout>()},
    {"duet_cpus_per_variant", "auto|1|N|all",
     "CPUs that a variant and the threads that it starts may use: one, at the same time as its "
     "partner, or N or all, in turns with it; auto chooses all where a pilot run sees that a "
     "variant starts threads (default: auto)",
     ReadCpusPerVariant,
     Of<&Options::cpus_per_variant>(
         "CpusPerVariant", "auto, all or a number from 1 to 1000000",
         [](double cpus) { return cpus == kAllCpus || (cpus >= 1 && cpus <= 1e6); })},
    {"", nullptr, nullptr, nullptr,
     Of<&Options::fixed_iterations>("Iterations", "a whole number of at least 1",
                                    [](double iterations) { return iterations >= 1; })},
    {"duet_max_ratio", "R",
     "gate for every duet that has none: new may take R times as long as old, such as "
     "1.05; measures until that is decided (default: no gate)",
     ReadMaxRatio,
     OfGate<GateSpec::Kind::kMaxRatio>("MaxRatio",
                                       "a positive ratio, such as 1.05 for 5 % slower")},
    {"", nullptr, nullptr, nullptr,
     OfGate<GateSpec::Kind::kMinSpeedup>("MinSpeedup", "a positive factor, such as 1.2")},
    {"", nullptr, nullptr, nullptr,
     OfGate<GateSpec::Kind::kEquivalent>("Equivalent",
                                         "a number between 0 and 1, such as 0.02 for 2 %")},
    {"duet_max_counter_ratio", "COUNTER:R",
     "gate for every duet: new may count R times as much as old per iteration, such as "
     "INSTRUCTIONS:1.02, ALLOCATIONS:1 or PEAK-RSS:1.1; several with commas (default: no gate)",
     ReadGates<false>},
    {"duet_max_quantile_ratio", "Q:R",
     "gate for every duet: the quantile Q of the times of single calls of new may be R times that "
     "of old, such as 0.99:1.1; several with commas (default: no gate)",
     ReadGates<true>},
    {"duet_quantiles", "Q,...",
     "also reports the ratio at these quantiles of the times of single calls, which are then timed "
     "one by one; alone it means 0.5,0.9,0.99,0.999 (default: none)",
     Read<&Options::quantiles>, Of<&Options::quantiles>()},
    {"duet_schedule", "auto|alternating|duet|interleaved|sliced",
     "how the variants share the machine: both at the same time on two CPUs, swapped between "
     "blocks (duet), or on one that the kernel divides (sliced); one at a time on one CPU, sample "
     "by sample (interleaved) or in blocks (alternating); auto chooses one of the last three by "
     "the runs (default: auto)",
     Choose<&Options::schedule, kAuto, Schedule::kAlternating, Schedule::kDuet,
            Schedule::kInterleaved, Schedule::kSliced>,
     Of<&Options::schedule>()},
    {"duet_isolation", "fork|thread|process|once",
     "fork: each variant in a single-threaded process that is forked where the benchmark begins; "
     "thread: both in one process, for variants that share state by design; process: each in a "
     "start of the program; once: as fork, of one start for all runs (default: fork)",
     Choose<&Options::isolation, Isolation::kFork, Isolation::kThread, Isolation::kProcess,
            Isolation::kOnce>,
     Of<&Options::isolation>()},
    {"duet_fill", "BOOL",
     "the variant that is done keeps executing untimed iterations until the other one is done, so "
     "that unequal variants share the machine evenly (default: false)",
     Read<&Options::fill>, Of<&Options::fill>()},
    {"duet_time", "real|cpu",
     "compare real or CPU time; UseRealTime() takes precedence (default: real)",
     Choose<&Options::cpu_time, false, true>, Of<&Options::cpu_time>()},
    {"duet_estimand", "auto|typical|total",
     "which ratio decides: typical (typical samples), total (total times), or auto: total where "
     "the two differ, else typical (default: auto)",
     Choose<&Options::estimand, stats::Estimand::kAuto, stats::Estimand::kTypical,
            stats::Estimand::kTotal>,
     Of<&Options::estimand>()},
    {"duet_seed", "N", "seed of every random choice; printed with each report (default: random)",
     Read<&Options::seed>, Of<&Options::seed>()},
    {"benchmark_dry_run", "BOOL", nullptr, ReadTruth<&Options::dry_run>, Of<&Options::dry_run>()},
    {"", nullptr, nullptr, nullptr, Of<&Options::manual_time>()},
    {"", nullptr, nullptr, nullptr, Of<&Options::check_equal>()},
    {"duet_order", "interleaved|sequential",
     "where a program measures several duets, their runs take place in random order over the whole "
     "time, so that each duet sees all states of the machine, or duet by duet, for debugging "
     "(default: interleaved)",
     Choose<&Flags::sequential, false, true>},
    {"duet_budget", "TIME",
     "time for all duets together, such as 300, 90s, 5min or 1h: each is measured until it is "
     "decided, and the time goes to those that it can decide (default: --benchmark_min_time for "
     "each)",
     [](const char*, absl::string_view value, Flags* flags) -> std::string {
       flags->budget = ReadDuration(value);
       const bool is_time = flags->budget > 0 && flags->budget <= 1e6;
       return is_time ? "" : "a positive time, such as 300, 90s, 5min or 1h";
     }},
    {"duet_unchanged", "report|measure",
     "under `duet OLD NEW`, benchmarks of programs with the same bytes, in the same folder, are "
     "reported as UNCHANGED, or measured (default: report)",
     Choose<&Flags::measure_unchanged, false, true>},
    {"duet_cpus", "A,B", "the two CPUs (default: the best pair of those allowed)",
     [](const char*, absl::string_view value, Flags* flags) -> std::string {
       flags->cpus = std::string(value);
       return value.empty() ? "two CPUs, such as 2,3" : "";
     }},
    {"duet_lock", "on|off",
     "on: waits while another program measures duets on the same CPUs (default: on)",
     Choose<&Flags::lock, true, false>},
    {"duet_out", "FILE", "writes every measured pair to FILE, for duet_stat (CSV)",
     Read<&Flags::out>},
    {"duet_require_counters", "BOOL",
     "an event of --benchmark_perf_counters that cannot be counted is an error (default: false)",
     Read<&Flags::require_counters>},
    {"duet_inconclusive", "pass|fail|skip",
     "what becomes of a gate that is not decided: it counts as passed, with a warning; it counts "
     "as failed; or the exit status is 77, 'skipped' (default: skip)",
     Choose<&Flags::inconclusive, WhenInconclusive::kPass, WhenInconclusive::kFail,
            WhenInconclusive::kSkip>},
    {"duet_explain", "all|code|gates|off",
     "prints the functions in which new takes longer or shorter, with the calling line, below each "
     "row that is FASTER or SLOWER, or only below failed gates: more runs, of 1 to 3 s in all, "
     "record stacks of calls, and valgrind counts instructions if it is installed; code: with the "
     "machine code of the hottest loop side by side (needs objdump); --duet_explain alone: all "
     "(default: off)",
     [](const char* choices, absl::string_view value, Flags* flags) -> std::string {
       return Choose<&Flags::explain, WhenExplained::kDecided, WhenExplained::kWithCode,
                     WhenExplained::kFailedGates, WhenExplained::kNever>(
           choices, value.empty() ? "all" : value, flags);
     }},
    {"duet_summary", "FILE",
     "appends a table of all duets and what failed to FILE (Markdown, for $GITHUB_STEP_SUMMARY or "
     "a merge request)",
     Read<&Flags::summary>},
    {"duet_junit", "FILE", "writes a test case for each duet to FILE (JUnit XML)",
     Read<&Flags::junit>},
    {"duet_report", "FILE",
     "writes a page with pictures of all duets to FILE (HTML, without scripts and links)",
     Read<&Flags::report>},
    {"duet_profile", "BOOL",
     "also prints where the wall time of each duet went, and why its schedule was chosen",
     Read<&Flags::profile>},
    {"duet_list", "BOOL",
     "lists the selected duets and measures nothing; one a line: duet MAX_SECONDS NAME; a "
     "group that is measured together is a line, with a tab and its filter at the end",
     Read<&Flags::list>},
    {"benchmark_list_tests", "BOOL", nullptr, ReadTruth<&Flags::list_tests>},
    {"benchmark_format", "console|json|csv", nullptr, ChooseName<&Flags::format>},
    {"benchmark_out", "FILE", nullptr, Read<&Flags::benchmark_out>},
    {"benchmark_out_format", "console|json|csv", nullptr, ChooseName<&Flags::out_format>},
    {"benchmark_color", "BOOL|auto", nullptr,
     [](const char*, absl::string_view value, Flags* flags) -> std::string {
       flags->color = std::string(value);
       return value.empty() ? "auto, true or false" : "";
     }},
    {"benchmark_counters_tabular", "BOOL", nullptr, ReadTruth<&Flags::counters_tabular>},
    {"benchmark_perf_counters", "EVENTS", nullptr,
     [](const char*, absl::string_view value, Flags* flags) -> std::string {
       flags->perf_counters = std::string(value);
       return "";
     }},
    {"benchmark_time_unit", "ns|us|ms|s", nullptr, ChooseName<&Flags::time_unit>},
};

bool IsBroken(const DuetOption& option, const ExperimentOptions& options) {
  if (option.wanted == nullptr) return false;
  const std::optional<double> number = option.number(options);
  return number.has_value() && !option.allows(*number);
}

}  // namespace

bool IsTruthy(absl::string_view text) {
  const std::string lower = absl::AsciiStrToLower(text);
  constexpr const char* kFalse[] = {"", "0", "f", "n", "false", "no", "off"};
  return std::find(std::begin(kFalse), std::end(kFalse), lower) == std::end(kFalse);
}

absl::Span<const Flag> AllFlags() { return kFlags; }

std::string ReadFlag(const Flag& flag, absl::string_view text, Flags* flags) {
  std::string wanted = flag.read(flag.value, text, flags);
  if (wanted.empty() && IsBroken(flag.option, flags->options)) wanted = flag.option.wanted;
  return wanted;
}

ExperimentOptions MakeExperimentOptions(const ExperimentOptions& flags,
                                        const ExperimentOptions& own) {
  ExperimentOptions options = flags;
  for (const auto& row : kFlags) {
    if (row.option.merge != nullptr) row.option.merge(own, &options);
  }
  for (const GateSpec& gate : options.gates) {
    auto& quantiles = options.quantiles;
    const double quantile = gate.metric.quantile;
    if (gate.metric.is_quantile() &&
        std::find(quantiles.begin(), quantiles.end(), quantile) == quantiles.end()) {
      quantiles.push_back(quantile);
    }
  }
  if (const int times = std::exchange(options.repetitions, OptionValue<int>(1)); times > 1) {
    options.max_time = times * MaxTime(options);
    options.min_time = times * options.min_time;
  }
  return options;
}

std::string BrokenRule(const ExperimentOptions& options) {
  for (const auto& [flag, value, help, read, option] : kFlags) {
    if (!IsBroken(option, options)) continue;
    return absl::StrCat(option.method, "(", *option.number(options), ") should be ", option.wanted);
  }
  return "";
}

}  // namespace duetbench
