// Two builds of a program (moved_old_program.cc, moved_new_program.cc) whose functions have the
// same code: in new they lie elsewhere, and walk through memory in another order. No include guard:
// each build includes it once, after kNew.
#include <duetbench/duetbench.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

// Data: a constant would become part of the code.
const volatile size_t step = kNew ? 600'011 : 1;

std::vector<uint32_t> Order() {
  std::vector<uint32_t> next(1 << 21);
  for (size_t i = 0; i < next.size(); ++i) {
    next[i] = static_cast<uint32_t>((i + step) % next.size());
  }
  return next;
}
const std::vector<uint32_t> order = Order();

__attribute__((noinline)) uint32_t Walk(uint32_t place) {
  for (int i = 0; i < 2000; ++i) place = order[place];
  return place;
}

void Walks(benchmark::State& state) {
  uint32_t place = 0;
  for (auto _ : state) benchmark::DoNotOptimize(place = Walk(place));
}
BENCHMARK(Walks);

__attribute__((noinline)) void Work() {
  for (int i = 0; i < 1000; ++i) benchmark::DoNotOptimize(i);
}
void Once(duetbench::State& state) {
  for (auto _ : state) Work();
}
void Twice(duetbench::State& state) {
  for (auto _ : state) {
    Work();
    Work();
  }
}
DUET_BENCHMARK(Once, Twice);

}  // namespace

DUET_MAIN();
