#include "duetbench/google_benchmark/registry.h"

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "duetbench/api/main.h"
#include "duetbench/api/register_duet.h"
#include "duetbench/google_benchmark/google_benchmark_calls.h"
#include "duetbench/measure/run_protocol.h"
#include "duetbench/platform/exit_status.h"
#include "duetbench/variant/google_benchmark_loop.h"
#include "duetbench/variant/private_members.h"
#include "duetbench/variant/sample_loop.h"

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

benchmark::MemoryManager* memory_manager = nullptr;

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
    [[maybe_unused]] static const int registered = std::atexit(EndWithError);
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

using internal::BenchmarkBase;

template <class Tag>
const auto& Read(const BenchmarkBase& base, Tag tag) {
  return base.*MemberOf(tag);
}

class ScratchBenchmark : public BenchmarkBase {
 public:
  explicit ScratchBenchmark(const std::string& name) : BenchmarkBase(name.c_str()) {}
  void Run(benchmark::State&) override {}
};

// Copies all settings of a benchmark to `duet` but Setup, Teardown, Threads, and those of rows that
// a duet does not have.
void CopySettings(const BenchmarkBase& base, DuetBenchmark* duet) {
  duet->Name(Read(base, internal::Benchmark_name_()));
  if (!Read(base, internal::Benchmark_arg_names_()).empty())
    duet->ArgNames(Read(base, internal::Benchmark_arg_names_()));
  for (const std::vector<int64_t>& arguments : Read(base, internal::Benchmark_args_()))
    duet->Args(arguments);
  if (!Read(base, internal::Benchmark_use_default_time_unit_()))
    duet->Unit(Read(base, internal::Benchmark_time_unit_()));
  if (Read(base, internal::Benchmark_min_time_()) > 0)
    duet->MinTime(Read(base, internal::Benchmark_min_time_()));
  if (Read(base, internal::Benchmark_min_warmup_time_()) > 0)
    duet->MinWarmUpTime(Read(base, internal::Benchmark_min_warmup_time_()));
  if (Read(base, internal::Benchmark_iterations_()) > 0)
    duet->Iterations(Read(base, internal::Benchmark_iterations_()));
  if (Read(base, internal::Benchmark_repetitions_()) > 0)
    duet->Repetitions(Read(base, internal::Benchmark_repetitions_()));
  if (Read(base, internal::Benchmark_measure_process_cpu_time_())) duet->MeasureProcessCPUTime();
  if (Read(base, internal::Benchmark_use_real_time_())) duet->UseRealTime();
  if (Read(base, internal::Benchmark_use_manual_time_())) duet->UseManualTime();
}

void CopyCallbacks(const BenchmarkBase& base, DuetBenchmark* duet) {
  if (Read(base, internal::Benchmark_setup_()))
    duet->Setup(Read(base, internal::Benchmark_setup_()));
  if (Read(base, internal::Benchmark_teardown_()))
    duet->Teardown(Read(base, internal::Benchmark_teardown_()));
}

const std::string& NameOf(const BenchmarkBase& base) {
  return Read(base, internal::Benchmark_name_());
}

const std::vector<int>& ThreadCountsOf(const BenchmarkBase& base) {
  return Read(base, internal::Benchmark_thread_counts_());
}

// Drives our State by one of Google Benchmark, whose clock is the one that runs: all iterations are
// one sample.
class LoopOfGoogleBenchmark final : public SampleLoop {
 public:
  explicit LoopOfGoogleBenchmark(benchmark::State* state) : state_(*state) {}

  uint64_t NextSample(uint64_t, uint64_t iterations) override {
    if (ended_) return 0;
    // The first call starts the clock, the second one stops it.
    if (state_.KeepRunningBatch(state_.max_iterations)) return fixed_iterations();
    // The last group of a loop in groups may have gone beyond the end.
    if (iterations > fixed_iterations()) {
      internal::AddIterations(state_, static_cast<int64_t>(iterations - fixed_iterations()));
    }
    return 0;
  }
  // Google Benchmark's State is told why when the function has returned.
  void EndEarly() override { ended_ = true; }
  void Pause() override { state_.PauseTiming(); }
  void Resume() override { state_.ResumeTiming(); }
  void AddManualTime(double seconds) override { state_.SetIterationTime(seconds); }

  uint64_t fixed_iterations() const override {
    return static_cast<uint64_t>(state_.max_iterations);
  }

 private:
  benchmark::State& state_;
  bool ended_ = false;
};

// Before main, one thread registers.
bool registering_own = false;

// Never destroyed: benchmarks are registered before main and destroyed after it.
std::vector<internal::BenchmarkBase*>& Noted() {
  static auto* const noted = new std::vector<internal::BenchmarkBase*>;
  return *noted;
}

// DUET_BENCHMARK(f): one variant as an ordinary benchmark of Google Benchmark. A comparison of two
// programs takes the variant out of it.
class SideBenchmark final : public internal::BenchmarkBase {
 public:
  SideBenchmark(const std::string& name, std::shared_ptr<const Variant> variant, Location location)
      : internal::BenchmarkBase(name.c_str()), variant_(std::move(variant)), location_(location) {}
  ~SideBenchmark() override {
    std::vector<BenchmarkBase*>& noted = Noted();
    noted.erase(std::remove(noted.begin(), noted.end(), this), noted.end());
  }

  // Google Benchmark calls this in every batch, as it calls a function of its State.
  void Run(benchmark::State& state) override {
    if (variant_->is_called_for_each_sample()) return variant_->Call(state);
    if (state.threads() > 1) {
      state.SkipWithError("a function of duetbench::State& has one thread");
      return;
    }
    LoopOfGoogleBenchmark loop(&state);
    State ours(&loop, internal::RangesOf(state), NameOf(*this), nullptr);
    variant_->Run(ours);
    if (ours.skipped()) return internal::Skip(state, ours.error_message(), ours.error_occurred());
    for (const auto& [counter, value] : ours.counters) state.counters[counter] = value;
    if (!ours.label().empty()) state.SetLabel(ours.label());
    if (ours.complexity_length_n() != 0) state.SetComplexityN(ours.complexity_length_n());
  }

  const std::shared_ptr<const Variant>& variant() const { return variant_; }
  const Location& location() const { return location_; }

 private:
  const std::shared_ptr<const Variant> variant_;
  const Location location_;
};

// A benchmark of Google Benchmark as a variant.
class OrdinaryVariant final : public Variant {
 public:
  explicit OrdinaryVariant(internal::BenchmarkBase* base) : base_(base) {}
  void Run(State& state) const override {
    internal::LoopOverCalls(
        state,
        [](const void* self, benchmark::State& call_state) {
          static_cast<const OrdinaryVariant*>(self)->base_->Run(call_state);
        },
        this);
  }
  bool is_called_for_each_sample() const override { return true; }

 private:
  internal::BenchmarkBase* const base_;
};

const DuetSpec* MakeSpec(internal::BenchmarkBase* base, int threads) {
  auto* const spec = new DuetSpec;
  spec->name = NameOf(*base);
  spec->threads = threads;
  DuetBenchmark duet(spec);
  CopySettings(*base, &duet);
  CopyCallbacks(*base, &duet);
  std::shared_ptr<const Variant> variant = std::make_shared<OrdinaryVariant>(base);
  if (const auto* const side = dynamic_cast<const SideBenchmark*>(base)) {
    variant = side->variant();
    spec->location = side->location();
  }
  spec->functions.variants = {variant, variant};
  spec->needs_google_benchmark_state = variant->is_called_for_each_sample();
  return spec;
}

}  // namespace

void RegisterPlaceholder(const DuetSpec* spec, std::function<void()> cleared) {
  internal::RegisterOwn(std::make_unique<Placeholder>(spec, std::move(cleared)));
}

benchmark::MemoryManager* RegisteredMemoryManager() { return memory_manager; }

void RegisterMemoryManager(benchmark::MemoryManager* manager) {
  memory_manager = manager;
  benchmark::RegisterMemoryManager(manager);
}

void WithdrawPlaceholders() {
  // A benchmark without arguments is given one empty list of them, unless its arguments have names:
  // then it is a benchmark with arguments of which there is none, in 1.7.1 and later versions.
  for (Placeholder* placeholder : Placeholders()) placeholder->ArgName("withdrawn");
}

DuetBenchmark* RegisterSpec(DuetSpec spec) {
  // The first duet is registered before main: from then on a run ends with its parent.
  RunOfThisProcess();
  Entry& entry = Entries().emplace_back();
  entry.spec = std::move(spec);
  RegisterPlaceholder(&entry.spec, [&entry] { entry.cleared = true; });
  return &entry.chain;
}

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

std::vector<const DuetSpec*> OrdinaryBenchmarks() {
  std::vector<const DuetSpec*> specs;
  for (internal::BenchmarkBase* base : Noted()) {
    const std::vector<int>& counts = ThreadCountsOf(*base);
    if (counts.empty()) specs.push_back(MakeSpec(base, 0));
    for (const int threads : counts) specs.push_back(MakeSpec(base, threads));
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
  return RegisterSpec(std::move(spec));
}

DuetBenchmark* AddList(const char* prefix, const char* suffix, const NamedVariant* variants,
                       size_t count, Location location, bool uses_fixture) {
  if (count == 2) {
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
  for (size_t i = 0; i < count; ++i) {
    const auto& [name, any] = variants[i];
    std::vector<std::string>& names = group->names;
    const bool is_repeated = std::count(names.begin(), names.end(), name) > 0;
    names.push_back(is_repeated ? absl::StrCat(name, "#", names.size() + 1) : name);
    spec.functions.results.push_back(any.result);
    spec.functions.variants.push_back(any.variant);
    spec.needs_google_benchmark_state |= any.variant->is_called_for_each_sample();
  }
  spec.name = absl::StrCat(prefix, absl::StrJoin(group->names, "_vs_"), suffix);
  if (count < 2 || count > static_cast<size_t>(kMaxVariants)) {
    std::fprintf(stderr, "%s:%d: duetbench: %s: a list has 2 to %d variants, and not %zu\n",
                 location.file, location.line, spec.name.c_str(), kMaxVariants, count);
    std::abort();
  }
  spec.group = std::move(group);
  return RegisterSpec(std::move(spec));
}

void NoteRegistered(BenchmarkBase* registered) {
  if (!registering_own) Noted().push_back(registered);
}

void NoteCleared() { Noted().clear(); }

void RegisterOwn(std::unique_ptr<BenchmarkBase> own) {
  registering_own = true;
  RegisterWith(&benchmark::internal::RegisterBenchmarkInternal, std::move(own));
  registering_own = false;
}

BenchmarkBase* AddSide(const std::string& name, const AnyVariant& variant, Location location) {
  // As for the first duet: from then on a run ends with its parent.
  RunOfThisProcess();
  auto side = std::make_unique<SideBenchmark>(name, variant.variant, location);
  BenchmarkBase* const added = side.get();
  RegisterOwn(std::move(side));
  NoteRegistered(added);  // in programs without --wrap too
  return added;
}

}  // namespace internal

// The function is called with a benchmark that is never registered, and what it set there is copied
// to the duet.
DuetBenchmark* DuetBenchmark::ApplyToBase(void (*call)(internal::BenchmarkBase*, const void*),
                                          const void* function) {
  ScratchBenchmark scratch(spec_.name);
  scratch.RangeMultiplier(spec_.range_multiplier);
  call(&scratch, function);

  CopySettings(scratch, this);
  if (!ThreadCountsOf(scratch).empty()) {
    spec_.error = "a duet has one thread for each variant: remove Threads from it";
  }
  return this;
}

}  // namespace duetbench
