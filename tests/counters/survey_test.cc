#include "duetbench/counters/survey.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/counters/fake_perf.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// "h3" is the hardware event 3, "s2" the software event 2.
absl::StatusOr<EventCode> Resolve(const std::string& name) {
  uint64_t config = 0;
  if (name.empty() || !absl::SimpleAtoi(name.substr(1), &config)) {
    return absl::NotFoundError("no such event");
  }
  return name[0] == 's' ? SoftwareCode(config) : HardwareCode(config);
}

std::vector<std::string> Names(const std::vector<Event>& events) {
  std::vector<std::string> names;
  names.reserve(events.size());
  for (const Event& event : events) names.push_back(event.name);
  return names;
}

TEST(SurveyEvents, SaysWhatCanBeCounted) {
  FakePerf perf;
  perf.errors = {{1, ENOENT}};
  const EventSurvey survey = SurveyEvents({"h0", "h1", "s2", "bad"}, Resolve, &perf, {2, false});
  EXPECT_THAT(Names(survey.events), ElementsAre("h0", "s2"));
  ASSERT_EQ(survey.missing.size(), 2u);
  EXPECT_EQ(survey.missing[0].name, "bad");
  EXPECT_EQ(survey.missing[0].reason, "no such event");
  EXPECT_THAT(survey.missing[0].remedy, HasSubstr("perf list"));
  EXPECT_EQ(survey.missing[1].name, "h1");
  EXPECT_THAT(survey.missing[1].reason, HasSubstr("No such file or directory"));
  EXPECT_EQ(survey.turns, 1u);
  EXPECT_EQ(perf.open_files(), 0u);
}

TEST(SurveyEvents, WithoutNamesThereIsNothing) {
  FakePerf perf;
  const EventSurvey survey = SurveyEvents({}, Resolve, &perf, {});
  EXPECT_THAT(survey.events, IsEmpty());
  EXPECT_THAT(survey.missing, IsEmpty());
}

TEST(SurveyEvents, CountsTurns) {
  FakePerf perf;
  perf.accepted = 2;
  EXPECT_EQ(SurveyEvents({"h0", "h1", "h2"}, Resolve, &perf, {}).turns, 2u);
}

TEST(SurveyEvents, WhatNeverRunsIsMissing) {
  FakePerf perf;
  perf.counters = 0;
  const EventSurvey survey = SurveyEvents({"h0", "s1"}, Resolve, &perf, {});
  EXPECT_THAT(Names(survey.events), ElementsAre("s1"));
  ASSERT_EQ(survey.missing.size(), 1u);
  EXPECT_THAT(survey.missing[0].reason, HasSubstr("never put it on the PMU"));
}

TEST(SurveyEvents, TooManyAreMissing) {
  FakePerf perf;
  std::vector<std::string> names;
  for (size_t i = 0; i < kMostEvents + 1; ++i) names.push_back(absl::StrCat("h", i));
  const EventSurvey survey = SurveyEvents(names, Resolve, &perf, {});
  EXPECT_EQ(survey.events.size(), kMostEvents);
  ASSERT_EQ(survey.missing.size(), 1u);
  EXPECT_EQ(survey.missing[0].name, names.back());
}

TEST(SurveyEvents, WithoutLibpfmSaysWhatToInstall) {
  FakePerf perf;
  const auto resolve = [](const std::string&) -> absl::StatusOr<EventCode> {
    return absl::UnavailableError("built without libpfm4");
  };
  const EventSurvey survey = SurveyEvents({"CYCLES"}, resolve, &perf, {});
  ASSERT_EQ(survey.missing.size(), 1u);
  EXPECT_THAT(survey.missing[0].remedy, HasSubstr("libpfm4-dev"));
}

}  // namespace
}  // namespace duetbench
