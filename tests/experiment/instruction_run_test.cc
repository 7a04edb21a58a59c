#include "duetbench/experiment/instruction_run.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(CallgrindEvents, EachPairOfAGroupHasThoseOfItsVariants) {
  std::vector<InstructionCounts> counts(3);
  for (size_t i = 0; i < 3; ++i) counts[i].instructions = 10.0 * static_cast<double>(i + 1);
  LaunchedRun run;
  run.pairs.resize(3);
  AddCallgrindEvents(counts, {"CALLGRIND-INSTRUCTIONS"}, &run);
  ASSERT_THAT(run.pairs[2].amounts, SizeIs(1)) << "of the second and the third";
  const Amount& amount = run.pairs[2].amounts[0];
  EXPECT_EQ(std::string(amount.name), "CALLGRIND-INSTRUCTIONS");
  EXPECT_EQ(amount.of[0], 20);
  EXPECT_EQ(amount.of[1], 30);
}

TEST(CallgrindEvents, NothingWithoutCounts) {
  LaunchedRun run;
  AddCallgrindEvents({}, {"CALLGRIND-CALLS"}, &run);
  EXPECT_THAT(run.result().amounts, IsEmpty());
}

TEST(CallgrindEvents, AreMissingOrCounted) {
  const EventSurvey survey = SurveyAllEvents({"CALLGRIND-CALLS"});
  EXPECT_THAT(survey.events, IsEmpty());
  EXPECT_EQ(survey.by_callgrind.size() + survey.missing.size(), 1u);
}

}  // namespace
}  // namespace duetbench
