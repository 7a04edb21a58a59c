#include "duetbench/experiment/explaining_runs.h"

#include <utility>

#include "absl/status/status.h"
#include "duetbench/record/explanation_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/measure/pair_of.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The explanation of the ratio 1.10 [1.08, 1.12] by runs with `ratio`, if duet_report says "why".
Explanation ExplainedBy(double ratio, int runs = 8, double spread = 0,
                        const absl::Status& said = absl::OkStatus()) {
  std::vector<RunResult> results;
  for (int run = 0; run < runs; ++run) {
    const double change = run % 2 == 0 ? 1 + spread : 1 - spread;
    results.push_back(EqualPairs(1000, 1000 * ratio * change));
    results.back().stacks[1].emplace_back().files = {"bench"};
  }
  Comparison comparison;
  comparison.interval = {1.10, 1.08, 1.12, 0.99};
  comparison.time_ns[1] = 1100;
  const auto count = [] {
    return absl::StatusOr<std::vector<CallgrindFile>>({CallgrindFile{"fn=Trim", 2}});
  };
  const auto tool = [&](const std::string& command,
                        absl::string_view recording) -> absl::StatusOr<std::string> {
    if (!said.ok()) return said;
    EXPECT_EQ(command, "explain");
    const auto read = nlohmann::json::from_cbor(recording).get<RecordedStacks>();
    EXPECT_EQ(read.runs.size(), results.size());
    EXPECT_EQ(read.runs[0].variants[1][0].files, results[0].stacks[1][0].files);
    EXPECT_EQ(read.time_ns[1], 1100);
    EXPECT_EQ(read.counts[0].text, "fn=Trim");
    EXPECT_TRUE(read.with_code);
    return nlohmann::json(Explanation{{"why"}, {"loop\n"}, "{}"}).dump();
  };
  return ExplainByRuns(results, ExperimentOptions(), /*ns_per_tick=*/1, comparison,
                       /*with_code=*/true, count, tool);
}

TEST(ExplainByRuns, ExplainsADifferenceThatTheRunsShowAgain) {
  EXPECT_THAT(ExplainedBy(1.1).lines, ElementsAre("why"));
  EXPECT_THAT(ExplainedBy(1.1).listing, ElementsAre("loop ")) << "printable";
  EXPECT_THAT(ExplainedBy(1.06).lines, ElementsAre("why")) << "more than half of it";
  EXPECT_THAT(ExplainedBy(1.15).lines, ElementsAre("why"));
  for (const auto& [ratio, shown] : {std::pair(1.02, "1.02"), {0.9, "0.9"}, {1.3, "1.3"}}) {
    const Explanation other = ExplainedBy(ratio);
    const std::string error = std::string("do not show the difference again: ") + shown;
    EXPECT_THAT(other.lines, ElementsAre(HasSubstr(error)));
    EXPECT_THAT(other.json, HasSubstr(error));
  }
}

TEST(ExplainByRuns, RunsThatShowNoDifferenceExplainNothing) {
  EXPECT_THAT(ExplainedBy(1.1, 8, 0.02).lines, ElementsAre("why"));
  EXPECT_THAT(ExplainedBy(1.1, 8, 0.2).lines, ElementsAre(HasSubstr("do not show")))
      << "their interval has 1 in it";
  EXPECT_THAT(ExplainedBy(1.1, 0).lines, ElementsAre(HasSubstr("not explained: ")));
}

TEST(ExplainByRuns, WithoutTheToolItSaysSo) {
  EXPECT_THAT(ExplainedBy(1.1, 8, 0, absl::NotFoundError("no duet_report")).lines,
              ElementsAre("not explained: no duet_report"));
}

using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(CallgrindEvents, EachPairOfAGroupHasThoseOfItsVariants) {
  std::vector<InstructionCounts> counts(3);
  for (size_t i = 0; i < 3; ++i) counts[i].instructions = 10.0 * static_cast<double>(i + 1);
  RunOfPairs run(1);
  run.resize(3);
  AddCallgrindEvents(counts, {"CALLGRIND-INSTRUCTIONS"}, &run);
  ASSERT_THAT(run[2].amounts, SizeIs(1)) << "of the second and the third";
  const Amount& amount = run[2].amounts[0];
  EXPECT_EQ(amount.name, "CALLGRIND-INSTRUCTIONS");
  EXPECT_EQ(amount.of[0], 20);
  EXPECT_EQ(amount.of[1], 30);
}

TEST(CallgrindEvents, NothingWithoutCounts) {
  RunOfPairs run(1);
  AddCallgrindEvents({}, {"CALLGRIND-CALLS"}, &run);
  EXPECT_THAT(run.front().amounts, IsEmpty());
}

TEST(CallgrindEvents, AreMissingOrCounted) {
  const EventSurvey survey = SurveyAllEvents({"CALLGRIND-CALLS"});
  EXPECT_THAT(survey.events, IsEmpty());
  EXPECT_EQ(survey.by_callgrind.size() + survey.missing.size(), 1u);
}

}  // namespace

}  // namespace duetbench
