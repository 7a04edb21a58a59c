// Flags, environment variables and their mistakes, as a user meets them.
#include <map>
#include <string>
#include <vector>

#include "duetbench/version.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"

namespace duetbench::integration {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Expects exit status 2, `message` on stderr, and nothing measured.
void ExpectRefused(const std::vector<std::string>& arguments,
                   const std::map<std::string, std::string>& environment,
                   const std::string& message) {
  std::vector<std::string> all = arguments;
  all.emplace_back("--benchmark_filter=BM_Once");
  const Outcome outcome = Execute("suite", all, environment);
  EXPECT_EQ(outcome.status, 2) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr(message));
  EXPECT_THAT(outcome.out, IsEmpty());
}

TEST(CommandLineTest, UnknownFlagsAreErrorsWithAHint) {
  ExpectRefused({"--duet_rusn=3"}, {},
                "duetbench: unknown argument '--duet_rusn=3'; did you mean --duet_runs?\n");
  ExpectRefused({"--benchmark_fliter=x"}, {}, "did you mean --benchmark_filter?\n");
  ExpectRefused({"--verbose-please"}, {}, "unknown argument '--verbose-please'");
  ExpectRefused({"input.txt"}, {}, "unknown argument 'input.txt'; --help lists what there is\n");
}

TEST(CommandLineTest, BadValuesAreErrorsWithAHint) {
  ExpectRefused({"--duet_runs=many"}, {},
                "duetbench: --duet_runs: 'many' should be a whole number from 1 to 100000\n");
  ExpectRefused({"--duet_level=99"}, {}, "such as 0.99 for 99 %");
  ExpectRefused({"--duet_schedule=turns"}, {},
                "should be auto, crossed, alternating, duet or interleaved");
  ExpectRefused({"--benchmark_min_time=soon"}, {},
                "--benchmark_min_time: 'soon' should be a positive number of seconds");
  ExpectRefused({"--benchmark_repetitions=abc"}, {}, "--benchmark_repetitions");
  ExpectRefused({"--benchmark_format=xml"}, {}, "'xml' should be console, json or csv");
  ExpectRefused({"--benchmark_out_format=xml"}, {}, "'xml' should be console, json or csv");
  ExpectRefused({"--benchmark_time_unit=h"}, {}, "'h' should be ns, us, ms or s");
}

TEST(CommandLineTest, BadVariablesAreErrorsToo) {
  ExpectRefused({}, {{"DUET_RUNS", "many"}}, "duetbench: DUET_RUNS: 'many' should be");
  ExpectRefused({}, {{"DUET_FILL", "perhaps"}}, "DUET_FILL: 'perhaps' should be true or false");
}

TEST(CommandLineTest, BadCpusAreErrorsThatSayWhatThereIs) {
  for (const char* cpus : {"x", "0,0", "0,99999", "0,1,2"}) {
    const Outcome outcome =
        Execute("suite", {"--benchmark_filter=BM_Once", std::string("--duet_cpus=") + cpus});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, HasSubstr("duetbench: --duet_cpus: "));
    EXPECT_THAT(outcome.err, HasSubstr(cpus));
  }
}

TEST(CommandLineTest, AForeignTaskIsRefused) {
  ExpectRefused({}, {{"DUETBENCH_RUN", "nonsense"}},
                "DUETBENCH_RUN is set but is no task of this program; unset it");
}

TEST(CommandLineTest, HelpListsTheFlagsOfBoth) {
  const Outcome outcome = Execute("suite", {"--help=all"});
  EXPECT_EQ(outcome.status, 0);
  for (const char* flag :
       {"--benchmark_filter", "--benchmark_min_time", "--duet_runs=<N>", "--duet_level=<P>",
        "--duet_margin=<D>", "--duet_schedule=<auto|crossed|alternating|duet|interleaved>",
        "--duet_fill=<BOOL>", "--duet_cpus=<A,B>", "--duet_seed=<N>", "--duet_timeout=<SECONDS>",
        "DUET_RUNS=20"}) {
    EXPECT_THAT(outcome.out, HasSubstr(flag));
  }
}

TEST(CommandLineTest, TheShortHelpNamesTheLongOne) {
  for (const char* argument : {"--help", "-h"}) {
    const Outcome outcome = Execute("suite", {argument});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_THAT(outcome.out, HasSubstr("--duet_max_ratio=R"));
    EXPECT_THAT(outcome.out, HasSubstr("--help=all lists every flag"));
  }
}

TEST(CommandLineTest, VersionIsPrinted) {
  const Outcome outcome = Execute("suite", {"--version"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out, "duetbench " DUETBENCH_VERSION_TEXT "\n");
  ExpectRefused({"--vresion"}, {}, "did you mean --version?\n");
}

void ExpectItsOptionsInTheReport(const Outcome& outcome) {
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_THAT(
      outcome.out,
      HasSubstr(
          "duetbench: 3 runs, 0.3 s a benchmark, 90 % intervals of new/old (real time), EQUAL "
          "within 50 %, filled\n"));
  EXPECT_THAT(outcome.out, HasSubstr("; --duet_seed=77\n"));
  // A run whose pairs were all disturbed does not count.
  EXPECT_THAT(outcome.out, ContainsRegex("\\([23] runs"));
}

TEST(CommandLineTest, FlagsArriveInTheReport) {
  ExpectItsOptionsInTheReport(
      Execute("suite",
              {"--benchmark_filter=BM_Once", "--duet_runs=3", "--duet_level=0.9",
               "--duet_margin=0.5", "--duet_fill", "--duet_seed=77", "--benchmark_min_time=0.3s"}));
}

TEST(CommandLineTest, VariablesArriveInTheReport) {
  ExpectItsOptionsInTheReport(Execute("suite", {"--benchmark_filter=BM_Once"},
                                      {{"DUET_RUNS", "3"},
                                       {"DUET_LEVEL", "0.9"},
                                       {"DUET_MARGIN", "0.5"},
                                       {"DUET_FILL", "1"},
                                       {"DUET_SEED", "77"},
                                       {"BENCHMARK_MIN_TIME", "0.3"}}));
}

TEST(CommandLineTest, TheCommandLineGoesBeforeTheEnvironment) {
  const Outcome outcome =
      Execute("suite", {"--benchmark_filter=BM_Once", "--duet_runs=3"}, {{"DUET_RUNS", "many"}});
  // A bad variable is an error even where it would not count.
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(
      Execute("suite", {"--benchmark_filter=BM_Once", "--duet_runs=3"}, {{"DUET_RUNS", "5"}}).out,
      HasSubstr("duetbench: 3 runs, "));
}

TEST(CommandLineTest, InterleavedOnRequestIsNotADuet) {
  const Outcome outcome =
      Execute("suite", {"--benchmark_filter=BM_Once", "--duet_schedule=interleaved"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("not a duet"));
  EXPECT_THAT(outcome.out, HasSubstr("; interleaved on one CPU)"));
}

TEST(CommandLineTest, TwoDuetsOfOneNameAreRefusedBeforeAnythingIsMeasuredOrListed) {
  for (const char* const flag : {"--benchmark_list_tests", "--duet_list", "--duet_runs=2"}) {
    const Outcome outcome = Execute("twice", {flag});
    EXPECT_EQ(outcome.status, 2) << flag;
    EXPECT_EQ(outcome.out, "") << flag;
    EXPECT_THAT(outcome.err, HasSubstr("two duets have the name 'Old_vs_New', at "));
    EXPECT_THAT(outcome.err, HasSubstr("twice_program.cc:12 and at "));
    EXPECT_THAT(outcome.err, HasSubstr("twice_program.cc:15: "));
  }
}

}  // namespace
}  // namespace duetbench::integration
