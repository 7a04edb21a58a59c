#include "duetbench/measure/run_in_progress.h"

#include <benchmark/benchmark.h>
#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <new>
#include <typeinfo>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/measure/pacing.h"
#include "duetbench/measure/sample_timer.h"
#include "duetbench/measure/stack_sampler.h"
#include "duetbench/platform/counter_set.h"
#include "duetbench/platform/crash_report.h"
#include "duetbench/platform/process.h"
#include "duetbench/platform/rendezvous.h"
#include "duetbench/platform/ticks.h"
#include "duetbench/record/measuring_policy.h"
#include "duetbench/record/pair_records.h"
#include "duetbench/variant/state.h"

namespace duetbench {
namespace {

std::string TypeName(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), std::free);
  return status == 0 ? name.get() : type.name();
}

// The model is fixed at load time: no allocation when a signal handler reads it.
__attribute__((tls_model("initial-exec"))) thread_local int running_variant = -1;

// Samples have a wide margin; of short ones one in eight counts. A run that has no room left goes
// on without counting.
size_t CountCapacity(const RunPlan& plan, size_t capacity) {
  return plan.events > 0 ? capacity / 2 + 64 : 0;
}

// Calls the variant with the end of the stack at this offset in a page, whatever the process has on
// its stack.
__attribute__((noinline)) void RunWithStackOffset(const Variant& variant, State& state,
                                                  size_t offset) {
  const auto frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  benchmark::DoNotOptimize(__builtin_alloca((frame - offset) % kPageBytes + 16));
  variant.Run(state);
}

// Returns the error in the times that the variant has reported; empty: none.
std::string ManualTimeError(const RunPlan& plan, const MeasuringLoop& loop) {
  if (plan.manual_time == 0) return "";
  if (loop.wrong_manual_time().has_value()) {
    return absl::StrFormat(
        "called SetIterationTime(%g): the time of an iteration is 0 or %g to %g seconds",
        *loop.wrong_manual_time(), kMeasuringPolicy.min_manual_s, kMeasuringPolicy.max_manual_s);
  }
  const Sample* const end = loop.samples() + loop.sample_count();
  const bool has_time = std::any_of(loop.samples(), end,
                                    [](const Sample& sample) { return sample.manual_seconds > 0; });
  if (!loop.completed() || loop.sample_count() == 0 || has_time) return "";
  if (loop.has_manual_time()) return "called SetIterationTime(0) in all iterations";
  return "did not call SetIterationTime: with UseManualTime, call it in every iteration, in code "
         "that is linked with duetbench";
}

const Variant& VariantNumber(const RunInProgress& run, int number) {
  return *run.functions.variants[static_cast<size_t>(number)];
}

// Executes the variant of `loop`; returns what went wrong, or nothing.
std::string RunVariant(const RunInProgress& run, const MeasuringLoop& loop, State& state) {
  const Variant& variant = VariantNumber(run, loop.variant());
  std::string thrown = CallCatchingExceptions(
      [&] { RunWithStackOffset(variant, state, run.randomization.stack_offset); });
  if (!thrown.empty()) return thrown;
  if (state.skipped() && !state.error_occurred()) {
    return absl::StrCat("skipped: ", state.error_message());
  }
  if (state.error_occurred()) return absl::StrCat("reported an error: ", state.error_message());
  if (std::string wrong = ManualTimeError(run.plan, loop); !wrong.empty()) return wrong;
  if (!loop.began()) return "returned without a loop: write `for (auto _ : state) …`";
  if (!loop.ended()) {
    return "left its loop early: report failures with state.SkipWithError(\"why\")";
  }
  if (loop.completed() && loop.nothing_to_measure()) {
    return absl::StrCat("takes no measurable time: the clock does not see ", loop.batch(),
                        loop.batch() == 1 ? " iteration" : " iterations",
                        "; was the work optimised away? Keep its result alive with "
                        "benchmark::DoNotOptimize");
  }
  return "";
}

VariantReport ReportOf(const RunInProgress& run, const MeasuringLoop& loop, const State& state) {
  VariantReport report;
  report.label = state.label();
  report.uses_seed = state.uses_seed();
  if (run.plan.check_equal != 0) {
    report.counters = RawCounters(state.counters);
  } else {
    const auto iterations = static_cast<double>(loop.total_iterations());
    const double seconds = iterations * SecondsPerIteration(loop.samples(), loop.sample_count(),
                                                            run.plan, run.overhead_ticks);
    report.counters = FinishCounters(state.counters, iterations, seconds);
    if (iterations > 0) {
      report.items = static_cast<double>(state.items_processed()) / iterations;
      report.bytes = static_cast<double>(state.bytes_processed()) / iterations;
    }
  }
  return report;
}

// The variant of a loop, on its thread.
void ExecuteVariant(const RunInProgress& run, MeasuringLoop& loop, LoopRecord& record) {
  loop.Pin();
  if (!loop.AwaitSetUp()) return;
  running_variant = loop.variant();
  NameThisThread(loop.variant() == 0 ? "duet.old" : "duet.new");
  loop.set_activity(Activity::kSetUp);
  State state(&loop, run.functions.ranges, run.functions.name,
              run.functions.google_benchmark_state);
  const bool is_timed = run.plan.check_equal == 0 && run.plan.manual_time == 0;
  if (is_timed) {
    loop.empty().Begin(&VariantNumber(run, loop.variant()), &state, run.plan.ns_per_tick);
  }
  StackSampler stacks(run.plan.stack_interval_ns);
  loop.SampleStacks(&stacks);
  record.error = "ended its thread (pthread_exit)";  // unless it comes back
  const uint64_t begin = ticks::Now();
  record.error = RunVariant(run, loop, state);
  record.skipped = state.skipped() && !state.error_occurred();
  running_variant = -1;
  if (loop.set_up_end() > begin) {
    record.set_up_ns = static_cast<double>(loop.set_up_end() - begin) * run.plan.ns_per_tick;
  }
  record.report = ReportOf(run, loop, state);
  loop.SampleStacks(nullptr);
  record.stacks = stacks.Take();
  if (record.error.empty() && loop.completed()) loop.AwaitTearDown();
}

}  // namespace

// To the sanitizer the cancellation of a thread, which is no object, is a reference to nothing.
__attribute__((no_sanitize("null"))) std::string CallCatchingExceptions(
    const std::function<void()>& function) {
  try {
    function();
#ifdef __GLIBCXX__  // where a cancelled thread is an exception
  } catch (const abi::__forced_unwind&) {
    throw;
#endif
  } catch (const std::exception& error) {
    return absl::StrCat("threw ", TypeName(typeid(error)), ": ", error.what());
  } catch (...) {
    const std::type_info* type = abi::__cxa_current_exception_type();
    return absl::StrCat("threw ", type != nullptr ? TypeName(*type) : "an unknown exception");
  }
  return "";
}

int* RunningVariant() { return &running_variant; }

std::shared_ptr<RunInProgress> PrepareRun(const RunPlan& plan, const DuetFunctions& functions,
                                          bool in_processes, int side, SharedRun* shared) {
  auto run = std::make_shared<RunInProgress>();
  run->side = side;
  run->in_processes = in_processes;
  if (in_processes && shared == nullptr) {
    shared = static_cast<SharedRun*>(MemoryForForkedChildren(sizeof(SharedRun)));
    if (shared == nullptr) return nullptr;
  }
  if (shared != nullptr) run->shared = shared;
  run->plan = plan;
  run->functions = functions;
  run->randomization = DrawRandomization(plan.seed, plan.run);
  run->overhead_ticks = MeasureClock().overhead_ticks;
  run->pause_ticks = MeasurePauseTicks(plan.ns_per_tick);
  // A run that calibrates itself may turn out to have samples of the shortest length.
  const double sample_ns = plan.batch > 0 ? plan.sample_ns : plan.min_batch_ns;
  run->capacity = MaxMeasured(run->plan, PaceRun(run->plan, sample_ns), sample_ns);
  for (const int thread : ThreadsOf(*run)) {
    if (!in_processes && !AllocatePages(run.get(), thread)) return nullptr;
  }
  return run;
}

bool AllocatePages(RunInProgress* run, int thread) {
  LoopPages& pages = run->pages[thread];
  pages.loop = Pages(sizeof(MeasuringLoop));
  pages.samples = Pages((run->capacity + 1) * sizeof(Sample));
  pages.counts = Pages((CountCapacity(run->plan, run->capacity) + 1) * sizeof(CountRecord));
  return pages.loop.data() != nullptr && pages.samples.data() != nullptr &&
         pages.counts.data() != nullptr;
}

std::vector<int> ThreadsOf(const RunInProgress& run) {
  if (run.only_thread >= 0) return {run.only_thread};
  std::vector<int> threads;
  for (int thread = 0; thread < static_cast<int>(run.plan.variants); ++thread) {
    if (run.side < 0 || VariantOf(run, thread) == run.side) threads.push_back(thread);
  }
  return threads;
}

int VariantOf(const RunInProgress& run, int thread) {
  return IsGroup(run.plan) ? thread : run.randomization.variant_of_thread[thread];
}

std::vector<LoopRecord> CollectLoops(RunInProgress& run) {
  std::vector<LoopRecord> records;
  for (const int thread : ThreadsOf(run)) {
    if (run.loops[thread] == nullptr) continue;
    run.loops[thread]->FillRecord(&records.emplace_back(std::move(run.records[thread])));
  }
  return records;
}

void ExecuteThread(const std::shared_ptr<RunInProgress>& run, int thread) {
  const SignalStack signal_stack;
  const HeapPlacement heap(run->randomization.heap_seed);
  CounterSet counters(&LinuxPerf(), run->plan.event_codes, run->plan.events);
  // The first loop of a CPU makes the controller of all: the others do not use it before all are
  // set up.
  const int loops_of_cpu = LoopsOfCpu(run->plan);
  RunController* const controller = run->shared->controllers[thread / loops_of_cpu].get();
  if (thread % loops_of_cpu == 0) {
    new (controller) RunController(run->plan, run->randomization.first_assignment, run->capacity);
  }
  const LoopPages& pages = run->pages[thread];
  auto* const loop = new (pages.loop.data()) MeasuringLoop(
      {run->plan, &run->shared->block, controller, thread, run->randomization, run->overhead_ticks,
       run->pause_ticks, static_cast<Sample*>(pages.samples.data()), run->capacity, &counters,
       static_cast<CountRecord*>(pages.counts.data()), CountCapacity(run->plan, run->capacity),
       run->functions.memory_manager});
  run->loops[thread].reset(loop);
  // On every way out of this thread: the partner is released, and the thread that waits for the run
  // is notified.
  const absl::Cleanup leave = [&] {
    running_variant = -1;
    loop->Leave();
    __atomic_fetch_add(&run->ended_threads, 1, __ATOMIC_RELEASE);
    FutexWake(&run->ended_threads);
  };
  ExecuteVariant(*run, *loop, run->records[thread]);
}

}  // namespace duetbench
