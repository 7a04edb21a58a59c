// More than two variants, which say themselves how long they took.
#include <duetbench/duetbench.h>

#include <memory>
#include <random>

#include "tests/integration/work.h"

// Says that each iteration took `ns` nanoseconds; each set-up has its own up to 0.1 % more.
static auto Takes(double ns) {
  return [ns](duetbench::State& state) {
    std::random_device device;
    const double seconds = 1e-9 * ns * (1 + 1e-3 * std::uniform_real_distribution<>()(device));
    for (auto _ : state) {
      Steps(100);
      state.SetIterationTime(seconds);
    }
  };
}

static void Base(duetbench::State& state) { Takes(400)(state); }
static void Alike(duetbench::State& state) { Takes(400)(state); }
static void Slower(duetbench::State& state) { Takes(720)(state); }
static void Faster(duetbench::State& state) { Takes(200)(state); }
DUET_BENCHMARK(Base, Alike, Slower, Faster)->UseManualTime()->Arg(8)->Arg(64);

// Each set-up of a variant notes its process.
static auto Notes(const char* what) {
  return [what](duetbench::State& state) {
    Note(what);
    for (auto _ : state) Steps(state.range(0));
  };
}

static auto Allocates(int64_t steps, int blocks) {
  return [=](duetbench::State& state) {
    for (auto _ : state) {
      Steps(steps);
      for (int i = 0; i < blocks; ++i) benchmark::DoNotOptimize(std::make_unique<int>(i));
    }
  };
}

int main(int argc, char** argv) {
  duetbench::RegisterDuet("gates", {{"base", Takes(400)}, {"b", Takes(440)}, {"c", Takes(300)}})
      ->UseManualTime()
      ->MaxRatio(1.2)
      ->Fastest("c", 0.02);
  duetbench::RegisterDuet("wrong", {{"base", Takes(400)}, {"b", Takes(440)}, {"c", Takes(300)}})
      ->UseManualTime()
      ->Fastest("b");
  duetbench::RegisterDuet("notes", {{"a", Notes("a")}, {"b", Notes("b")}, {"c", Notes("c")}})
      ->Arg(100);
  duetbench::RegisterDuet(
      "broken", {{"a", Takes(400)}, {"b", Takes(400)}, {"c", [](duetbench::State& state) {
                                                          state.SkipWithError("on purpose");
                                                        }}});
  const auto sums = [](double sum) {
    return [sum](duetbench::State& state) {
      for (auto _ : state) Steps(100);
      state.counters["sum"] = sum;
    };
  };
  duetbench::RegisterDuet(
      "equal/values", {{"a", [] { return 1; }}, {"b", [] { return 1; }}, {"c", [] { return 1; }}})
      ->CheckEqual();
  duetbench::RegisterDuet("equal/counters", {{"a", sums(1)}, {"b", sums(1)}, {"c", sums(1)}})
      ->CheckEqual();
  duetbench::RegisterDuet(
      "unequal/values", {{"a", [] { return 1; }}, {"b", [] { return 1; }}, {"c", [] { return 3; }}})
      ->CheckEqual();
  duetbench::RegisterDuet("unequal/counters", {{"a", sums(1)}, {"b", sums(1)}, {"c", sums(3)}})
      ->CheckEqual();
  duetbench::RegisterDuet("unequal/types",
                          {{"a", [] { return 1; }}, {"b", [] { return 1.; }}, {"c", sums(1)}})
      ->CheckEqual();
  duetbench::RegisterDuet(
      "counts", {{"a", Allocates(200, 0)}, {"b", Allocates(200, 0)}, {"c", Allocates(400, 1)}});
  duetbench::RegisterDuet(
      "fastest_counts",
      {{"a", Allocates(200, 0)}, {"b", Allocates(200, 0)}, {"c", Allocates(400, 1)}})
      ->Fastest("b", 0.5);
  return duetbench::Main(argc, argv);
}
