// The outputs for other programs, as those programs read them.
#include <regex>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"
#include "tests/schema.h"

namespace duetbench::integration {
namespace {

using nlohmann::json;
using ::testing::ContainsRegex;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

#ifdef DUETBENCH_HAVE_VALIJSON
json ReportSchema() { return JsonOf(TextOf(DUETBENCH_REPORT_SCHEMA)); }

TEST(SchemaTest, HoldsForReportsOfAllKinds) {
  const json schema = ReportSchema();
  const struct {
    const char* program;
    std::vector<std::string> arguments;
  } reports[] = {
      {"suite", {}},
      {"suite", {"--benchmark_repetitions=2", "--benchmark_filter=BM_(Once|OldSteps.*20)"}},
      {"suite", {"--benchmark_dry_run"}},
      {"aggregates", {}},
      {"counters", {}},
      {"gates", {}},
      {"mixed", {}},
  };
  for (const auto& [program, arguments] : reports) {
    SCOPED_TRACE(program);
    std::vector<std::string> all = arguments;
    all.emplace_back("--benchmark_format=json");
    const json report = JsonOf(Execute(program, all).out);
    EXPECT_FALSE(report["benchmarks"].empty());
    EXPECT_EQ(Violations(report, schema), "");
  }
}

TEST(SchemaTest, RefusesWhatProgramsDoNotWrite) {
  const json schema = ReportSchema();
  const json report = ReportOf("suite", "^BM_Once");
  ASSERT_EQ(Violations(report, schema), "");
  const auto with = [&](const char* key, const json& value) {
    json changed = report;
    changed["benchmarks"].back()[key] = value;
    return Violations(changed, schema);
  };
  EXPECT_NE(with("label", "FASTEST"), "");
  EXPECT_NE(with("ratio", "1.5"), "");
  EXPECT_NE(with("ratio_level", 99), "");
  EXPECT_NE(with("gate", 2), "");
  EXPECT_NE(with("gate", 1), "") << "without gate_p";
  EXPECT_NE(with("pears", "three"), "") << "a counter is a number";
  json without = report;
  without["benchmarks"].back().erase("ratio");
  EXPECT_NE(Violations(without, schema), "");
  without = report;
  without["context"].erase("duet_seed");
  EXPECT_NE(Violations(without, schema), "");
}

// As Bencher publishes it: a measure has a value, and may have ends.
TEST(BmfTest, IsAsItsSchemaSays) {
  const json schema = json::parse(R"({
    "type": "object", "additionalProperties": {
      "type": "object", "additionalProperties": {
        "type": "object", "required": ["value"], "additionalProperties": false, "properties": {
          "value": {"type": "number"}, "lower_value": {"type": "number"},
          "upper_value": {"type": "number"}}}}})");
  const Folder folder;
  Execute("gates", {"--duet_bmf=" + folder.File("b.json")});
  const json report = JsonOf(TextOf(folder.File("b.json")));
  EXPECT_FALSE(report.empty());
  EXPECT_EQ(Violations(report, schema), "");
}
#else
TEST(SchemaTest, NeedsAValidator) {
  GTEST_SKIP() << "valijson is not installed (apt-get install libvalijson-dev)";
}
#endif

// A page of the JSON says what the page of the program says, as far as JSON has it.
TEST(FormatsTest, DuetStatShowsTheJson) {
  const Folder folder;
  Execute("gates",
          {"--benchmark_filter=^(Same|Slower)", "--benchmark_out=" + folder.File("r.json")});
  const Outcome page = Execute("duet_stat", {"--format=html", folder.File("r.json")});
  EXPECT_EQ(page.status, 0) << page.err;
  const json report = JsonOf(TextOf(folder.File("r.json")));
  int duets = 0;
  for (const json& row : report["benchmarks"]) {
    if (!row.contains("ratio_level")) continue;
    ++duets;
    EXPECT_THAT(page.out, HasSubstr(">" + row["name"].get<std::string>() + "</h3>"));
  }
  EXPECT_GT(duets, 0);
  EXPECT_THAT(page.out, HasSubstr("limit "));
}

TEST(FormatsTest, EachFileIsWrittenWithTheNamesOfTheReport) {
  const Folder folder;
  const Outcome outcome = Execute(
      "suite", {"--benchmark_filter=^BM_(Once|Apples)", "--benchmark_format=json",
                "--duet_bmf=" + folder.File("b.json"), "--duet_gobench=" + folder.File("g.txt"),
                "--duet_openmetrics=" + folder.File("o.txt")});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json report = JsonOf(outcome.out);

  const json bmf = JsonOf(TextOf(folder.File("b.json")));
  ASSERT_EQ(bmf.size(), 3u) << bmf;
  const std::string name = "BM_Once_vs_BM_FiveTimes";
  EXPECT_EQ(bmf[name]["ratio"]["value"], RowOf(report, name)["ratio"]);
  EXPECT_EQ(bmf[name]["ratio"]["lower_value"], RowOf(report, name)["ratio_lo"]);
  for (const char* side : {"/old", "/new"}) {
    EXPECT_DOUBLE_EQ(bmf[name + side]["latency"]["value"],
                     RowOf(report, name + side)["real_time"].get<double>());
  }

  const std::string go = TextOf(folder.File("g.txt"));
  EXPECT_THAT(go, StartsWith("pkg: integration_suite_program\nBenchmarkBM_Once_vs_BM_FiveTimes/"));
  EXPECT_EQ(LinesOf(go).size(), 1u + 2 * 2) << "two lines for each of two runs: " << go;

  const std::string metrics = TextOf(folder.File("o.txt"));
  EXPECT_THAT(metrics, EndsWith("# EOF\n"));
  EXPECT_THAT(metrics, HasSubstr("duetbench_error{program=\"integration_suite_program\","
                                 "benchmark=\"BM_Once_vs_BM_FiveTimes\",repetition=\"0\"} 0\n"));
}

// Well-formed XML, too: every element is closed and every text escaped, whatever names there are.
TEST(PageTest, ShowsEveryBenchmark) {
  const Folder folder;
  Execute("gates", {"--duet_report=" + folder.File("page.html")});
  const std::string page = TextOf(folder.File("page.html"));
  EXPECT_THAT(page, StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(page, HasSubstr("Awkward f&lt;int&gt;(a|b) it&#39;s $HOME/n:3/manual_time"));
  Request request;
  request.program = "python3";
  request.arguments = {"-c",
                       "import sys, xml.etree.ElementTree as t\n"
                       "r = t.parse(sys.argv[1]).getroot()\n"
                       "print(len(list(r.iter('section'))), len(list(r.iter('tbody'))[0]),\n"
                       "      len(list(r.iter('figure'))) > 30, sum(len(list(s.iter('pre'))) for s "
                       "in r.iter('section')))",
                       folder.File("page.html")};
  const Outcome outcome = Execute(request);
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const std::regex as_many_of_each("(\\d\\d) \\1 True \\1\n");
  EXPECT_TRUE(std::regex_match(outcome.out, as_many_of_each)) << outcome.out;
}

TEST(FormatsTest, AFileThatCannotBeWrittenIsFoundOutAtTheStart) {
  for (const std::string flag :
       {"--duet_bmf", "--duet_gobench", "--duet_openmetrics", "--duet_report"}) {
    const Outcome outcome = Execute("suite", {"--benchmark_filter=BM_Once", flag + "=/no/such/f"});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, HasSubstr("duetbench: " + flag + ": cannot "));
    EXPECT_EQ(outcome.out, "");
  }
}

}  // namespace
}  // namespace duetbench::integration
