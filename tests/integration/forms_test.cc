// What a variant can be written as.
#include "gtest/gtest.h"
#include "tests/integration/program.h"

namespace duetbench::integration {
namespace {

using nlohmann::json;

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

}  // namespace
}  // namespace duetbench::integration
