#include <optional>
#include <string>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/decision/synthetic_runs.h"
#include "tests/tools/duet_stat/pairs_of.h"
#include "tools/duet_stat/output/outputs.h"

namespace duetbench::duet_stat {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// A result as Analyze gives it, with round figures.
BenchmarkResult Faster() {
  BenchmarkResult result;
  result.name = "BM_A_vs_BM_B/64";
  result.runs = 40;
  result.pairs = 18213;
  result.dropped = 12;
  result.intervals.push_back(
      {stats::IntervalKind::kT, 0.99, stats::Estimator::kTrimmed,
       stats::RatioInterval{0.797, 0.775, 0.819, 0.99, stats::IntervalKind::kT, ""},
       stats::Verdict::kFaster});
  result.decision.interval = *result.intervals[0].interval;
  result.decision.verdict = stats::Verdict::kFaster;
  result.sentences = {"pairing made the interval 6.1x narrower"};
  return result;
}

Options FileOptions() {
  Options options;
  options.files = {"a.csv", "b.csv"};
  return options;
}

std::string Text(const BenchmarkResult& result, const Options& options = FileOptions(),
                 bool colors = false) {
  return ConsoleText({result}, {}, options, colors);
}

TEST(ConsoleText, SaysRatioIntervalVerdictEffortAndDiagnosis) {
  EXPECT_EQ(Text(Faster()),
            "duet_stat: 1 benchmark from a.csv, b.csv\n"
            "duet_stat: 99 % intervals of new/old, EQUAL within 1 %\n"
            "\n"
            "BM_A_vs_BM_B/64     0.797 x       [0.775, 0.819]  FASTER: new takes 0.797 × the time "
            "of old\n"
            "    40 runs, 18213 pairs, 12 dropped\n"
            "    pairing made the interval 6.1x narrower\n");
}

// Figures and verdict of one line are of the same ratio.
TEST(ConsoleText, TheFirstLineIsOfTheRatioThatDecides) {
  BenchmarkResult result = Faster();
  result.intervals[0].interval->lo = 0.7;
  result.intervals[0].interval->hi = 1.1;
  result.decision.total_decides = true;
  EXPECT_THAT(Text(result), HasSubstr("[0.775, 0.819]  FASTER"));
}

TEST(ConsoleText, AlignsBenchmarks) {
  BenchmarkResult second = Faster();
  second.name = "B";
  const std::string text = ConsoleText({Faster(), second}, {}, FileOptions(), false);
  EXPECT_THAT(text, HasSubstr("\nBM_A_vs_BM_B/64     0.797 x "));
  EXPECT_THAT(text, HasSubstr("\nB                   0.797 x "));
}

TEST(ConsoleText, SaysWhatXAndYAre) {
  BenchmarkResult result = Faster();
  result.is_x_over_y = true;
  EXPECT_THAT(Text(result), HasSubstr("; new is x, old is y\n"));
}

TEST(ConsoleText, ShuffledPairsAreNoResult) {
  Options options = FileOptions();
  EXPECT_THAT(Text(Faster(), options), Not(HasSubstr("SHUFFLED")));
  options.shuffle = Shuffle::kAll;
  EXPECT_THAT(Text(Faster(), options), HasSubstr("duet_stat: SHUFFLED: no results"));
}

TEST(ConsoleText, ListsFurtherIntervalsAndWarnings) {
  BenchmarkResult result = Faster();
  result.intervals.push_back(
      {stats::IntervalKind::kPercentile, 0.95, stats::Estimator::kMedian,
       stats::RatioInterval{1, 0.9, 1.1, 0.95, stats::IntervalKind::kPercentile, "few runs"},
       stats::Verdict::kInconclusive});
  result.intervals.push_back({stats::IntervalKind::kEwc, 0.95, stats::Estimator::kMedian,
                              absl::InvalidArgumentError("only for one"),
                              stats::Verdict::kInconclusive});
  const std::string text = Text(result);
  EXPECT_THAT(text, HasSubstr("\n    t 99 %, trimmed             0.797 x "));
  EXPECT_THAT(text, HasSubstr("\n    percentile 95 %, median     1.000 x "));
  EXPECT_THAT(text, HasSubstr("\n    ewc 95 %, median         none: only for one\n"));
  EXPECT_THAT(text, HasSubstr("\n    warning: percentile 95 %, median: few runs\n"));
}

TEST(ConsoleText, SaysWhatLimitsTheResult) {
  BenchmarkResult result = Faster();
  result.runs = 1;
  result.machines = 2;
  result.interleaved = true;
  result.uses_disturbed = true;
  result.notices = {"odd"};
  const std::string text = Text(result);
  EXPECT_THAT(text, HasSubstr("    1 run, 18213 pairs, 12 dropped, 2 machines; disturbed pairs "
                              "kept; interleaved on one CPU; one process only\n"));
  EXPECT_THAT(text, HasSubstr("    note: odd\n"));
}

TEST(ConsoleText, ShowsErrors) {
  BenchmarkResult result;
  result.name = "BM";
  result.error = "no pair can be used";
  EXPECT_THAT(Text(result), HasSubstr("\nBM  ERROR: no pair can be used\n"));
}

TEST(ConsoleText, ColorsOnlyWhenAsked) {
  EXPECT_THAT(Text(Faster()), Not(HasSubstr("\033")));
  EXPECT_THAT(Text(Faster(), FileOptions(), true),
              HasSubstr("\033[0;32mFASTER: new takes 0.797 × the time of old\033[m"));
}

TEST(ConsoleText, NamesCannotWriteOnTheTerminal) {
  BenchmarkResult result = Faster();
  result.name = "BM\033[2J\r\n\xC3\xA4";
  EXPECT_THAT(Text(result), HasSubstr("BM\\x1b[2J\\r\\n\xC3\xA4"));
  result.name = "";
  EXPECT_THAT(Text(result), HasSubstr("\n(no name) "));
}

TEST(ConsoleText, SaysHowSmallASlowdownCanBeFound) {
  Options options = FileOptions();
  options.mds = true;
  const std::string text =
      Text(Analyze(PairsOf(stats::SyntheticRuns().Make(1)), {"a.csv"}, options), options);
  EXPECT_THAT(text, HasSubstr("    10 runs would find a slow-down of "));
  EXPECT_THAT(text, HasSubstr(" in 95 of 100 tries at the 99 % level"));
  EXPECT_THAT(text, HasSubstr("    by resampling these runs: a slow-down of "));
  EXPECT_THAT(text, HasSubstr("    variance of ln ratio: "));
  EXPECT_THAT(text, HasSubstr("    best pairs a run: "));
}

TEST(ConsoleText, ShowsRules) {
  BenchmarkResult result = Faster();
  result.rules.push_back(
      {Rule::kWilcoxon, stats::RuleDecision{"wilcoxon", stats::Change::kFaster, 0.012, -0.5}});
  result.rules.push_back(
      {Rule::kDuet, stats::RuleDecision{"duet", stats::Change::kNone, std::nullopt, 0.99}});
  result.rules.push_back(
      {Rule::kMmtests, stats::RuleDecision{"mmtests", stats::Change::kSlower, 0.0, 2}});
  result.rules.push_back({Rule::kWelch, absl::InvalidArgumentError("too few")});
  const std::string text = Text(result);
  EXPECT_THAT(text,
              HasSubstr("    rule wilcoxon    faster         p = 0.012, Cliff's delta -0.50\n"));
  EXPECT_THAT(text, HasSubstr("    rule duet        no difference  0.9900 x\n"));
  EXPECT_THAT(text, HasSubstr("    rule welch       none: too few\n"));
  EXPECT_THAT(text, HasSubstr("    rule mmtests     slower         p < 1e-300, 2.0000 x\n"));
}

TEST(ConsoleText, UnpairedTimes) {
  Options options;
  options.compare = {"old.csv", "new.csv"};
  UnpairedResult result;
  result.notices = {"odd"};
  ComparedBenchmark benchmark;
  benchmark.name = "BM";
  benchmark.new_file = "new.csv";
  benchmark.old_side = {1, 50, 1, 2, 2.5, 4, 0.5, 0.25};
  benchmark.new_side = {5, 60, 1, 3, 3.5, 4, 0.5, 1 / 6.0};
  benchmark.notices = {"note this"};
  result.benchmarks.push_back(benchmark);
  result.benchmarks[0].rules.push_back(
      {Rule::kWelch, stats::RuleDecision{"welch", stats::Change::kSlower, 0.001, 1.5}});
  EXPECT_EQ(ConsoleText(result, options),
            "duet_stat: unpaired times: old is old.csv, new is new.csv\n"
            "duet_stat: warning: odd\n"
            "\n"
            "BM\n"
            "             old.csv  new.csv\n"
            "    runs           1        5\n"
            "    times         50       60\n"
            "    min            1        1\n"
            "    Amean          2      *3*\n"
            "    median       2.5      3.5\n"
            "    max            4        4\n"
            "    stddev       0.5      0.5\n"
            "    CV       25.00 %  16.67 %\n"
            "    rule welch       slower         p = 0.001, 1.5000 x\n"
            "    note: note this\n");
}

}  // namespace
}  // namespace duetbench::duet_stat
