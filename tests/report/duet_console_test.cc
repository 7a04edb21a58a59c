#include "duetbench/report/duet_console.h"

#include <sstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/report/comparisons.h"

namespace duetbench {
namespace {

using Row = benchmark::BenchmarkReporter::Run;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

// A console that writes to a string.
struct Console {
  explicit Console(std::vector<Comparison> comparisons,
                   benchmark::ConsoleReporter::OutputOptions options = DuetConsole::OO_None,
                   std::vector<std::string> header = {}, int columns = 0)
      : reporter(options, BookOf(std::move(comparisons)), std::move(header), columns) {
    reporter.SetOutputStream(&out);
    reporter.SetErrorStream(&err);
  }

  // Everything that is written when the library reports `rows`, one call each.
  std::string Report(const std::vector<Row>& rows, size_t name_field_width = 12) {
    EXPECT_TRUE(reporter.ReportContext(ContextOfWidth(name_field_width)));
    for (const Row& row : rows) reporter.ReportRuns({row});
    reporter.Finalize();
    return out.str();
  }

  std::ostringstream out;
  std::ostringstream err;
  DuetConsole reporter;
};

Comparison Slower() { return WithVerdict(stats::Verdict::kSlower, Interval(2.5, 2.48, 2.52)); }

TEST(DuetConsoleTest, ADuetHasThreeLines) {
  Console console({FasterComparison()});
  EXPECT_EQ(console.Report({DuetRow("A_vs_B/64", 1)}),
            R"(-----------------------------------------------------------
Benchmark                 Time             CPU   Iterations
-----------------------------------------------------------
A_vs_B/64/old           125 ns          124 ns         3000
A_vs_B/64/new           100 ns         99.0 ns         3010
A_vs_B/64              0.800 x               [0.790, 0.810]  )"
            "FASTER: new takes 20.0 % less time (40 "
            "runs, 18213 pairs, 12 dropped)\n");
}

TEST(DuetConsoleTest, AVerdictThatDoesNotFitHasALineOfItsOwn) {
  const auto last_lines = [](int columns) {
    Console console({FasterComparison()}, DuetConsole::OO_None, {}, columns);
    const std::string text = console.Report({DuetRow("A_vs_B/64", 1)});
    return text.substr(text.find("\nA_vs_B/64  ") + 1);
  };
  const std::string numbers = "A_vs_B/64              0.800 x               [0.790, 0.810]";
  const std::string sentence = "FASTER: new takes 20.0 % less time";
  const std::string effort = "(40 runs, 18213 pairs, 12 dropped)\n";
  const std::string one_line = numbers + "  " + sentence + " " + effort;
  EXPECT_EQ(last_lines(static_cast<int>(one_line.size()) - 1), one_line);
  EXPECT_EQ(last_lines(static_cast<int>(one_line.size()) - 2),
            numbers + "\n  " + sentence + " " + effort);
  EXPECT_EQ(last_lines(60), numbers + "\n  " + sentence + "\n  " + effort);
}

TEST(DuetConsoleTest, AFailedComparisonIsAnErrorRow) {
  Comparison failed;
  failed.error = {1, "threw int"};
  Console console({failed});
  EXPECT_THAT(console.Report({DuetRow("A_vs_B", 1)}), HasSubstr("ERROR OCCURRED: 'new threw int'"));
}

TEST(DuetConsoleTest, AStatisticOfTheRatioStandsInTheColumns) {
  Console console({FasterComparison(), FasterComparison()});
  Row mean = DuetRow("A_vs_B", 1, *BookOf({FasterComparison()}));
  mean.run_type = Row::RT_Aggregate;
  mean.aggregate_name = "mean";
  mean.iterations = 3;
  Row deviation = mean;
  deviation.aggregate_name = "cv";
  deviation.aggregate_unit = benchmark::kPercentage;
  EXPECT_THAT(console.Report({mean, deviation}),
              AllOf(HasSubstr("\nA_vs_B_mean           0.8000 x                            3\n"),
                    HasSubstr("\nA_vs_B_cv             80.00 %                              3\n")));
}

TEST(DuetConsoleTest, TheHeaderComesFirstAndOnce) {
  Console console({FasterComparison()}, DuetConsole::OO_None, {"duetbench: one", "duetbench: two"});
  const std::string text = console.Report({DuetRow("a", 1), DuetRow("a", 1)});
  EXPECT_EQ(text.rfind("duetbench: one\nduetbench: two\n-----", 0), 0u) << text;
  EXPECT_EQ(text.find("duetbench: one", 1), std::string::npos) << text;
}

TEST(DuetConsoleTest, OrdinaryRowsAreTheLibrarysOwn) {
  Row counted = OrdinaryRow("BM_Counted");
  counted.counters["apples"] = benchmark::Counter(7);
  const std::vector<Row> rows = {OrdinaryRow("BM_Plain"), counted,
                                 ErrorRow("BM_Failed", "no data")};

  benchmark::ConsoleReporter librarys(benchmark::ConsoleReporter::OO_None);
  std::ostringstream expected, err;
  librarys.SetOutputStream(&expected);
  librarys.SetErrorStream(&err);
  // Wider by "/old".
  librarys.ReportContext(ContextOfWidth(16));
  for (const Row& row : rows) librarys.ReportRuns({row});

  Console console({});
  EXPECT_EQ(console.Report(rows, 12), expected.str());
}

TEST(DuetConsoleTest, MixesWithOrdinaryRowsOfOneCall) {
  Console console({FasterComparison(), Slower()});
  console.reporter.ReportContext(ContextOfWidth(12));
  console.reporter.ReportRuns({OrdinaryRow("BM_First"), DuetRow("A_vs_B", 1),
                               OrdinaryRow("BM_Between"), DuetRow("C_vs_D", 2)});
  EXPECT_EQ(console.out.str(), R"(-----------------------------------------------------------
Benchmark                 Time             CPU   Iterations
-----------------------------------------------------------
BM_First               50.0 ns         40.0 ns         1000
A_vs_B/old              125 ns          124 ns         3000
A_vs_B/new              100 ns         99.0 ns         3010
A_vs_B                 0.800 x               [0.790, 0.810]  )"
                               "FASTER: new takes 20.0 % less time (40 runs, 18213 pairs, 12 "
                               R"(dropped)
BM_Between             50.0 ns         40.0 ns         1000
C_vs_D/old              125 ns          124 ns         3000
C_vs_D/new              100 ns         99.0 ns         3010
C_vs_D                 2.500 x               [2.480, 2.520]  )"
                               "SLOWER: new takes 2.50 times as long (40 runs, 18213 pairs, 12 "
                               "dropped)\n");
}

TEST(DuetConsoleTest, ColoursOnlyIfAsked) {
  Console plain({FasterComparison()});
  EXPECT_THAT(plain.Report({DuetRow("a", 1)}), Not(HasSubstr("\033")));
  Console coloured({FasterComparison()}, DuetConsole::OO_Color);
  EXPECT_THAT(coloured.Report({DuetRow("a", 1)}),
              EndsWith("\033[0;32ma               \033[m       0.800 x               [0.790, 0.810]"
                       "  \033[0;32mFASTER: new takes 20.0 % less time\033[m (40 runs, 18213 "
                       "pairs, 12 dropped)\n"));
}

TEST(DuetConsoleTest, EachVerdictHasItsColour) {
  const struct {
    stats::Verdict verdict;
    const char* text;
  } kCases[] = {
      {stats::Verdict::kFaster, "\033[0;32mFASTER: "},
      {stats::Verdict::kSlower, "\033[0;31mSLOWER: "},
      {stats::Verdict::kInconclusive, "\033[0;33mINCONCLUSIVE: "},
      {stats::Verdict::kEqual, "[0.900, 1.100]  EQUAL: within 1 % ("},
  };
  for (const auto& [verdict, text] : kCases) {
    Console console({WithVerdict(verdict, Interval(1, 0.9, 1.1))}, DuetConsole::OO_Color);
    EXPECT_THAT(console.Report({DuetRow("a", 1)}), HasSubstr(text));
  }
}

TEST(DuetConsoleTest, ANoticeIsPrintedOnceBelowItsDuet) {
  Comparison first = FasterComparison();
  first.notices = {"something degraded", "and something else"};
  Comparison second = FasterComparison();
  second.notices = {"something degraded", "a third thing"};
  Console console({first, second});
  const std::string text = console.Report({DuetRow("a", 1), DuetRow("b", 2)});
  EXPECT_THAT(text, HasSubstr("dropped)\nduetbench: something degraded\nduetbench: and something "
                              "else\nb/old "));
  EXPECT_THAT(text, EndsWith("dropped)\nduetbench: a third thing\n"));
}

TEST(DuetConsoleTest, ExplanationsStandBelowTheVerdict) {
  Comparison comparison = FasterComparison();
  comparison.explanations = {"the most important", "another one"};
  comparison.notices = {"something degraded"};
  Console console({comparison});
  EXPECT_THAT(console.Report({DuetRow("a", 1)}),
              EndsWith("dropped)\n  the most important\n  another one\nduetbench: something "
                       "degraded\n"));
}

TEST(DuetConsoleTest, AnErrorIsTheLibrarysErrorRow) {
  Console console({});
  EXPECT_THAT(console.Report({ErrorRow("A_vs_B", "new threw int (in run 1)")}),
              EndsWith("A_vs_B           ERROR OCCURRED: 'new threw int (in "
                       "run 1)'\n"));
}

TEST(DuetConsoleTest, CountersAndLabelsOfVariantsStandInTheirRows) {
  Comparison comparison = FasterComparison();
  comparison.variants[0].counters = {
      {"items_per_second", 8e6, benchmark::Counter::kIsRate, benchmark::Counter::kIs1000}};
  comparison.variants[1].label = "arena";
  Console console({comparison});
  const std::string text = console.Report({DuetRow("a", 1)});
  EXPECT_THAT(text, HasSubstr("3000 items_per_second=8M/s\n"));
  EXPECT_THAT(text, HasSubstr("3010 arena\n"));
}

TEST(DuetConsoleTest, ANameMayBeAFormatString) {
  Console console({FasterComparison()});
  EXPECT_THAT(console.Report({DuetRow("%s%n %d", 1)}), HasSubstr("\n%s%n %d           "));
}

}  // namespace
}  // namespace duetbench
