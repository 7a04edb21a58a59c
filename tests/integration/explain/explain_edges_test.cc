#include <cstdlib>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"
#include "tests/integration/rows.h"
#include "tests/sanitized.h"

// --duet_explain of variants that fork, start threads, use the profiling timer or another
// signal stack, and of a stripped program (edges_program.cc).
namespace duetbench::integration {
namespace {

using ::testing::ContainsRegex;
using ::testing::Not;

// The console, without Valgrind: it is slow in a test, and explain_test has it.
std::string Explain(const std::string& program, const std::string& filter,
                    const std::vector<std::string>& flags = {}) {
  Request request;
  request.program = program;
  request.arguments = {"--benchmark_filter=^" + filter, "--benchmark_min_time=0.2",
                       "--duet_explain"};
  request.arguments.insert(request.arguments.end(), flags.begin(), flags.end());
  request.environment = {{"DUET_RUNS", "8"}, {"PATH", "/no/such/folder"}};
  const Outcome outcome = Execute(request);
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  return outcome.out;
}

class ExplainEdges : public ::testing::Test {
 protected:
  void SetUp() override {
    if (DUETBENCH_TESTS_SANITIZED != 0) GTEST_SKIP() << "the sanitizer's functions take the time";
  }

  // Names `function` (a regular expression) for the duet that `filter` selects.
  static void Finds(const std::string& filter, const std::string& function,
                    const std::vector<std::string>& flags = {}) {
    const std::string out = Explain(PathOf("edges"), filter, flags);
    if (out.find("libdw") != std::string::npos) GTEST_SKIP() << out;
    // On a busy machine a row may be undecided, and is not explained then.
    for (const char* const reason : {"too many pairs were disturbed", "INCONCLUSIVE"}) {
      if (out.find(reason) != std::string::npos) GTEST_SKIP() << out;
    }
    EXPECT_THAT(out, ContainsRegex(" % in (" + function + ")"));
  }
};

TEST_F(ExplainEdges, AVariantThatUsesTheProfilingTimer) { Finds("ProfilesItself", "Work"); }

TEST_F(ExplainEdges, AVariantWithItsOwnSignalStack) { Finds("HasASignalStack", "Work"); }

// Their work is that of other threads: the variant waits for them.
TEST_F(ExplainEdges, AVariantThatStartsThreads) { Finds("StartsThreads", "[a-z_:]*join"); }

TEST_F(ExplainEdges, AVariantThatForks) { Finds("Forks", "Work"); }

TEST_F(ExplainEdges, VariantsInProcesses) { Finds("Plain", "Work", {"--duet_isolation=process"}); }

TEST_F(ExplainEdges, AStrippedProgram) {
  const Folder folder;
  const std::string program = folder.CopyOf("edges");
  if (std::system(("strip " + program + " 2>/dev/null").c_str()) != 0) GTEST_SKIP() << "no strip";
  const std::string out = Explain(program, "Plain");
  if (out.find("libdw") != std::string::npos) GTEST_SKIP() << out;
  EXPECT_THAT(out, Says(" % in code without a symbol in edges"));
  EXPECT_THAT(out, Not(Says("Work")));
}

}  // namespace
}  // namespace duetbench::integration
