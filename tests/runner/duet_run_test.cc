#include "duetbench/runner/duet_run.h"

#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "duetbench/runner/sample.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/runner/short_run.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define DUETBENCH_TEST_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define DUETBENCH_TEST_SANITIZED
#endif

namespace duetbench {
namespace {

using ::testing::HasSubstr;

Sample TimedSample(uint64_t start, uint64_t stop) {
  Sample sample{};
  sample.start = start;
  sample.stop = stop;
  sample.operations = 10;
  return sample;
}

PairRecord OnePair(const Sample& old_sample, const Sample& new_sample, const RunPlan& plan,
                   uint64_t overhead_ticks = 0) {
  const std::vector<PairRecord> pairs =
      MakePairs(&old_sample, &new_sample, 1, plan, overhead_ticks);
  EXPECT_EQ(pairs.size(), 1u);
  return pairs.at(0);
}

TEST(MakePairs, TakesOffPausesAndTheOverheadOfTheClock) {
  Sample old_sample = TimedSample(1000, 2000);
  old_sample.paused = 300;
  const Sample new_sample = TimedSample(1010, 3010);
  const PairRecord pair = OnePair(old_sample, new_sample, RunPlan(), 50);
  EXPECT_EQ(pair.ticks[0], 650);
  EXPECT_EQ(pair.ticks[1], 1950);
  EXPECT_EQ(pair.flags, 0u);
  EXPECT_EQ(pair.operations[0], 10u);
}

TEST(MakePairs, WhatIsNotLongerThanTheOverheadHasNoTime) {
  for (const uint64_t length : {uint64_t{0}, uint64_t{49}, uint64_t{50}}) {
    const PairRecord pair = OnePair(TimedSample(0, 1000), TimedSample(0, length), RunPlan(), 50);
    EXPECT_EQ(pair.ticks[0], 950);
    EXPECT_EQ(pair.ticks[1], 0);
    EXPECT_EQ(pair.flags, kNoTime);
  }
  EXPECT_EQ(OnePair(TimedSample(0, 1000), TimedSample(0, 51), RunPlan(), 50).flags, 0u);
  Sample paused = TimedSample(0, 100);
  paused.paused = 200;
  EXPECT_EQ(OnePair(paused, TimedSample(0, 100), RunPlan()).flags, kNoTime);
}

TEST(MakePairs, SkewIsNewMinusOld) {
  const RunPlan plan;
  EXPECT_EQ(OnePair(TimedSample(1000, 2000), TimedSample(1030, 2000), plan).skew_ticks, 30);
  EXPECT_EQ(OnePair(TimedSample(1030, 2000), TimedSample(1000, 2000), plan).skew_ticks, -30);
}

TEST(MakePairs, OverlapIsAPartOfTheLongerOne) {
  RunPlan plan;
  EXPECT_EQ(OnePair(TimedSample(0, 1000), TimedSample(0, 1000), plan).overlap, 1);
  EXPECT_EQ(OnePair(TimedSample(0, 1000), TimedSample(0, 500), plan).overlap, 0.5);
  EXPECT_EQ(OnePair(TimedSample(0, 1000), TimedSample(800, 1800), plan).overlap, 0.2);
  EXPECT_EQ(OnePair(TimedSample(0, 100), TimedSample(200, 400), plan).overlap, 0);
  EXPECT_EQ(OnePair(TimedSample(5, 5), TimedSample(5, 5), plan).overlap, 0);
  plan.schedule = Schedule::kInterleaved;
  EXPECT_EQ(OnePair(TimedSample(0, 1000), TimedSample(0, 1000), plan).overlap, 0);
}

TEST(MakePairs, FlagsTellWhoWasDisturbedAndHow) {
  const RunPlan plan;
  const Sample quiet = TimedSample(0, 1000);
  Sample preempted = quiet;
  preempted.involuntary_switches = 1;
  Sample migrated = quiet;
  migrated.cpu_at_start = 1;
  Sample blocked = quiet;
  blocked.voluntary_switches = 3;
  EXPECT_EQ(OnePair(quiet, quiet, plan).flags, 0u);
  EXPECT_EQ(OnePair(preempted, quiet, plan).flags, kOldPreempted);
  EXPECT_EQ(OnePair(quiet, preempted, plan).flags, kNewPreempted);
  EXPECT_EQ(OnePair(migrated, quiet, plan).flags, kOldMigrated);
  EXPECT_EQ(OnePair(quiet, migrated, plan).flags, kNewMigrated);
  EXPECT_EQ(OnePair(preempted, migrated, plan).flags, kOldPreempted | kNewMigrated);
  EXPECT_EQ(OnePair(blocked, quiet, plan).flags, 0u) << "blocking is the operation's own business";
}

TEST(MakePairs, CpuTimeIsWithoutPausesAndWithoutWhatWasBlocked) {
  RunPlan plan;
  plan.ns_per_tick = 0.5;
  Sample old_sample = TimedSample(0, 10'000);
  old_sample.paused = 1000;
  old_sample.blocked_ns = 700;
  Sample new_sample = TimedSample(0, 10'000);
  new_sample.blocked_ns = 1e9;
  const PairRecord pair = OnePair(old_sample, new_sample, plan);
  EXPECT_EQ(pair.cpu_ns[0], 5000 - 500 - 700);
  EXPECT_EQ(pair.cpu_ns[1], 0);
}

TEST(MakePairs, ManualTimesStandForTheMeasuredOnes) {
  RunPlan plan;
  plan.manual_time = 1;
  plan.ns_per_tick = 0.5;
  Sample old_sample = TimedSample(0, 1000);
  old_sample.manual_seconds = 2e-6;
  Sample new_sample = TimedSample(0, 0);
  new_sample.manual_seconds = 3e-6;
  const PairRecord pair = OnePair(old_sample, new_sample, plan, 50);
  EXPECT_NEAR(pair.ticks[0], 4000, 1e-9);
  EXPECT_NEAR(pair.ticks[1], 6000, 1e-9);
  EXPECT_EQ(pair.flags, 0u);
  for (const double bad : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    new_sample.manual_seconds = bad;
    EXPECT_EQ(OnePair(old_sample, new_sample, plan).flags, kNoTime) << bad;
  }
}

TEST(MakePairs, KeepsOrderPlaceAndAssignment) {
  std::vector<Sample> old_samples;
  for (uint64_t i = 0; i < 4; ++i) {
    Sample sample = TimedSample(100 * i, 100 * i + 50);
    sample.iteration = 10 + i;
    sample.block = static_cast<uint32_t>(i / 2);
    sample.assignment = static_cast<uint8_t>(i / 2);
    sample.cpu_at_start = sample.cpu_at_stop = static_cast<uint16_t>(i);
    old_samples.push_back(sample);
  }
  std::vector<Sample> new_samples = old_samples;
  for (Sample& sample : new_samples) sample.cpu_at_start = sample.cpu_at_stop = 9;
  const std::vector<PairRecord> pairs =
      MakePairs(old_samples.data(), new_samples.data(), 3, RunPlan(), 0);
  ASSERT_EQ(pairs.size(), 3u);
  for (uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(pairs[i].iteration, 10u + i);
    EXPECT_EQ(pairs[i].block, i / 2);
    EXPECT_EQ(pairs[i].assignment, i / 2);
    EXPECT_EQ(pairs[i].cpus[0], static_cast<int>(i));
    EXPECT_EQ(pairs[i].cpus[1], 9);
  }
  EXPECT_TRUE(MakePairs(nullptr, nullptr, 0, RunPlan(), 0).empty());
}

// Which thread called, whether it was fresh, and what its stack looked like.
struct Visit {
  int variant;
  pid_t thread;
  bool fresh;
  uintptr_t stack_in_page;
};

class Visits {
 public:
  // Not inlined, as the variants must not differ in what they put on the stack.
  __attribute__((noinline)) void Add(int variant) {
    thread_local int uses = 0;
    const auto frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
    const std::lock_guard<std::mutex> lock(mutex_);
    visits_.push_back({variant, gettid(), uses++ == 0, frame % 4096});
  }
  std::vector<Visit> Take() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return std::move(visits_);
  }

 private:
  std::mutex mutex_;
  std::vector<Visit> visits_;
};

class Visitor {
 public:
  Visitor(Visits* visits, int variant) : visits_(visits), variant_(variant) {}
  void operator()(State& state) const {
    visits_->Add(variant_);
    WorkLoop(state);
  }

 private:
  Visits* visits_;
  int variant_;
};

TEST(ExecuteRun, EachVariantHasAFreshThreadOfItsOwn) {
  for (const Schedule schedule : {Schedule::kDuet, Schedule::kInterleaved}) {
    Visits visits;
    ASSERT_EQ(Execute(ShortPlan(schedule), Visitor(&visits, 0), Visitor(&visits, 1)).error.cause,
              "");
    const std::vector<Visit> seen = visits.Take();
    ASSERT_EQ(seen.size(), 2u) << "each is set up once";
    EXPECT_NE(seen[0].variant, seen[1].variant);
    EXPECT_NE(seen[0].thread, seen[1].thread);
    EXPECT_NE(seen[0].thread, gettid());
    EXPECT_NE(seen[1].thread, gettid());
    EXPECT_TRUE(seen[0].fresh);
    EXPECT_TRUE(seen[1].fresh);
  }
}

TEST(ExecuteRun, TheVariantsChangeThreadsBetweenRounds) {
  for (const Schedule schedule : {Schedule::kDuet, Schedule::kInterleaved}) {
    RunPlan plan = ShortPlan(schedule);
    plan.rounds = 2;
    Visits visits;
    const RunResult result = Execute(plan, Visitor(&visits, 0), Visitor(&visits, 1));
    ASSERT_EQ(result.error.cause, "");
    const std::vector<Visit> seen = visits.Take();
    ASSERT_EQ(seen.size(), 4u);
    pid_t thread_of[2][2] = {{0, 0}, {0, 0}};  // by round and variant
    for (size_t i = 0; i < 4; ++i) thread_of[i / 2][seen[i].variant] = seen[i].thread;
    EXPECT_EQ(thread_of[1][0], thread_of[0][1]);
    EXPECT_EQ(thread_of[1][1], thread_of[0][0]);
    std::set<uint32_t> rounds;
    std::set<uint32_t> assignments[2];
    for (const PairRecord& pair : result.pairs) {
      rounds.insert(pair.round);
      assignments[pair.round].insert(pair.assignment);
      EXPECT_EQ(pair.operations[0], result.batch) << "the second round goes on with the batch";
    }
    EXPECT_EQ(rounds, (std::set<uint32_t>{0, 1}));
    if (schedule == Schedule::kDuet) {
      EXPECT_EQ(assignments[0].size(), 2u);
      EXPECT_EQ(assignments[1].size(), 2u);
    }
  }
}

// Both sides of a run have the same layout, so that it divides out of the ratio; other runs have
// others.
TEST(ExecuteRun, TheStackIsMovedAlikeOnBothSidesAndAnewInEveryRun) {
  RunPlan plan = ShortPlan();
  std::set<uintptr_t> offsets;
  for (plan.run = 0; plan.run < 8; ++plan.run) {
    Visits visits;
    ASSERT_EQ(Execute(plan, Visitor(&visits, 0), Visitor(&visits, 1)).error.cause, "");
    const std::vector<Visit> seen = visits.Take();
    ASSERT_EQ(seen.size(), 2u);
    EXPECT_EQ(seen[0].stack_in_page, seen[1].stack_in_page);
    offsets.insert(seen[0].stack_in_page);
  }
  EXPECT_GE(offsets.size(), 5u);
}

TEST(ExecuteRun, KnowsWhoseCodeAThreadExecutes) {
  std::atomic<int> seen[2] = {{-9}, {-9}};
  const auto variant = [&seen](int number) {
    return [&seen, number](State& state) {
      seen[number] = VariantOfThisThread();
      WorkLoop(state);
    };
  };
  EXPECT_EQ(Execute(ShortPlan(), variant(0), variant(1)).error.cause, "");
  EXPECT_EQ(seen[0], 0);
  EXPECT_EQ(seen[1], 1);
  EXPECT_EQ(VariantOfThisThread(), -1);
}

TEST(ExecuteRun, TellsHowLongItTook) {
  const RunResult result = Execute(
      ShortPlan(),
      [](State& state) {
        SpinNs(3e6);
        WorkLoop(state);
      },
      [](State& state) {
        SpinNs(4e6);
        WorkLoop(state);
      });
  EXPECT_GE(result.set_up_ns, 7e6 * 0.99);
  EXPECT_GE(result.wall_ns, result.set_up_ns);
  EXPECT_FALSE(result.stuck);
}

TEST(ExecuteRun, ACpuThatCannotBeHadIsANotice) {
  RunPlan plan = ShortPlan(Schedule::kInterleaved);
  plan.cpus[0] = plan.cpus[1] = 100'000;
  const RunResult result = Execute(plan, WorkLoop, WorkLoop);
  EXPECT_EQ(result.error.cause, "");
  EXPECT_FALSE(result.pairs.empty());
  EXPECT_THAT(result.notice, HasSubstr("100000"));
}

struct OwnError {};

TEST(ExecuteRun, WhatIsThrownIsNamed) {
  const auto cause = [](auto thrower) {
    return Execute(ShortPlan(), WorkLoop, [thrower](State&) { thrower(); }).error.cause;
  };
  EXPECT_EQ(cause([] { throw std::out_of_range("index 7"); }), "threw std::out_of_range: index 7");
  EXPECT_EQ(cause([] { throw 3; }), "threw int");
  EXPECT_THAT(cause([] { throw OwnError(); }), HasSubstr("OwnError"));
  EXPECT_THAT(cause([] { throw std::string("text"); }), HasSubstr("string"));
}

TEST(ExecuteRun, WhereBothFailOneOfThemIsNamed) {
  const auto throws = [](State& state) {
    int n = 0;
    for (auto _ : state) {
      if (++n == 100) throw std::runtime_error("both");
    }
  };
  const RunResult result = Execute(ShortPlan(), throws, throws);
  EXPECT_GE(result.error.variant, 0);
  EXPECT_EQ(result.error.cause, "threw std::runtime_error: both");
}

TEST(ExecuteRun, ManyRunsInOneProcessAreFine) {
  RunPlan plan = ShortPlan();
  plan.budget_ns = 1e6;
  for (plan.run = 0; plan.run < 40; ++plan.run) {
    plan.schedule = plan.run % 2 == 0 ? Schedule::kDuet : Schedule::kInterleaved;
    plan.rounds = plan.run % 4 < 2 ? 1 : 2;
    const RunResult result = Execute(plan, WorkLoop, WorkLoop);
    EXPECT_EQ(result.error.cause, "");
    EXPECT_FALSE(result.pairs.empty());
  }
}

// In a process of its own, where threads need more memory than there is.
[[maybe_unused]] void RunWithoutThreads(size_t stacks) {
  constexpr size_t kStack = size_t{256} << 20;
  const RunPlan plan = ShortPlan();
  size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t limit = pages * static_cast<size_t>(getpagesize()) + stacks * kStack + kStack / 2;
  const rlimit address_space = {limit, limit};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStack);
  if (pthread_setattr_default_np(&attributes) != 0 || setrlimit(RLIMIT_AS, &address_space) != 0) {
    _exit(2);
  }
  const RunResult result = ExecuteRun(plan, {{MakeVariant(WorkLoop), MakeVariant(WorkLoop)}, {}});
  std::fprintf(stderr, "%s\n", result.error.cause.c_str());
  _exit(result.stuck ? 3 : 0);
}

TEST(ExecuteRunDeathTest, ThreadsThatCannotBeStartedAreAnError) {
#ifdef DUETBENCH_TEST_SANITIZED
  GTEST_SKIP() << "sanitizers reserve more address space with every thread";
#endif
  EXPECT_EXIT(RunWithoutThreads(0), testing::ExitedWithCode(0), "no thread can be started");
  EXPECT_EXIT(RunWithoutThreads(1), testing::ExitedWithCode(0), "no thread can be started");
}

// ---- runs that do not end ----

enum class Place { kSetUp, kOperation, kTearDown };

// A variant that stays for ever in one place.
class Stays {
 public:
  explicit Stays(Place place) : place_(place) {}
  void operator()(State& state) const {
    if (place_ == Place::kSetUp) Stay();
    int64_t n = 0;
    for (auto _ : state) {
      if (place_ == Place::kOperation && ++n == 1000) Stay();
      Work();
    }
    if (place_ == Place::kTearDown) Stay();
  }

 private:
  [[noreturn]] static void Stay() {
    for (;;) pause();
  }
  Place place_;
};

struct StuckRun {
  RunPlan plan;
  DuetFunctions functions;
  std::string expected;  // "[variant] cause"
};

// Each run in a process of its own, all at the same time; a process says what its run is stuck in
// and ends, as the caller of such a run must.
void ExpectStuck(std::vector<StuckRun> runs) {
  std::vector<int> answers;
  std::vector<pid_t> children;
  for (StuckRun& run : runs) {
    run.plan.timeout_ns = 3e9;
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
      const RunResult result = ExecuteRun(run.plan, run.functions);
      const std::string answer = absl::StrCat("[", result.error.variant, "] ", result.error.cause);
      const bool written =
          write(ends[1], answer.data(), answer.size()) == static_cast<ssize_t>(answer.size());
      _exit(result.stuck && result.pairs.empty() && written ? 0 : 1);
    }
    ASSERT_GT(child, 0);
    close(ends[1]);
    answers.push_back(ends[0]);
    children.push_back(child);
  }
  for (size_t i = 0; i < runs.size(); ++i) {
    char answer[1000];
    const ssize_t length = read(answers[i], answer, sizeof(answer));
    EXPECT_EQ(std::string(answer, length > 0 ? static_cast<size_t>(length) : 0), runs[i].expected);
    close(answers[i]);
    int status = -1;
    waitpid(children[i], &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "was not stuck: " << status;
  }
}

DuetFunctions Functions(const std::shared_ptr<const Variant>& old_variant,
                        const std::shared_ptr<const Variant>& new_variant) {
  return {{old_variant, new_variant}, {}};
}

TEST(StuckRun, TheVariantAndWhatItIsInAreNamed) {
  const std::string after = " after 3 s (--duet_timeout)";
  const std::shared_ptr<const Variant> works = MakeVariant(WorkLoop);
  std::vector<StuckRun> runs;
  for (const auto& [place, doing] :
       std::vector<std::pair<Place, std::string>>{{Place::kSetUp, "in its set-up"},
                                                  {Place::kOperation, "executing operations"},
                                                  {Place::kTearDown, "in its tear-down"}}) {
    const std::string was = absl::StrCat("was still ", doing, after);
    const std::shared_ptr<const Variant> stays = MakeVariant(Stays(place));
    for (const Schedule schedule : {Schedule::kDuet, Schedule::kInterleaved}) {
      runs.push_back({ShortPlan(schedule), Functions(stays, works), "[0] " + was});
      runs.push_back({ShortPlan(schedule), Functions(works, stays), "[1] " + was});
    }
  }
  const std::shared_ptr<const Variant> stays = MakeVariant(Stays(Place::kOperation));
  // The partner is busy too, but only to fill the time.
  RunPlan fill = ShortPlan();
  fill.fill = 1;
  const std::string was = absl::StrCat("was still executing operations", after);
  runs.push_back({fill, Functions(stays, works), "[0] " + was});
  runs.push_back({fill, Functions(works, stays), "[1] " + was});
  // Both together.
  runs.push_back({ShortPlan(), Functions(stays, stays),
                  absl::StrCat("[-1] the run was not over", after,
                               ": old was executing operations, new was executing operations")});
  ExpectStuck(runs);
}

}  // namespace
}  // namespace duetbench
