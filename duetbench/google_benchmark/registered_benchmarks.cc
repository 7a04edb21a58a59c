#include "duetbench/google_benchmark/registered_benchmarks.h"

#include <algorithm>
#include <memory>
#include <string>

#include "duetbench/google_benchmark/benchmark_settings.h"
#include "duetbench/google_benchmark/side_benchmark.h"
#include "duetbench/variant/google_benchmark_loop.h"

namespace duetbench {
namespace {

// Before main, one thread registers.
int registering_own = 0;

// Never destroyed: benchmarks are registered before main and destroyed after it.
std::vector<internal::BenchmarkBase*>& Noted() {
  static auto* const noted = new std::vector<internal::BenchmarkBase*>;
  return *noted;
}

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
  std::shared_ptr<const Variant> Copy() const override {
    return std::make_shared<OrdinaryVariant>(base_);
  }
  bool is_called_for_each_sample() const override { return true; }

 private:
  internal::BenchmarkBase* const base_;
};

// How many statistics every benchmark has.
size_t OwnStatistics() {
  class Plain : public internal::BenchmarkBase {
   public:
    Plain() : internal::BenchmarkBase("") {}
    void Run(benchmark::State&) override {}
  };
  const Plain plain;
  return CountStatistics(plain);
}

const DuetSpec* MakeSpec(internal::BenchmarkBase* base, int threads) {
  auto* const spec = new DuetSpec;
  spec->name = NameOf(*base);
  spec->threads = threads;
  DuetBenchmark duet(spec);
  CopySettings(*base, OwnStatistics(), &duet);
  CopyCallbacks(*base, &duet);
  std::shared_ptr<const Variant> variant = std::make_shared<OrdinaryVariant>(base);
  if (const auto* const side = dynamic_cast<const SideBenchmark*>(base)) {
    variant = side->variant();
    spec->location = side->location();
  }
  spec->functions.variants[0] = variant;
  spec->functions.variants[1] = variant;
  spec->needs_google_benchmark_state = variant->is_called_for_each_sample();
  return spec;
}

}  // namespace

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

void NoteRegistered(BenchmarkBase* registered) {
  if (registering_own == 0) Noted().push_back(registered);
}

void NoteCleared() { Noted().clear(); }

void NoteDestroyed(const BenchmarkBase* destroyed) {
  std::vector<BenchmarkBase*>& noted = Noted();
  noted.erase(std::remove(noted.begin(), noted.end(), destroyed), noted.end());
}

RegisteringOwn::RegisteringOwn() { ++registering_own; }
RegisteringOwn::~RegisteringOwn() { --registering_own; }

}  // namespace internal
}  // namespace duetbench
