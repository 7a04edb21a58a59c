#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"
#include "tests/integration/rows.h"
#include "tests/sanitized.h"

// --duet_explain, of two builds with planted causes (causes.h); and of variants that fork, start
// threads, use the profiling timer or another signal stack, and of a stripped program
// (edges_program.cc).
namespace duetbench::integration {
namespace {

using nlohmann::json;
using ::testing::ContainsRegex;
using ::testing::Not;

// Compares old and new; a neighbour on the core may leave a row undecided in one try or two. Rows
// that are undecided, and gates, are not explained.
Outcome Explained(const std::vector<std::string>& flags, const std::string& filter) {
  std::vector<std::string> arguments = {PathOf("causes_old"), PathOf("causes_new"),
                                        "--benchmark_filter=^" + filter + "$",
                                        "--benchmark_min_time=0.3"};
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  Outcome outcome;
  for (int tries = 0; tries < 3; ++tries) {
    outcome = Execute("duet", arguments, {{"DUET_RUNS", "10"}});
    const std::string said = outcome.out + outcome.err;
    if (said.find("INCONCLUSIVE") == std::string::npos &&
        said.find("again: ") == std::string::npos) {
      break;
    }
  }
  return outcome;
}

class Explain : public ::testing::Test {
 protected:
  void SetUp() override {
    if (DUETBENCH_TESTS_SANITIZED != 0) {
      GTEST_SKIP() << "a sanitizer's functions take the time, and Valgrind does not execute them";
    }
  }
};

TEST_F(Explain, NamesTheFunctionAndItsCallBelowTheRow) {
  const Outcome outcome = Explained({"--duet_explain"}, "Check");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  if (outcome.out.find("libdw") != std::string::npos) GTEST_SKIP() << outcome.out;
  EXPECT_THAT(outcome.out, ContainsRegex("of \\+[0-9.]+ % in IsValid"));
  EXPECT_THAT(outcome.out, Says("called from Store"));
}

TEST(ExplainGates, OnlyFailedGatesAndNothingOfEqualCode) {
  EXPECT_THAT(Explained({"--duet_explain=gates"}, "Check").out, Not(Says(" % in ")));
  // One of a hundred intervals of equal code excludes 1.
  const Outcome equal =
      Execute("duet", {PathOf("causes_old"), PathOf("causes_old"), "--benchmark_filter=^Check$",
                       "--benchmark_min_time=0.3", "--duet_margin=0.5", "--duet_explain"});
  EXPECT_THAT(equal.out, Says("EQUAL"));
  EXPECT_THAT(equal.out, Not(Says(" % in ")));
  if (DUETBENCH_TESTS_SANITIZED != 0) return;
  const Outcome failed = Explained({"--duet_max_ratio=1.05", "--duet_explain=gates"}, "Check");
  EXPECT_EQ(failed.status, 1) << failed.out << failed.err;
  if (failed.out.find("libdw") != std::string::npos) GTEST_SKIP() << failed.out;
  EXPECT_THAT(failed.out, Says(" % in IsValid"));
}

TEST_F(Explain, ThePageHasAFlameGraph) {
  const Folder folder;
  const std::string page = folder.File("page.html");
  const Outcome outcome = Explained({"--duet_explain", "--duet_report=" + page}, "Check");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  if (outcome.out.find("libdw") != std::string::npos) GTEST_SKIP() << outcome.out;
  const std::string html = TextOf(page);
  EXPECT_THAT(html, Says("<figure class=\"flame\">"));
  EXPECT_THAT(html, ContainsRegex("IsValid: old [0-9.]+ ns, new [0-9.]+ ns, difference "));
}

TEST_F(Explain, TheCodeIsComparedAndListed) {
  const Outcome outcome = Explained({"--duet_explain=code"}, "Stride");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  if (outcome.out.find("libdw") != std::string::npos) GTEST_SKIP() << outcome.out;
  EXPECT_THAT(outcome.out, Says(" % in SumMatrix"));
  if (outcome.out.find("objdump of binutils") != std::string::npos) GTEST_SKIP() << outcome.out;
  EXPECT_THAT(outcome.out, Says("hottest loop of SumMatrix: "));
#if defined(__x86_64__)
  EXPECT_THAT(outcome.out, Says(" | ")) << "the stride";
#endif
}

bool HasValgrind() { return std::system("valgrind --version >/dev/null 2>&1") == 0; }

TEST_F(Explain, CountsOfCallgrind) {
  const Folder folder;
  const std::string report = folder.File("report.json");
  const Outcome outcome =
      Explained({"--duet_explain", "--benchmark_out=" + report}, "ExtraAllocation");
  if (outcome.out.find("libdw") != std::string::npos) GTEST_SKIP() << outcome.out;
  if (!HasValgrind()) {
    EXPECT_THAT(outcome.err, Says("explained without exact counts: valgrind is not installed"));
    return;
  }
  const json rows = JsonOf(TextOf(report))["duet_suite"]["slower_duets"];
  ASSERT_EQ(rows.size(), 1u) << outcome.out;
  const auto& explanation = rows[0]["explanation"];
  // The first iterations may allocate more.
  EXPECT_NEAR(explanation["old_allocations"].get<double>(), 0, 0.01) << outcome.err;
  EXPECT_NEAR(explanation["new_allocations"].get<double>(), 1, 0.01) << outcome.err;
}

TEST_F(Explain, AGateOnTheInstructionsThatCallgrindCounts) {
  const auto gated = [](const char* new_build, const char* path) {
    return Execute("duet",
                   {PathOf("causes_old"), PathOf(new_build), "--benchmark_filter=^Recursion$",
                    "--benchmark_min_time=0.1", "--duet_runs=5", "--duet_unchanged=measure",
                    "--duet_max_counter_ratio=CALLGRIND-INSTRUCTIONS:1"},
                   {{"PATH", path}});
  };
  const char* const path = std::getenv("PATH");
  const Outcome without = gated("causes_old", "/no/such/folder");
  EXPECT_EQ(without.status, 2) << without.out;
  EXPECT_THAT(without.out + without.err,
              Says("a gate on CALLGRIND-INSTRUCTIONS: not counted: CALLGRIND-INSTRUCTIONS: "
                   "valgrind is not installed"));
  if (!HasValgrind()) return;
  const Outcome same = gated("causes_old", path);
  EXPECT_EQ(same.status, 0) << same.out << same.err;
  EXPECT_THAT(same.out, ContainsRegex("PASS .*CALLGRIND-INSTRUCTIONS .* an iteration, 1.0* ×"));
  const Outcome more = gated("causes_new", path);
  EXPECT_EQ(more.status, 1) << more.out << more.err;
  EXPECT_THAT(more.out, Says("FAIL (limit 1 ×): CALLGRIND-INSTRUCTIONS"));
}

TEST_F(Explain, CallgrindCountsEventsForRowsAndGatesOfAGroup) {
  const std::string counters =
      "--benchmark_perf_counters=CALLGRIND-INSTRUCTIONS,CALLGRIND-ALLOCATIONS";
  const Outcome without =
      Execute("group", {"--benchmark_filter=^counts/", "--benchmark_min_time=0.05", counters},
              {{"PATH", "/no/such/folder"}});
  EXPECT_EQ(without.status, 0) << without.err;
  EXPECT_THAT(without.out, Says("not counted: CALLGRIND-INSTRUCTIONS, CALLGRIND-ALLOCATIONS"));
  if (!HasValgrind()) return;
  const Outcome outcome = Execute(
      "group",
      {"--benchmark_filter=^(counts/|Base_vs_Faster/8)", "--benchmark_min_time=0.1",
       "--duet_max_counter_ratio=CALLGRIND-INSTRUCTIONS:1.5", "--benchmark_format=json", counters});
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_THAT(outcome.err, Says("FAIL counts/a_vs_c: CALLGRIND-INSTRUCTIONS"));
  EXPECT_THAT(outcome.err, Says("1 of 3 gates failed"));
  const json report = JsonOf(outcome.out);
  const auto count = [&](const char* row, const char* event) {
    return RowOf(report, row).at(event).get<double>();
  };
  EXPECT_NEAR(count("counts/a_vs_b", "perf.CALLGRIND-INSTRUCTIONS.ratio"), 1, 1e-3);
  EXPECT_NEAR(count("counts/a_vs_c", "perf.CALLGRIND-INSTRUCTIONS.ratio"), 2, 0.1);
  EXPECT_NEAR(count("counts/a_vs_c/new", "CALLGRIND-ALLOCATIONS"), 1, 0.01);
  EXPECT_NEAR(count("counts/a_vs_b/new", "CALLGRIND-ALLOCATIONS"), 0, 0.01);
  const json with_fastest =
      JsonOf(Execute("group", {"--benchmark_filter=^fastest_counts/", "--benchmark_min_time=0.1",
                               "--benchmark_format=json", counters})
                 .out);
  for (const char* row : {"fastest_counts/a_vs_c", "fastest_counts/b_vs_c"}) {
    EXPECT_NEAR(RowOf(with_fastest, row).at("perf.CALLGRIND-INSTRUCTIONS.ratio").get<double>(), 2,
                0.1);
  }
}

// --- Edges ---

// The console, without Valgrind: it is slow in a test, and explain_test has it.
std::string ConsoleOf(const std::string& program, const std::string& filter,
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

class ExplainEdges : public Explain {
 protected:
  // Names `function` (a regular expression) for the duet that `filter` selects.
  static void Finds(const std::string& filter, const std::string& function,
                    const std::vector<std::string>& flags = {}) {
    const std::string out = ConsoleOf(PathOf("edges"), filter, flags);
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
  const std::string out = ConsoleOf(program, "Plain");
  if (out.find("libdw") != std::string::npos) GTEST_SKIP() << out;
  EXPECT_THAT(out, Says(" % in code without a symbol in edges"));
  EXPECT_THAT(out, Not(Says("Work")));
}

}  // namespace
}  // namespace duetbench::integration
