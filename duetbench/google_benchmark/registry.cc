#include "duetbench/google_benchmark/registry.h"

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "duetbench/api/register_duet.h"
#include "duetbench/google_benchmark/google_benchmark_calls.h"
#include "duetbench/google_benchmark/registered_benchmarks.h"
#include "duetbench/measure/run_protocol.h"
#include "duetbench/platform/exit_status.h"

namespace duetbench {
namespace {

constexpr char kMessage[] =
    "benchmark::RunSpecifiedBenchmarks measures no duets: write DUET_MAIN() in place of "
    "BENCHMARK_MAIN(), link duetbench::main, or call duetbench::RunSpecifiedBenchmarks, with the "
    "same arguments, in a main of your own. If you have, the duet is in a shared object with "
    "another copy of duetbench: link the program with -rdynamic (CMake: ENABLE_EXPORTS)";

void EndWithError() {
  std::cout.flush();
  std::fflush(nullptr);
  _exit(kExitError);
}

void FailAtExit() {
  static const bool registered = std::atexit(EndWithError) == 0;
  (void)registered;
}

class Placeholder;

// Never destroyed: placeholders are, after main.
std::vector<Placeholder*>& Placeholders() {
  static auto* const placeholders = new std::vector<Placeholder*>;
  return *placeholders;
}

class Placeholder final : public internal::BenchmarkBase {
 public:
  Placeholder(const DuetSpec* spec, std::function<void()> cleared)
      : internal::BenchmarkBase(spec->name.c_str()),
        name_(spec->name),
        cleared_(std::move(cleared)) {
    Placeholders().push_back(this);
  }
  ~Placeholder() override {
    std::vector<Placeholder*>& all = Placeholders();
    all.erase(std::remove(all.begin(), all.end(), this), all.end());
    if (cleared_) cleared_();
  }

  void Run(benchmark::State& state) override {
    state.SkipWithError(kMessage);
    std::fprintf(stderr, "duetbench: %s was not measured: %s\n", name_.c_str(), kMessage);
    FailAtExit();
  }

 private:
  const std::string name_;
  const std::function<void()> cleared_;
};

struct Entry {
  DuetSpec spec;
  DuetBenchmark chain{&spec};
  std::deque<DuetSpec> duets;  // of a group
  bool cleared = false;        // by benchmark::ClearRegisteredBenchmarks
};

// Never destroyed: a chain may be used until the program ends.
std::deque<Entry>& Entries() {
  static auto* const entries = new std::deque<Entry>;
  return *entries;
}

DuetBenchmark* Register(DuetSpec spec) {
  // The first duet is registered before main: from then on a run ends with its parent.
  RunOfThisProcess();
  Entry& entry = Entries().emplace_back();
  entry.spec = std::move(spec);
  RegisterPlaceholder(&entry.spec, [&entry] { entry.cleared = true; });
  return &entry.chain;
}

}  // namespace

void RegisterPlaceholder(const DuetSpec* spec, std::function<void()> cleared) {
  internal::RegisterOwn(std::make_unique<Placeholder>(spec, std::move(cleared)));
}

void WithdrawPlaceholders() {
  // A benchmark without arguments is given one empty list of them, unless its arguments have names:
  // then it is a benchmark with arguments of which there is none, in 1.7.1 and later versions.
  for (Placeholder* placeholder : Placeholders()) placeholder->ArgName("withdrawn");
}

void RegisterSpec(DuetSpec spec) { Register(std::move(spec)); }

std::vector<const DuetSpec*> RegisteredDuets() {
  std::vector<const DuetSpec*> specs;
  for (Entry& entry : Entries()) {
    if (entry.cleared) continue;
    if (entry.spec.group == nullptr) {
      specs.push_back(&entry.spec);
      continue;
    }
    // In place: specs that were returned before stay where they are.
    const std::vector<DuetSpec> duets = DuetsOf(entry.spec);
    for (size_t i = 0; i < duets.size(); ++i) {
      if (i == entry.duets.size()) entry.duets.emplace_back();
      entry.duets[i] = duets[i];
      specs.push_back(&entry.duets[i]);
    }
  }
  return specs;
}

namespace internal {

DuetBenchmark* AddDuet(const std::string& name, const AnyVariant& old_variant,
                       const AnyVariant& new_variant, Location location, bool uses_fixture) {
  DuetSpec spec;
  spec.name = name;
  spec.location = location;
  spec.functions.results = {old_variant.result, new_variant.result};
  spec.functions.variants = {old_variant.variant, new_variant.variant};
  spec.needs_google_benchmark_state = uses_fixture;
  for (const auto& variant : spec.functions.variants) {
    spec.needs_google_benchmark_state |= variant->is_called_for_each_sample();
  }
  return Register(std::move(spec));
}

DuetBenchmark* AddList(const std::string& prefix, const std::string& suffix,
                       const std::vector<NamedVariant>& variants, Location location,
                       bool uses_fixture) {
  if (variants.size() == 2) {
    const std::string name =
        absl::StrCat(prefix, variants[0].name, "_vs_", variants[1].name, suffix);
    return AddDuet(name, variants[0].variant, variants[1].variant, location, uses_fixture)
        ->VariantNames(variants[0].name, variants[1].name);
  }
  auto group = std::make_shared<DuetGroup>();
  group->prefix = prefix;
  group->suffix = suffix;
  DuetSpec spec;
  spec.location = location;
  spec.needs_google_benchmark_state = uses_fixture;
  spec.functions.variants.clear();
  for (const auto& [name, any] : variants) {
    std::vector<std::string>& names = group->names;
    const bool is_repeated = std::count(names.begin(), names.end(), name) > 0;
    names.push_back(is_repeated ? absl::StrCat(name, "#", names.size() + 1) : name);
    spec.functions.results.push_back(any.result);
    spec.functions.variants.push_back(any.variant);
    spec.needs_google_benchmark_state |= any.variant->is_called_for_each_sample();
  }
  spec.name = absl::StrCat(prefix, absl::StrJoin(group->names, "_vs_"), suffix);
  if (variants.size() < 2 || variants.size() > static_cast<size_t>(kMaxVariants)) {
    std::fprintf(stderr, "%s:%d: duetbench: %s: a list has 2 to %d variants, and not %zu\n",
                 location.file, location.line, spec.name.c_str(), kMaxVariants, variants.size());
    std::abort();
  }
  spec.group = std::move(group);
  return Register(std::move(spec));
}

}  // namespace internal
}  // namespace duetbench
