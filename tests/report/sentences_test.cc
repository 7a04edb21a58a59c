// Every sentence that a report can print, beside one file that a person reads:
// tests/testdata/golden/sentences.txt. A sentence that changes is to be read aloud, and the file
// written anew with DUETBENCH_WRITE_SENTENCES=1.
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "duetbench/report/comparison_format.h"
#include "duetbench/report/measuring_time.h"
#include "duetbench/report/suite_lines.h"
#include "duetbench/report/suite_summary.h"
#include "duetbench/report/total_format.h"
#include "gtest/gtest.h"
#include "tests/report/comparisons.h"
#include "tests/report/suites.h"

namespace duetbench {
namespace {

class Sentences {
 public:
  void Title(const std::string& title) {
    absl::StrAppend(&text_, text_.empty() ? "" : "\n", "# ", title, "\n");
  }
  void Add(const std::string& sentence) { absl::StrAppend(&text_, sentence, "\n"); }
  void Add(const std::vector<std::string>& sentences) {
    for (const std::string& sentence : sentences) Add(sentence);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// The values and texts that the code gives each kind (decide/notice.h), where they make another
// sentence of it. The switch has every kind: a new one does not compile without its sentence.
std::vector<Notice> Examples(Notice::Kind kind) {
  switch (kind) {
    case Notice::Kind::kRunDegraded:
      return {{kind, {10, 10}, "a thread could not be pinned to CPU 1"},
              {kind, {3, 10}, "a thread could not be pinned to CPU 1"}};
    case Notice::Kind::kForksOfThisProcess:
      return {{kind, {}, "it cannot be started again"}};
    case Notice::Kind::kNoManualTime:
    case Notice::Kind::kNoMeasurableTime:
      return {{kind, {}, "old"}};
    case Notice::Kind::kNotFilled:
      return {{kind, {}, ""}};
    case Notice::Kind::kDisturbedPairsKept:
    case Notice::Kind::kBiasedPairsKept:
      return {{kind, {0.8, 0}, ""}};
    case Notice::Kind::kOneSidedRuns:
      return {{kind, {3, 10}, ""}};
    case Notice::Kind::kLacksWork:
      return {{kind, {1, 0.3}, ""}};
    case Notice::Kind::kDisturbEachOther:
    case Notice::Kind::kMeasuredTogether:
      return {{kind, {0.551, 0.695}, "concurrent"}};
    case Notice::Kind::kNotStationary:
      return {{kind, {0.02, 0.1}, ""}};
    case Notice::Kind::kWorkDiffers:
      return {{kind, {1000, 1024}, "items"}};
    case Notice::Kind::kNoSingleCalls:
      return {{kind, {100, 100}, ""}};
    case Notice::Kind::kMayNotWait:
      return {{kind, {1, 11}, ""}};
    case Notice::Kind::kExpensiveRuns:
      return {{kind, {5, 1.4}, ""}};
    case Notice::Kind::kPausesCost:
      return {{kind, {1, 2.1}, ""}};
    case Notice::Kind::kPausesDoubtful:
      return {{kind, {0.035, 0}, ""}};
    case Notice::Kind::kSlowFirstIteration:
      return {{kind, {30e6, 150e3}, "new"}};
    case Notice::Kind::kSlowsDown:
      return {{kind, {1, 1.4}, ""}};
    case Notice::Kind::kStartsThreads:
      return {{kind, {0, 4}, ""}, {kind, {1, 0}, "2"}};
    case Notice::Kind::kConfinesThreads:
      return {{kind, {0, 4}, ""}, {kind, {1, 4}, ""}};
  }
  return {};
}

void AddNoticeSentences(Sentences* sentences) {
  sentences->Title("Notices");
  for (int kind = 0; kind <= static_cast<int>(Notice::Kind::kNotFilled); ++kind) {
    for (const Notice& notice : Examples(static_cast<Notice::Kind>(kind))) {
      sentences->Add(NoticeText(notice));
    }
  }
}

stats::TwoSpeeds TwoSpeedsOfOld() {
  stats::TwoSpeeds speeds;
  speeds.time[0] = 170;
  speeds.time[1] = 350;
  speeds.ratio[0] = 1.02;
  speeds.ratio[1] = 0.74;
  speeds.share[0] = 0.6;
  return speeds;
}

// Each kind of result, as old and new and with a gate of 5 %.
std::vector<Comparison> Results() {
  std::vector<Comparison> results = {
      FasterComparison(), WithVerdict(stats::Verdict::kSlower, Interval(1.2, 1.19, 1.21)),
      WithVerdict(stats::Verdict::kEqual, Interval(1.001, 0.999, 1.003)),
      WithVerdict(stats::Verdict::kInconclusive, Interval(1.02, 0.99, 1.06)),
      WithVerdict(stats::Verdict::kInconclusive, Interval(1, 0, HUGE_VAL))};
  for (Comparison& result : results) result.wall_s = 2;
  const Comparison inconclusive = results[3];
  for (const int variants : {1, 2, 3}) {
    results.push_back(inconclusive);
    results.back().estimate()->lacks_work[0] = (variants & 1) != 0;
    results.back().estimate()->lacks_work[1] = (variants & 2) != 0;
  }
  results.push_back(inconclusive);
  results.back().estimate()->pause_share[1] = 2.1;
  results.push_back(inconclusive);
  results.back().estimate()->is_biased = true;
  results.push_back(inconclusive);
  results.back().estimate()->measured_together = true;
  results.push_back(FasterComparison());
  results.back().estimate()->typical = results.back().estimate()->interval;
  results.back().estimate()->open_total = 2.58;
  results.push_back(FasterComparison());
  results.back().estimate()->two_speeds = TwoSpeedsOfOld();
  for (Comparison& result : results) JudgeAgain(&result);
  return results;
}

void AddVerdicts(Sentences* sentences) {
  sentences->Title("Verdicts");
  sentences->Add(FactsOf("a", DryRunComparison()).sentence);
  for (const Comparison& result : Results()) sentences->Add(VerdictSentence(result));
  sentences->Title("Gates: below the row, and at the end");
  for (Comparison result : Results()) {
    Estimate& estimate = *result.estimate();
    SetRuns(std::vector<double>(40, 0), &estimate);
    estimate.log_error = 0.0002;
    SetTimeGate(GateSpec::MaxRatio(1.05), &result);
    sentences->Add(GateSentence(result, result.estimate()->gates[0]));
    sentences->Add(AllGatesMessage("BM_Parse", result, SeparateCores()));
  }
}

void AddEffort(Sentences* sentences) {
  sentences->Title("What the numbers are made of, in parentheses behind a verdict");
  const auto add = [&](auto change) {
    Estimate estimate = *FasterComparison().estimate();
    change(&estimate);
    sentences->Add(EffortText(estimate));
  };
  add([](Estimate*) {});
  add([](Estimate* e) { e->dropped = 20000; });
  add([](Estimate* e) { e->cpu_time = e->total_decides = e->kept_disturbed = true; });
  add([](Estimate* e) { e->verdict = stats::Verdict::kEqual; });
  add([](Estimate* e) { e->threads = 4; });
  add([](Estimate* e) { e->schedule = Schedule::kInterleaved; });
  add([](Estimate* e) { e->schedule = Schedule::kAlternating; });
  add([](Estimate* e) {
    e->run_values.resize(40);
    for (int i = 0; i < 40; ++i) e->run_values[i].start_s = 0.025 * i;
  });
  add([](Estimate* e) {
    e->schedule = Schedule::kInterleaved;
    e->cpus_per_variant = kAllCpus;
  });
  add([](Estimate* e) {
    e->schedule = Schedule::kInterleaved;
    e->cpus_per_variant = 3;
  });
  add([](Estimate* e) { e->interrupted = true, e->runs = 12; });
}

void AddExplanations(Sentences* sentences) {
  sentences->Title("Findings below a row");
  Estimate estimate = *FasterComparison().estimate();
  estimate.verdict = stats::Verdict::kInconclusive;
  estimate.two_speeds = TwoSpeedsOfOld();
  sentences->Add(ExplanationLines(estimate).front());
  stats::TotalRatio total{};
  total.interval = Interval(2, 1.9, 2.1);
  total.differs = true;
  total.slow_calls[1] = {9876, 10432};
  sentences->Add(stats::TotalSentence(Interval(1, 0.99, 1.01), total));
  total.slow_calls[1] = {};
  sentences->Add(stats::TotalSentence(Interval(1, 0.99, 1.01), total));
}

void AddSummaries(const SuiteEntry& faster, const SuiteEntry& undecided, Sentences* sentences) {
  const auto add = [&](const std::vector<SuiteEntry>& suite, const std::string& repeat) {
    SuiteSummary summary = SummarizeSuite(suite);
    summary.repeat = repeat;
    sentences->Add(ConsoleLines(SummaryLines(summary)));
  };
  add({faster, faster, undecided}, "./bench '--benchmark_filter=^BM_Sort$'");
  std::vector<SuiteEntry> slower = {faster, faster, Broken("BM_Parse"), Passing("BM_Gate")};
  for (SuiteEntry& entry : slower) entry.facts.name += "_slower";
  for (int i = 0; i < 2; ++i) {
    Estimate& estimate = *slower[static_cast<size_t>(i)].comparison.estimate();
    estimate.interval = Interval(1.04, 1.03, 1.05);
    estimate.verdict = stats::Verdict::kSlower;
    estimate.log_error = 0.01;
    estimate.degrees_of_freedom = 7;
  }
  add(slower, "");
  slower.erase(slower.begin());
  slower.insert(slower.end(), 3, undecided);
  for (SuiteEntry& entry : slower) entry.family = entry.facts.name;
  add(slower, "./bench --benchmark_min_time=20");
}

void AddSuites(Sentences* sentences) {
  sentences->Title("The ranking of a group of variants");
  const auto place = [](const char* name, const stats::RatioInterval& interval) {
    return Ranking::Place{name, interval};
  };
  Ranking ranking;
  ranking.fastest = "flat_map";
  ranking.margin = 0.01;
  ranking.others = {place("btree_map", Interval(1.002, 0.9966, 1.0074)),
                    place("sorted_vector", Interval(1.03, 0.98, 1.08)),
                    place("hash_map", Interval(1.0234, 1.011, 1.036)),
                    place("std::map", Interval(1.8, 1.77, 1.83)),
                    place("map_of_an_arena", Interval(1.0001, 0.9911, 1.0012)),
                    place("sorted_list", Interval(1.0002, 1.0001, 1.0004))};
  sentences->Add(RankingSentence(ranking));
  Ranking unknown;
  unknown.unknown = "flat_map runs at two speeds";
  sentences->Add(RankingSentence(unknown));
  sentences->Title("The end of a suite");
  SuiteEntry faster = Ungated("BM_Map/8");
  faster.comparison.estimate()->interval = Interval(0.5, 0.49, 0.51);
  faster.comparison.estimate()->verdict = stats::Verdict::kFaster;
  faster.family = "BM_Map";
  SuiteEntry undecided = Ungated("BM_Sort");
  undecided.comparison.estimate()->interval = Interval(1.02, 0.99, 1.05);
  undecided.comparison.estimate()->verdict = stats::Verdict::kInconclusive;
  AddSummaries(faster, undecided, sentences);
  const std::vector<std::vector<SuiteEntry>> suites = {
      {Passing("a")},
      {Failing("a")},
      {Undecided("a")},
      {Passing("a"), Passing("b")},
      {Passing("a"), Failing("b"), Undecided("c"), Broken("d")}};
  for (const std::vector<SuiteEntry>& suite : suites) sentences->Add(FactsOf(suite).headline);
  for (const WhenInconclusive when :
       {WhenInconclusive::kPass, WhenInconclusive::kFail, WhenInconclusive::kSkip}) {
    sentences->Add(ClosingLines(FactsOf({Undecided("a")}), when).back());
  }
  const std::vector<SuiteEntry> of_messages[] = {{Broken("BM_Parse")},
                                                 {NotMeasured("BM_Parse")},
                                                 {Failing("BM_Parse", 0.009), Failing("b", 0.009)},
                                                 {Unchanged("BM_Parse", /*has_gate=*/true)}};
  for (const auto& suite : of_messages) sentences->Add(FactsOf(suite).duets[0].message);
}

TEST(SentencesTest, AreThoseOfTheFile) {
  Sentences sentences;
  AddVerdicts(&sentences);
  AddEffort(&sentences);
  AddExplanations(&sentences);
  AddNoticeSentences(&sentences);
  AddSuites(&sentences);
  const std::string path = DUETBENCH_TESTDATA "/golden/sentences.txt";
  if (std::getenv("DUETBENCH_WRITE_SENTENCES") != nullptr) {
    std::ofstream(path) << sentences.text();
  }
  std::ifstream file(path);
  ASSERT_TRUE(file) << path;
  std::stringstream expected;
  expected << file.rdbuf();
  EXPECT_EQ(sentences.text(), expected.str()) << "see the head of sentences_test.cc";
}

}  // namespace
}  // namespace duetbench
