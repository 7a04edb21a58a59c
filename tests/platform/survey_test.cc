#include "duetbench/platform/survey.h"

#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/platform/fake_perf.h"
#include "tests/platform/file_tree.h"

namespace duetbench {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

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
  for (size_t i = 0; i < kMaxEvents + 1; ++i) names.push_back(absl::StrCat("h", i));
  const EventSurvey survey = SurveyEvents(names, Resolve, &perf, {});
  EXPECT_EQ(survey.events.size(), kMaxEvents);
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

TEST(SurveyEvents, WhereLibpfmIsNotInstalledItIsBuiltInAlready) {
  FakePerf perf;
  const auto resolve = [](const std::string&) -> absl::StatusOr<EventCode> {
    return absl::FailedPreconditionError("libpfm4 cannot be loaded");
  };
  const EventSurvey survey = SurveyEvents({"CYCLES"}, resolve, &perf, {});
  ASSERT_EQ(survey.missing.size(), 1u);
  EXPECT_THAT(survey.missing[0].remedy, HasSubstr("libpfm4"));
  EXPECT_THAT(survey.missing[0].remedy, Not(HasSubstr("build")));
}

const EventCode kCycles = HardwareCode(PERF_COUNT_HW_CPU_CYCLES);

TEST(ExplainRefusal, WithoutAPmu) {
  const MissingEvent missing = ExplainRefusal("CYCLES", kCycles, ENOENT, {2, false});
  EXPECT_EQ(missing.name, "CYCLES");
  EXPECT_THAT(missing.reason, AllOf(HasSubstr("no performance monitoring unit (PMU)"),
                                    HasSubstr("No such file or directory")));
  EXPECT_THAT(missing.remedy, HasSubstr("virtual PMU"));
}

TEST(ExplainRefusal, APmuWithoutTheEvent) {
  for (const int error : {ENOENT, ENODEV, EOPNOTSUPP}) {
    const MissingEvent missing = ExplainRefusal("X", kCycles, error, {2, true});
    EXPECT_THAT(missing.reason, HasSubstr("the PMU of this machine does not count it"));
    EXPECT_THAT(missing.remedy, Not(HasSubstr("VM")));
  }
}

TEST(ExplainRefusal, ForbiddenByParanoia) {
  const MissingEvent user = ExplainRefusal("CYCLES", kCycles, EACCES, {3, true});
  EXPECT_THAT(user.reason,
              AllOf(HasSubstr("kernel.perf_event_paranoid is 3"), HasSubstr("Permission denied")));
  EXPECT_THAT(user.remedy,
              AllOf(HasSubstr("sysctl kernel.perf_event_paranoid=2"), HasSubstr("CAP_PERFMON")));
  EventCode kernel = kCycles;
  kernel.exclude_kernel = 0;
  EXPECT_THAT(ExplainRefusal("CYCLES:k", kernel, EACCES, {2, true}).remedy,
              HasSubstr("kernel.perf_event_paranoid=1"));
}

TEST(ExplainRefusal, ForbiddenInAContainer) {
  const MissingEvent missing = ExplainRefusal("CYCLES", kCycles, EPERM, {4, true});
  EXPECT_THAT(missing.reason, AllOf(HasSubstr("seccomp"), HasSubstr("perf_event_paranoid is 4"),
                                    HasSubstr("Operation not permitted")));
  EXPECT_THAT(missing.remedy, HasSubstr("--cap-add=PERFMON"));
}

TEST(ExplainRefusal, WithoutTheSystemCall) {
  EXPECT_THAT(ExplainRefusal("CYCLES", kCycles, ENOSYS, {}).reason,
              HasSubstr("has no perf_event_open"));
}

TEST(ExplainRefusal, EveryErrorIsSaidInWords) {
  for (const int error : {EMFILE, EBUSY, EINVAL, ENOSPC, E2BIG, EIO}) {
    EXPECT_THAT(ExplainRefusal("CYCLES", kCycles, error, {2, true}).reason,
                HasSubstr(std::strerror(error)));
  }
}

TEST(MissingLines, EachReasonOnce) {
  const std::vector<MissingEvent> missing = {
      {"A", "no PMU", "buy one"}, {"B", "unknown", ""}, {"C", "no PMU", "buy one"}};
  EXPECT_THAT(MissingLines(missing),
              ElementsAre("not counted: A, C: no PMU; buy one", "not counted: B: unknown"));
}

TEST(ReadPerfSurroundings, SeesParanoiaAndPmus) {
  FileTree machine;
  machine.Write("/proc/sys/kernel/perf_event_paranoid", "-1\n");
  machine.Write("/sys/bus/event_source/devices/software/type", "1\n");
  PerfSurroundings surroundings = ReadPerfSurroundings(machine.root());
  EXPECT_EQ(surroundings.paranoid, -1);
  EXPECT_FALSE(surroundings.has_pmu);
  machine.Write("/sys/bus/event_source/devices/cpu_core/type", "4\n");
  EXPECT_TRUE(ReadPerfSurroundings(machine.root()).has_pmu);
}

TEST(ReadPerfSurroundings, OfAMachineWithoutThem) {
  const FileTree machine;
  EXPECT_FALSE(ReadPerfSurroundings(machine.root()).paranoid.has_value());
  EXPECT_FALSE(ReadPerfSurroundings(machine.root()).has_pmu);
}

}  // namespace
}  // namespace duetbench
