// The decisions about real measurements: the golden file has each answer, at the final analysis and
// at an early one, with a gate. Where the decision is changed on purpose,
// DUETBENCH_WRITE_DECISIONS=1 writes the file again; its differences are to be read.

#include "tests/decide/recordings.h"

#include <cstdlib>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/decide/interval.h"

namespace duetbench::stats {
namespace {

// As the file of decisions has it.
int NumberOf(GateStatus outcome) {
  return outcome == GateStatus::kPass ? 0 : outcome == GateStatus::kFail ? 1 : 2;
}

std::string AnswerText(const Recording& recording, double share) {
  const absl::StatusOr<Decision> decision = Decide(recording.input, {}, share);
  if (!decision.ok()) return std::string(decision.status().message());
  const RatioInterval& interval = decision->interval;
  const GateResult gate = JudgeGate(GateSpec::MaxRatio(1.05), *decision);
  return absl::StrFormat(
      "%s %d %.9g [%.9g, %.9g]%s%s; gate %d %d p %.6g%s", VerdictName(decision->verdict),
      static_cast<int>(decision->why), interval.ratio, interval.lo, interval.hi,
      decision->total_decides ? " total" : "",
      decision->open_total.has_value() ? absl::StrFormat(" open %.9g", *decision->open_total) : "",
      NumberOf(gate.outcome), static_cast<int>(gate.why), gate.p,
      gate.ends_measuring ? " ends" : "");
}

TEST(Recordings, HaveTheDecisionsOfTheFile) {
  std::string text;
  for (const Recording& recording : ReadRecordings()) {
    absl::StrAppend(&text, recording.name, ": ", recording.input.values.size(), " runs\n  final ",
                    AnswerText(recording, 1), "\n  early ", AnswerText(recording, AnalysisShare(0)),
                    "\n");
  }
  const std::string path = DUETBENCH_TESTDATA "/golden/decisions.txt";
  if (std::getenv("DUETBENCH_WRITE_DECISIONS") != nullptr) std::ofstream(path) << text;
  std::ifstream file(path);
  ASSERT_TRUE(file) << path;
  std::stringstream expected;
  expected << file.rdbuf();
  EXPECT_EQ(text, expected.str());
}

}  // namespace
}  // namespace duetbench::stats
