#include "tools/duet_stat/options.h"

#include <string>
#include <utility>
#include <vector>

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
  EXPECT_THAT(options.levels, ElementsAre(0.99));
  EXPECT_THAT(options.estimators, ElementsAre(Estimator::kTrimmed));
  EXPECT_EQ(options.winsorize, stats::OutlierRule::kNone);
  EXPECT_THAT(options.rules, IsEmpty());
  EXPECT_EQ(options.margin, 0.01);
  EXPECT_EQ(options.resampling.replicates, 10000u);
  EXPECT_EQ(options.resampling.seed, 1u);
  EXPECT_EQ(options.shuffle, Shuffle::kNone);
  EXPECT_EQ(options.format, Format::kConsole);
}

TEST(Options, ReadsEveryOption) {
  const Options options =
      Parse({"--ci=t,boot-t,hl", "--level=0.95,0.9", "--estimator=median,geomean",
             "--winsorize=value20", "--rules=welch,duet", "--margin=0.05", "--resamples=500",
             "--seed=18446744073709551615", "--shuffle=runs", "--mds", "--run_cost=2.5s",
             "--machine=file", "--memory=10", "--format=json", "--color=always", "-", "b"});
  EXPECT_THAT(options.kinds,
              ElementsAre(IntervalKind::kT, IntervalKind::kBootT, IntervalKind::kHodgesLehmann));
  EXPECT_THAT(options.levels, ElementsAre(0.95, 0.9));
  EXPECT_THAT(options.estimators, ElementsAre(Estimator::kMedian, Estimator::kGeomean));
  EXPECT_EQ(options.winsorize, stats::OutlierRule::kValue20);
  EXPECT_THAT(options.rules, ElementsAre(Rule::kWelch, Rule::kDuet));
  EXPECT_EQ(options.margin, 0.05);
  EXPECT_EQ(options.resampling.replicates, 500u);
  EXPECT_EQ(options.resampling.seed, 18446744073709551615u);
  EXPECT_EQ(options.shuffle, Shuffle::kWithinRuns);
  EXPECT_TRUE(options.mds);
  EXPECT_EQ(options.run_cost, 2.5);
  EXPECT_EQ(options.reading.machine, MachineMark::kFile);
  EXPECT_EQ(options.reading.memory_limit, 10u << 20);
  EXPECT_EQ(options.format, Format::kJson);
  EXPECT_EQ(options.color, Color::kAlways);
  EXPECT_THAT(options.files, ElementsAre("-", "b"));
}

TEST(Options, EveryKindAndRuleHasItsName) {
  EXPECT_THAT(
      Parse({"--ci=robust,t,percentile,expanded,n-1,basic,bca,boot-t,hl,hier,anytime,ewc", "a"})
          .kinds,
      testing::SizeIs(12));
  EXPECT_THAT(Parse({"--rules=all", "a"}).rules, testing::SizeIs(5));
  EXPECT_THAT(Parse({"--rules=duet,wilcoxon,ci-overlap,welch,mmtests", "a"}).rules,
              testing::SizeIs(5));
}

TEST(Options, PaperIsThePublishedProcedure) {
  for (const auto& arguments : {std::vector<std::string>{"--paper", "a"}, {"a", "--paper"}}) {
    const Options options = Parse(arguments);
    EXPECT_THAT(options.kinds, ElementsAre(IntervalKind::kPercentile));
    EXPECT_THAT(options.levels, ElementsAre(0.99));
    EXPECT_THAT(options.estimators, ElementsAre(Estimator::kGeomean));
    EXPECT_EQ(options.winsorize, stats::OutlierRule::kRange20);
    EXPECT_EQ(options.resampling.replicates, 10000u);
    EXPECT_EQ(options.margin, 0);
  }
}

TEST(Options, ExplicitOptionsOverridePaperInAnyOrder) {
  for (const auto& arguments : {std::vector<std::string>{"--paper", "--winsorize=none", "a"},
                                {"--winsorize=none", "a", "--paper"}}) {
    EXPECT_EQ(Parse(arguments).winsorize, stats::OutlierRule::kNone);
    EXPECT_THAT(Parse(arguments).estimators, ElementsAre(Estimator::kGeomean));
  }
}

TEST(Options, RepeatedNamesCountOnce) {
  EXPECT_THAT(Parse({"--ci=t,t", "--level=0.9,0.90", "a"}).kinds, ElementsAre(IntervalKind::kT));
}

TEST(Options, ShuffleAloneIsThatOfThePaper) {
  EXPECT_EQ(Parse({"--shuffle", "a"}).shuffle, Shuffle::kAll);
  EXPECT_EQ(Parse({"--shuffle=all", "a"}).shuffle, Shuffle::kAll);
}

TEST(Options, TwoDashesEndTheOptions) {
  EXPECT_THAT(Parse({"--", "--level=2", "-"}).files, ElementsAre("--level=2", "-"));
}

TEST(Options, CompareTakesAllRulesThatNeedNoPairs) {
  const Options options = Parse({"--compare=old.csv,new.csv"});
  EXPECT_THAT(options.compare, ElementsAre("old.csv", "new.csv"));
  const auto without_duet =
      ElementsAre(Rule::kWilcoxon, Rule::kOverlap, Rule::kWelch, Rule::kMmtests);
  EXPECT_THAT(options.rules, without_duet);
  EXPECT_THAT(Parse({"--rules=all", "--compare=a,b"}).rules, without_duet);
  EXPECT_THAT(Parse({"--rules=welch", "--compare=a,b"}).rules, ElementsAre(Rule::kWelch));
}

TEST(Options, CompareTakesSeveralFilesInEitherWay) {
  EXPECT_THAT(Parse({"--compare=a,b,c"}).compare, ElementsAre("a", "b", "c"));
  EXPECT_THAT(Parse({"--compare", "a", "b", "c"}).compare, ElementsAre("a", "b", "c"));
  EXPECT_THAT(Parse({"a", "--compare", "b"}).files, IsEmpty());
}

TEST(Options, CompareHasTheStandardMethod) {
  const Options options = Parse({"--compare=a,b", "--ci=difference-of-means", "--level=0.9",
                                 "--winsorize=range20", "--mds", "--rates", "--delta=0.147"});
  EXPECT_TRUE(options.difference_of_means);
  EXPECT_TRUE(options.mds);
  EXPECT_TRUE(options.rates);
  EXPECT_EQ(options.grid_options.min_delta, 0.147);
  EXPECT_THAT(Parse({"--ci=t,difference-of-means", "a"}).kinds, ElementsAre(IntervalKind::kT));
}

TEST(Options, PartsOfTheData) {
  const Options options = Parse({"--sample_runs=10", "--first_pairs=100", "--skip=0.5", "a"});
  EXPECT_EQ(options.sample_runs, 10u);
  EXPECT_EQ(options.first_pairs, 100u);
  EXPECT_EQ(options.skip, 0.5);
  EXPECT_FALSE(options.keep_disturbed);
  EXPECT_TRUE(Parse({"--paper", "a"}).keep_disturbed);
}

TEST(Options, TheGridHasItsNumbers) {
  const Options options = Parse({"--grid", "--instances=1,5", "--trials=2", "--resamplings=7",
                                 "--bonferroni", "--mds", "--rules=wilcoxon", "a"});
  EXPECT_TRUE(options.grid);
  EXPECT_THAT(options.grid_options.instances, ElementsAre(1u, 5u));
  EXPECT_THAT(options.grid_options.trials, ElementsAre(2u));
  EXPECT_EQ(options.grid_options.resamplings, 7);
  EXPECT_TRUE(options.grid_options.bonferroni);
}

TEST(Options, HelpNeedsNoFile) {
  EXPECT_TRUE(Parse({"--help"}).help);
  EXPECT_TRUE(Parse({"-h"}).help);
}

TEST(Options, HintsAtTheNearestName) {
  EXPECT_EQ(Error({"--levle=0.9", "a"}),
            "unknown option '--levle=0.9'; did you mean --level? See --help");
  EXPECT_EQ(Error({"-resample=9", "a"}),
            "unknown option '-resample=9'; did you mean --resamples? See --help");
  EXPECT_EQ(Error({"--bananas", "a"}), "unknown option '--bananas'; see --help");
}

TEST(Options, RefusesBadValues) {
  const std::vector<std::pair<std::string, std::string>> kBad = {
      {"--ci=student", "--ci=student: unknown interval kind 'student': use one of robust, t,"},
      {"--ci=t,", "--ci=t,: unknown interval kind ''"},
      {"--level=95", "--level=95: should be numbers between 0 and 1"},
      {"--level=0.9,nan", "--level=0.9,nan: should be numbers between 0 and 1"},
      {"--level=", "--level=: should be numbers between 0 and 1"},
      {"--level", "--level needs a value: --level=P,..."},
      {"--estimator=mean", "--estimator=mean: unknown estimator 'mean'"},
      {"--winsorize=yes", "--winsorize=yes: "},
      {"--rules=t", "--rules=t: unknown rule 't': use all, or some of duet"},
      {"--margin=-0.1", "--margin=-0.1: should be a number from 0"},
      {"--margin=nan", "--margin=nan: should be a number from 0"},
      {"--resamples=1", "--resamples=1: "},
      {"--resamples=1e4", "--resamples=1e4: should be a whole number"},
      {"--resamples=999999999999", "--resamples=999999999999: "},
      {"--seed=-1", "--seed=-1: should be a whole number from 0 on"},
      {"--shuffle=yes", "--shuffle=yes: should be all (as in the paper) or runs"},
      {"--mds=1", "--mds takes no value"},
      {"--run_cost=-1", "--run_cost=-1: should be a number of seconds"},
      {"--compare=a", "--compare=a: should be two files or more"},
      {"--compare=,b", "--compare=,b: should be two files or more"},
      {"--skip=1", "--skip=1: should be a number from 0 to below 1"},
      {"--sample_runs=0", "--sample_runs=0: should be a whole number from 1 on"},
      {"--first_pairs=x", "--first_pairs=x: should be a whole number from 1 on"},
      {"--delta=2", "--delta=2: should be a number from 0 to 1"},
      {"--trials=1,0", "--trials=1,0: should be a whole number from 1 on"},
      {"--resamplings=0", "--resamplings=0: should be a whole number from 1 on"},
      {"--machine=name", "--machine=name: should be column"},
      {"--memory=0", "--memory=0: should be a whole number of MiB"},
      {"--format=xml", "--format=xml: should be console, json, csv, html or svg"},
      {"--color=red", "--color=red: should be auto, always or never"},
  };
  for (const auto& [argument, error] : kBad) {
    EXPECT_THAT(Error({argument, "file"}), testing::StartsWith(error));
  }
}

TEST(Options, RefusesContradictions) {
  EXPECT_THAT(Error({}), HasSubstr("no file is given"));
  EXPECT_THAT(Error({"-", "-"}), HasSubstr("only once"));
  EXPECT_THAT(Error({"--compare=-,-"}), HasSubstr("only once"));
  EXPECT_THAT(Error({"--compare=a,b", "c"}), HasSubstr("'c' is one too many"));
  EXPECT_THAT(Error({"--compare=a,b", "--ci=t"}), HasSubstr("difference-of-means only"));
  EXPECT_THAT(Error({"--compare=a,b", "--level=0.9"}), HasSubstr("--level is for --ci"));
  EXPECT_THAT(Error({"--compare=a,b", "--skip=0.5"}), HasSubstr("--skip needs pairs"));
  EXPECT_THAT(Error({"--compare", "a"}), HasSubstr("two files or more"));
  EXPECT_THAT(Error({"--rates", "a"}), HasSubstr("--rates is for --compare"));
  EXPECT_THAT(Error({"--trials=2", "a"}), HasSubstr("--trials is for --grid"));
  EXPECT_THAT(Error({"--grid", "--ci=t", "a"}), HasSubstr("--ci does not go with --grid"));
  EXPECT_THAT(Error({"--grid", "--compare=a,b"}), HasSubstr("does not go with --compare"));
  EXPECT_THAT(Error({"--compare=a,b", "--paper"}), HasSubstr("--paper needs pairs"));
  EXPECT_THAT(Error({"--compare=a,b", "--shuffle"}), HasSubstr("--shuffle needs pairs"));
  EXPECT_THAT(Error({"--compare=a,b", "--rules=duet"}), HasSubstr("'duet' needs pairs"));
  EXPECT_THAT(Error({"--run_cost=1", "a"}), HasSubstr("--run_cost is for --mds"));
}

TEST(HelpText, SaysEveryOption) {
  const std::string help = HelpText();
  for (const char* name :
       {"--ci=",     "--level=",    "--estimator=", "--winsorize=",   "--margin=",
        "--rules=",  "--paper",     "--resamples=", "--seed=",        "--shuffle=",
        "--mds",     "--run_cost=", "--compare=",   "--machine=",     "--memory=",
        "--format=", "--color=",    "--help",       "standard input", "Exit status"}) {
    EXPECT_THAT(help, HasSubstr(name));
  }
}

}  // namespace
}  // namespace duetbench::duet_stat
