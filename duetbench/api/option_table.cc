#include "duetbench/api/option_table.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "duetbench/api/flag_readers.h"

namespace duetbench {
namespace {

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

// --- The ways to a field ---

template <auto field>
constexpr OptionField Plain() {
  return {Read<ExperimentOptions, field>, Merge<field>, Number<field>};
}

template <auto field, auto... choices>
constexpr OptionField Choice() {
  return {Choose<ExperimentOptions, field, choices...>, Merge<field>, Number<field>};
}

// Seconds or, "100x", a number of iterations. The last one given counts.
std::string ReadMinTime(const char*, absl::string_view text, ExperimentOptions* options) {
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

// With or without the unit, "0.5" or "0.5s".
template <auto field>
constexpr OptionField Seconds() {
  return {[](const char*, absl::string_view text, ExperimentOptions* options) -> std::string {
            options->*field = ReadNumber(absl::StripSuffix(text, "s"));
            return "";
          },
          Merge<field>, Number<field>};
}

std::optional<double> WithoutNumber(const ExperimentOptions&) { return std::nullopt; }

template <auto field>
constexpr OptionField WithoutFlag() {
  return {nullptr, Merge<field>, Number<field>};
}

template <GateSpec::Kind kind>
std::optional<double> GateValue(const ExperimentOptions& options) {
  const GateSpec* const gate = TimeGate(options.gates);
  if (gate == nullptr || gate->kind != kind) return std::nullopt;
  return gate->value;
}

std::string ReadMaxRatio(const char*, absl::string_view text, ExperimentOptions* options) {
  SetGate({GateSpec::Kind::kMaxRatio, ReadNumber(text)}, &options->gates);
  return "";
}

template <bool of_quantiles>
std::string ReadGates(const char*, absl::string_view text, ExperimentOptions* options) {
  const char* const wanted = ReadInto(text, of_quantiles, &options->gates);
  return wanted == nullptr ? "" : wanted;
}

std::string ReadCpusPerVariant(const char*, absl::string_view text, ExperimentOptions* options) {
  int number = 0;
  OptionValue<int>& cpus = options->cpus_per_variant;
  cpus = absl::SimpleAtoi(text, &number) && number > 0 ? number : kCpusByThreads - 1;
  if (text == "all") cpus = kAllCpus;
  if (text == "auto") cpus = OptionValue<int>(kCpusByThreads);
  return "";
}

// Comparisons with NaN are false: it is never allowed.
bool IsTime(double seconds) { return seconds > 0 && seconds <= 1e6; }
constexpr char kTime[] = "a positive number of seconds, at most 1000000";

// --- The table ---

using Options = ExperimentOptions;
constexpr Option kOptions[] = {
    {"duet_runs", "N",
     "processes each duet is measured in, all of the same length: no longer one shows whether the "
     "ratio depends on the length; 1: one fork of this process, without an interval, for a "
     "debugger or profiler (default: "
     "5 to 40, the first one long)",
     "Runs", "a whole number from 1 to 100000",
     [](double runs) { return runs >= 1 && runs <= 100'000; }, Plain<&Options::runs>()},
    {"duet_level", "P", "level of the confidence interval (default: 0.99)", "Level",
     "a number between 0 and 1, such as 0.99 for 99 %",
     [](double level) { return level > 0 && level < 1; }, Plain<&Options::level>()},
    {"duet_margin", "D",
     "a difference that counts as none: EQUAL if the interval lies within 1/(1+D) and 1+D "
     "(default: 0.01)",
     "Margin", "a number from 0 to below 1, such as 0.01 for 1 %",
     [](double margin) { return margin >= 0 && margin < 1; }, Plain<&Options::margin>()},
    {"benchmark_min_time",
     "SECONDS",
     nullptr,
     "MinTime",
     kTime,
     IsTime,
     {ReadMinTime, Merge<&Options::min_time>, Number<&Options::min_time>}},
    {"benchmark_repetitions", "N", nullptr, "Repetitions", "a whole number from 1 to 1000000",
     [](double repetitions) { return repetitions >= 1 && repetitions <= 1e6; },
     Plain<&Options::repetitions>()},
    {"duet_max_time", "SECONDS",
     "longest time of a benchmark whose gate is not decided (default: 10, or the measuring time if "
     "that is longer)",
     "MaxTime", kTime, IsTime, Seconds<&Options::max_time>()},
    {"duet_timeout", "SECONDS", "longest time of one run, its set-up included (default: 60)",
     "Timeout", kTime, IsTime, Seconds<&Options::timeout>()},
    {"benchmark_min_warmup_time", "SECONDS", nullptr, "MinWarmUpTime",
     "a number of seconds from 0 to 1000000",
     [](double seconds) { return seconds >= 0 && seconds <= 1e6; }, Seconds<&Options::warm_up>()},
    {"duet_layout", "random|linked",
     "where the functions of the program lie: elsewhere in each run, so that a ratio does not "
     "depend on the addresses that the linker has chosen, or as they are linked (default: random)",
     nullptr, nullptr, nullptr,
     Choice<&Options::layout, CodeLayout::kRandom, CodeLayout::kLinked>()},
    {"duet_cpus_per_variant",
     "auto|1|N|all",
     "CPUs that a variant and the threads that it starts may use: one, at the same time as its "
     "partner, or N or all, in turns with it; auto chooses all where a pilot run sees that a "
     "variant starts threads (default: auto)",
     "CpusPerVariant",
     "auto, all or a number from 1 to 1000000",
     [](double cpus) { return cpus == kAllCpus || (cpus >= 1 && cpus <= 1e6); },
     {ReadCpusPerVariant, Merge<&Options::cpus_per_variant>, Number<&Options::cpus_per_variant>}},
    {nullptr, nullptr, nullptr, "Iterations", "a whole number of at least 1",
     [](double iterations) { return iterations >= 1; }, WithoutFlag<&Options::fixed_iterations>()},
    {"duet_max_ratio",
     "R",
     "gate for every duet that has none: new may take R times as long as old, such as "
     "1.05; measures until that is decided (default: no gate)",
     "MaxRatio",
     "a positive ratio, such as 1.05 for 5 % slower",
     [](double ratio) { return GateSpec::IsValid(GateSpec::Kind::kMaxRatio, ratio); },
     {ReadMaxRatio, Merge<&Options::gates>, GateValue<GateSpec::Kind::kMaxRatio>}},
    {nullptr,
     nullptr,
     nullptr,
     "MinSpeedup",
     "a positive factor, such as 1.2",
     [](double factor) { return GateSpec::IsValid(GateSpec::Kind::kMinSpeedup, factor); },
     {nullptr, nullptr, GateValue<GateSpec::Kind::kMinSpeedup>}},
    {nullptr,
     nullptr,
     nullptr,
     "Equivalent",
     "a number between 0 and 1, such as 0.02 for 2 %",
     [](double margin) { return GateSpec::IsValid(GateSpec::Kind::kEquivalent, margin); },
     {nullptr, nullptr, GateValue<GateSpec::Kind::kEquivalent>}},
    {"duet_max_counter_ratio",
     "COUNTER:R",
     "gate for every duet: new may count R times as much as old per iteration, such as "
     "INSTRUCTIONS:1.02, ALLOCATIONS:1 or PEAK-RSS:1.1; several with commas (default: no gate)",
     "MaxCounterRatio",
     nullptr,
     nullptr,
     {ReadGates<false>, nullptr, WithoutNumber}},
    {"duet_max_quantile_ratio",
     "Q:R",
     "gate for every duet: the quantile Q of the times of single calls of new may be R times that "
     "of old, such as 0.99:1.1; several with commas (default: no gate)",
     "MaxQuantileRatio",
     nullptr,
     nullptr,
     {ReadGates<true>, nullptr, WithoutNumber}},
    {"duet_quantiles", "Q,...",
     "also reports the ratio at these quantiles of the times of single calls, which are then timed "
     "one by one; alone it means 0.5,0.9,0.99,0.999 (default: none)",
     "Quantiles", nullptr, nullptr, Plain<&Options::quantiles>()},
    {"duet_schedule", "auto|alternating|duet|interleaved",
     "how the variants share the machine: both at the same time on two CPUs, swapped between "
     "blocks (duet); one at a time on one CPU, sample by sample "
     "(interleaved) or in blocks (alternating); auto chooses one of the latter by the runs "
     "(default: auto)",
     "Schedule", nullptr, nullptr,
     Choice<&Options::schedule, kAuto, Schedule::kAlternating, Schedule::kDuet,
            Schedule::kInterleaved>()},
    {"duet_isolation", "fork|thread|process|once",
     "fork: each variant in a single-threaded process that is forked where the benchmark begins; "
     "thread: both in one process, for variants that share state by design; process: each in a "
     "start of the program; once: as fork, of one start for all runs (default: fork)",
     "Isolation", nullptr, nullptr,
     Choice<&Options::isolation, Isolation::kFork, Isolation::kThread, Isolation::kProcess,
            Isolation::kOnce>()},
    {"duet_fill", "BOOL",
     "the variant that is done keeps executing untimed iterations until the other one is done, so "
     "that unequal variants share the machine evenly (default: false)",
     "Fill", nullptr, nullptr, Plain<&Options::fill>()},
    {"duet_time", "real|cpu",
     "compare real or CPU time; UseRealTime() takes precedence (default: real)", "UseRealTime",
     nullptr, nullptr, Choice<&Options::cpu_time, false, true>()},
    {"duet_estimand", "auto|typical|total",
     "which ratio decides: typical (typical samples), total (total times), or auto: total where "
     "the two differ, else typical (default: auto)",
     nullptr, nullptr, nullptr,
     Choice<&Options::estimand, stats::Estimand::kAuto, stats::Estimand::kTypical,
            stats::Estimand::kTotal>()},
    {"duet_seed", "N", "seed of every random choice; printed with each report (default: random)",
     nullptr, nullptr, nullptr, Plain<&Options::seed>()},
    {"benchmark_dry_run",
     "BOOL",
     nullptr,
     nullptr,
     nullptr,
     nullptr,
     {ReadTruth<Options, &Options::dry_run>, Merge<&Options::dry_run>, WithoutNumber}},
    {nullptr, nullptr, nullptr, "UseManualTime", nullptr, nullptr,
     WithoutFlag<&Options::manual_time>()},
    {nullptr, nullptr, nullptr, "CheckEqual", nullptr, nullptr,
     WithoutFlag<&Options::check_equal>()},
};

bool IsBroken(const Option& option, const ExperimentOptions& options) {
  const std::optional<double> number = option.field.number(options);
  return option.wanted != nullptr && number.has_value() && !option.allows(*number);
}

}  // namespace

absl::Span<const Option> AllOptions() { return kOptions; }

ExperimentOptions MakeExperimentOptions(const ExperimentOptions& flags,
                                        const ExperimentOptions& own) {
  ExperimentOptions options = flags;
  for (const Option& option : kOptions) {
    if (option.field.merge != nullptr) option.field.merge(own, &options);
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
  for (const Option& option : kOptions) {
    if (!IsBroken(option, options)) continue;
    return absl::StrCat(option.method, "(", *option.field.number(options), ") should be ",
                        option.wanted);
  }
  return "";
}

std::string ReadOption(const Option& option, absl::string_view text, ExperimentOptions* options) {
  std::string wanted = option.field.read(option.value, text, options);
  if (wanted.empty() && IsBroken(option, *options)) wanted = option.wanted;
  return wanted;
}

}  // namespace duetbench
