#if defined(__GNUC__) && !defined(__clang__)
// g++ 12 suspects std::regex of it, with the sanitizers on.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include "duetbench/registry/run_process.h"

#include <regex.h>

#include <limits>
#include <regex>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
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

// --- The task ---

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

// --- The filter ---

// Whether `pattern` is found in `text`, by each expression engine that Google Benchmark may be
// built with.
bool FoundByEcmaScript(const std::string& pattern, const std::string& text) {
  return std::regex_search(text, std::regex(pattern));
}
bool FoundByExtended(const std::string& pattern, const std::string& text) {
  return std::regex_search(text, std::regex(pattern, std::regex::extended));
}
bool FoundByPosix(const std::string& pattern, const std::string& text) {
  regex_t compiled;
  if (regcomp(&compiled, pattern.c_str(), REG_EXTENDED | REG_NOSUB) != 0) {
    ADD_FAILURE() << "not an expression: " << pattern;
    return false;
  }
  const bool found = regexec(&compiled, text.c_str(), 0, nullptr, 0) == 0;
  regfree(&compiled);
  return found;
}

struct Engine {
  const char* name;
  bool (*finds)(const std::string&, const std::string&);
};

TEST(RouteToFamilyTest, LeadsPastWhatTheProgramWasAskedFor) {
  const RunRoute route = RouteToFamily("BM_A.1");
  EXPECT_THAT(route.flags,
              ::testing::AllOf(::testing::Contains("--benchmark_filter=^BM_A\\.1(/|$)"),
                               ::testing::Contains("--benchmark_list_tests=false"),
                               ::testing::Contains("--benchmark_repetitions=1"),
                               ::testing::Contains("--benchmark_out=")));
  EXPECT_THAT(route.environment, IsEmpty());
}

class FamilyFilterTest : public ::testing::TestWithParam<Engine> {
 protected:
  static bool Selects(const std::string& name, const std::string& benchmark) {
    return GetParam().finds(FamilyFilter(name), benchmark);
  }
};

TEST_P(FamilyFilterTest, SelectsTheFamilyAndItsInstances) {
  EXPECT_TRUE(Selects("BM_A_vs_BM_B", "BM_A_vs_BM_B"));
  EXPECT_TRUE(Selects("BM_A_vs_BM_B", "BM_A_vs_BM_B/64/n:8"));
  EXPECT_TRUE(Selects("BM_A_vs_BM_B", "BM_A_vs_BM_B/repeats:3"));
}

TEST_P(FamilyFilterTest, SelectsNoneThatOnlyBeginsOrEndsAlike) {
  EXPECT_FALSE(Selects("BM_Old", "BM_Older"));
  EXPECT_FALSE(Selects("BM_Old", "BM_Older/64"));
  EXPECT_FALSE(Selects("BM_Old", "XBM_Old"));
  EXPECT_FALSE(Selects("BM_Old", "a/BM_Old"));
  EXPECT_FALSE(Selects("BM_Old", "BM_Ol"));
}

TEST_P(FamilyFilterTest, TakesEveryCharacterForItself) {
  for (char c = ' '; c <= '~'; ++c) {
    const std::string character(1, c);
    for (const std::string& name :
         {absl::StrCat("a", character, "b"), absl::StrCat(character, "b"),
          absl::StrCat("a", character), absl::StrCat("a", character, character)}) {
      EXPECT_TRUE(Selects(name, name)) << name;
      EXPECT_TRUE(Selects(name, name + "/8")) << name;
      EXPECT_FALSE(Selects(name, name + "x")) << name;
    }
    if (c == 'Z' || c == 'a') continue;
    EXPECT_FALSE(Selects("a" + character + "b", "aZb")) << c;
    EXPECT_FALSE(Selects("a" + character + "b", "ab")) << c;
    EXPECT_FALSE(Selects("a" + character + "b", "aab")) << c;
  }
}

TEST_P(FamilyFilterTest, TakesWholeExpressionsAndOtherAlphabetsForThemselves) {
  for (const char* name : {"f<int, T*>(a|b)[2]{3}.x+y?^$ \"q\" \\d 'é' %d -", "[[:alpha:]]",
                           "(a)\\1", "a{2,3}", "operator()", "Größe/漢字", "^$", "|", "\\"}) {
    EXPECT_TRUE(Selects(name, name)) << name;
    EXPECT_TRUE(Selects(name, absl::StrCat(name, "/1"))) << name;
    EXPECT_FALSE(Selects(name, "q")) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, FamilyFilterTest,
                         ::testing::Values(Engine{"EcmaScript", FoundByEcmaScript},
                                           Engine{"Extended", FoundByExtended},
                                           Engine{"Posix", FoundByPosix}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace duetbench
