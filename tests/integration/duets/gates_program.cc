// Gates whose outcome is known, however busy the machine is: variants that say themselves how long
// they took.
#include <duetbench/duetbench.h>

#include <memory>
#include <random>
#include <utility>

#include "tests/integration/work.h"

// Says that each iteration took `ns` nanoseconds; each set-up has its own up to `spread` more.
static auto Takes(double ns, double spread = 1e-3, int64_t steps = 100) {
  return [ns, spread, steps](duetbench::State& state) {
    std::random_device device;
    const double seconds = 1e-9 * ns * (1 + spread * std::uniform_real_distribution<>()(device));
    for (auto _ : state) {
      Steps(steps);
      state.SetIterationTime(seconds);
    }
  };
}

// Each call takes another time: quantiles are for calls that do not depend on each other.
static auto Varies(double ns) {
  return [ns](duetbench::State& state) {
    std::mt19937_64 random(std::random_device{}());
    std::uniform_real_distribution<> part(1, 1.001);
    for (auto _ : state) {
      Steps(2000);
      state.SetIterationTime(1e-9 * ns * part(random));
    }
  };
}

template <class Old, class New>
static duetbench::DuetBenchmark* Register(const char* name, Old old_variant, New new_variant) {
  return duetbench::RegisterDuet(name, std::move(old_variant), std::move(new_variant))
      ->UseManualTime();
}

static void RegisterGates() {
  Register("Same", Takes(400), Takes(400))->MaxRatio(1.5);
  Register("Slower", Takes(400), Takes(800))->MaxRatio(1.5);
  Register("Faster", Takes(800), Takes(400))->MinSpeedup(1.5);
  Register("NotFaster", Takes(400), Takes(400))->MinSpeedup(1.5);
  Register("Equal", Takes(400), Takes(400))->Equivalent(0.5);
  Register("FasterThanEqual", Takes(800), Takes(400))->Equivalent(0.5);
  // Two runs that differ do not tell whether two is more than two, at such a level.
  Register("Close", Takes(400, 0.1), Takes(800, 0.1))->MaxRatio(2)->Runs(2)->Level(0.99999);
  // So long that the clock can time one call.
  Register("Long", Varies(1e5), Varies(1.5e5));
  Register("Short", Takes(1, 1e-3, 1), Takes(1, 1e-3, 1));
  Register("Free", Takes(400), Takes(800));
  Register("Awkward f<int>(a|b) it's $HOME", Takes(400), Takes(800))
      ->MaxRatio(1.5)
      ->ArgName("n")
      ->Arg(3);
  // Captures what cannot be copied.
  Register(
      "MoveOnly",
      [ns = std::make_unique<double>(400)](duetbench::State& state) { Takes (*ns)(state); },
      Takes(400));
  Register("Broken", Takes(400), [](duetbench::State& state) {
    state.SkipWithError("on purpose");
  })->MaxRatio(1.5);
}

int main(int argc, char** argv) {
  RegisterGates();
  return duetbench::Main(argc, argv);
}
