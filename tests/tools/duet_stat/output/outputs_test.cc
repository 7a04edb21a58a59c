#include "tools/duet_stat/output/outputs.h"

#include <limits>
#include <optional>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/decide/synthetic_runs.h"
#include "tests/golden_text.h"
#include "tests/tools/duet_stat/pairs_of.h"

namespace duetbench::duet_stat {
namespace {

using nlohmann::json;

// A result as Analyze gives it, with round figures.
BenchmarkResult Faster() {
  BenchmarkResult result;
  result.name = "BM_A_vs_BM_B/64";
  result.runs = 40;
  result.pairs = 18213;
  result.dropped = 12;
  result.intervals.push_back({stats::IntervalKind::kT,
                              stats::RatioInterval{0.797, 0.775, 0.819, 0.99},
                              stats::Verdict::kFaster});
  result.decision.interval = *result.intervals[0].interval;
  result.decision.verdict = stats::Verdict::kFaster;
  result.sentences = {"the ratio drifts over the runs: +3 % from the first to the last"};
  return result;
}

Options FileOptions() {
  Options options;
  options.files = {"a.csv", "b.csv"};
  return options;
}

// All that a result may have beside its first line.
std::vector<BenchmarkResult> EveryKindOfResult() {
  using stats::Change;
  using stats::Rule;
  BenchmarkResult intervals = Faster();
  intervals.name = "intervals";
  intervals.intervals.push_back({stats::IntervalKind::kPercentile,
                                 stats::RatioInterval{1, 0.9, 1.1, 0.99},
                                 stats::Verdict::kInconclusive, "few runs"});
  intervals.intervals.push_back({stats::IntervalKind::kHierarchical,
                                 absl::InvalidArgumentError("too few"),
                                 stats::Verdict::kInconclusive});
  // Figures and verdict of the first line are of the ratio that decides.
  BenchmarkResult total = Faster();
  total.name = "total";
  total.intervals[0].interval->lo = 0.7;
  total.intervals[0].interval->hi = 1.1;
  total.decision.total_decides = true;
  BenchmarkResult limits = Faster();
  limits.name = "limits";
  limits.runs = 1;
  limits.machines = 2;
  limits.interleaved = true;
  limits.uses_disturbed = true;
  limits.notices = {"odd"};
  BenchmarkResult rules = Faster();
  rules.name = "rules";
  rules.rules.push_back({Rule::kWilcoxon, stats::RuleDecision{Change::kFaster, 0.012, -0.5}});
  rules.rules.push_back({Rule::kDuet, stats::RuleDecision{Change::kNone, std::nullopt, 0.99}});
  rules.rules.push_back({Rule::kMmtests, stats::RuleDecision{Change::kSlower, 0.0, 2}});
  rules.rules.push_back({Rule::kWelch, absl::InvalidArgumentError("too few")});
  BenchmarkResult failed;
  failed.name = "failed";
  failed.error = "no pair can be used";
  // Names cannot write on the terminal.
  BenchmarkResult name = failed;
  name.name = "BM\033[2J\r\n\xC3\xA4";
  BenchmarkResult no_name = failed;
  no_name.name = "";
  return {intervals, total, limits, rules, failed, name, no_name};
}

UnpairedResult UnpairedTimes() {
  UnpairedResult result;
  result.files = {"old.csv", "new.csv"};
  result.notices = {"odd"};
  ComparedBenchmark& compared = result.benchmarks.emplace_back();
  compared.name = "BM";
  compared.sides[0] = {1, 50, 1, 2, 2.5, 4, 0.5, 0.25};
  compared.sides[1] = {5, 60, 1, 3, 3.5, 4, 0.5, 1 / 6.0};
  compared.applied = {
      {{stats::Rule::kWelch, stats::RuleDecision{stats::Change::kSlower, 0.001, 1.5}}},
      {"note this"}};
  return result;
}

TEST(ConsoleText, OfEveryKindOfResult) {
  Options shuffled = FileOptions();
  shuffled.shuffle = true;
  BenchmarkResult of_x_and_y = Faster();
  of_x_and_y.is_x_over_y = true;
  ExpectGoldenText("duet_stat.txt",
                   ConsoleText(EveryKindOfResult(), {}, shuffled, /*colors=*/false) + "\n" +
                       ConsoleText({of_x_and_y}, {}, FileOptions(), /*colors=*/true) + "\n" +
                       ConsoleText(UnpairedTimes(), Options()));
}

TEST(ConsoleText, SaysHowSmallASlowdownCanBeFound) {
  Options options = FileOptions();
  options.mds = true;
  const std::string text =
      ConsoleText({Analyze(PairsOf(stats::SyntheticRuns().Make(1)), options)}, {}, options, false);
  EXPECT_THAT(text,
              testing::ContainsRegex(
                  "    10 runs would find a slow-down of .* in 95 of 100 tries at the 99 % level"
                  ".*\n"
                  "    variance of ln ratio: .*\n    best pairs a run: "));
}

TEST(JsonText, HasNoInfinityAndNoNan) {
  BenchmarkResult result =
      Analyze(PairsOf(stats::SyntheticRuns().Make(1), "a \xff\xfe"), Options());
  result.intervals[0].interval->lo = 0;
  result.intervals[0].interval->hi = std::numeric_limits<double>::infinity();
  result.intervals[0].warning = "few";
  result.planning.best_pairs = std::numeric_limits<double>::infinity();
  const json out = json::parse(JsonText({result}, {}, Options()));
  const json& benchmark = out["benchmarks"][0];
  EXPECT_EQ(benchmark["name"], "a \xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(benchmark["intervals"][0]["lo"], "0");
  EXPECT_EQ(benchmark["intervals"][0]["hi"], "inf");
  EXPECT_EQ(benchmark["intervals"][0]["warning"], "few");
  EXPECT_EQ(benchmark["planning"]["best_iterations"], "inf");
}

}  // namespace
}  // namespace duetbench::duet_stat
