// Whatever a variant does, the others are measured, and the report says who did what.
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"
#include "tests/integration/rows.h"

namespace duetbench::integration {
namespace {

using nlohmann::json;
using ::testing::StartsWith;

struct Trouble {
  const char* name;
  const char* cause;  // what the error says; % stands for the variant
};

// Where the process ends without a word nobody can tell which of the two it was.
const Trouble kTroubles[] = {
    {"Throw/SetUp", "% threw std::runtime_error: no such file"},
    {"Throw/Iteration", "% threw std::runtime_error: no such file"},
    {"Throw/TearDown", "% threw std::runtime_error: no such file"},
    {"ThrowInt", "% threw int"},
    {"Segfault/SetUp", "% crashed: signal SIGSEGV (segmentation fault)"},
    {"Segfault/Iteration", "% crashed: signal SIGSEGV (segmentation fault)"},
    {"Abort", "% aborted: signal SIGABRT"},
    {"Terminate", "% aborted: signal SIGABRT"},
    {"Exit/SetUp", "% called exit() with status 3"},
    {"Exit/Iteration", "% called exit() with status 3"},
    {"QuickExit", "exited with status 4 before it reported"},
    {"Kill", "was killed by signal 9"},
    {"EndThread", "% ended its thread (pthread_exit)"},
    {"Skip/SetUp", "% reported an error: no data"},
    {"Skip/Return", "% reported an error: no data"},
    {"Skip/Iteration", "% reported an error: no data"},
    {"Skip/TearDown", "% reported an error: no data"},
    {"NoLoop", "% returned without a loop"},
    {"Break", "% left its loop early"},
    {"NoArgument", "% aborted: signal SIGABRT"},
};

class TroubleTest : public ::testing::TestWithParam<Trouble> {};

TEST_P(TroubleTest, NamesTheVariantTheRunAndTheCause) {
  const Outcome outcome = Execute(
      "trouble",
      {absl::StrCat("--benchmark_filter=/", GetParam().name, "$"), "--benchmark_format=json"});
  EXPECT_EQ(outcome.status, 2);
  const json report = JsonOf(outcome.out);
  for (const std::string variant : {"old", "new"}) {
    const json row = RowOf(report, absl::StrCat(variant, "/", GetParam().name));
    EXPECT_EQ(row["error_occurred"], true);
    std::string cause = GetParam().cause;
    if (cause[0] == '%') cause.replace(0, 1, variant);
    EXPECT_THAT(row["error_message"].get<std::string>(), Says(cause + "[...] (in run 1)"));
  }
}

INSTANTIATE_TEST_SUITE_P(Causes, TroubleTest, ::testing::ValuesIn(kTroubles), [](const auto& info) {
  std::string name;
  for (const char c : std::string(info.param.name)) {
    if (c != '/') name += c;
  }
  return name;
});

TEST(TimeoutTest, NamesWhatTheVariantIsStuckIn) {
  const Outcome outcome = Execute("trouble", {"--benchmark_filter=^(new/Hang|First)",
                                              "--duet_timeout=3", "--benchmark_format=json"});
  EXPECT_EQ(outcome.status, 2);
  const json report = JsonOf(outcome.out);
  EXPECT_GT(RowOf(report, "First")["ratio"], 0);
  for (const auto& [name, activity] :
       {std::pair("new/Hang/SetUp", "new was still in its set-up"),
        std::pair("new/Hang/Iteration", "new was still executing iterations"),
        std::pair("new/Hang/TearDown", "new was still in its tear-down")}) {
    EXPECT_THAT(RowOf(report, name)["error_message"].get<std::string>(),
                StartsWith(absl::StrCat(activity, " after 3 s (--duet_timeout)")));
  }
}

// The share of each of three duets is long enough for a slow machine.
TEST(TimeoutTest, WhatTakesLongerThanItsShareOfABudgetLeavesTheOthersTheirs) {
  const Outcome outcome =
      Execute(Freely("trouble", {"--benchmark_filter=new/Hang/Iteration|^First|^Last",
                                 "--duet_budget=6s", "--benchmark_format=json"}));
  const json report = JsonOf(outcome.out);
  EXPECT_GT(RowOf(report, "First")["ratio"], 0);
  EXPECT_GT(RowOf(report, "Last")["ratio"], 0);
  EXPECT_THAT(RowOf(report, "new/Hang/Iteration")["label"].get<std::string>(),
              Says("SKIPPED: [...]a run takes more than [...] s, and the time of --duet_budget"));
}

TEST(TroubleSuiteTest, InThisProcessTooErrorsAreRows) {
  const Outcome outcome = Execute("trouble", {"--benchmark_filter=Throw/|Skip/|NoLoop|Break|^Last",
                                              "--duet_runs=1", "--benchmark_format=json"});
  EXPECT_EQ(outcome.status, 2);
  const json report = JsonOf(outcome.out);
  EXPECT_THAT(RowOf(report, "old/Throw/Iteration")["error_message"].get<std::string>(),
              StartsWith("old threw std::runtime_error: no such file"));
  EXPECT_GT(RowOf(report, "Last")["ratio"], 0);
}

}  // namespace
}  // namespace duetbench::integration
