// Flags of Google Benchmark that duets obey.
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "duetbench/api/flag_parsing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::StartsWith;

absl::StatusOr<Flags> Read(const std::vector<std::string>& arguments,
                           const Variables& variables = {}) {
  return ReadFlags(arguments, variables);
}

std::string ErrorOf(const std::vector<std::string>& arguments, const Variables& variables = {}) {
  return std::string(Read(arguments, variables).status().message());
}

TEST(GoogleBenchmarkFlagsTest, TheLastArgumentGoesBeforeTheEnvironment) {
  const auto format = [&](const std::vector<std::string>& arguments) {
    return Read(arguments, {{"BENCHMARK_OUT_FORMAT", "csv"}})->out_format;
  };
  EXPECT_EQ(format({}), "csv");
  EXPECT_EQ(format({"program", "--benchmark_out_format=json"}), "json");
  EXPECT_EQ(format({"--benchmark_out_format=json", "--benchmark_out_format=console"}), "console");
  EXPECT_EQ(format({"--benchmark_out=json", "--benchmark_out_formats=x"}), "csv");
}

TEST(GoogleBenchmarkFlagsTest, WithoutAValueItIsTrue) {
  EXPECT_TRUE(Read({"--benchmark_list_tests"})->list_tests);
  EXPECT_FALSE(Read({"--benchmark_list_tests=off"})->list_tests);
  EXPECT_TRUE(Read({"--benchmark_dry_run"})->options.dry_run);
}

TEST(GoogleBenchmarkFlagsTest, ABadValueIsNamedWithWhatItShouldBe) {
  EXPECT_EQ(ErrorOf({"--benchmark_format=xml"}),
            "--benchmark_format: 'xml' should be console, json or csv");
  EXPECT_EQ(ErrorOf({"--benchmark_time_unit=min"}),
            "--benchmark_time_unit: 'min' should be ns, us, ms or s");
  EXPECT_EQ(ErrorOf({}, {{"BENCHMARK_FORMAT", "xml"}}),
            "BENCHMARK_FORMAT: 'xml' should be console, json or csv");
  for (const char* text : {"0", "-1", "abc", "1.5"}) {
    EXPECT_EQ(ErrorOf({absl::StrCat("--benchmark_repetitions=", text)}),
              absl::StrCat("--benchmark_repetitions: '", text,
                           "' should be a whole number from 1 to 1000000"));
  }
}

TEST(GoogleBenchmarkFlagsTest, AnEmptyValueIsAnError) {
  for (const char* name :
       {"format", "out_format", "out", "color", "list_tests", "dry_run", "repetitions", "min_time",
        "min_warmup_time", "time_unit", "counters_tabular"}) {
    const std::string variable = absl::StrCat("BENCHMARK_", absl::AsciiStrToUpper(name));
    EXPECT_THAT(ErrorOf({absl::StrCat("--benchmark_", name, "=")}),
                StartsWith(absl::StrCat("--benchmark_", name, ": '' should be ")));
    EXPECT_THAT(ErrorOf({}, {{variable, ""}}), StartsWith(variable + ": '' should be "));
  }
  // An empty filter is everything.
  EXPECT_TRUE(Read({"--benchmark_filter="}).ok());
}

TEST(GoogleBenchmarkFlagsTest, MinTimeIsInSecondsOrIterationsAndTheLastOneCounts) {
  EXPECT_EQ(Read({"--benchmark_min_time=0.5"})->options.min_time, 0.5);
  EXPECT_EQ(Read({"--benchmark_min_time=0.5s"})->options.min_time, 0.5);
  EXPECT_EQ(Read({"--benchmark_min_warmup_time=0.25"})->options.warm_up, 0.25);
  const absl::StatusOr<Flags> times =
      Read({"--benchmark_min_time=100x"}, {{"BENCHMARK_MIN_TIME", "2"}});
  EXPECT_EQ(times->options.fixed_iterations, 100);
  EXPECT_FALSE(times->options.min_time.is_set());
  const absl::StatusOr<Flags> seconds =
      Read({"--benchmark_min_time=2"}, {{"BENCHMARK_MIN_TIME", "100x"}});
  EXPECT_EQ(seconds->options.min_time, 2);
  EXPECT_FALSE(seconds->options.fixed_iterations.is_set());
  for (const char* text : {"", "0", "-1", "abc", "s", "x", "1.5x", "1m", "inf", "nan", "0s"}) {
    EXPECT_THAT(ErrorOf({absl::StrCat("--benchmark_min_time=", text)}),
                StartsWith(absl::StrCat("--benchmark_min_time: '", text,
                                        "' should be a positive number of seconds")));
  }
  EXPECT_EQ(ErrorOf({"--benchmark_min_time=0x"}),
            "--benchmark_min_time: '0x' should be a number of iterations of at least 1x");
}

TEST(IsTruthyTest, ReadsAsGoogleBenchmarkDoes) {
  for (const char* text : {"1", "t", "true", "TRUE", "yes", "on", "anything"}) {
    EXPECT_TRUE(IsTruthy(text)) << text;
  }
  for (const char* text : {"", "0", "f", "F", "n", "false", "False", "no", "off", "OFF"}) {
    EXPECT_FALSE(IsTruthy(text)) << text;
  }
}

}  // namespace
}  // namespace duetbench
