#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "duetbench/decide/comparison.h"
#include "duetbench/google_benchmark/reports.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/google_benchmark/duets.h"

namespace duetbench {
namespace {

using Row = benchmark::BenchmarkReporter::Run;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// All that is written on the console for `calls` of Add.
std::string Print(const std::vector<std::vector<ReportRow>>& calls,
                  const ConsoleOptions& options = {}, size_t name_width = 12) {
  std::ostringstream out, err;
  const std::unique_ptr<Report> report = MakeConsoleReport(options, &out, &err);
  report->Begin(ContextOfWidth(name_width));
  for (const std::vector<ReportRow>& rows : calls) report->Add(rows);
  report->End("");
  return out.str();
}

// Below the head of the table.
std::string PrintRows(const std::vector<std::vector<ReportRow>>& calls,
                      const ConsoleOptions& options = {}) {
  const std::string text = Print(calls, options);
  const size_t last_line = text.find("---\n", text.find("\nBenchmark "));
  return text.substr(last_line + 4);
}

std::string PrintDuet(const Comparison& comparison, const ConsoleOptions& options = {}) {
  return PrintRows({DuetRows("a", comparison)}, options);
}

std::string ContextOf(bool has_ordinary_rows) {
  std::ostringstream out, err;
  ConsoleOptions options;
  options.has_ordinary_rows = has_ordinary_rows;
  MakeConsoleReport(options, &out, &err)->Begin(ContextOfWidth(12));
  return err.str();
}

ConsoleOptions InColor() {
  ConsoleOptions options;
  options.color = true;
  return options;
}

Comparison Slower() { return WithVerdict(stats::Verdict::kSlower, Interval(2.5, 2.48, 2.52)); }

// The libraries of Debian are without NDEBUG.
TEST(ConsoleReportTest, DuetsAreNotWarnedOfADebugBuildOfGoogleBenchmark) {
  constexpr char kWarning[] = "Library was built as DEBUG";
  const std::string with_ordinary = ContextOf(true), duets_only = ContextOf(false);
  EXPECT_THAT(duets_only, AllOf(HasSubstr("CPU"), Not(HasSubstr(kWarning))));
  if (with_ordinary.find(kWarning) == std::string::npos) {
    EXPECT_EQ(with_ordinary, duets_only);
  }
}

TEST(ConsoleReportTest, AVerdictThatDoesNotFitHasALineOfItsOwn) {
  const auto last_lines = [](size_t columns) {
    ConsoleOptions options;
    options.columns = static_cast<int>(columns);
    const std::string text = Print({DuetRows("A_vs_B/64", FasterComparison())}, options);
    return text.substr(text.find("\nA_vs_B/64  ") + 1);
  };
  const std::string numbers = "A_vs_B/64              0.800 x               [0.790, 0.810]";
  const std::string sentence = "FASTER: new takes 0.800 × the time of old";
  const std::string effort = "(40 runs)\n";
  const std::string one_line = numbers + "  " + sentence + " " + effort;
  const size_t columns = one_line.size() - 2;  // without the end of the line; × has two bytes
  EXPECT_EQ(last_lines(columns), one_line);
  EXPECT_EQ(last_lines(columns - 1), numbers + "\n  " + sentence + " " + effort);
  EXPECT_EQ(last_lines(50), numbers + "\n  " + sentence + "\n  " + effort);
}

TEST(ConsoleReportTest, NoLineIsLongerThan120Columns) {
  Comparison comparison = WithVerdict(stats::Verdict::kInconclusive, Interval(1.003, 0.979, 1.034));
  comparison.wall_s = 1000;
  comparison.names = {"FindInUnorderedMapOfStrings", "FindInFlatHashMapOfStrings"};
  comparison.kept_disturbed = true;
  comparison.schedule = Schedule::kInterleaved;
  comparison.interrupted = true;
  const std::string text = Print(
      {DuetRows("FindInUnorderedMapOfStrings_vs_FindInFlatHashMapOfStrings/4096", comparison)});
  EXPECT_THAT(
      text, EndsWith("\n  INCONCLUSIVE: FindInFlatHashMapOfStrings takes 0.979 to 1.034 × "
                     "the time of FindInUnorderedMapOfStrings;\n  about 8 h would decide (40 runs; "
                     "disturbed pairs kept; interleaved on one CPU; interrupted, 40 runs were "
                     "planned)\n"));
}

TEST(ConsoleReportTest, ANameIsNoFormat) {
  EXPECT_EQ(PrintRows({DuetRows("::error::%n", FasterComparison())}, {}),
            "::error::%n/old         125 ns          124 ns         3000\n"
            "::error::%n/new         100 ns         99.0 ns         3010\n"
            "::error::%n            0.800 x               [0.790, 0.810]  FASTER: new takes 0.800 "
            "× the time of old (40 runs)\n");
}

TEST(ConsoleReportTest, AFailedComparisonIsAnErrorRow) {
  EXPECT_EQ(PrintDuet(FailedComparison("threw int")),
            "a                ERROR OCCURRED: 'threw int'\n");
}

TEST(ConsoleReportTest, TheHeaderComesFirstAndOnce) {
  ConsoleOptions options;
  options.header = {"duetbench: one", "duetbench: two"};
  const std::string text =
      Print({DuetRows("a", FasterComparison()), DuetRows("a", FasterComparison())}, options);
  EXPECT_THAT(text, StartsWith("duetbench: one\nduetbench: two\n-----"));
  EXPECT_EQ(text.find("duetbench: one", 1), std::string::npos) << text;
}

TEST(ConsoleReportTest, OrdinaryRowsAreThoseOfGoogleBenchmark) {
  Row counted = OrdinaryRow("BM_Counted");
  counted.counters["apples"] = benchmark::Counter(7);
  const std::vector<Row> runs = {OrdinaryRow("BM_Plain"), counted,
                                 ErrorRow("BM_Failed", "no data")};
  for (const bool tabular : {false, true}) {
    benchmark::ConsoleReporter original(tabular ? benchmark::ConsoleReporter::OO_Tabular
                                                : benchmark::ConsoleReporter::OO_None);
    std::ostringstream expected, err;
    original.SetOutputStream(&expected);
    original.SetErrorStream(&err);
    // Wider by "/old".
    original.ReportContext(ContextOfWidth(16));
    original.ReportRuns(runs);
    ConsoleOptions options;
    options.tabular = tabular;
    EXPECT_EQ(Print({PlainRows(runs)}, options), expected.str());
  }
}

TEST(ConsoleReportTest, OrdinaryRowsAndDuetsShareATable) {
  EXPECT_EQ(Print({PlainRows({OrdinaryRow("BM_First")}), DuetRows("A_vs_B", FasterComparison()),
                   PlainRows({OrdinaryRow("BM_Between")}), DuetRows("C_vs_D", Slower())}),
            R"(-----------------------------------------------------------
Benchmark                 Time             CPU   Iterations
-----------------------------------------------------------
BM_First               50.0 ns         40.0 ns         1000
A_vs_B/old              125 ns          124 ns         3000
A_vs_B/new              100 ns         99.0 ns         3010
A_vs_B                 0.800 x               [0.790, 0.810]  )"
            "FASTER: new takes 0.800 × the time of old (40 runs)\n"
            R"(BM_Between             50.0 ns         40.0 ns         1000
C_vs_D/old              125 ns          124 ns         3000
C_vs_D/new              100 ns         99.0 ns         3010
C_vs_D                 2.500 x               [2.480, 2.520]  )"
            "SLOWER: new takes 2.500 × the time of old (40 runs)\n");
}

TEST(ConsoleReportTest, ColorsOnlyIfAsked) {
  EXPECT_THAT(PrintDuet(FasterComparison()), Not(HasSubstr("\033")));
  EXPECT_THAT(PrintDuet(FasterComparison(), InColor()),
              EndsWith("\033[0;32ma               \033[m       0.800 x               [0.790, 0.810]"
                       "  \033[0;32mFASTER: new takes 0.800 × the time of old\033[m (40 runs)\n"));
}

TEST(ConsoleReportTest, EachVerdictHasItsColor) {
  const struct {
    stats::Verdict verdict;
    const char* text;
  } kCases[] = {
      {stats::Verdict::kFaster, "\033[0;32mFASTER: "},
      {stats::Verdict::kSlower, "\033[0;31mSLOWER: "},
      {stats::Verdict::kInconclusive, "\033[0;33mINCONCLUSIVE: "},
      {stats::Verdict::kEqual,
       "[0.900, 1.100]\n  EQUAL: new takes the same time as old, within 1 % ("},
  };
  for (const auto& [verdict, text] : kCases) {
    EXPECT_THAT(PrintDuet(WithVerdict(verdict, Interval(1, 0.9, 1.1)), InColor()), HasSubstr(text));
  }
}

TEST(ConsoleReportTest, DisturbedPairsAreToldWhereTheyKeepADecisionAway) {
  const Notice disturbed = {Notice::Kind::kDisturbedPairsKept, {0.8, 0}, ""};
  Comparison decided = Slower();
  Comparison open = WithVerdict(stats::Verdict::kInconclusive, Interval(1.02, 0.99, 1.06));
  for (Comparison* const comparison : {&decided, &open}) comparison->notices = {disturbed};
  EXPECT_THAT(PrintDuet(decided),
              EndsWith("SLOWER: new takes 2.500 × the time of old (40 runs)\n"));
  EXPECT_EQ(PrintDuet(open),
            "a/old                   125 ns          124 ns         3000\n"
            "a/new                   100 ns         99.0 ns         3010\n"
            "a                      1.020 x               [0.990, 1.060]\n"
            "  INCONCLUSIVE: new takes 0.990 to 1.060 × the time of old (40 runs)\n"
            "duetbench: 80 % of the pairs were disturbed by other threads; they are kept, with "
            "their CPU times, and the interval is\n"
            "    wide: stop other programs\n");
}

TEST(ConsoleReportTest, ANoticeIsPrintedOnceBelowItsDuet) {
  Comparison first = FasterComparison();
  first.notices = {Degraded("something degraded"), Degraded("and something else")};
  Comparison second = FasterComparison();
  second.notices = {Degraded("something degraded"), Degraded("a third thing")};
  EXPECT_EQ(PrintRows({DuetRows("a", first), DuetRows("b", second)}),
            "a/old                   125 ns          124 ns         3000\n"
            "a/new                   100 ns         99.0 ns         3010\n"
            "a                      0.800 x               [0.790, 0.810]  FASTER: new takes 0.800 "
            "× the time of old (40 runs)\n"
            "duetbench: something degraded\n"
            "duetbench: and something else\n"
            "b/old                   125 ns          124 ns         3000\n"
            "b/new                   100 ns         99.0 ns         3010\n"
            "b                      0.800 x               [0.790, 0.810]  FASTER: new takes 0.800 "
            "× the time of old (40 runs)\n"
            "duetbench: a third thing\n");
}

TEST(ConsoleReportTest, ExplanationsStandBelowTheVerdict) {
  Comparison comparison = FasterComparison();
  comparison.two_speeds.emplace().ratio[0] = 0.5;
  comparison.notices = {Degraded("something degraded")};
  EXPECT_THAT(PrintDuet(comparison),
              AllOf(HasSubstr("(40 runs)\n  old runs at two speeds: the ratio is 0.5 x"),
                    EndsWith("\nduetbench: something degraded\n")));
}

TEST(ConsoleReportTest, CountersAndLabelsOfVariantsStandInTheirRows) {
  Comparison comparison = FasterComparison();
  comparison.variants[0].counters = {
      {"items_per_second", 8e6, benchmark::Counter::kIsRate, benchmark::Counter::kIs1000}};
  comparison.variants[1].label = "arena";
  EXPECT_EQ(PrintDuet(comparison),
            "a/old                   125 ns          124 ns         3000 items_per_second=8M/s\n"
            "a/new                   100 ns         99.0 ns         3010 arena\n"
            "a                      0.800 x               [0.790, 0.810]  FASTER: new takes 0.800 "
            "× the time of old (40 runs)\n");
}

}  // namespace
}  // namespace duetbench
