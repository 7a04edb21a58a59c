#include "tools/duet_stat/output/outputs.h"

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/decide/synthetic_runs.h"
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
  result.intervals.push_back(
      {stats::IntervalKind::kT,
       stats::RatioInterval{0.797, 0.775, 0.819, 0.99, stats::IntervalKind::kT, ""},
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

std::string Text(const BenchmarkResult& result, const Options& options = FileOptions(),
                 bool colors = false) {
  return ConsoleText({result}, {}, options, colors);
}

// All that a result may have beside its first line.
std::vector<BenchmarkResult> EveryKindOfResult() {
  using stats::Change;
  using stats::Rule;
  BenchmarkResult intervals = Faster();
  intervals.name = "intervals";
  intervals.intervals.push_back(
      {stats::IntervalKind::kPercentile,
       stats::RatioInterval{1, 0.9, 1.1, 0.99, stats::IntervalKind::kPercentile, "few runs"},
       stats::Verdict::kInconclusive});
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

TEST(ConsoleText, OfEveryKindOfResult) {
  Options options = FileOptions();
  options.shuffle = true;
  EXPECT_EQ(ConsoleText(EveryKindOfResult(), {}, options, false),
            R"(duet_stat: 7 benchmarks from a.csv, b.csv
duet_stat: 99 % intervals of new/old, EQUAL within 1 %
duet_stat: SHUFFLED: no results, but what the data would say without pairing

intervals      0.797 x       [0.775, 0.819]  FASTER: new takes 0.797 × the time of old
    40 runs, 18213 pairs, 12 dropped
    t 99 %, trimmed           0.797 x  [0.775, 0.819]  FASTER: new takes 0.797 × the time of old
    percentile 99 %, trimmed  1.000 x  [0.900, 1.100]  INCONCLUSIVE: new takes 0.900 to 1.100 × the time of old
    hier 99 %, geomean                                 none: too few
    warning: percentile 99 %, trimmed: few runs
    the ratio drifts over the runs: +3 % from the first to the last

total          0.797 x       [0.775, 0.819]  FASTER: new takes 0.797 × the time of old
    40 runs, 18213 pairs, 12 dropped
    the ratio drifts over the runs: +3 % from the first to the last

limits         0.797 x       [0.775, 0.819]  FASTER: new takes 0.797 × the time of old
    1 run, 18213 pairs, 12 dropped, 2 machines; disturbed pairs kept; interleaved on one CPU; one process only
    the ratio drifts over the runs: +3 % from the first to the last
    note: odd

rules          0.797 x       [0.775, 0.819]  FASTER: new takes 0.797 × the time of old
    40 runs, 18213 pairs, 12 dropped
    the ratio drifts over the runs: +3 % from the first to the last
    rule wilcoxon  faster         p = 0.012, Cliff's delta -0.50
    rule duet      no difference  0.9900 x
    rule mmtests   slower         p < 1e-300, 2.0000 x
    rule welch     undecided      too few

failed      ERROR: no pair can be used
    0 runs, 0 pairs, 0 dropped

BM [2J  ä  ERROR: no pair can be used
    0 runs, 0 pairs, 0 dropped

(no name)   ERROR: no pair can be used
    0 runs, 0 pairs, 0 dropped
)");
}

TEST(ConsoleText, SaysWhatXAndYAreAndColorsVerdictsWhereAsked) {
  BenchmarkResult result = Faster();
  result.is_x_over_y = true;
  EXPECT_EQ(Text(result, FileOptions(), true),
            "duet_stat: 1 benchmark from a.csv, b.csv\n"
            "duet_stat: 99 % intervals of new/old, EQUAL within 1 %; new is x, old is y\n"
            "\n"
            "BM_A_vs_BM_B/64     0.797 x       [0.775, 0.819]  "
            "\033[0;32mFASTER: new takes 0.797 × the time of old\033[m\n"
            "    40 runs, 18213 pairs, 12 dropped\n"
            "    the ratio drifts over the runs: +3 % from the first to the last\n");
}

TEST(ConsoleText, SaysHowSmallASlowdownCanBeFound) {
  Options options = FileOptions();
  options.mds = true;
  const std::string text = Text(Analyze(PairsOf(stats::SyntheticRuns().Make(1)), options), options);
  EXPECT_THAT(text,
              testing::ContainsRegex(
                  "    10 runs would find a slow-down of .* in 95 of 100 tries at the 99 % level"
                  ".*\n"
                  "    variance of ln ratio: .*\n    best pairs a run: "));
}

TEST(ConsoleText, UnpairedTimes) {
  UnpairedResult result;
  result.files = {"old.csv", "new.csv"};
  result.notices = {"odd"};
  result.benchmarks.push_back({"BM", {1, 50, 1, 2, 2.5, 4, 0.5, 0.25}, {}});
  OtherSide& other = result.benchmarks[0].others.emplace_back();
  other.file = "new.csv";
  other.summary = {5, 60, 1, 3, 3.5, 4, 0.5, 1 / 6.0};
  other.notices = {"note this"};
  other.rules.push_back(
      {stats::Rule::kWelch, stats::RuleDecision{stats::Change::kSlower, 0.001, 1.5}});
  EXPECT_EQ(ConsoleText(result, Options()),
            "duet_stat: unpaired times: old is old.csv, new is new.csv\n"
            "duet_stat: warning: odd\n"
            "\n"
            "BM\n"
            "            old.csv  new.csv\n"
            "    runs          1        5\n"
            "    times        50       60\n"
            "    min           1        1\n"
            "    Amean         2        3\n"
            "    median      2.5      3.5\n"
            "    max           4        4\n"
            "    stddev      0.5      0.5\n"
            "    CV      25.00 %  16.67 %\n"
            "    rule welch  slower  p = 0.001, 1.5000 x\n"
            "    note: note this\n");
}

TEST(JsonText, HasNoInfinityAndNoNan) {
  BenchmarkResult result =
      Analyze(PairsOf(stats::SyntheticRuns().Make(1), "a \xff\xfe"), Options());
  result.intervals[0].interval->lo = 0;
  result.intervals[0].interval->hi = std::numeric_limits<double>::infinity();
  result.intervals[0].interval->warning = "few";
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
