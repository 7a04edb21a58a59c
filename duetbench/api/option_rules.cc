#include "duetbench/api/option_rules.h"

#include <algorithm>
#include <optional>
#include <type_traits>
#include <vector>

#include "absl/strings/str_cat.h"

namespace duetbench {
namespace {

struct Rule {
  const char* flag;    // --duet_FLAG; null: there is none
  const char* method;  // of the chain and of CompareOptions
  const char* wanted;
  std::optional<double> (*value)(const DuetOptions& options);
  bool (*allows)(double value);
};

// Comparisons with NaN are false: it is never allowed.
bool IsTime(double seconds) { return seconds > 0 && seconds <= 1e6; }
constexpr char kTime[] = "a positive number of seconds, at most 1000000";

std::optional<double> GateValue(const DuetOptions& options, GateSpec::Kind kind) {
  if (!options.gate.has_value() || options.gate->kind != kind) return std::nullopt;
  return options.gate->value;
}

constexpr Rule kRules[] = {
    {"runs", "Runs", "a whole number from 1 to 100000",
     [](const DuetOptions& options) -> std::optional<double> { return options.runs; },
     [](double runs) { return runs >= 1 && runs <= 100'000; }},
    {"level", "Level", "a number between 0 and 1, such as 0.99 for 99 %",
     [](const DuetOptions& options) { return options.level; },
     [](double level) { return level > 0 && level < 1; }},
    {"margin", "Margin", "a number from 0 to below 1, such as 0.01 for 1 %",
     [](const DuetOptions& options) { return options.margin; },
     [](double margin) { return margin >= 0 && margin < 1; }},
    {"min_time", "MinTime", kTime, [](const DuetOptions& options) { return options.min_time; },
     IsTime},
    {"max_time", "MaxTime", kTime, [](const DuetOptions& options) { return options.max_time; },
     IsTime},
    {"timeout", "Timeout", kTime, [](const DuetOptions& options) { return options.timeout; },
     IsTime},
    {"min_warmup_time", "MinWarmUpTime", "a number of seconds from 0 to 1000000",
     [](const DuetOptions& options) { return options.warm_up; },
     [](double seconds) { return seconds >= 0 && seconds <= 1e6; }},
    {"layouts", "Layouts", "a whole number from 1 to 64",
     [](const DuetOptions& options) -> std::optional<double> { return options.layouts; },
     [](double layouts) { return layouts >= 1 && layouts <= 64; }},
    {"cpus_per_variant", "CpusPerVariant", "auto, all or a number from 1 to 1000000",
     [](const DuetOptions& options) -> std::optional<double> { return options.cpus_per_variant; },
     [](double cpus) { return cpus == kAllCpus || (cpus >= 1 && cpus <= 1e6); }},
    {"iterations", "Iterations", "a whole number of at least 1",
     [](const DuetOptions& options) -> std::optional<double> { return options.fixed_iterations; },
     [](double iterations) { return iterations >= 1; }},
    {"max_ratio", "MaxRatio", "a positive ratio, such as 1.05 for 5 % slower",
     [](const DuetOptions& options) { return GateValue(options, GateSpec::Kind::kMaxRatio); },
     [](double ratio) { return GateSpec::IsValid(GateSpec::Kind::kMaxRatio, ratio); }},
    {"min_speedup", "MinSpeedup", "a positive factor, such as 1.2",
     [](const DuetOptions& options) { return GateValue(options, GateSpec::Kind::kMinSpeedup); },
     [](double factor) { return GateSpec::IsValid(GateSpec::Kind::kMinSpeedup, factor); }},
    {"equivalent", "Equivalent", "a number between 0 and 1, such as 0.02 for 2 %",
     [](const DuetOptions& options) { return GateValue(options, GateSpec::Kind::kEquivalent); },
     [](double margin) { return GateSpec::IsValid(GateSpec::Kind::kEquivalent, margin); }},
};

bool IsBroken(const Rule& rule, const DuetOptions& options) {
  const std::optional<double> value = rule.value(options);
  return value.has_value() && !rule.allows(*value);
}

// A gate goes over one of the same `key`.
template <class Spec, class Key>
void SetEach(const std::vector<Spec>& specs, Key Spec::*key, std::vector<Spec>* gates) {
  for (const Spec& spec : specs) {
    const auto same = std::find_if(gates->begin(), gates->end(),
                                   [&](const Spec& other) { return other.*key == spec.*key; });
    if (same != gates->end()) {
      *same = spec;
    } else {
      gates->push_back(spec);
    }
  }
}

void Apply(const DuetOptions& options, ComparisonOptions* experiment) {
  const auto set = [](const auto& option, auto* field) {
    if (option.has_value()) *field = static_cast<std::decay_t<decltype(*field)>>(*option);
  };
  set(options.runs, &experiment->runs);
  set(options.level, &experiment->level);
  set(options.margin, &experiment->margin);
  set(options.min_time, &experiment->min_time);
  set(options.max_time, &experiment->max_time);
  set(options.warm_up, &experiment->warm_up);
  set(options.timeout, &experiment->timeout);
  set(options.fixed_iterations, &experiment->fixed_iterations);
  set(options.seed, &experiment->seed);
  set(options.schedule, &experiment->schedule);
  set(options.isolation, &experiment->isolation);
  set(options.fill, &experiment->fill);
  set(options.check_equal, &experiment->check_equal);
  set(options.cpu_time, &experiment->cpu_time);
  set(options.manual_time, &experiment->manual_time);
  set(options.estimand, &experiment->estimand);
  set(options.dry_run, &experiment->dry_run);
  set(options.fresh_copy, &experiment->fresh_copy);
  set(options.layouts, &experiment->layouts);
  set(options.cpus_per_variant, &experiment->cpus_per_variant);
  set(options.gate, &experiment->gate);
  if (!options.quantiles.empty()) experiment->quantiles = options.quantiles;
  SetEach(options.counter_gates, &CounterGateSpec::counter, &experiment->counter_gates);
  SetEach(options.quantile_gates, &QuantileGateSpec::quantile, &experiment->quantile_gates);
}

}  // namespace

ComparisonOptions MakeComparisonOptions(const DuetOptions& flags, const DuetOptions& own) {
  ComparisonOptions options;
  Apply(flags, &options);
  Apply(own, &options);
  for (const QuantileGateSpec& gate : options.quantile_gates) {
    auto& quantiles = options.quantiles;
    if (std::find(quantiles.begin(), quantiles.end(), gate.quantile) == quantiles.end()) {
      quantiles.push_back(gate.quantile);
    }
  }
  return options;
}

std::string BrokenRule(const DuetOptions& options) {
  for (const Rule& rule : kRules) {
    if (!IsBroken(rule, options)) continue;
    return absl::StrCat(rule.method, "(", *rule.value(options), ") should be ", rule.wanted);
  }
  return "";
}

const char* WantedValue(absl::string_view flag_name, const DuetOptions& options) {
  for (const Rule& rule : kRules) {
    if (flag_name == rule.flag) return IsBroken(rule, options) ? rule.wanted : nullptr;
  }
  return nullptr;
}

}  // namespace duetbench
