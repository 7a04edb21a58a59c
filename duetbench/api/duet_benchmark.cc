#include "duetbench/api/duet_benchmark.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "duetbench/api/duet_spec.h"
#include "duetbench/api/flags.h"
#include "duetbench/measure/run_protocol.h"
#include "duetbench/record/verdict.h"

namespace duetbench {
namespace {

using Options = ExperimentOptions;

// A chain method got a value that makes no sense: a mistake in the program.
void Require(bool condition, const DuetSpec& spec, const std::string& message) {
  if (condition) return;
  if (spec.location.line > 0) {
    std::fprintf(stderr, "%s:%d: ", spec.location.file, spec.location.line);
  }
  std::fprintf(stderr, "duetbench: %s: %s\n", spec.name.c_str(), message.c_str());
  std::abort();
}

void RequireOneOf(bool first, bool second, const DuetSpec& spec, const char* methods) {
  Require(!first || !second, spec, absl::StrCat(methods, " exclude each other"));
}

}  // namespace

template <auto field, class Value>
DuetBenchmark* DuetBenchmark::Set(Value value) {
  spec_.options.*field = std::move(value);
  return CheckOptions();
}

DuetBenchmark* DuetBenchmark::CheckOptions() {
  const std::string broken = BrokenRule(spec_.options);
  Require(broken.empty(), spec_, broken);
  const bool fixed = spec_.options.fixed_iterations.is_set();
  RequireOneOf(fixed, spec_.options.min_time.is_set(), spec_, "MinTime and Iterations");
  RequireOneOf(fixed, spec_.options.warm_up > 0, spec_, "MinWarmUpTime and Iterations");
  const GateSpec* const gate = TimeGate(spec_.options.gates);
  RequireOneOf(spec_.fastest >= 0, gate != nullptr && gate->kind == GateSpec::Kind::kEquivalent,
               spec_, "Fastest and Equivalent");
  RequireOneOf(spec_.real_time, spec_.options.manual_time, spec_, "UseRealTime and UseManualTime");
  return this;
}

DuetBenchmark* DuetBenchmark::Runs(int runs) { return Set<&Options::runs>(runs); }

DuetBenchmark* DuetBenchmark::Level(double level) { return Set<&Options::level>(level); }

DuetBenchmark* DuetBenchmark::Margin(double margin) { return Set<&Options::margin>(margin); }

DuetBenchmark* DuetBenchmark::Fill(bool fill) { return Set<&Options::fill>(fill); }

DuetBenchmark* DuetBenchmark::Isolation(duetbench::Isolation isolation) {
  return Set<&Options::isolation>(isolation);
}

DuetBenchmark* DuetBenchmark::Schedule(duetbench::Schedule schedule) {
  return Set<&Options::schedule>(schedule);
}

DuetBenchmark* DuetBenchmark::PerfCounters(std::vector<std::string> names) {
  spec_.counter_names = std::move(names);
  return this;
}

DuetBenchmark* DuetBenchmark::CheckEqual(bool check) { return Set<&Options::check_equal>(check); }

DuetBenchmark* DuetBenchmark::Gate(const GateSpec& gate) {
  Require(TimeGate(spec_.options.gates) == nullptr, spec_,
          "a duet has one gate, but a second one was added");
  SetGate(gate, &spec_.options.gates);
  return CheckOptions();
}

DuetBenchmark* DuetBenchmark::MaxRatio(double ratio) {
  return Gate({GateSpec::Kind::kMaxRatio, ratio});
}

DuetBenchmark* DuetBenchmark::MinSpeedup(double factor) {
  return Gate({GateSpec::Kind::kMinSpeedup, factor});
}

DuetBenchmark* DuetBenchmark::Equivalent(double margin) {
  return Gate({GateSpec::Kind::kEquivalent, margin});
}

DuetBenchmark* DuetBenchmark::Fastest(const std::string& variant, double margin) {
  const std::vector<std::string> names =
      spec_.group != nullptr ? spec_.group->names : std::vector<std::string>{};
  const auto found = std::find(names.begin(), names.end(), variant);
  Require(found != names.end(), spec_,
          absl::StrCat("Fastest(\"", variant, "\") needs the name of one of three or more variants",
                       names.empty() ? "" : ": ", absl::StrJoin(names, ", ")));
  Require(margin >= 0 && margin < 1, spec_,
          absl::StrCat("Fastest(name, ", margin, ") needs a margin from 0 to 1, such as 0.02"));
  spec_.fastest = static_cast<int>(found - names.begin());
  spec_.fastest_margin = margin;
  return CheckOptions();
}

DuetBenchmark* DuetBenchmark::MaxCounterRatio(const std::string& counter, double ratio) {
  Require(!counter.empty() && GateSpec::IsValid(GateSpec::Kind::kMaxRatio, ratio), spec_,
          absl::StrCat("MaxCounterRatio(\"", counter, "\", ", ratio,
                       ") needs the name of a counter and a positive ratio, such as 1.02"));
  SetGate(GateSpec::MaxRatio(ratio, {counter}), &spec_.options.gates);
  return this;
}

DuetBenchmark* DuetBenchmark::MaxQuantileRatio(double quantile, double ratio) {
  Require(Metric::IsQuantile(quantile) && GateSpec::IsValid(GateSpec::Kind::kMaxRatio, ratio),
          spec_,
          absl::StrCat("MaxQuantileRatio(", quantile, ", ", ratio,
                       ") needs a number between 0 and 1 and a positive ratio, such as 0.99, 1.1"));
  SetGate(GateSpec::MaxRatio(ratio, {"", quantile}), &spec_.options.gates);
  return this;
}

DuetBenchmark* DuetBenchmark::CpusPerVariant(int cpus) {
  return Set<&Options::cpus_per_variant>(cpus);
}

DuetBenchmark* DuetBenchmark::Quantiles(std::vector<double> quantiles) {
  Require(!quantiles.empty() && std::all_of(quantiles.begin(), quantiles.end(), Metric::IsQuantile),
          spec_, "Quantiles() needs numbers between 0 and 1, such as 0.5, 0.99");
  spec_.options.quantiles = std::move(quantiles);
  return this;
}

DuetBenchmark* DuetBenchmark::Name(const std::string& name) {
  spec_.name = name;
  if (spec_.group != nullptr) {
    auto group = std::make_shared<DuetGroup>(*spec_.group);
    group->prefix = absl::StrCat(name, "/");
    group->suffix.clear();
    spec_.group = std::move(group);
  }
  return this;
}

DuetBenchmark* DuetBenchmark::VariantNames(const char* old_name, const char* new_name) {
  Require(spec_.group == nullptr, spec_, "more than two variants have the names of their list");
  spec_.variant_names = {old_name, new_name};
  return this;
}

void DuetBenchmark::CheckCount(size_t arguments, const char* method) const {
  Require(spec_.arguments.empty() || spec_.arguments.front().size() == arguments, spec_,
          absl::StrCat(method, ": the benchmark has ",
                       spec_.arguments.empty() ? 0 : spec_.arguments.front().size(),
                       " arguments elsewhere, and not ", arguments));
}

DuetBenchmark* DuetBenchmark::Args(const std::vector<int64_t>& args) {
  CheckCount(args.size(), "Args");
  spec_.arguments.push_back(args);
  return this;
}

DuetBenchmark* DuetBenchmark::Range(int64_t start, int64_t limit) {
  return Ranges({{start, limit}});
}

DuetBenchmark* DuetBenchmark::DenseRange(int64_t start, int64_t limit, int step) {
  Require(start <= limit && step >= 1, spec_,
          "DenseRange(start, limit, step) needs start <= limit and step >= 1");
  return ArgsProduct({benchmark::CreateDenseRange(start, limit, step)});
}

DuetBenchmark* DuetBenchmark::Ranges(const std::vector<std::pair<int64_t, int64_t>>& ranges) {
  Require(!ranges.empty(), spec_, "Ranges(ranges) needs a range");
  std::vector<std::vector<int64_t>> lists;
  for (const auto& [low, high] : ranges) {
    Require(low <= high, spec_, "Range(start, limit) needs start <= limit");
    lists.push_back(benchmark::CreateRange(low, high, spec_.range_multiplier));
  }
  return ArgsProduct(lists);
}

DuetBenchmark* DuetBenchmark::ArgsProduct(const std::vector<std::vector<int64_t>>& arglists) {
  Require(!arglists.empty() && std::none_of(arglists.begin(), arglists.end(),
                                            [](const auto& list) { return list.empty(); }),
          spec_, "ArgsProduct(lists) needs lists, none of them empty");
  CheckCount(arglists.size(), "ArgsProduct");
  // The first list varies fastest, as with Google Benchmark.
  size_t products = 1;
  for (const std::vector<int64_t>& list : arglists) products *= list.size();
  for (size_t product = 0; product < products; ++product) {
    std::vector<int64_t> arguments;
    size_t rest = product;
    for (const std::vector<int64_t>& list : arglists) {
      arguments.push_back(list[rest % list.size()]);
      rest /= list.size();
    }
    spec_.arguments.push_back(std::move(arguments));
  }
  return this;
}

DuetBenchmark* DuetBenchmark::RangeMultiplier(int multiplier) {
  Require(multiplier > 1, spec_, "RangeMultiplier(n) needs n > 1");
  spec_.range_multiplier = multiplier;
  return this;
}

DuetBenchmark* DuetBenchmark::ArgNames(const std::vector<std::string>& names) {
  CheckCount(names.size(), "ArgNames");
  spec_.argument_names = names;
  return this;
}

DuetBenchmark* DuetBenchmark::Unit(benchmark::TimeUnit unit) {
  spec_.unit = unit;
  return this;
}

DuetBenchmark* DuetBenchmark::MinTime(double seconds) { return Set<&Options::min_time>(seconds); }

DuetBenchmark* DuetBenchmark::MinWarmUpTime(double seconds) {
  return Set<&Options::warm_up>(seconds);
}

DuetBenchmark* DuetBenchmark::Iterations(benchmark::IterationCount n) {
  return Set<&Options::fixed_iterations>(n);
}

DuetBenchmark* DuetBenchmark::Repetitions(int repetitions) {
  return Set<&Options::repetitions>(repetitions);
}

DuetBenchmark* DuetBenchmark::Warned() {
  if (RunOfThisProcess().has_value()) return this;
  std::fprintf(stderr,
               "%s:%d: duetbench: %s: Complexity() of a duet has no effect: its rows are ratios; "
               "fit the times of the rows /old and /new\n",
               spec_.location.file, spec_.location.line, spec_.name.c_str());
  return this;
}

DuetBenchmark* DuetBenchmark::SetUpWith(std::shared_ptr<const internal::StateCall> call) {
  Require(call != nullptr, spec_, "Setup(callback) needs a callback");
  spec_.set_up = std::move(call);
  return this;
}

DuetBenchmark* DuetBenchmark::TearDownWith(std::shared_ptr<const internal::StateCall> call) {
  Require(call != nullptr, spec_, "Teardown(callback) needs a callback");
  spec_.tear_down = std::move(call);
  return this;
}

DuetBenchmark* DuetBenchmark::UseRealTime() {
  spec_.real_time = true;
  spec_.options.cpu_time = false;
  return CheckOptions();
}

DuetBenchmark* DuetBenchmark::UseManualTime() { return Set<&Options::manual_time>(true); }

DuetBenchmark* DuetBenchmark::MeasureProcessCPUTime() {
  spec_.process_cpu_time = true;
  return this;
}

}  // namespace duetbench
