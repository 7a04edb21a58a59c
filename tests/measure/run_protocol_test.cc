#include "duetbench/measure/run_protocol.h"

#include <limits>

#include "absl/strings/escaping.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

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
  EXPECT_THAT(EncodeRunTask(Task()), ::testing::Not(::testing::ContainsRegex("[^0-9a-zA-Z_-]")));
}

TEST(RunTaskTest, EveryTruncationIsAnError) {
  const std::string text = EncodeRunTask(Task());
  for (size_t length = 0; length < text.size(); ++length) {
    EXPECT_FALSE(DecodeRunTask(text.substr(0, length)).ok()) << text.substr(0, length);
  }
}

TEST(RunTaskTest, AnotherVersionOfTheProtocolIsAnError) {
  std::string bytes;
  ASSERT_TRUE(absl::WebSafeBase64Unescape(EncodeRunTask(Task()), &bytes));
  ASSERT_EQ(bytes[sizeof(uint32_t)], kRunProtocolVersion);
  ++bytes[sizeof(uint32_t)];
  EXPECT_EQ(DecodeRunTask(absl::WebSafeBase64Escape(bytes)).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(RunTaskTest, DamagedTextIsAnError) {
  const std::string text = EncodeRunTask(Task());
  for (size_t i = 0; i < text.size(); ++i) {
    std::string damaged = text;
    damaged[i] = '.';
    EXPECT_FALSE(DecodeRunTask(damaged).ok()) << damaged;
  }
  for (const std::string& other : {std::string("1"), text + "00", text + ";", "x" + text,
                                   std::string(";;;"), std::string("a;b;c;d")}) {
    const absl::StatusOr<RunTask> decoded = DecodeRunTask(other);
    EXPECT_EQ(decoded.status().code(), absl::StatusCode::kInvalidArgument) << other;
    EXPECT_EQ(std::string(decoded.status().message()),
              "DUETBENCH_RUN is set but is no task of this program; unset it");
  }
}

}  // namespace
}  // namespace duetbench
