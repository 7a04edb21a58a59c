// Forms of a variant.
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"

namespace duetbench::integration {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;

// Other callables are in tests/variant/variant_test.cc.
TEST(FormsTest, EveryFormMacroAndFixtureIsMeasured) {
  const json report = ReportOf("forms", "_vs_|^(lambdas|captures)$|ordinary");
  for (const char* name : {"PlainInt_vs_PlainVoid",
                           "PlainInt_vs_PlainNoexcept",
                           "PlainInt_vs_TakesState",
                           "Generic<duetbench::State>_vs_TakesState",
                           "Generic_vs_Generic",
                           "Generic_vs_TakesState",
                           "Template<30>_vs_Template<31>",
                           "PlainTemplate<30>_vs_PlainTemplate<31>",
                           "kGenericLambda_vs_TakesState",
                           "Paused_vs_Kept",
                           "TakesState_vs_KeptInBatches",
                           "Extremes_vs_Extremes/-5/4611686018427387904",
                           "lambdas",
                           "captures",
                           "WithArguments_vs_WithArguments/three",
                           "WithTwo_vs_WithTwoMore/text",
                           "OldTemplate_vs_NewTemplate<std::pair<int, char>, 30>",
                           "PlainOfType_vs_PlainOfType<int>",
                           "GenericOfType_vs_GenericOfType<char>",
                           "LibraryFixture/Old_vs_New/30",
                           "LibraryFixture/Old_vs_New/40",
                           "LibraryFixture/Old_vs_Looped/30",
                           "CountingFixture/Work_vs_Work/1",
                           "PlainFixture/Old_vs_New",
                           "DuetFixture<30>/Old_vs_Old"}) {
    ExpectMeasured(report, name);
  }
  EXPECT_EQ(RowOf(report, "WithArguments_vs_WithArguments/three/old")["steps"], 33);
  EXPECT_EQ(RowOf(report, "WithTwo_vs_WithTwoMore/text/new")["label"], "a, b");
  EXPECT_EQ(RowOf(report, "WithArguments/ordinary")["steps"], 21) << "BENCHMARK takes the same";
  EXPECT_EQ(RowOf(report, "CountingFixture/Work_vs_Work/1/old")["torn_down"], 1);
  EXPECT_EQ(RowOf(report, "DuetFixture<30>/Old_vs_Old/new")["label"], "torn down");
}

// Each variant has a separate one.
TEST(FormsTest, AFixtureIsSetUpAndTornDownWithItsVariant) {
  const Folder folder;
  const std::string log = folder.File("log");
  const Outcome outcome = Execute("forms", {"--benchmark_filter=Old_vs_Looped", "--duet_runs=1"},
                                  {{"INTEGRATION_LOG", log}});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  std::vector<std::string> whats;
  for (const Note& note : NotesOf(log)) whats.push_back(note.what);
  EXPECT_THAT(whats, ElementsAre("SetUp", "SetUp", "TearDown", "TearDown"));
}

}  // namespace
}  // namespace duetbench::integration
