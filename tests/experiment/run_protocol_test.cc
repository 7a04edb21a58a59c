#include "duetbench/experiment/run_protocol.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>

#include "absl/strings/str_cat.h"
#include "duetbench/process/crash_report.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Le;

RunTask Task() {
  RunTask task;
  task.parent = 4711;
  task.family = 12;
  task.ranges = {64, -5, std::numeric_limits<int64_t>::max()};
  task.plan.seed = 0xfedcba9876543210u;
  task.plan.run = 7;
  task.plan.schedule = Schedule::kInterleaved;
  task.plan.cpus[1] = 3;
  task.plan.ns_per_tick = 1 / 2.6;
  task.plan.batch = 1000;
  return task;
}

TEST(RunTaskTest, SurvivesTheEnvironment) {
  const RunTask task = Task();
  const absl::StatusOr<RunTask> decoded = DecodeRunTask(EncodeRunTask(task));
  ASSERT_TRUE(decoded.ok()) << decoded.status();
  EXPECT_EQ(decoded->parent, 4711);
  EXPECT_EQ(decoded->family, 12);
  EXPECT_THAT(decoded->ranges, ElementsAre(64, -5, std::numeric_limits<int64_t>::max()));
  EXPECT_EQ(decoded->plan.seed, task.plan.seed);
  EXPECT_EQ(decoded->plan.run, task.plan.run);
  EXPECT_EQ(decoded->plan.schedule, task.plan.schedule);
  EXPECT_EQ(decoded->plan.cpus[1], task.plan.cpus[1]);
  EXPECT_EQ(decoded->plan.ns_per_tick, task.plan.ns_per_tick);
  EXPECT_EQ(decoded->plan.batch, task.plan.batch);
}

TEST(RunTaskTest, MayHaveNoArguments) {
  RunTask task = Task();
  task.ranges.clear();
  const absl::StatusOr<RunTask> decoded = DecodeRunTask(EncodeRunTask(task));
  ASSERT_TRUE(decoded.ok()) << decoded.status();
  EXPECT_THAT(decoded->ranges, IsEmpty());
}

TEST(RunTaskTest, IsOneWordOfPlainText) {
  EXPECT_THAT(EncodeRunTask(Task()), ::testing::Not(::testing::ContainsRegex("[^0-9a-f;,-]")));
}

TEST(RunTaskTest, EveryTruncationIsAnError) {
  const std::string text = EncodeRunTask(Task());
  for (size_t length = 0; length < text.size(); ++length) {
    EXPECT_FALSE(DecodeRunTask(text.substr(0, length)).ok()) << text.substr(0, length);
  }
}

TEST(RunTaskTest, AnotherVersionOfTheProtocolIsAnError) {
  std::string text = EncodeRunTask(Task());
  ASSERT_EQ(text.substr(0, 2), absl::StrCat(kRunProtocolVersion, ";"));
  text[0] = '1';
  EXPECT_EQ(DecodeRunTask(text).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(RunTaskTest, DamagedTextIsAnError) {
  const std::string text = EncodeRunTask(Task());
  for (size_t i = 0; i < text.size(); ++i) {
    std::string damaged = text;
    damaged[i] = 'z';
    EXPECT_FALSE(DecodeRunTask(damaged).ok()) << damaged;
  }
  for (const std::string& other : {std::string("1"), text + "00", text + ";", "x" + text,
                                   std::string(";;;"), std::string("a;b;c;d")}) {
    const absl::StatusOr<RunTask> decoded = DecodeRunTask(other);
    EXPECT_EQ(decoded.status().code(), absl::StatusCode::kInvalidArgument) << other;
    EXPECT_THAT(std::string(decoded.status().message()),
                HasSubstr("DUETBENCH_RUN is set but is no task of this program; unset it"));
  }
}

RunResult FullResult() {
  RunResult result;
  result.batch = 12'345'678'901;
  result.sample_ns = 51'234.5;
  result.set_up_ns = 1.5e6;
  result.wall_ns = 2.5e9;
  result.notice = std::string("a\0b", 3) + " …";
  result.variants[0].label = "the old one";
  result.variants[0].complexity_n = -7;
  result.variants[0].counters = {{"items_per_second", 1e9, 1, 1000},
                                 {"", std::numeric_limits<double>::infinity(), 0, 1024}};
  result.variants[1].complexity_n = std::numeric_limits<int64_t>::max();
  result.variants[1].counters = {{"nan", std::nan(""), 3, 1000}};
  for (uint32_t i = 0; i < 3; ++i) {
    PairRecord pair{};
    pair.pair_index = 100 + i;
    pair.round = i / 2;
    pair.block = 10 + i;
    pair.assignment = i % 2;
    pair.flags = i == 2 ? kNewPreempted | kNoTime : 0;
    pair.cpus[0] = static_cast<int32_t>(i);
    pair.cpus[1] = -1;
    pair.ticks[0] = 1000.25 + i;
    pair.ticks[1] = 2000.5 + i;
    pair.cpu_ns[0] = 3.5 * i;
    pair.cpu_ns[1] = 4.5 * i;
    pair.iterations[0] = uint64_t{1} << (40 + i);
    pair.iterations[1] = 7;
    pair.skew_ticks = -12.0 * i;
    pair.overlap = 0.25 * i;
    result.pairs.push_back(pair);
  }
  result.usage[0] = {1, 2, 3, 4, 5, 6, 7, 8};
  result.usage[1] = {7, 8, 9, 10, 11, 12, 13, uint64_t{1} << 40};
  result.events = {{{1, 2}, {3, 4}, 5, 6, {7, 8}, {9, 10.5}}, {}};
  return result;
}

void ExpectSame(const RunResult& a, const RunResult& b) {
  EXPECT_EQ(a.error.variant, b.error.variant);
  EXPECT_EQ(a.error.cause, b.error.cause);
  EXPECT_EQ(a.batch, b.batch);
  EXPECT_EQ(a.sample_ns, b.sample_ns);
  EXPECT_EQ(a.set_up_ns, b.set_up_ns);
  EXPECT_EQ(a.wall_ns, b.wall_ns);
  EXPECT_EQ(a.notice, b.notice);
  for (int variant = 0; variant < 2; ++variant) {
    EXPECT_EQ(a.variants[variant].label, b.variants[variant].label);
    EXPECT_EQ(a.variants[variant].complexity_n, b.variants[variant].complexity_n);
    ASSERT_EQ(a.variants[variant].counters.size(), b.variants[variant].counters.size());
    for (size_t i = 0; i < a.variants[variant].counters.size(); ++i) {
      const CounterValue& x = a.variants[variant].counters[i];
      const CounterValue& y = b.variants[variant].counters[i];
      EXPECT_EQ(x.name, y.name);
      EXPECT_TRUE(x.value == y.value || (std::isnan(x.value) && std::isnan(y.value))) << x.name;
      EXPECT_EQ(x.flags, y.flags);
      EXPECT_EQ(x.one_k, y.one_k);
    }
  }
  for (int variant = 0; variant < 2; ++variant) {
    EXPECT_EQ(a.usage[variant].iterations, b.usage[variant].iterations);
    EXPECT_EQ(a.usage[variant].minor_faults, b.usage[variant].minor_faults);
    EXPECT_EQ(a.usage[variant].major_faults, b.usage[variant].major_faults);
    EXPECT_EQ(a.usage[variant].voluntary_switches, b.usage[variant].voluntary_switches);
    EXPECT_EQ(a.usage[variant].involuntary_switches, b.usage[variant].involuntary_switches);
    EXPECT_EQ(a.usage[variant].migrations, b.usage[variant].migrations);
    EXPECT_EQ(a.usage[variant].allocations, b.usage[variant].allocations);
    EXPECT_EQ(a.usage[variant].allocating_iterations, b.usage[variant].allocating_iterations);
  }
  ASSERT_EQ(a.events.size(), b.events.size());
  for (size_t i = 0; i < a.events.size(); ++i) {
    EXPECT_EQ(a.events[i].pairs, b.events[i].pairs);
    EXPECT_EQ(a.events[i].scaled, b.events[i].scaled);
    for (int variant = 0; variant < 2; ++variant) {
      EXPECT_EQ(a.events[i].counts[variant], b.events[i].counts[variant]);
      EXPECT_EQ(a.events[i].iterations[variant], b.events[i].iterations[variant]);
      EXPECT_EQ(a.events[i].undisturbed_counts[variant], b.events[i].undisturbed_counts[variant]);
      EXPECT_EQ(a.events[i].undisturbed_cpu_ns[variant], b.events[i].undisturbed_cpu_ns[variant]);
    }
  }
  ASSERT_EQ(a.pairs.size(), b.pairs.size());
  for (size_t i = 0; i < a.pairs.size(); ++i) {
    const PairRecord& x = a.pairs[i];
    const PairRecord& y = b.pairs[i];
    EXPECT_EQ(x.pair_index, y.pair_index);
    EXPECT_EQ(x.round, y.round);
    EXPECT_EQ(x.block, y.block);
    EXPECT_EQ(x.assignment, y.assignment);
    EXPECT_EQ(x.flags, y.flags);
    for (int variant = 0; variant < 2; ++variant) {
      EXPECT_EQ(x.cpus[variant], y.cpus[variant]);
      EXPECT_EQ(x.ticks[variant], y.ticks[variant]);
      EXPECT_EQ(x.cpu_ns[variant], y.cpu_ns[variant]);
      EXPECT_EQ(x.iterations[variant], y.iterations[variant]);
    }
    EXPECT_EQ(x.skew_ticks, y.skew_ticks);
    EXPECT_EQ(x.overlap, y.overlap);
  }
}

TEST(EncodeRunResult, ComesBackAsItWas) {
  const absl::StatusOr<RunResult> decoded = DecodeRunResult(EncodeRunResult(FullResult()));
  ASSERT_TRUE(decoded.ok()) << decoded.status();
  ExpectSame(*decoded, FullResult());
}

TEST(EncodeRunResult, AnEmptyOneComesBackAsItWas) {
  const absl::StatusOr<RunResult> decoded = DecodeRunResult(EncodeRunResult(RunResult()));
  ASSERT_TRUE(decoded.ok()) << decoded.status();
  ExpectSame(*decoded, RunResult());
}

TEST(EncodeRunResult, AnErrorComesBackWithItsVariant) {
  for (const int variant : {-1, 0, 1}) {
    RunResult result;
    result.error = {variant, "threw int"};
    const absl::StatusOr<RunResult> decoded = DecodeRunResult(EncodeRunResult(result));
    ASSERT_TRUE(decoded.ok()) << decoded.status();
    EXPECT_EQ(decoded->error.variant, variant);
    EXPECT_EQ(decoded->error.cause, "threw int");
  }
}

// Only the process that has the threads must end because of them.
TEST(EncodeRunResult, BeingStuckStaysBehind) {
  RunResult result;
  result.stuck = true;
  result.error = {1, "was still executing iterations"};
  const absl::StatusOr<RunResult> decoded = DecodeRunResult(EncodeRunResult(result));
  ASSERT_TRUE(decoded.ok());
  EXPECT_FALSE(decoded->stuck);
  EXPECT_EQ(decoded->error.cause, "was still executing iterations");
}

TEST(DecodeRunResult, EveryTruncationIsAnError) {
  const std::string bytes = EncodeRunResult(FullResult());
  for (size_t length = 0; length < bytes.size(); ++length) {
    const absl::StatusOr<RunResult> decoded = DecodeRunResult(bytes.substr(0, length));
    ASSERT_EQ(decoded.status().code(), absl::StatusCode::kDataLoss) << length;
    ASSERT_FALSE(decoded.status().message().empty());
  }
}

TEST(DecodeRunResult, EveryTruncationOfAnErrorIsAnError) {
  char buffer[kMaxCrashReportBytes];
  const auto length = static_cast<size_t>(EncodeRunError(1, "crashed", buffer));
  for (size_t i = 0; i < length; ++i) {
    ASSERT_EQ(DecodeRunResult(absl::string_view(buffer, i)).status().code(),
              absl::StatusCode::kDataLoss)
        << i;
  }
}

TEST(DecodeRunResult, WhatIsNoResultIsAnError) {
  const absl::StatusOr<RunResult> decoded = DecodeRunResult(std::string(200, 'x'));
  EXPECT_EQ(decoded.status().code(), absl::StatusCode::kDataLoss);
  const absl::StatusOr<RunResult> zeros = DecodeRunResult(std::string(200, '\0'));
  ASSERT_EQ(zeros.status().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(zeros.status().message(), HasSubstr("not a result"));
}

TEST(DecodeRunResult, TrailingBytesAreAnError) {
  for (const char* rest : {"x", "xxxxxxxx"}) {
    EXPECT_EQ(DecodeRunResult(EncodeRunResult(FullResult()) + rest).status().code(),
              absl::StatusCode::kDataLoss);
  }
  char buffer[kMaxCrashReportBytes];
  const auto length = static_cast<size_t>(EncodeRunError(1, "crashed", buffer));
  EXPECT_EQ(DecodeRunResult(std::string(buffer, length) + "x").status().code(),
            absl::StatusCode::kDataLoss);
}

TEST(DecodeRunResult, AnotherVersionOfTheProtocolIsAnError) {
  std::string bytes = EncodeRunResult(FullResult());
  const uint32_t version = kRunProtocolVersion + 1;
  bytes.replace(sizeof(uint32_t), sizeof(version), reinterpret_cast<const char*>(&version),
                sizeof(version));
  const absl::StatusOr<RunResult> decoded = DecodeRunResult(bytes);
  ASSERT_EQ(decoded.status().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(decoded.status().message(),
              HasSubstr(absl::StrCat("version ", version, " of the protocol")));
}

TEST(DecodeRunResult, SurvivesRandomBytes) {
  std::mt19937 engine(1);
  int refused = 0;
  for (int repetition = 0; repetition < 20000; ++repetition) {
    std::string bytes(engine() % 300, '\0');
    for (char& byte : bytes) byte = static_cast<char>(engine());
    refused += DecodeRunResult(bytes).ok() ? 0 : 1;
  }
  EXPECT_EQ(refused, 20000);
}

// Lengths and counts are damaged too: none may lead beyond the bytes or ask for endless memory.
TEST(DecodeRunResult, SurvivesDamage) {
  std::mt19937 engine(2);
  const std::string intact = EncodeRunResult(FullResult());
  for (int repetition = 0; repetition < 50000; ++repetition) {
    std::string bytes = intact;
    for (unsigned damage = 0; damage <= engine() % 4; ++damage) {
      bytes[engine() % bytes.size()] = static_cast<char>(engine() % 2 == 0 ? 0xff : engine());
    }
    const absl::StatusOr<RunResult> decoded = DecodeRunResult(bytes);
    if (!decoded.ok()) continue;
    EXPECT_LE(decoded->pairs.size(), 4u);
    EXPECT_THAT(decoded->error.variant, AllOf(Ge(-1), Le(1)));
    EXPECT_LE(decoded->variants[0].counters.size(), intact.size());
  }
}

TEST(EncodeRunError, IsReadAsAResult) {
  char buffer[kMaxCrashReportBytes];
  for (const int variant : {-1, 0, 1}) {
    const int length = EncodeRunError(variant, "called exit()", buffer);
    ASSERT_LE(length, kMaxCrashReportBytes);
    const absl::StatusOr<RunResult> decoded =
        DecodeRunResult(absl::string_view(buffer, static_cast<size_t>(length)));
    ASSERT_TRUE(decoded.ok()) << decoded.status();
    EXPECT_EQ(decoded->error.variant, variant);
    EXPECT_EQ(decoded->error.cause, "called exit()");
    EXPECT_TRUE(decoded->pairs.empty());
  }
}

TEST(EncodeRunError, IsCutWhereItDoesNotFit) {
  for (size_t length = 480; length < 530; ++length) {
    std::string cause;
    for (size_t i = 0; i < length; ++i) cause += static_cast<char>('a' + i % 26);
    std::string buffer(kMaxCrashReportBytes + 100, '#');
    const int written = EncodeRunError(0, cause.c_str(), buffer.data());
    ASSERT_LE(written, kMaxCrashReportBytes);
    EXPECT_EQ(buffer.substr(kMaxCrashReportBytes), std::string(100, '#'))
        << "wrote beyond the limit";
    const absl::StatusOr<RunResult> decoded =
        DecodeRunResult(absl::string_view(buffer).substr(0, static_cast<size_t>(written)));
    ASSERT_TRUE(decoded.ok()) << decoded.status();
    EXPECT_EQ(cause.substr(0, decoded->error.cause.size()), decoded->error.cause);
    // Nothing is cut that would have fitted.
    if (decoded->error.cause != cause) {
      EXPECT_EQ(written, kMaxCrashReportBytes);
    }
  }
}

}  // namespace
}  // namespace duetbench
