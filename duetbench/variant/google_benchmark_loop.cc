#include "duetbench/variant/google_benchmark_loop.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "absl/cleanup/cleanup.h"
#include "duetbench/platform/thread.h"
#include "duetbench/platform/ticks.h"
#include "duetbench/variant/private_members.h"
#include "duetbench/variant/sample_loop.h"

namespace duetbench {
namespace {

constexpr double kUsualLoopNs = 50e3;
constexpr double kExpensiveRestNs = 5e6;

// Written before main.
bool loops_are_wrapped = false;

// One call of the function.
struct Call {
  benchmark::State* state = nullptr;
  uint64_t iterations = 0;     // asked for; KeepRunningBatch(n) may execute up to n - 1 more
  SampleLoop* loop = nullptr;  // null: the call is timed alone, before the samples
  bool started = false;
  bool finished = false;
  bool has_range_loop = false;  // else KeepRunning
  uint64_t begin = 0;           // of the loop, and its end; in ticks
  uint64_t end = 0;
  std::string error;
  std::string skip;
  std::string label;
};

thread_local Call* current_call = nullptr;

Call* CallOf(const benchmark::State& state) {
  return current_call != nullptr && current_call->state == &state ? current_call : nullptr;
}

// Calls `with` the call to which `state` belongs. False: there is none.
template <class With>
bool WithCall(const benchmark::State& state, const With& with) {
  Call* const call = CallOf(state);
  if (call != nullptr) with(*call);
  return call != nullptr;
}

bool IsInLoop(const Call& call) { return call.started && !call.finished && call.loop != nullptr; }

// True if Google Benchmark divides the counter by the time or the iterations. Then the values of
// all calls are added up, as the times and the iterations are.
bool IsAddedUp(const benchmark::Counter& counter) {
  const bool divided =
      (counter.flags & (benchmark::Counter::kIsRate | benchmark::Counter::kAvgIterations)) != 0;
  return divided && (counter.flags & benchmark::Counter::kIsIterationInvariant) == 0;
}

}  // namespace

// Executes the calls of one variant in a run.
class GoogleBenchmarkCalls {
 public:
  GoogleBenchmarkCalls(State* state, void (*call)(const void*, benchmark::State&),
                       const void* callable)
      : state_(*state), loop_(*state->loop_), function_(call), callable_(callable) {}

  void Run() {
    if (!loops_are_wrapped) return state_.SkipWithError(kHowToWrap);
    if (state_.google_benchmark_state() == nullptr) {
      return state_.SkipWithError("a function of benchmark::State& needs a registered benchmark");
    }
    if (loop_.fixed_iterations() == 0 && loop_.IsCalibrating()) {
      const uint64_t least = FindIterations();
      if (!state_.skipped()) loop_.AskForIterations(least);
    }
    if (state_.skipped()) return;
    while (true) {
      if (state_.skipped()) loop_.EndEarly();
      const uint64_t iterations = loop_.NextCall();
      if (iterations == 0) return;
      Call call;
      call.loop = &loop_;
      Execute(iterations, &call);
      state_.executed_ += static_cast<IterationCount>(call.iterations);
      state_.begun_ = call.has_range_loop;
    }
  }

 private:
  // One call, alone: the time of its loop, pauses included (they grow with the iterations as it
  // does) and preemptions not, and of all the rest.
  struct Times {
    double loop_ns;
    double rest_ns;
    double iterations;
  };
  Times TimeAlone(uint64_t iterations) {
    Call call;
    const ThreadUsage usage_before = ThisThreadUsage();
    const uint64_t cpu_before = ThisThreadCpuNs();
    const uint64_t begin = ticks::Start();
    Execute(iterations, &call, /*counts=*/false);
    const uint64_t end = ticks::Stop();
    const double ns_per_tick = NsPerTick();
    const double whole = static_cast<double>(end - begin) * ns_per_tick;
    double loop = static_cast<double>(call.end - call.begin) * ns_per_tick;
    const double rest = std::max(0.0, whole - loop);
    const ThreadUsage usage = ThisThreadUsage();
    const bool only_preempted = usage.involuntary_switches > usage_before.involuntary_switches &&
                                usage.voluntary_switches == usage_before.voluntary_switches;
    if (only_preempted) {
      const auto on_cpu = static_cast<double>(ThisThreadCpuNs() - cpu_before);
      loop = std::clamp(on_cpu - rest, 1.0, loop);
    }
    return {loop, rest, static_cast<double>(call.iterations)};
  }

  // The number of iterations that take as long as the rest of a call. 1 if a sample of the usual
  // length suffices. If the rest is expensive, in as few calls as possible: three as a rule, and
  // one for the variant that is set up last, if it is as fast as its partner.
  uint64_t FindIterations() {
    constexpr int kMaxCalls = 40;
    constexpr double kEnoughForEstimate = 1.0 / 40;
    uint64_t iterations = std::max<uint64_t>(1, loop_.least_iterations());
    double rest_ns = std::numeric_limits<double>::infinity();
    for (int calls = 1; calls <= kMaxCalls; ++calls) {
      const Times times = TimeAlone(iterations);
      if (state_.skipped()) return 1;
      const bool is_expensive = times.rest_ns >= kExpensiveRestNs;
      // The first call is cold, which is a small part of an expensive one.
      rest_ns = calls <= 2 ? times.rest_ns : std::min(rest_ns, times.rest_ns);
      if (calls == 1 && !is_expensive && times.loop_ns < internal::kMaxLoopNs) continue;
      const double wanted = std::min(rest_ns, internal::kMaxLoopNs);
      if (rest_ns <= kUsualLoopNs || times.loop_ns >= wanted) return iterations;
      const double per_iteration = std::max(times.loop_ns, 1.0) / times.iterations;
      const double enough = std::ceil(1.2 * wanted / per_iteration);
      if (is_expensive && times.loop_ns >= kEnoughForEstimate * wanted) {
        return static_cast<uint64_t>(enough);
      }
      const double most = times.iterations * (is_expensive ? 100 : 10);
      iterations = static_cast<uint64_t>(std::clamp(enough, times.iterations + 1, most + 1));
    }
    return iterations;
  }

  void Execute(uint64_t iterations, Call* call, bool counts = true) {
    benchmark::State copy(*state_.google_benchmark_state());
    internal::ReplaceMaxIterations(&copy, static_cast<benchmark::IterationCount>(iterations));
    call->state = &copy;
    call->iterations = iterations;
    current_call = call;
    {
      const absl::Cleanup end = [] { current_call = nullptr; };
      function_(callable_, copy);
    }
    if (!call->error.empty()) return state_.SkipWithError(call->error);
    if (!call->skip.empty()) return state_.SkipWithMessage(call->skip);
    if (!call->started && copy.*MemberOf(internal::State_started_())) {
      return state_.SkipWithError(
          "its loop is in a shared object that is not linked with duetbench, so it cannot be "
          "timed: link it with duetbench as the program is");
    }
    if (!call->started) {
      return state_.SkipWithError("it returned without a loop: write `for (auto _ : state) …`");
    }
    if (!call->finished) {
      return state_.SkipWithError(
          "it left its loop early: report failures with state.SkipWithError(\"why\")");
    }
    if (counts) Collect(copy, *call);
  }

  void Collect(const benchmark::State& copy, const Call& call) {
    if (!call.label.empty()) state_.SetLabel(call.label);
    if (copy.complexity_length_n() != 0) state_.SetComplexityN(copy.complexity_length_n());
    for (const auto& [name, counter] : copy.counters) {
      const auto [found, is_new] = state_.counters.emplace(name, counter);
      if (is_new) continue;
      const double before = IsAddedUp(counter) ? found->second.value : 0;
      found->second = counter;
      found->second.value += before;
    }
  }

  State& state_;
  SampleLoop& loop_;
  void (*const function_)(const void*, benchmark::State&);
  const void* const callable_;
};

namespace internal {

void LoopOverCalls(State& state, void (*call)(const void*, benchmark::State&),
                   const void* callable) {
  GoogleBenchmarkCalls(&state, call, callable).Run();
}

bool SetWrapped() {
  loops_are_wrapped = true;
  return true;
}

const std::vector<int64_t>& RangesOf(const benchmark::State& state) {
  return state.*MemberOf(State_range_());
}

void AddIterations(benchmark::State& state, int64_t count) {
  state.*MemberOf(State_batch_leftover_()) += count;
}

bool TakeStart(benchmark::State& state) {
  Call* const call = CallOf(state);
  if (call == nullptr) return false;
  state.*MemberOf(State_started_()) = true;
  state.*MemberOf(State_total_iterations_()) = static_cast<benchmark::IterationCount>(
      call->error.empty() && call->skip.empty() ? call->iterations : 0);
  call->started = true;
  if (call->loop != nullptr) {
    call->loop->EnterLoop();
  } else {
    call->begin = ticks::Start();
  }
  return true;
}

bool TakeFinish(benchmark::State& state) {
  const uint64_t end = ticks::Stop();
  Call* const call = CallOf(state);
  if (call == nullptr) return false;
  // KeepRunning has counted it down, a range loop counts in a copy.
  call->has_range_loop = state.*MemberOf(State_total_iterations_()) != 0;
  state.*MemberOf(State_total_iterations_()) = 0;
  state.*MemberOf(State_finished_()) = true;
  call->iterations += static_cast<uint64_t>(state.*MemberOf(State_batch_leftover_()));
  call->finished = true;
  call->end = end;
  if (call->loop != nullptr) call->loop->LeaveLoop(end, call->iterations);
  return true;
}

bool TakePause(benchmark::State& state) {
  return WithCall(state, [](const Call& call) {
    if (IsInLoop(call)) call.loop->Pause();
  });
}

bool TakeResume(benchmark::State& state) {
  return WithCall(state, [](const Call& call) {
    if (IsInLoop(call)) call.loop->Resume();
  });
}

bool TakeIterationTime(benchmark::State& state, double seconds) {
  return WithCall(state, [&](const Call& call) {
    if (call.loop != nullptr) call.loop->AddManualTime(seconds);
  });
}

bool TakeLabel(benchmark::State& state, const char* label) {
  return WithCall(state, [&](Call& call) { call.label = label; });
}

void NoteError(benchmark::State& state, const char* message) {
  WithCall(state, [&](Call& call) {
    if (call.error.empty()) call.error = message;
  });
}

void NoteSkip(benchmark::State& state, const char* message) {
  WithCall(state, [&](Call& call) {
    if (call.skip.empty()) call.skip = message;
  });
}

}  // namespace internal
}  // namespace duetbench
