// This program is its own child: started with --child=DEATH,PLACE,VARIANT,SCHEDULE it executes a
// run in which a variant ends the process, which is why it has its own main().

#include "duetbench/platform/crash_report.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "duetbench/measure/run_protocol.h"
#include "duetbench/platform/subprocess.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/measure/short_run.h"
#include "tests/sanitized.h"

namespace duetbench {
namespace {

using ::testing::HasSubstr;
using End = ChildOutcome::End;

constexpr char kResultVariable[] = "LAST_WORDS_TEST_RESULT_FD";
// Exit status of a child that outlived its variant's death.
constexpr int kSurvived = 42;

std::string program_name;  // argv[0] of this process

// ---- the child ----

// More frames than any stack has room for.
__attribute__((noinline)) int Recurse(volatile int* depth) {
  volatile char frame[4096];
  frame[0] = '\1';
  frame[sizeof(frame) - 1] = '\1';
  *depth = *depth - 1;
  if (*depth == 0) return 0;
  return Recurse(depth) + frame[0];
}

std::map<std::string, void (*)()> Deaths() {
  std::map<std::string, void (*)()> deaths;
  deaths["none"] = [] {};
  deaths["segv"] = [] {
    void* const forbidden = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *static_cast<volatile int*>(forbidden) = 1;
  };
  deaths["raise_segv"] = [] { raise(SIGSEGV); };
  deaths["raise_bus"] = [] { raise(SIGBUS); };
  deaths["raise_fpe"] = [] { raise(SIGFPE); };
  deaths["raise_ill"] = [] { raise(SIGILL); };
  deaths["raise_trap"] = [] { raise(SIGTRAP); };
  deaths["trap"] = [] { __builtin_trap(); };
#if defined(__x86_64__)
  deaths["divide"] = [] {
    // C++ compilers and sanitizers change a division written in C++.
    uint32_t low = 1;
    uint32_t high = 0;
    asm volatile("divl %2" : "+a"(low), "+d"(high) : "r"(0u));
  };
  deaths["int3"] = [] { asm volatile("int3"); };
#endif
  deaths["stack_overflow"] = [] {
    volatile int depth = 1 << 30;
    benchmark::DoNotOptimize(Recurse(&depth));
  };
  deaths["abort"] = [] { abort(); };
  deaths["terminate"] = [] { std::terminate(); };
  deaths["exit"] = [] { exit(3); };
  deaths["quick_end"] = [] { _exit(4); };
  return deaths;
}

class Dying {
 public:
  Dying(void (*death)(), std::string place) : death_(death), place_(std::move(place)) {}
  void operator()(State& state) const {
    if (place_ == "set_up") death_();
    int64_t n = 0;
    for (auto _ : state) {
      if (++n == 10 && place_ == "iteration") death_();
      Work();
    }
    if (place_ == "tear_down") death_();
  }

 private:
  void (*death_)();
  std::string place_;
};

// Does the work of a process of a run.
int ServeRun(int result_fd, const RunPlan& plan, const DuetFunctions& functions) {
  EnableCrashReports({result_fd, VariantOfThisThread, EncodeRunError});
  const RunRecord record = ExecutePart(plan, functions);
  if (!DisableCrashReports()) return 89;
  if (!WriteResult(result_fd, EncodeRunRecord(record)).ok()) return 90;
  return kSurvived;
}

int PlayRole(const std::string& role) {
  const absl::StatusOr<int> result_fd = TakeResultDescriptor(kResultVariable);
  if (!result_fd.ok()) return 91;
  const std::vector<std::string> parts = absl::StrSplit(role, ',');
  if (parts.size() != 4) return 92;
  void (*const death)() = Deaths().at(parts[0]);
  const std::string& place = parts[1];

  if (place == "after_run") {
    const int status =
        ServeRun(*result_fd, ShortPlan(), {{MakeVariant(WorkLoop), MakeVariant(WorkLoop)}, {}});
    if (status != kSurvived) return status;
    death();
    return 93;
  }
  if (place == "main_thread") {
    EnableCrashReports({*result_fd, VariantOfThisThread, EncodeRunError});
    death();
    return 94;
  }
  DuetFunctions functions;
  const std::shared_ptr<const Variant> dying = MakeVariant(Dying(death, place));
  const std::shared_ptr<const Variant> living = MakeVariant(WorkLoop);
  functions.variants[0] = parts[2] == "1" ? living : dying;
  functions.variants[1] = parts[2] == "0" ? living : dying;
  return ServeRun(*result_fd,
                  ShortPlan(parts[3] == "interleaved" ? Schedule::kInterleaved : Schedule::kDuet),
                  functions);
}

// ---- the parent ----

struct Dead {
  ChildOutcome outcome;
  RunRecord record;
  RunResult result;  // of `record`; with an error "nothing" if nothing came
  bool said_once = false;
};

// `variant` is 0, 1, or 2 for both.
Dead Die(const std::string& death, const std::string& place, int variant,
         const std::string& schedule = "duet") {
  ChildRequest request;
  request.argv = {program_name,
                  absl::StrCat("--child=", death, ",", place, ",", variant, ",", schedule)};
  request.result_fd_variable = kResultVariable;
  Dead dead;
  absl::StatusOr<ChildOutcome> outcome = RunSelf(request);
  if (!outcome.ok()) {
    ADD_FAILURE() << outcome.status();
    return dead;
  }
  dead.outcome = *std::move(outcome);
  absl::StatusOr<RunRecord> record = DecodeRunRecord(dead.outcome.result);
  if (!record.ok()) {
    dead.result.error.cause = "nothing";
    return dead;
  }
  dead.record = *std::move(record);
  dead.result = RunsOf(ShortPlan(), {dead.record}).front();
  char message[kMaxCrashReportBytes];
  const int length =
      EncodeRunError(dead.result.error.variant, dead.result.error.cause.c_str(), message);
  dead.said_once = dead.outcome.result == std::string(message, static_cast<size_t>(length));
  return dead;
}

struct Expected {
  const char* death;
  int signal;
  const char* cause;
};

void PrintTo(const Expected& expected, std::ostream* out) { *out << expected.death; }

constexpr Expected kSignals[] = {
    {"segv", SIGSEGV, "crashed: signal SIGSEGV (segmentation fault)"},
    {"raise_segv", SIGSEGV, "crashed: signal SIGSEGV (segmentation fault)"},
    {"raise_bus", SIGBUS, "crashed: signal SIGBUS (bus error)"},
    {"raise_fpe", SIGFPE, "crashed: signal SIGFPE (arithmetic error)"},
    {"raise_ill", SIGILL, "crashed: signal SIGILL (illegal instruction)"},
    {"raise_trap", SIGTRAP, "crashed: signal SIGTRAP (trap)"},
    {"trap", 0, "crashed: signal SIG"},  // which one depends on the processor
#if defined(__x86_64__)
    {"divide", SIGFPE, "crashed: signal SIGFPE (arithmetic error)"},
    {"int3", SIGTRAP, "crashed: signal SIGTRAP (trap)"},
#endif
    {"stack_overflow", SIGSEGV, "crashed: signal SIGSEGV (segmentation fault)"},
    {"abort", SIGABRT, "aborted: signal SIGABRT"},
    {"terminate", SIGABRT, "aborted: signal SIGABRT"},
};

void ExpectDead(const Dead& dead, const Expected& expected, int variant) {
  EXPECT_EQ(dead.result.error.variant, variant);
  EXPECT_THAT(dead.result.error.cause, HasSubstr(expected.cause));
  EXPECT_TRUE(dead.said_once) << dead.outcome.result.size() << " bytes";
  if (kSanitized) {
    EXPECT_NE(dead.outcome.exit_code, kSurvived);
  } else {
    EXPECT_EQ(dead.outcome.end, End::kSignalled) << DescribeEnd(dead.outcome);
    if (expected.signal != 0) {
      EXPECT_EQ(dead.outcome.signal, expected.signal);
    }
  }
}

class CrashReportOf : public testing::TestWithParam<Expected> {};

TEST_P(CrashReportOf, NameVariantAndSignalOnce) {
  for (const int variant : {0, 1}) {
    SCOPED_TRACE(absl::StrCat(GetParam().death, " of variant ", variant));
    ExpectDead(Die(GetParam().death, "iteration", variant), GetParam(), variant);
  }
}

INSTANTIATE_TEST_SUITE_P(Signal, CrashReportOf, testing::ValuesIn(kSignals),
                         [](const testing::TestParamInfo<Expected>& info) {
                           return std::string(info.param.death);
                         });

TEST(CrashReport, AreSaidInSetUpAndTearDownToo) {
  for (const char* place : {"set_up", "tear_down"}) {
    for (const int variant : {0, 1}) {
      SCOPED_TRACE(absl::StrCat(place, " of variant ", variant));
      ExpectDead(Die("segv", place, variant), kSignals[0], variant);
    }
  }
}

TEST(CrashReport, AreSaidInTheInterleavedSchedule) {
  for (const int variant : {0, 1}) {
    ExpectDead(Die("segv", "iteration", variant, "interleaved"), kSignals[0], variant);
  }
}

TEST(CrashReport, NameTheVariantThatCalledExit) {
  for (const char* place : {"set_up", "iteration", "tear_down"}) {
    for (const int variant : {0, 1}) {
      SCOPED_TRACE(absl::StrCat(place, " of variant ", variant));
      const Dead dead = Die("exit", place, variant);
      EXPECT_EQ(dead.result.error.variant, variant);
      EXPECT_EQ(dead.result.error.cause, "called exit()");
      EXPECT_TRUE(dead.said_once);
      EXPECT_EQ(dead.outcome.end, End::kExited) << DescribeEnd(dead.outcome);
      EXPECT_EQ(dead.outcome.exit_code, 3);
    }
  }
}

TEST(CrashReport, AreSaidOnceWhereBothDie) {
  for (const char* death : {"segv", "abort"}) {
    for (int repetition = 0; repetition < 5; ++repetition) {
      const Dead dead = Die(death, "iteration", 2);
      EXPECT_GE(dead.result.error.variant, 0);
      EXPECT_TRUE(dead.said_once) << dead.outcome.result.size() << " bytes";
      EXPECT_NE(dead.outcome.exit_code, kSurvived);
    }
  }
}

TEST(CrashReport, NobodyCanSayThemInAnImmediateExit) {
  const Dead dead = Die("quick_end", "iteration", 0);
  EXPECT_EQ(dead.outcome.result, "");
  EXPECT_EQ(dead.outcome.exit_code, 4);
}

TEST(CrashReport, ARunThatLivesHasNone) {
  const Dead dead = Die("none", "iteration", 0);
  EXPECT_EQ(dead.outcome.exit_code, kSurvived) << DescribeEnd(dead.outcome);
  EXPECT_EQ(dead.result.error.cause, "");
  EXPECT_FALSE(dead.result.pairs.empty());
}

TEST(CrashReport, NothingIsSaidAfterTheResult) {
  for (const char* death : {"segv", "abort", "exit"}) {
    const Dead dead = Die(death, "after_run", 0);
    EXPECT_NE(dead.outcome.exit_code, kSurvived);
    EXPECT_EQ(dead.result.error.cause, "");
    EXPECT_FALSE(dead.result.pairs.empty());
    EXPECT_EQ(dead.outcome.result, EncodeRunRecord(dead.record)) << "and nothing else";
  }
}

TEST(CrashReport, OfTheMainThreadNameNoVariant) {
  const Dead dead = Die("segv", "main_thread", 0);
  EXPECT_EQ(dead.result.error.variant, -1);
  EXPECT_EQ(dead.result.error.cause, "crashed: signal SIGSEGV (segmentation fault)");
  EXPECT_TRUE(dead.said_once);
}

TEST(CrashReport, ExitOutsideOfVariantsIsNotReported) {
  const Dead dead = Die("exit", "main_thread", 0);
  EXPECT_EQ(dead.outcome.result, "");
  EXPECT_EQ(dead.outcome.exit_code, 3);
}

TEST(SignalStack, IsTheThreadsAsLongAsItLives) {
  stack_t before{};
  ASSERT_EQ(sigaltstack(nullptr, &before), 0);
  {
    const SignalStack stack;
    stack_t now{};
    ASSERT_EQ(sigaltstack(nullptr, &now), 0);
    EXPECT_EQ(now.ss_flags & SS_DISABLE, 0);
    EXPECT_GE(now.ss_size, static_cast<size_t>(MINSIGSTKSZ));
    EXPECT_NE(now.ss_sp, before.ss_sp);
  }
  stack_t after{};
  ASSERT_EQ(sigaltstack(nullptr, &after), 0);
  EXPECT_EQ(after.ss_flags, before.ss_flags);
  if ((before.ss_flags & SS_DISABLE) == 0) {
    EXPECT_EQ(after.ss_sp, before.ss_sp);
  }
}

}  // namespace
}  // namespace duetbench

int main(int argc, char** argv) {
  duetbench::program_name = argv[0];
  constexpr char kChild[] = "--child=";
  if (argc == 2 && std::strncmp(argv[1], kChild, std::strlen(kChild)) == 0) {
    return duetbench::PlayRole(argv[1] + std::strlen(kChild));
  }
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
