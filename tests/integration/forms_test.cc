// What a variant can be written as, and the chain methods in both orders.
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"

namespace duetbench::integration {
namespace {

using nlohmann::json;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

json Report(const std::string& filter) {
  const Outcome outcome =
      Execute("forms", {"--benchmark_filter=" + filter, "--benchmark_format=json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return JsonOf(outcome.out);
}

void ExpectMeasured(const json& report, const std::string& name) {
  for (const char* suffix : {"/old", "/new"}) {
    const json row = RowOf(report, name + suffix);
    EXPECT_GT(row.value("real_time", 0.0), 0) << name;
  }
  EXPECT_GT(RowOf(report, name).value("ratio", 0.0), 0) << name;
}

TEST(FormsTest, EveryFormOfAVariantIsMeasured) {
  const json report = Report("_vs_");
  for (const char* name :
       {"PlainInt_vs_PlainVoid", "PlainInt_vs_PlainNoexcept", "PlainInt_vs_TakesState",
        "Generic<duetbench::State>_vs_TakesState", "Generic_vs_Generic", "Generic_vs_TakesState",
        "Template<30>_vs_Template<31>", "PlainTemplate<30>_vs_PlainTemplate<31>",
        "Owner::Member_vs_Owner::Member", "kGenericLambda_vs_TakesState", "Paused_vs_Kept",
        "TakesState_vs_KeptInBatches", "Extremes_vs_Extremes/-5/4611686018427387904"}) {
    ExpectMeasured(report, name);
  }
}

TEST(FormsTest, RegisteredCallablesAreMeasured) {
  const json report = Report("^(lambdas|captures|generic_lambdas|functors|std_functions)$");
  for (const char* name : {"lambdas", "captures", "generic_lambdas", "functors", "std_functions"}) {
    ExpectMeasured(report, name);
  }
}

// Of each chain method, the names of the benchmarks that it makes.
struct Chain {
  const char* method;
  std::vector<std::string> instances;
};

const Chain kChains[] = {
    {"Renamed", {"/1"}},
    {"Arg", {"/1"}},
    {"Args", {"/1/2"}},
    {"ArgPair", {"/1/2"}},
    {"Range", {"/8", "/64"}},
    {"RangeMultiplier", {"/8", "/16"}},
    {"DenseRange", {"/1", "/3"}},
    {"Ranges", {"/1/8", "/2/8"}},
    {"ArgsProduct", {"/1/3", "/2/3", "/1/4", "/2/4"}},
    {"ArgName", {"/n:1"}},
    {"ArgNames", {"/n:1/m:2"}},
    {"Apply", {"/1", "/2", "/3"}},
    {"Unit", {"/1"}},
    {"MinTime", {"/1/min_time:0.010"}},
    {"Repetitions", {"/1/repeats:2"}},
};

TEST(ChainTest, MethodsMakeTheSameInstancesInBothOrders) {
  const std::vector<std::string> lines = LinesOf(Execute("forms", {"--benchmark_list_tests"}).out);
  for (const Chain& chain : kChains) {
    for (const char* order : {"before/", "after/"}) {
      std::vector<std::string> expected;
      for (const std::string& instance : chain.instances) {
        expected.push_back(absl::StrCat(order, chain.method, instance));
      }
      std::vector<std::string> listed;
      for (const std::string& line : lines) {
        if (absl::StartsWith(line, absl::StrCat(order, chain.method, "/"))) listed.push_back(line);
      }
      EXPECT_THAT(listed, ElementsAreArray(expected));
    }
  }
}

TEST(ChainTest, EveryInstanceIsMeasured) {
  for (const char* order : {"before/", "after/"}) {
    const json report = Report(absl::StrCat("^", order));
    for (const Chain& chain : kChains) {
      for (const std::string& instance : chain.instances) {
        ExpectMeasured(report, absl::StrCat(order, chain.method, instance));
      }
    }
    EXPECT_EQ(RowOf(report, absl::StrCat(order, "Unit/1"))["time_unit"], "us");
  }
}

TEST(ChainTest, OptionsOfTheDuetGoBeforeTheFlags) {
  const json report = Report("^options/");
  EXPECT_EQ(RowOf(report, "options/Runs/1")["runs"], 3);
  EXPECT_EQ(RowOf(report, "options/Level/1")["ratio_level"], 0.5);
  EXPECT_EQ(RowOf(report, "options/Level/1")["runs"], 2);
  EXPECT_FALSE(RowOf(report, "options/Schedule/1").contains("skew_ns"));
  const std::string out = Execute("forms", {"--benchmark_filter=options/(Margin|Schedule)"}).out;
  EXPECT_THAT(out, HasSubstr("options/Schedule/1"));
  EXPECT_THAT(out, HasSubstr("; not a duet: interleaved on one CPU)"));
}

}  // namespace
}  // namespace duetbench::integration
