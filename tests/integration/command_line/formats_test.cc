// The outputs for other programs, as those programs read them.
#include <cstdlib>
#include <regex>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"
#include "tests/integration/rows.h"
#include "tests/schema.h"

namespace duetbench::integration {
namespace {

using nlohmann::json;

#ifdef DUETBENCH_HAVE_VALIJSON
json ReportSchema() { return JsonOf(TextOf(DUETBENCH_REPORT_SCHEMA)); }

TEST(SchemaTest, HoldsForReportsOfAllKinds) {
  const json schema = ReportSchema();
  const struct {
    const char* program;
    std::vector<std::string> arguments;
  } reports[] = {
      {"suite", {}},      {"suite", {"--benchmark_dry_run"}},
      {"aggregates", {}}, {"counters", {}},
      {"gates", {}},      {"mixed", {}},
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

#else
TEST(SchemaTest, NeedsAValidator) {
  GTEST_SKIP() << "valijson is not installed (apt-get install libvalijson-dev)";
}
#endif

// The outputs of the commands of tools/README.md about report.json in `folder`, in their order.
std::vector<std::string> OtherFormats(const std::string& folder) {
  std::vector<std::string> formats;
  for (const std::string& command : LinesOf(TextOf(DUETBENCH_TOOLS_README))) {
    if (command.rfind("jq ", 0) != 0) continue;
    const Outcome outcome = Execute(InShell(command, folder));
    EXPECT_EQ(outcome.status, 0) << command << "\n" << outcome.err;
    formats.push_back(outcome.out);
  }
  return formats;
}

TEST(FormatsTest, JqMakesOtherFormatsOfTheJson) {
  if (std::system("jq --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "jq is not installed";
  const Folder folder;
  const std::string name = "BM_Once_vs_BM_FiveTimes";
  Execute("suite", {"--benchmark_filter=^BM_(Once|Apples)",
                    "--benchmark_out=" + folder.File("report.json")});
  const json report = JsonOf(TextOf(folder.File("report.json")));
  const json row = RowOf(report, name);
  const std::vector<std::string> formats = OtherFormats(folder.path());
  ASSERT_EQ(formats.size(), 3u);

  EXPECT_EQ(JsonOf(formats[0]), json({{name,
                                       {{"ratio",
                                         {{"value", row["ratio"]},
                                          {"lower_value", row["ratio_lo"]},
                                          {"upper_value", row["ratio_hi"]}}}}}}));

  const std::vector<std::string> go = LinesOf(formats[1]);
  ASSERT_EQ(go.size(), 2u) << formats[1];
  std::smatch match;
  ASSERT_TRUE(std::regex_match(
      go[1], match, std::regex("Benchmark_" + name + "/variant=new \\d+ ([0-9.e+-]+) ns/op")))
      << go[1];
  EXPECT_DOUBLE_EQ(std::stod(match[1]), RowOf(report, name + "/new")["real_time"].get<double>());

  const std::vector<std::string> metrics = LinesOf(formats[2]);
  ASSERT_EQ(metrics.size(), 8u) << "four types, three values and the end: " << formats[2];
  EXPECT_EQ(metrics[0], "# TYPE duetbench_ratio gauge");
  ASSERT_TRUE(std::regex_match(metrics[1], match,
                               std::regex("duetbench_ratio\\{benchmark=\"" + name + "\"\\} (.*)")))
      << metrics[1];
  EXPECT_DOUBLE_EQ(std::stod(match[1]), row["ratio"].get<double>());
  EXPECT_EQ(metrics[7], "# EOF");
}

// Well-formed XML, too: every element is closed and every text escaped, whatever names there are.
TEST(PageTest, ShowsEveryBenchmark) {
  const Folder folder;
  Execute("gates", {"--duet_report=" + folder.File("page.html")});
  const std::string page = TextOf(folder.File("page.html"));
  EXPECT_THAT(page,
              Says("<!DOCTYPE html>[...]Awkward f&lt;int&gt;(a|b) it&#39;s $HOME/n:3/manual_time"));
  Request request;
  request.program = "python3";
  request.arguments = {"-c",
                       "import sys, xml.etree.ElementTree as t\n"
                       "r = t.parse(sys.argv[1]).getroot()\n"
                       "print(len(list(r.iter('section'))), len(list(r.iter('tbody'))[0]),\n"
                       "      len(list(r.iter('figure'))) > 15, sum(len(list(s.iter('pre'))) for s "
                       "in r.iter('section')))",
                       folder.File("page.html")};
  const Outcome outcome = Execute(request);
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const std::regex as_many_of_each("(\\d\\d) \\1 True \\1\n");
  EXPECT_TRUE(std::regex_match(outcome.out, as_many_of_each)) << outcome.out;
}

}  // namespace
}  // namespace duetbench::integration
