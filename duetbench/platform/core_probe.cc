#include "duetbench/platform/core_probe.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <thread>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "duetbench/platform/rendezvous.h"
#include "duetbench/platform/thread.h"
#include "duetbench/platform/ticks.h"

namespace duetbench {
namespace {

using Microseconds = std::chrono::duration<double, std::micro>;

constexpr Microseconds kBurst(120);
// The most steps of a burst, more than any processor executes in its time: they end it if the clock
// steps.
constexpr int64_t kMaxSteps = int64_t{1} << 20;
constexpr int kBurstsAlone = 10;
constexpr int kBurstsTogether = 16;
// The bursts take 1.2 + 1.2 + 1.9 ms (3.8 on a shared core). The limits are for a busy machine.
constexpr Microseconds kLimitAlone(2000);
constexpr Microseconds kLimitTogether(5000);
// In ticks of any clock: some 0.1 ms, then the rendezvous sleeps.
constexpr uint64_t kSpinTicks = 200'000;

// Twelve chains of dependent multiplications: enough for three multipliers with a latency of four
// cycles. The empty asm keeps compilers from removing or vectorizing the loop.
[[gnu::noinline]] void Multiply(int64_t steps) {
  uint64_t a = 3, b = 5, c = 7, d = 9, e = 11, f = 13;
  uint64_t g = 15, h = 17, i = 19, j = 21, k = 23, l = 25;
  for (; steps > 0; --steps) {
    a *= a, b *= b, c *= c, d *= d, e *= e, f *= f;
    asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
    g *= g, h *= h, i *= i, j *= j, k *= k, l *= l;
    asm volatile("" : "+r"(g), "+r"(h), "+r"(i), "+r"(j), "+r"(k), "+r"(l));
  }
}

struct Burst {
  TickClock::time_point start;
  TickClock::time_point end;

  Microseconds time() const { return end - start; }
};

Burst RunBurst(int64_t steps) {
  Burst burst;
  burst.start = TickClock::now();
  Multiply(steps);
  burst.end = TickClock::now();
  return burst;
}

bool RanTogether(const Burst& a, const Burst& b) {
  constexpr double kLeastOverlap = 0.8;
  const Microseconds both = std::min(a.end, b.end) - std::max(a.start, b.start);
  return both > kLeastOverlap * std::max(a.time(), b.time());
}

// The number of steps that take about kBurst here.
int64_t StepsOfBurst() {
  int64_t steps = 1000;
  Microseconds time = RunBurst(steps).time();
  while (time < kBurst / 8 && steps < kMaxSteps) {
    steps *= 2;
    time = RunBurst(steps).time();
  }
  const double wanted = static_cast<double>(steps) * (kBurst / time);
  return static_cast<int64_t>(std::clamp(wanted, 1.0, static_cast<double>(kMaxSteps)));
}

// Runs `body` on a new thread pinned to `cpu`; its argument is whether that succeeded. No thread,
// which cannot be joined, if none can be started.
template <typename Body>
std::thread OnCpu(int cpu, absl::Status* status, Body body) {
  try {
    return std::thread([cpu, status, body] {
      *status = PinThisThread(cpu);
      body(status->ok());
    });
  } catch (const std::exception& error) {  // limits on processes and on memory
    *status =
        absl::ResourceExhaustedError(absl::StrCat("no thread can be started: ", error.what()));
    return std::thread();
  }
}

void Join(std::thread& thread) {
  if (thread.joinable()) thread.join();
}

// Two cores do not speed each other up, but clocks vary.
constexpr double kFasterThanAlone = 0.8;

}  // namespace

std::optional<double> SlowDownOf(const ProbeTimes& times) {
  constexpr size_t kMinPairs = 4;
  if (times.alone[0].empty() || times.alone[1].empty() || times.together.size() < kMinPairs) {
    return std::nullopt;
  }
  double alone = 0;
  for (const std::vector<double>& side : times.alone) {
    alone += *std::min_element(side.begin(), side.end());
  }
  std::vector<double> together;
  for (const std::array<double, 2>& pair : times.together) together.push_back(pair[0] + pair[1]);
  const auto quartile = together.begin() + static_cast<std::ptrdiff_t>(together.size() / 4);
  std::nth_element(together.begin(), quartile, together.end());
  if (!(alone > 0)) return std::nullopt;
  const double slow_down = *quartile / alone;
  if (slow_down < kFasterThanAlone) return std::nullopt;
  return slow_down;
}

CoreSharing ClassifySlowDown(double slow_down) {
  if (slow_down <= 1.3) return CoreSharing::kSeparate;
  if (slow_down >= 1.6 && slow_down <= 2.6) return CoreSharing::kShared;
  return CoreSharing::kUnclear;
}

ProbeVerdict JudgeProbes(absl::Span<const double> slow_downs) {
  ProbeVerdict verdict;
  int shared = 0;
  for (const double slow_down : slow_downs) {
    verdict.slow_down = slow_down;
    const CoreSharing sharing = ClassifySlowDown(slow_down);
    if (sharing == CoreSharing::kSeparate) {
      verdict.sharing = sharing;
      return verdict;
    }
    shared = sharing == CoreSharing::kShared ? shared + 1 : 0;
  }
  if (shared >= 2) verdict.sharing = CoreSharing::kShared;
  return verdict;
}

absl::StatusOr<ProbeTimes> ProbeCores(int cpu_a, int cpu_b) {
  if (cpu_a == cpu_b) return absl::InvalidArgumentError("a probe of two CPUs needs two CPUs");
  const int cpus[2] = {cpu_a, cpu_b};
  ProbeTimes times;
  absl::Status status[2];
  int64_t steps = 0;
  for (int side = 0; side < 2; ++side) {
    std::thread thread = OnCpu(cpus[side], &status[side], [&times, &steps, side](bool pinned) {
      if (!pinned) return;
      const TickClock::time_point start = TickClock::now();
      if (side == 0) steps = StepsOfBurst();
      for (int i = 0; i < kBurstsAlone && (i == 0 || TickClock::now() - start < kLimitAlone); ++i) {
        times.alone[side].push_back(RunBurst(steps).time().count());
      }
    });
    Join(thread);
    if (!status[side].ok()) return status[side];
  }

  RendezvousBlock block;
  std::vector<Burst> together[2];
  std::thread threads[2];
  for (int side = 0; side < 2; ++side) {
    threads[side] = OnCpu(cpus[side], &status[side], [&, side](bool pinned) {
      Rendezvous rendezvous(&block, side, kSpinTicks, 0);
      const TickClock::time_point start = TickClock::now();
      for (int i = 0; pinned && i < kBurstsTogether; ++i) {
        if (TickClock::now() - start > kLimitTogether) break;
        if (rendezvous.Meet(0).partner_left) break;
        together[side].push_back(RunBurst(steps));
      }
      rendezvous.Leave();
    });
    // The partner shall not wait for a thread that there is not.
    if (!threads[side].joinable()) Rendezvous(&block, side, kSpinTicks, 0).Leave();
  }
  for (std::thread& thread : threads) Join(thread);
  for (const absl::Status& each : status) {
    if (!each.ok()) return each;
  }
  // A side may have begun one more burst than its partner, which had left by then.
  const size_t pairs = std::min(together[0].size(), together[1].size());
  for (size_t i = 0; i < pairs; ++i) {
    const Burst& a = together[0][i];
    const Burst& b = together[1][i];
    if (RanTogether(a, b)) times.together.push_back({a.time().count(), b.time().count()});
  }
  if (times.together.empty()) {
    return absl::UnavailableError("two CPUs were never free at the same time");
  }
  return times;
}

}  // namespace duetbench
