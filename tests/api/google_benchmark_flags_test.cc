#include "duetbench/api/google_benchmark_flags.h"

#include <map>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

using Variables = std::map<std::string, std::string>;

struct Read {
  absl::StatusOr<GoogleBenchmarkFlags> flags;
  ExperimentOptions duets;
};

Read ReadFlags(const std::vector<std::string>& arguments, Variables variables = {},
               bool reads_iterations = true) {
  const GetEnvironment environment = [&variables](const char* name) -> const char* {
    const auto it = variables.find(name);
    return it == variables.end() ? nullptr : it->second.c_str();
  };
  Read read;
  read.flags = ReadGoogleBenchmarkFlags(arguments, environment, reads_iterations, &read.duets);
  return read;
}

std::string ErrorOf(const std::vector<std::string>& arguments, Variables variables = {}) {
  return std::string(ReadFlags(arguments, std::move(variables)).flags.status().message());
}

TEST(GoogleBenchmarkFlagsTest, TheLastArgumentGoesBeforeTheEnvironment) {
  const Variables csv = {{"BENCHMARK_OUT_FORMAT", "csv"}};
  const auto format = [&](const std::vector<std::string>& arguments) {
    return ReadFlags(arguments, csv).flags->out_format;
  };
  EXPECT_EQ(format({}), "csv");
  EXPECT_EQ(format({"program", "--benchmark_out_format=json"}), "json");
  EXPECT_EQ(format({"--benchmark_out_format=json", "--benchmark_out_format=console"}), "console");
  EXPECT_EQ(format({"--benchmark_out=json", "--benchmark_out_formats=x"}), "csv");
}

TEST(GoogleBenchmarkFlagsTest, DefaultsAreThoseOfGoogleBenchmark) {
  const Read read = ReadFlags({});
  ASSERT_TRUE(read.flags.ok());
  EXPECT_EQ(read.flags->format, "console");
  EXPECT_EQ(read.flags->out, "");
  EXPECT_FALSE(read.flags->list_tests);
  EXPECT_FALSE(read.duets.min_time.is_set());
}

TEST(GoogleBenchmarkFlagsTest, WithoutAValueItIsTrue) {
  EXPECT_TRUE(ReadFlags({"--benchmark_list_tests"}).flags->list_tests);
  EXPECT_FALSE(ReadFlags({"--benchmark_list_tests=false"}).flags->list_tests);
}

TEST(GoogleBenchmarkFlagsTest, NamesAreThoseOfGoogleBenchmark) {
  for (const char* argument :
       {"--benchmark_format=console", "--benchmark_format=json", "--benchmark_format=csv",
        "--benchmark_out_format=json", "--benchmark_time_unit=ms", "--benchmark_time_unit=s"}) {
    EXPECT_TRUE(ReadFlags({argument}).flags.ok()) << argument;
  }
}

TEST(GoogleBenchmarkFlagsTest, ABadValueIsNamedWithWhatItShouldBe) {
  EXPECT_EQ(ErrorOf({"--benchmark_format=xml"}),
            "--benchmark_format: 'xml' should be console, json or csv");
  EXPECT_EQ(ErrorOf({"--benchmark_out_format=xml"}),
            "--benchmark_out_format: 'xml' should be console, json or csv");
  EXPECT_EQ(ErrorOf({"--benchmark_time_unit=min"}),
            "--benchmark_time_unit: 'min' should be ns, us, ms or s");
  EXPECT_EQ(ErrorOf({}, {{"BENCHMARK_FORMAT", "xml"}}),
            "--benchmark_format: 'xml' should be console, json or csv");
  for (const char* text : {"", "0", "-1", "abc", "1.5"}) {
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
    const std::string begin = absl::StrCat("--benchmark_", name, ": '' should be ");
    EXPECT_THAT(ErrorOf({absl::StrCat("--benchmark_", name, "=")}), StartsWith(begin));
    EXPECT_THAT(ErrorOf({}, {{variable, ""}}), StartsWith(begin));
  }
  // An empty filter is everything.
  EXPECT_TRUE(ReadFlags({"--benchmark_filter="}).flags.ok());
}

TEST(GoogleBenchmarkFlagsTest, MinTimeIsInSecondsWithAndWithoutUnit) {
  EXPECT_EQ(ReadFlags({"--benchmark_min_time=0.5"}).duets.min_time, 0.5);
  EXPECT_EQ(ReadFlags({"--benchmark_min_time=0.5s"}).duets.min_time, 0.5);
  EXPECT_EQ(ReadFlags({}, {{"BENCHMARK_MIN_TIME", "2"}}).duets.min_time, 2);
  EXPECT_EQ(ReadFlags({"--benchmark_min_warmup_time=0.25"}).duets.warm_up, 0.25);
}

TEST(GoogleBenchmarkFlagsTest, MinTimeMayBeANumberOfIterations) {
  const Read read = ReadFlags({"--benchmark_min_time=100x"});
  EXPECT_EQ(read.duets.fixed_iterations, 100);
  EXPECT_FALSE(read.duets.min_time.is_set());
  const Read old = ReadFlags({"--benchmark_min_time=100x"}, {}, /*reads_iterations=*/false);
  EXPECT_TRUE(old.flags.ok()) << old.flags.status();
  EXPECT_FALSE(old.duets.fixed_iterations.is_set());
}

TEST(GoogleBenchmarkFlagsTest, AnyOtherTimeIsAnError) {
  for (const char* text : {"", "0", "-1", "abc", "s", "x", "1.5x", "1m", "inf", "nan", "0s"}) {
    EXPECT_THAT(ErrorOf({absl::StrCat("--benchmark_min_time=", text)}),
                HasSubstr(absl::StrCat("--benchmark_min_time: '", text,
                                       "' should be a positive number of seconds")));
  }
  EXPECT_THAT(ErrorOf({"--benchmark_min_warmup_time="}),
              ::testing::StartsWith(
                  "--benchmark_min_warmup_time: '' should be a number of seconds from 0"));
}

TEST(GoogleBenchmarkFlagsTest, ADryRunIsOneForDuetsToo) {
  EXPECT_EQ(ReadFlags({"--benchmark_dry_run"}).duets.dry_run, true);
  EXPECT_FALSE(ReadFlags({"--benchmark_dry_run=false"}).duets.dry_run.is_set());
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
