#include "duetbench/runner/duet_run.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "duetbench/counters/counter_set.h"
#include "duetbench/counters/perf_system.h"
#include "duetbench/platform/pages.h"
#include "duetbench/platform/patience.h"
#include "duetbench/platform/tick_rate.h"
#include "duetbench/platform/ticks.h"
#include "duetbench/runner/counting.h"
#include "duetbench/runner/guarded.h"
#include "duetbench/runner/last_words.h"
#include "duetbench/runner/pacing.h"
#include "duetbench/runner/pair_records.h"
#include "duetbench/runner/roles.h"
#include "duetbench/runner/sample.h"
#include "duetbench/runner/side.h"
#include "duetbench/runner/user_counters.h"

namespace duetbench {
namespace {

// The model is fixed at load time: no allocation when a signal handler looks.
__attribute__((tls_model("initial-exec"))) thread_local int variant_of_this_thread = -1;

constexpr char kSharedCpu[] =
    "in at least one run old and new were not awake at the same time and ran one after the other: "
    "other processes left them one CPU, or two virtual CPUs share one";

// What a variant left behind in one round.
struct SideOutcome {
  std::string error;
  bool skipped = false;
  VariantReport report;
  double set_up_ns = 0;
};

// One round: both variants are set up, meet, and are torn down.
struct Round {
  RendezvousBlock block;
  // By thread.
  Side* sides[2] = {nullptr, nullptr};
  Sample* samples[2] = {nullptr, nullptr};
  CountRecord* count_records[2] = {nullptr, nullptr};
  SideOutcome outcomes[2];
};

// All of a run. Shared by its threads and the one that waits, so that a run that is stuck can be
// left alone.
struct RunState {
  RunPlan plan;
  DuetFunctions functions;
  Roles roles{};
  uint64_t overhead_ticks = 0;
  size_t capacity = 0;
  Round rounds[kMostRounds];

  // By thread: its sides and their records, on pages of its own that it alone writes.
  Pages pages[2];
  Side* current[2] = {nullptr, nullptr};  // which of its sides a thread is in

  std::mutex mutex;
  std::condition_variable ended;
  int ended_threads = 0;
};

// Calls the variant with `offset` more bytes of stack in use.
__attribute__((noinline)) void RunWithStackOffset(const Variant& variant, State& state,
                                                  size_t offset) {
  benchmark::DoNotOptimize(__builtin_alloca(offset + 16));
  variant.Run(state);
}

// Where the side of a round and its samples lie in a thread's pages.
constexpr size_t kSideBytes = (sizeof(Side) + 127) / 128 * 128;

size_t SampleBytes(size_t capacity) { return (capacity * sizeof(Sample) + 127) / 128 * 128; }

// Samples have a wide margin; of short iterations one in eight counts. A run that has no room left
// goes on without counting.
size_t CountCapacity(const RunPlan& plan, size_t capacity) {
  return plan.events > 0 ? capacity / 2 + 64 : 0;
}

size_t RoundBytes(const RunPlan& plan, size_t capacity) {
  return kSideBytes + SampleBytes(capacity) +
         (CountCapacity(plan, capacity) * sizeof(CountRecord) + 127) / 128 * 128;
}

// The variant's part of a side's thread: returns what went wrong, or nothing.
std::string RunVariant(RunState& run, Side& side, State& state, size_t stack_offset) {
  std::string thrown = Guarded(
      [&] { RunWithStackOffset(*run.functions.variants[side.variant()], state, stack_offset); });
  if (!thrown.empty()) return thrown;
  if (state.skipped() && !state.error_occurred()) {
    return absl::StrCat("skipped: ", state.error_message());
  }
  if (state.error_occurred()) return absl::StrCat("reported an error: ", state.error_message());
  if (!side.loop_began()) return "returned without a loop: write `for (auto _ : state) …`";
  if (!side.ended()) {
    return "left its loop early: report failures with state.SkipWithError(\"why\")";
  }
  if (side.nothing_to_measure()) {
    return absl::StrCat("takes no measurable time: the clock does not see ", side.batch(),
                        side.batch() == 1 ? " operation" : " operations",
                        "; was the work optimised away? Keep its result alive with "
                        "benchmark::DoNotOptimize");
  }
  return "";
}

// Every way out of a side's thread: the partner is released, and who waits for the run is told.
class LeaveAtEnd {
 public:
  LeaveAtEnd(RunState* run, int thread) : run_(run), thread_(thread) {}
  ~LeaveAtEnd() {
    variant_of_this_thread = -1;
    run_->current[thread_]->Leave();
    const std::lock_guard<std::mutex> lock(run_->mutex);
    ++run_->ended_threads;
    run_->ended.notify_one();
  }
  LeaveAtEnd(const LeaveAtEnd&) = delete;
  LeaveAtEnd& operator=(const LeaveAtEnd&) = delete;

 private:
  RunState* const run_;
  const int thread_;
};

// One variant in one round, on its thread. False if the run is over.
bool RunRound(RunState& run, Round& round, int thread) {
  Side& side = *round.sides[thread];
  SideOutcome& outcome = round.outcomes[thread];
  side.PinForAssignment();
  if (!side.AwaitSetUp()) return false;
  variant_of_this_thread = side.variant();
  side.set_activity(Activity::kSetUp);
  State state(&side, run.functions.ranges, run.functions.name, run.functions.library_state);
  outcome.error = "ended its thread (pthread_exit)";  // unless it comes back
  const uint64_t begin = ticks::Now();
  outcome.error = RunVariant(run, side, state, run.roles.stack_offset);
  outcome.skipped = state.skipped() && !state.error_occurred();
  variant_of_this_thread = -1;
  if (side.set_up_end() > begin) {
    outcome.set_up_ns = static_cast<double>(side.set_up_end() - begin) * run.plan.ns_per_tick;
  }
  const auto operations = static_cast<double>(side.total_operations());
  outcome.report.label = state.label();
  outcome.report.complexity_n = state.complexity_length_n();
  outcome.report.counters =
      run.plan.check_equal != 0
          ? RawCounters(state.counters)
          : FinishCounters(
                state.counters, operations,
                operations * SecondsPerOperation(round.samples[thread], side.sample_count(),
                                                 run.plan, run.overhead_ticks));
  return outcome.error.empty() && side.completed() && side.AwaitTearDown();
}

void RunThread(const std::shared_ptr<RunState>& shared, int thread) {
  const SignalStack signal_stack;
  RunState& run = *shared;
  const std::unique_ptr<char[]> padding(new char[run.roles.heap_padding]);
  benchmark::DoNotOptimize(padding.get());
  char* memory = static_cast<char*>(run.pages[thread].data());
  CounterSet counters(&LinuxPerf(), run.plan.event_codes, run.plan.events);
  RunPlan plan = run.plan;
  const auto enter = [&](uint32_t number) {
    Round& round = run.rounds[number];
    round.samples[thread] = reinterpret_cast<Sample*>(memory + kSideBytes);
    round.count_records[thread] =
        reinterpret_cast<CountRecord*>(memory + kSideBytes + SampleBytes(run.capacity));
    round.sides[thread] = new (memory)
        Side({plan, &round.block, thread, static_cast<int>(number), run.roles, run.overhead_ticks,
              round.samples[thread], run.capacity, &counters, round.count_records[thread],
              CountCapacity(plan, run.capacity), run.functions.memory_manager});
    memory += RoundBytes(plan, run.capacity);
    __atomic_store_n(&run.current[thread], round.sides[thread], __ATOMIC_RELEASE);
  };
  enter(0);
  const LeaveAtEnd leave(&run, thread);
  for (uint32_t number = 0;; ++number) {
    const Side& side = *run.current[thread];
    const bool go_on = RunRound(run, run.rounds[number], thread);
    if (!go_on || number + 1 == plan.rounds) return;
    // What the first round calibrated holds for the next.
    plan.batch = side.batch();
    plan.iteration_ns = side.iteration_ns();
    enter(number + 1);
  }
}

// For a run that did not end in time: who holds it up, and in what.
RunError DescribeStuck(const RunState& run, double seconds) {
  RunError error;
  std::string doing[2];
  bool busy[2] = {false, false};
  bool fills[2] = {false, false};
  for (int thread = 0; thread < 2; ++thread) {
    const Side* side = __atomic_load_n(&run.current[thread], __ATOMIC_ACQUIRE);
    if (side == nullptr) continue;
    const int variant = side->variant();
    switch (side->activity()) {
      case Activity::kSetUp:
        doing[variant] = "in its set-up";
        break;
      case Activity::kOperating:
        doing[variant] = "executing operations";
        break;
      case Activity::kTearDown:
        doing[variant] = "in its tear-down";
        break;
      case Activity::kFilling:
        doing[variant] = "executing operations";
        fills[variant] = true;
        continue;
      default:
        continue;
    }
    busy[variant] = true;
  }
  // Who fills is busy because the partner is, unless the partner is not.
  for (int variant = 0; variant < 2; ++variant) {
    if (fills[variant] && !busy[1 - variant]) busy[variant] = true;
  }
  const std::string limit = absl::StrCat(" after ", seconds, " s (--duet_timeout)");
  if (busy[0] != busy[1]) {
    error.variant = busy[0] ? 0 : 1;
    error.cause = absl::StrCat("was still ", doing[error.variant], limit);
  } else if (busy[0]) {
    error.cause =
        absl::StrCat("the run was not over", limit, ": old was ", doing[0], ", new was ", doing[1]);
  } else {
    error.cause = absl::StrCat("the run was not over", limit);
  }
  return error;
}

void AddUsage(const Sample& sample, UsageTally* usage) {
  usage->operations += sample.operations;
  usage->minor_faults += sample.minor_faults;
  usage->major_faults += sample.major_faults;
  usage->voluntary_switches += sample.voluntary_switches;
  usage->involuntary_switches += sample.involuntary_switches;
  if (sample.cpu_at_start != sample.cpu_at_stop) ++usage->migrations;
}

// Adds what a round measured to the result, and ends its sides.
void CollectRound(Round& round, uint32_t number, const RunState& run, RunResult* result) {
  const Sample* samples[2] = {nullptr, nullptr};
  const CountRecord* count_records[2] = {nullptr, nullptr};
  size_t count_record_counts[2] = {0, 0};
  size_t count = run.capacity;
  for (int thread = 0; thread < 2; ++thread) {
    Side& side = *round.sides[thread];
    const int variant = side.variant();
    samples[variant] = round.samples[thread];
    count = std::min(count, side.sample_count());
    count_records[variant] = round.count_records[thread];
    count_record_counts[variant] = side.count_record_count();
    result->usage[variant].allocations += side.allocations();
    result->usage[variant].allocating_operations += side.allocating_operations();
    result->variants[variant] = std::move(round.outcomes[thread].report);
    result->set_up_ns += round.outcomes[thread].set_up_ns;
    if (result->notice.empty()) result->notice = side.pin_error();
    if (result->notice.empty() && side.shares_cpu()) result->notice = kSharedCpu;
    // An error goes before the wish to be left out.
    if ((result->error.cause.empty() || result->error.skipped) &&
        !round.outcomes[thread].error.empty()) {
      result->error = {variant, round.outcomes[thread].error, round.outcomes[thread].skipped};
    }
    result->batch = side.batch();
    result->iteration_ns = side.iteration_ns();
    side.~Side();
  }
  for (int variant = 0; variant < 2; ++variant) {
    for (size_t i = 0; i < count; ++i) AddUsage(samples[variant][i], &result->usage[variant]);
  }
  AddCounts(count_records[0], count_record_counts[0], count_records[1], count_record_counts[1],
            &result->events);
  // Iterations and blocks are numbered on from round to round.
  const PairRecord* last = result->pairs.empty() ? nullptr : &result->pairs.back();
  const uint64_t iterations = last == nullptr ? 0 : last->iteration + 1;
  const uint32_t blocks = last == nullptr ? 0 : last->block + 1;
  for (PairRecord& pair : MakePairs(samples[0], samples[1], count, run.plan, run.overhead_ticks)) {
    pair.round = number;
    pair.iteration += iterations;
    pair.block += blocks;
    result->pairs.push_back(pair);
  }
}

}  // namespace

int VariantOfThisThread() { return variant_of_this_thread; }

static RunResult ExecuteThreads(const RunPlan& plan, const DuetFunctions& functions) {
  const auto run = std::make_shared<RunState>();
  run->plan = plan;
  run->plan.budget_ns = plan.budget_ns / plan.rounds;
  run->functions = functions;
  run->roles = DrawRoles(plan.seed, plan.run);
  run->overhead_ticks = MeasureClock().overhead_ticks;
  // A run that calibrates itself may turn out to have iterations of the shortest length.
  const double iteration_ns = plan.batch > 0       ? plan.iteration_ns
                              : plan.max_batch > 0 ? 0
                                                   : plan.min_batch_ns;
  run->capacity = MostMeasured(run->plan, PaceRun(run->plan, iteration_ns), iteration_ns);
  RunResult result;
  for (Pages& pages : run->pages) {
    pages = Pages(plan.rounds * RoundBytes(plan, run->capacity));
    if (pages.data() == nullptr) {
      result.error.cause = "there is no memory for the records of the run";
      return result;
    }
  }

  const uint64_t begin = ticks::Now();
  std::thread threads[2];
  try {
    for (int thread = 0; thread < 2; ++thread)
      threads[thread] = std::thread(RunThread, run, thread);
  } catch (const std::system_error& error) {
    Rendezvous(&run->rounds[0].block, 1, 0, 0).Leave();  // the first one shall not wait
    if (threads[0].joinable()) threads[0].join();
    result.error.cause = absl::StrCat("no thread can be started: ", error.what());
    return result;
  }
  {
    std::unique_lock<std::mutex> lock(run->mutex);
    const auto both_ended = [&run] { return run->ended_threads == 2; };
    Patience patience(std::chrono::nanoseconds(static_cast<int64_t>(plan.timeout_ns)),
                      Patience::Clock::now());
    while (!both_ended()) {
      if (plan.timeout_ns <= 0) {
        run->ended.wait(lock);
        continue;
      }
      const std::chrono::nanoseconds turn = patience.Turn(Patience::Clock::now());
      if (turn == std::chrono::nanoseconds(0)) break;
      run->ended.wait_for(lock, turn);
    }
    if (!both_ended()) {
      lock.unlock();
      for (std::thread& thread : threads) thread.detach();
      result.error = DescribeStuck(*run, plan.timeout_ns * 1e-9);
      result.stuck = true;
      return result;
    }
  }
  for (std::thread& thread : threads) thread.join();
  result.wall_ns = static_cast<double>(ticks::Now() - begin) * plan.ns_per_tick;

  result.events.resize(plan.events);
  for (uint32_t number = 0; number < plan.rounds; ++number) {
    Round& round = run->rounds[number];
    if (round.sides[0] == nullptr || round.sides[1] == nullptr) break;  // ended in an earlier one
    CollectRound(round, number, *run, &result);
  }
  if (!result.error.cause.empty()) result.pairs.clear();
  return result;
}

static RunResult ExecuteCheck(const RunPlan& plan, const DuetFunctions& functions) {
  if (functions.check_results == nullptr) {
    RunResult result = ExecuteThreads(plan, functions);
    if (result.error.cause.empty()) {
      result.error.cause = DescribeDifference(result.variants[0], result.variants[1]);
    }
    return result;
  }
  RunResult result;
  const std::string thrown =
      Guarded([&] { result.error.cause = functions.check_results(&variant_of_this_thread); });
  if (!thrown.empty()) result.error = {variant_of_this_thread, thrown};
  variant_of_this_thread = -1;
  return result;
}

// Who plays old and new.
DuetFunctions InRoles(const RunPlan& plan, DuetFunctions functions) {
  if (plan.self == 0) functions.variants[1] = functions.variants[0]->Copy();
  if (plan.self == 1) functions.variants[0] = functions.variants[1]->Copy();
  return functions;
}

RunResult ExecuteRun(const RunPlan& plan, const DuetFunctions& functions) {
  if (functions.set_up) {
    const std::string thrown = Guarded(functions.set_up);
    if (!thrown.empty()) {
      RunResult result;
      result.error.cause = absl::StrCat("Setup ", thrown);
      return result;
    }
  }
  RunResult result = plan.check_equal != 0 ? ExecuteCheck(plan, functions)
                                           : ExecuteThreads(plan, InRoles(plan, functions));
  // Threads that are stuck still use what Teardown would take away.
  if (functions.tear_down && !result.stuck) {
    const std::string thrown = Guarded(functions.tear_down);
    if (!thrown.empty() && result.error.cause.empty()) {
      result.error.cause = absl::StrCat("Teardown ", thrown);
    }
  }
  return result;
}

}  // namespace duetbench
