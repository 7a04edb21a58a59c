#include "tools/duet_stat/options.h"

#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench::duet_stat {
namespace {

using stats::Estimator;
using stats::IntervalKind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Options Parse(const std::vector<std::string>& arguments) {
  absl::StatusOr<Options> options = ParseOptions(arguments);
  EXPECT_TRUE(options.ok()) << options.status();
  return options.ok() ? *options : Options();
}

std::string Error(const std::vector<std::string>& arguments) {
  const absl::StatusOr<Options> options = ParseOptions(arguments);
  return options.ok() ? "" : std::string(options.status().message());
}

TEST(Options, DefaultsAreThoseOfARun) {
  const Options options = Parse({"a.csv"});
  EXPECT_THAT(options.files, ElementsAre("a.csv"));
  EXPECT_THAT(options.kinds, IsEmpty());
  EXPECT_EQ(options.level, 0.99);
  EXPECT_EQ(options.estimator, Estimator::kTrimmed);
  EXPECT_FALSE(options.winsorize);
  EXPECT_THAT(options.rules, IsEmpty());
  EXPECT_EQ(options.margin, 0.01);
  EXPECT_EQ(options.resampling.replicates, 10000u);
  EXPECT_EQ(options.resampling.seed, 1u);
  EXPECT_FALSE(options.shuffle);
  EXPECT_FALSE(options.json);
}

TEST(Options, ReadsEveryOption) {
  const Options options = Parse({"--ci=t,percentile", "--level=0.95", "--estimator=geomean",
                                 "--winsorize=range20", "--rules=welch,duet", "--margin=0.05",
                                 "--resamples=500", "--seed=18446744073709551615", "--shuffle",
                                 "--mds", "--run_cost=2.5", "--format=json", "-", "b"});
  EXPECT_THAT(options.kinds, ElementsAre(IntervalKind::kT, IntervalKind::kPercentile));
  EXPECT_EQ(options.level, 0.95);
  EXPECT_EQ(options.estimator, Estimator::kGeomean);
  EXPECT_TRUE(options.winsorize);
  EXPECT_THAT(options.rules, ElementsAre(stats::Rule::kWelch, stats::Rule::kDuet));
  EXPECT_EQ(options.margin, 0.05);
  EXPECT_EQ(options.resampling.replicates, 500u);
  EXPECT_EQ(options.resampling.seed, 18446744073709551615u);
  EXPECT_TRUE(options.shuffle);
  EXPECT_TRUE(options.mds);
  EXPECT_EQ(options.run_cost_s, 2.5);
  EXPECT_TRUE(options.json);
  EXPECT_THAT(options.files, ElementsAre("-", "b"));
}

TEST(Options, ReadsThoseOfOneCommand) {
  const Options parts = Parse({"--sample_runs=10", "--first_pairs=100", "--skip=0.5", "a"});
  EXPECT_EQ(parts.subset.sample_runs, 10u);
  EXPECT_EQ(parts.subset.first_pairs, 100u);
  EXPECT_EQ(parts.subset.skip, 0.5);
  const Options grid =
      Parse({"--grid", "--instances=1,5", "--trials=2", "--resamplings=7", "--mds", "a"});
  EXPECT_THAT(grid.grid_options.instances, ElementsAre(1u, 5u));
  EXPECT_THAT(grid.grid_options.trials, ElementsAre(2u));
  EXPECT_EQ(grid.grid_options.resamplings, 7);
}

TEST(Options, PaperIsThePublishedProcedure) {
  for (const auto& arguments : {std::vector<std::string>{"--paper", "a"}, {"a", "--paper"}}) {
    const Options options = Parse(arguments);
    EXPECT_THAT(options.kinds, ElementsAre(IntervalKind::kPercentile));
    EXPECT_EQ(options.level, 0.99);
    EXPECT_EQ(options.estimator, Estimator::kGeomean);
    EXPECT_TRUE(options.winsorize);
    EXPECT_EQ(options.resampling.replicates, 10000u);
    EXPECT_EQ(options.margin, 0);
  }
}

TEST(Options, ExplicitOptionsOverridePaperInAnyOrder) {
  for (const auto& arguments : {std::vector<std::string>{"--paper", "--winsorize=none", "a"},
                                {"--winsorize=none", "a", "--paper"}}) {
    EXPECT_FALSE(Parse(arguments).winsorize);
    EXPECT_EQ(Parse(arguments).estimator, Estimator::kGeomean);
  }
}

TEST(Options, CompareTakesAllRulesThatNeedNoPairs) {
  const Options options = Parse({"old.csv", "--compare", "new.csv"});
  EXPECT_TRUE(options.compare);
  EXPECT_THAT(options.files, ElementsAre("old.csv", "new.csv"));
  EXPECT_EQ(options.rules, UnpairedRules());
  EXPECT_EQ(Parse({"--rules=all", "--compare", "a", "b"}).rules, UnpairedRules());
  EXPECT_THAT(Parse({"--rules=welch", "--compare", "a", "b"}).rules,
              ElementsAre(stats::Rule::kWelch));
}

TEST(Options, SaysWhatIsWrong) {
  const std::pair<std::vector<std::string>, std::string> kBad[] = {
      {{"--levle=0.9", "a"}, "The following argument was not expected: --levle=0.9; see --help"},
      {{"--ci=student", "a"}, "--ci: student not in {"},
      {{"--level=95", "a"}, "--level: '95' should be a number between 0 and 1"},
      {{"--level=nan", "a"}, "--level: 'nan' should be a number between 0 and 1"},
      {{"--estimator=mean", "a"}, "--estimator: 'mean' should be one of trimmed, geomean"},
      {{"--winsorize=yes", "a"}, "--winsorize: 'yes' should be one of none, range20"},
      {{"--rules=t", "a"}, "--rules: t not in {"},
      {{"--margin=-0.1", "a"}, "--margin: '-0.1' should be a number from 0"},
      {{"--resamples=1", "a"}, "--resamples: '1' should be a whole number from 2"},
      {{"--seed=-1", "a"}, "--seed: '-1' should be a whole number from 0 on"},
      {{"--shuffle=runs", "a"}, "--shuffle=runs is gone: --shuffle takes the pairing away"},
      {{"--skip=1", "a"}, "--skip: '1' should be a number from 0 to below 1"},
      {{"--sample_runs=0", "a"}, "--sample_runs: '0' should be a whole number from 1 on"},
      {{"--trials=1,0", "--grid", "a"}, "--trials: '0' should be a whole number from 1 on"},
      {{"--compare", "a", "b", "--mds"}, "--mds is for pairs, and does not go with --compare"},
      {{"--format=xml", "a"}, "--format: xml not in {console,json}"},
      {{}, "FILE is required"},
      {{"-", "-"}, "standard input (-) can be read only once"},
      {{"--compare", "a"}, "--compare takes two files: --compare OLD NEW"},
      {{"--compare", "a", "b", "c"}, "--compare takes two files: --compare OLD NEW"},
      {{"--compare", "a", "b", "--ci=t"}, "--compare has --ci=difference-of-means only"},
      {{"--compare", "a", "b", "--skip=0.5"},
       "--skip is for pairs, and does not go with --compare"},
      {{"--rates", "a"}, "--rates is for --compare, and does not go with pairs"},
      {{"--trials=2", "a"}, "--trials is for --grid, and does not go with pairs"},
      {{"--grid", "--ci=t", "a"}, "--ci is for pairs, and does not go with --grid"},
      {{"--grid", "--compare", "a", "b"}, "--compare excludes --grid"},
      {{"--compare", "a", "b", "--rules=duet"}, "the rule 'duet' needs pairs, not --compare"},
      {{"--run_cost=1", "a"}, "--run_cost requires --mds"},
      {{"--format=html", "a"}, "--format=html is gone: --duet_report=FILE.html"},
      {{"--compare=a,b"}, "--compare=a,b is gone: give the files as arguments"},
  };
  for (const auto& [arguments, error] : kBad) {
    EXPECT_THAT(Error(arguments), testing::StartsWith(error));
  }
}

TEST(Options, HelpNeedsNoFile) {
  EXPECT_THAT(Parse({"-h"}).text, testing::StartsWith("duet_stat: what the pairs of a duet say"));
  EXPECT_THAT(Parse({"--help"}).text, HasSubstr("--shuffle"));
}

}  // namespace
}  // namespace duetbench::duet_stat
