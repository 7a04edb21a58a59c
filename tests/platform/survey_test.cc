#include "duetbench/platform/survey.h"

#include <linux/perf_event.h>

#include <cerrno>
#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/platform/fake_perf.h"
#include "tests/platform/file_tree.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
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
  EXPECT_EQ(survey.missing[0].cause, "no such event");
  EXPECT_EQ(survey.missing[1].name, "h1");
  EXPECT_THAT(survey.missing[1].cause,
              testing::HasSubstr("(perf_event_open: No such file or directory)"));
  EXPECT_EQ(perf.open_files(), 0u);
}

TEST(SurveyEvents, WithoutNamesThereIsNothing) {
  FakePerf perf;
  const EventSurvey survey = SurveyEvents({}, Resolve, &perf, {});
  EXPECT_THAT(survey.events, IsEmpty());
  EXPECT_THAT(survey.missing, IsEmpty());
}

TEST(SurveyEvents, WhatThePmuHasNoCounterForIsMissing) {
  FakePerf perf;
  perf.accepted = 2;
  const EventSurvey survey = SurveyEvents({"h0", "h1", "h2"}, Resolve, &perf, {});
  EXPECT_THAT(Names(survey.events), ElementsAre("h0", "h1"));
  EXPECT_THAT(MissingLines(survey.missing),
              ElementsAre("not counted: h2: the PMU has no counter left for it beside the events "
                          "before it; name fewer at once"));
}

TEST(SurveyEvents, WhatNeverRunsIsMissing) {
  FakePerf perf;
  perf.counters = 0;
  const EventSurvey survey = SurveyEvents({"h0", "s1"}, Resolve, &perf, {});
  EXPECT_THAT(Names(survey.events), ElementsAre("s1"));
  ASSERT_EQ(survey.missing.size(), 1u);
  EXPECT_THAT(survey.missing[0].cause,
              testing::StartsWith("the kernel accepted it, but never put it on the PMU"));
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

const EventCode kCycles = HardwareCode(PERF_COUNT_HW_CPU_CYCLES);

TEST(WhyRefused, SaysWhyAndWhatToDo) {
  EventCode kernel = kCycles;
  kernel.exclude_kernel = 0;
  const struct {
    EventCode code;
    int error;
    std::optional<int> paranoid;
    bool has_pmu;
    const char* reason;  // before the error of the system
    const char* remedy;
  } refusals[] = {
      {kCycles, ENOENT, 2, false, "this machine has no performance monitoring unit (PMU)",
       "run on hardware, or give the VM a virtual PMU (KVM: -cpu host,pmu=on; cloud: a bare metal "
       "or whole-socket instance)"},
      {kCycles, ENOENT, 2, true, "the PMU of this machine does not count it", ""},
      {kCycles, ENODEV, 2, true, "the PMU of this machine does not count it", ""},
      {kCycles, EOPNOTSUPP, 2, true, "the PMU of this machine does not count it", ""},
      {kCycles, EACCES, 3, true, "not allowed to this user: kernel.perf_event_paranoid is 3",
       "sysctl kernel.perf_event_paranoid=2, or run with CAP_PERFMON"},
      {kernel, EACCES, 2, true, "not allowed to this user: kernel.perf_event_paranoid is 2",
       "sysctl kernel.perf_event_paranoid=1, or run with CAP_PERFMON"},
      {kCycles, EPERM, 4, true,
       "forbidden to this process, by a container's seccomp filter or because "
       "kernel.perf_event_paranoid is 4",
       "start the container with --cap-add=PERFMON (or a seccomp profile that allows "
       "perf_event_open), or sysctl kernel.perf_event_paranoid=2"},
      {kCycles, ENOSYS, std::nullopt, false, "it cannot be opened", ""},
  };
  for (const auto& [code, error, paranoid, has_pmu, reason, remedy] : refusals) {
    EXPECT_EQ(WhyRefused(code, error, {paranoid, has_pmu}),
              absl::StrCat(reason, " (perf_event_open: ", std::strerror(error), ")",
                           *remedy == '\0' ? "" : "; ", remedy));
  }
}

TEST(MissingLines, EachCauseOnce) {
  const std::vector<MissingEvent> missing = {
      {"A", "no PMU; buy one"}, {"B", "unknown"}, {"C", "no PMU; buy one"}};
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

TEST(SplitEventNames, TakesEachNameOnce) {
  EXPECT_THAT(SplitEventNames("INSTRUCTIONS,CYCLES, perf::PAGE-FAULTS ,,CYCLES"),
              ElementsAre("INSTRUCTIONS", "CYCLES", "perf::PAGE-FAULTS"));
  EXPECT_THAT(SplitEventNames(""), IsEmpty());
}

class ResolveEventTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const absl::Status status = ResolveEvent("CYCLES").status();
    if (absl::IsUnavailable(status)) GTEST_SKIP() << status.message();
  }
};

TEST_F(ResolveEventTest, GenericNames) {
  for (const char* name : {"INSTRUCTIONS", "perf::INSTRUCTIONS", "instructions",
                           "PERF_COUNT_HW_INSTRUCTIONS", "INSTRUCTIONS:u"}) {
    const absl::StatusOr<EventCode> code = ResolveEvent(name);
    ASSERT_TRUE(code.ok()) << name << ": " << code.status();
    EXPECT_EQ(code->type, PERF_TYPE_HARDWARE) << name;
    EXPECT_EQ(code->config, PERF_COUNT_HW_INSTRUCTIONS) << name;
    EXPECT_EQ(code->exclude_user, 0) << name;
    EXPECT_EQ(code->exclude_kernel, 1) << name;
  }
}

TEST_F(ResolveEventTest, Modifiers) {
  const absl::StatusOr<EventCode> kernel = ResolveEvent("CYCLES:k");
  ASSERT_TRUE(kernel.ok()) << kernel.status();
  EXPECT_EQ(kernel->exclude_user, 1);
  EXPECT_EQ(kernel->exclude_kernel, 0);
  const absl::StatusOr<EventCode> both = ResolveEvent("CYCLES:u:k");
  ASSERT_TRUE(both.ok()) << both.status();
  EXPECT_EQ(both->exclude_user, 0);
  EXPECT_EQ(both->exclude_kernel, 0);
  EXPECT_TRUE(absl::IsInvalidArgument(ResolveEvent("CYCLES:nonsense").status()));
}

TEST_F(ResolveEventTest, RawCodes) {
  const absl::StatusOr<EventCode> code = ResolveEvent("r01c0");
  ASSERT_TRUE(code.ok()) << code.status();
  EXPECT_EQ(code->type, PERF_TYPE_RAW);
  EXPECT_EQ(code->config, 0x1c0u);
}

TEST_F(ResolveEventTest, SoftwareEvents) {
  const absl::StatusOr<EventCode> faults = ResolveEvent("perf::PAGE-FAULTS");
  ASSERT_TRUE(faults.ok()) << faults.status();
  EXPECT_TRUE(IsSoftware(*faults));
  EXPECT_EQ(faults->config, PERF_COUNT_SW_PAGE_FAULTS);
}

TEST_F(ResolveEventTest, WhatHappensInTheKernelIsCountedThere) {
  for (const char* name : {"perf::CONTEXT-SWITCHES", "CPU-MIGRATIONS"}) {
    const absl::StatusOr<EventCode> code = ResolveEvent(name);
    ASSERT_TRUE(code.ok()) << name << ": " << code.status();
    EXPECT_EQ(code->exclude_kernel, 0) << name;
  }
  const absl::Status user = ResolveEvent("perf::CONTEXT-SWITCHES:u").status();
  EXPECT_TRUE(absl::IsInvalidArgument(user)) << user;
  EXPECT_EQ(std::string(user.message()),
            "in user mode alone it is always 0: it happens in the kernel; leave ':u' out");
}

TEST_F(ResolveEventTest, UnknownNames) {
  for (const char* name : {"NO_SUCH_EVENT", "no_such_pmu::CYCLES", ""}) {
    EXPECT_TRUE(absl::IsNotFound(ResolveEvent(name).status())) << name;
  }
}

}  // namespace
}  // namespace duetbench
