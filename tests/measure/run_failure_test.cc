// Every way in which a variant can fail, at every place, old or new, in every schedule: the
// variant is named with the cause, and its partner does not wait for it.

#include <pthread.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/measure/short_run.h"

namespace duetbench {
namespace {

enum class Way { kThrow, kSkip, kReturn, kBreak, kThreadExit };
const char* const kWayNames[] = {"Throw", "Skip", "Return", "Break", "ThreadExit"};
enum class Place { kSetUp, kFirstIteration, kTenthIteration, kTearDown };
const char* const kPlaceNames[] = {"set-up", "first iteration", "tenth iteration", "tear-down"};

struct Mode {
  const char* name;
  Schedule schedule;
  bool fills;
};
constexpr Mode kModes[] = {{"Duet", Schedule::kDuet, false},
                           {"Interleaved", Schedule::kInterleaved, false},
                           {"Sliced", Schedule::kSliced, false},
                           {"Fill", Schedule::kDuet, true}};

enum class Then { kGoOn, kReturn, kBreak };

class Failing {
 public:
  Failing(Way way, Place place) : way_(way), place_(place) {}

  void operator()(State& state) const {
    Then then = Then::kGoOn;
    if (place_ == Place::kSetUp) then = Fail(state);
    if (then == Then::kReturn) return;
    int64_t n = 0;
    if (then != Then::kBreak) {
      for (auto _ : state) {
        ++n;
        if (n == FailingIteration()) {
          then = Fail(state);
          if (then == Then::kReturn) return;
          if (then == Then::kBreak) break;
        }
        Work();
      }
    }
    if (place_ == Place::kTearDown) Fail(state);
  }

 private:
  int64_t FailingIteration() const {
    if (place_ == Place::kFirstIteration) return 1;
    return place_ == Place::kTenthIteration ? 10 : -1;
  }

  Then Fail(State& state) const {
    switch (way_) {
      case Way::kThrow:
        throw std::runtime_error("boom");
      case Way::kSkip:
        state.SkipWithError("no data");
        return Then::kReturn;
      case Way::kReturn:
        return Then::kReturn;
      case Way::kBreak:
        return Then::kBreak;
      case Way::kThreadExit:
        pthread_exit(nullptr);
    }
    return Then::kGoOn;
  }

  Way way_;
  Place place_;
};

// Empty: that is no failure.
std::string ExpectedCause(Way way, Place place) {
  switch (way) {
    case Way::kThrow:
      return "threw std::runtime_error: boom";
    case Way::kSkip:
      return "reported an error: no data";
    case Way::kThreadExit:
      return "ended its thread (pthread_exit)";
    default:
      if (place == Place::kSetUp) return "returned without a loop: write `for (auto _ : state) …`";
      if (place == Place::kTearDown) return "";
      return "left its loop early: report failures with state.SkipWithError(\"why\")";
  }
}

class RunFailure : public testing::TestWithParam<std::tuple<Mode, Way>> {};

TEST_P(RunFailure, NamesTheVariantAndReleasesThePartner) {
  const auto [mode, way] = GetParam();
  RunPlan plan = ShortPlan(mode.schedule);
  plan.fill = mode.fills ? 1 : 0;
  plan.budget_ns = 2e6;
  for (const Place place :
       {Place::kSetUp, Place::kFirstIteration, Place::kTenthIteration, Place::kTearDown}) {
    for (const int variant : {0, 1}) {
      for (plan.run = 0; plan.run < 2; ++plan.run) {
        SCOPED_TRACE(absl::StrCat(kPlaceNames[static_cast<int>(place)], ", variant ", variant,
                                  ", run ", plan.run));
        DuetFunctions functions;
        functions.variants[variant] = MakeVariant(Failing(way, place));
        functions.variants[1 - variant] = MakeVariant(WorkLoop);
        const RunResult result = Execute(plan, functions);
        const std::string expected = ExpectedCause(way, place);
        if (expected.empty()) {
          EXPECT_EQ(result.error.cause, "");
          EXPECT_FALSE(result.pairs.empty());
          continue;
        }
        EXPECT_EQ(result.error.variant, variant);
        EXPECT_EQ(result.error.cause, expected);
        EXPECT_TRUE(result.pairs.empty());
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, RunFailure,
                         testing::Combine(testing::ValuesIn(kModes),
                                          testing::Values(Way::kThrow, Way::kSkip, Way::kReturn,
                                                          Way::kBreak, Way::kThreadExit)),
                         [](const testing::TestParamInfo<RunFailure::ParamType>& info) {
                           return absl::StrCat(
                               std::get<0>(info.param).name,
                               kWayNames[static_cast<int>(std::get<1>(info.param))]);
                         });

}  // namespace
}  // namespace duetbench
