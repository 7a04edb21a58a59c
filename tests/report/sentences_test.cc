// Every sentence that a report can print, beside one file that a person reads:
// tests/testdata/golden/sentences.txt. A sentence that changes is to be read aloud.
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "duetbench/report/comparison_format.h"
#include "duetbench/report/suite_formats.h"
#include "duetbench/report/suite_summary.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/golden_text.h"
#include "tests/report/comparisons.h"
#include "tests/report/suites.h"

namespace duetbench {
namespace {

using ::testing::IsEmpty;

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
      return {{kind, {0.02, 0.1}, ""}, {kind, {INFINITY, 4}, ""}};
    case Notice::Kind::kWorkDiffers:
      return {{kind, {1000, 1024}, "items"}};
    case Notice::Kind::kNoSingleCalls:
      return {{kind, {100, 100}, ""}};
    case Notice::Kind::kMayNotWait:
      return {{kind, {1, 11}, ""}};
    case Notice::Kind::kExpensiveRuns:
      return {{kind, {5, 1.4}, "in set-up"}, {kind, {5, 1.4}, ""}};
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

// Old takes 170 or 350 ns.
stats::TwoSpeeds TwoSpeedsOfOld(double fast_ratio, double slow_ratio) {
  stats::TwoSpeeds speeds;
  speeds.time[0] = 170;
  speeds.time[1] = 350;
  speeds.ratio[0] = fast_ratio;
  speeds.ratio[1] = slow_ratio;
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
    results.back().lacks_work[0] = (variants & 1) != 0;
    results.back().lacks_work[1] = (variants & 2) != 0;
  }
  results.push_back(inconclusive);
  results.back().pause_share[1] = 2.1;
  results.push_back(inconclusive);
  results.back().is_biased = true;
  results.push_back(inconclusive);
  results.back().measured_together = true;
  results.push_back(FasterComparison());
  results.back().typical = results.back().interval;
  results.back().open_total = 2.58;
  // FASTER holds at one of the speeds, and at both.
  for (const double fast_ratio : {1.02, 0.83}) {
    results.push_back(FasterComparison());
    results.back().two_speeds = TwoSpeedsOfOld(fast_ratio, 0.74);
  }
  for (Comparison& result : results) JudgeAgain(&result);
  return results;
}

void AddGates(const Comparison& comparison, Sentences* sentences) {
  for (const GateResult& gate : comparison.gates) {
    sentences->Add(GateSentence(comparison, gate));
  }
  sentences->Add(AllGatesMessage("BM_Parse", comparison, SeparateCores()));
}

void AddVerdicts(Sentences* sentences) {
  sentences->Title("Verdicts");
  sentences->Add(FactsOf("a", DryRunComparison()).sentence);
  for (const Comparison& result : Results()) sentences->Add(VerdictSentence(result));
  // Names that would confuse are left out.
  for (const VariantNames& names :
       {VariantNames{"BM_StdMap", "BM_BTreeMap"}, VariantNames{"Sort", "Sort"},
        VariantNames{std::string(40, 'a'), std::string(40, 'b')}}) {
    Comparison comparison = FasterComparison();
    comparison.names = names;
    sentences->Add(VerdictSentence(comparison));
  }
  sentences->Title("Gates: below the row, and at the end");
  for (Comparison result : Results()) {
    SetRuns(std::vector<double>(40, 0), &result);
    result.log_error = 0.0002;
    SetTimeGate(GateSpec::MaxRatio(1.05), &result);
    AddGates(result, sentences);
  }
}

Comparison Gated(const GateSpec& spec, double lo, double hi) {
  Comparison comparison = FasterComparison();
  comparison.interval = Interval(std::sqrt(lo * hi), lo, hi);
  comparison.runs = 10;
  SetTimeGate(spec, &comparison);
  return comparison;
}

void AddOtherGatesOnTimes(Sentences* sentences) {
  sentences->Title("Other gates on times");
  const struct {
    GateSpec spec;
    double lo;
    double hi;
  } gates[] = {
      {GateSpec::MaxRatio(0.5), 0.48, 0.49},          {GateSpec::MinSpeedup(1.5), 0.89, 0.91},
      {GateSpec::MinRatio(0.98), 0.99, 1.01},         {GateSpec::MinRatio(0.98), 0.925, 0.951},
      {GateSpec::Equivalent(0.02), 0.98125, 1.01875}, {GateSpec::Equivalent(0.02), 0.925, 0.951},
      {GateSpec::Equivalent(0.02), 1.03, 1.08},       {GateSpec::Equivalent(0.02), 1.01, 1.08}};
  for (const auto& gate : gates) AddGates(Gated(gate.spec, gate.lo, gate.hi), sentences);
  Comparison undecided = Gated(GateSpec::MaxRatio(1.05), 0.909, 1.1);
  undecided.time_spent = true;
  undecided.share = 0.5;
  undecided.wall_s = 10;
  AddGates(undecided, sentences);
  undecided.lacks_work[0] = true;
  JudgeAgain(&undecided);
  AddGates(undecided, sentences);
  Comparison limited = Gated(GateSpec::MaxRatio(1.05), 0.98, 1);
  limited.runs = 1;
  limited.schedule = Schedule::kInterleaved;
  limited.schedule_reason = "its pilot was narrower";  // is not said
  limited.dropped = 1234567;
  limited.interrupted = true;
  AddGates(limited, sentences);
}

GateResult Allocations(GateStatus outcome, double old_count, double new_count,
                       std::optional<stats::RatioInterval> interval) {
  GateResult gate = MakeGate(GateSpec::MaxRatio(1, {"ALLOCATIONS"}), outcome, std::move(interval));
  gate.mean[0] = old_count;
  gate.mean[1] = new_count;
  return gate;
}

void AddGatesOnMetrics(Sentences* sentences) {
  sentences->Title("Gates on counters and quantiles; what does not hold comes first in a message");
  Comparison comparison = Gated(GateSpec::MaxRatio(1.05), 0.98, 1);
  std::vector<GateResult>& gates = comparison.gates;
  gates.push_back(Allocations(GateStatus::kFail, 2, 3, Interval(1.5, 1.5, 1.5)));
  gates.push_back(Allocations(GateStatus::kPass, 2, 2, Interval(1, 1, 1)));
  gates.push_back(Allocations(GateStatus::kInconclusive, 2, 2.1, Interval(1.05, 0.98, 1.12)));
  gates.push_back(Allocations(GateStatus::kFail, 0, 3, {}));
  GateResult p99 = MakeGate(GateSpec::MaxRatio(1.1, {"", 0.99}), GateStatus::kFail,
                            Interval(1.213, 1.18, 1.251));
  gates.push_back(p99);
  p99.outcome = GateStatus::kInconclusive;
  p99.why = stats::Why::kBiased;
  gates.push_back(p99);
  p99.why = stats::Why::kWide;
  p99.interval.reset();
  p99.calls.emplace();
  p99.calls->calls = 60'000;
  p99.calls->calls_needed = 70'000;
  gates.push_back(p99);
  AddGates(comparison, sentences);
}

void AddEffort(Sentences* sentences) {
  sentences->Title("What the numbers are made of, in parentheses behind a verdict");
  const auto add = [&](auto change) {
    Comparison comparison = FasterComparison();
    change(&comparison);
    sentences->Add(EffortText(comparison));
  };
  add([](Comparison*) {});
  add([](Comparison* c) { c->dropped = 20000; });
  add([](Comparison* c) { c->slow_core_runs = 35; });
  add([](Comparison* c) { c->cpu_time = c->total_decides = c->kept_disturbed = true; });
  add([](Comparison* c) { c->verdict = stats::Verdict::kEqual; });
  add([](Comparison* c) { c->threads = 4; });
  add([](Comparison* c) { c->schedule = Schedule::kInterleaved; });
  add([](Comparison* c) { c->schedule = Schedule::kAlternating; });
  const auto begin_within = [](double seconds, Comparison* c) {
    c->run_values.resize(40);
    for (int i = 0; i < 40; ++i) c->run_values[i].start_s = 3 + seconds * i / 39;
  };
  for (const double seconds : {1.04, 9.8, 11.0}) {
    add([&](Comparison* c) { begin_within(seconds, c); });
  }
  add([&](Comparison* c) {
    begin_within(1, c);
    c->run_values[7].start_s = -1;  // not known
  });
  add([&](Comparison* c) {
    begin_within(1, c);
    c->run_values[7].machine = 1;
  });
  add([](Comparison* c) {
    c->schedule = Schedule::kInterleaved;
    c->cpus_per_variant = kAllCpus;
  });
  add([](Comparison* c) {
    c->schedule = Schedule::kInterleaved;
    c->cpus_per_variant = 3;
  });
  add([](Comparison* c) { c->interrupted = true, c->runs = 12; });
  sentences->Title("Errors");
  sentences->Add(ErrorText(FailedIn(0, 0, "called exit()").failure));
  sentences->Add(ErrorText(FailedIn(1, 2, "threw int").failure));
  sentences->Add(ErrorText(FailedIn(-1, 4, "the process of the run was killed").failure));
  sentences->Add(ErrorText(FailedIn(-1, -1, "no pair could be used").failure));
}

void AddMetrics(Sentences* sentences) {
  sentences->Title("Counters and quantiles: below a row, and in the head");
  std::vector<CounterComparison> summary = {MakeCounter("INSTRUCTIONS", 120, 96),
                                            MakeCounter("PAGE-FAULTS", 0, 1000),
                                            MakeCounter("CYCLES", 0, 0),
                                            MakeCounter("CALLGRIND-INSTRUCTIONS", 4025, 10036),
                                            MakeCounter("BRANCHES", 1, 2),
                                            MakeCounter("LOADS", 1, 2),
                                            MakeCounter("PEAK-RSS", 1 << 20, 3 << 20),
                                            MakeCounter("PEAK-HEAP", 512, 3e12),
                                            MakeCounter("USER-TIME", 0.25, 0.5),
                                            MakeCounter("EXIT-STATUS", 0, 3)};
  summary[0].ratio = 0.8;
  summary[0].interval = Interval(0.8, 0.79, 0.81);
  summary[2].counted = false;
  summary[3].ratio = 2.5;
  summary[3].interval = Interval(2.5, 2.5, 2.5);  // the same in all runs
  summary[4].scaled_share = 0.25;
  summary[5].scaled_share = 0.001;
  for (size_t i = 6; i < summary.size(); ++i) summary[i].of_run = true;
  sentences->Add(CounterLine(summary));
  EventSurvey survey;
  survey.events = {{"CYCLES", {}}, {"INSTRUCTIONS", {}}};
  survey.missing = {{"BAD", "unknown; name another"}};
  survey.by_callgrind = {"CALLGRIND-CALLS", "CALLGRIND-INSTRUCTIONS"};
  sentences->Add(CounterHeaderLines(survey));
  Comparison comparison = FasterComparison();
  comparison.quantiles.resize(3);
  for (stats::QuantileRatio& ratio : comparison.quantiles) {
    ratio.quantile = 0.999;
    ratio.calls = 8400;
    ratio.calls_needed = 50'000;
  }
  comparison.quantiles[0].quantile = 0.5;
  comparison.quantiles[0].interval = Interval(1.213, 1.18, 1.251);
  comparison.quantiles[0].time[0] = 1520;
  comparison.quantiles[0].time[1] = 1.85e6;
  comparison.quantiles[2].runs = 5;
  comparison.quantiles[2].runs_needed = 10;
  sentences->Add(FactsOf("a", comparison).details);
}

stats::RatioInterval Around(double ratio) { return Interval(ratio, ratio * 0.99, ratio * 1.01); }

stats::TotalRatio Total(double ratio, stats::SlowCalls of_old, stats::SlowCalls of_new) {
  stats::TotalRatio total{};
  total.interval = Around(ratio);
  total.differs = true;
  total.slow_calls[0] = of_old;
  total.slow_calls[1] = of_new;
  return total;
}

void AddExplanations(Sentences* sentences) {
  sentences->Title("Findings below a row");
  Comparison comparison = FasterComparison();
  for (const double fast_ratio : {1.02, 0.83}) {
    comparison.two_speeds = TwoSpeedsOfOld(fast_ratio, 0.74);
    sentences->Add(ExplanationLines(comparison));
  }
  sentences->Add(TotalSentence(Around(1), Total(2, {}, {9876, 10432})));
  sentences->Add(TotalSentence(Around(1), Total(0.5, {12.4, 9.7}, {})));
  sentences->Add(TotalSentence(Around(1), Total(1.1, {}, {1.2, 3})));
  // One call in 1,000 that takes 400 times as long would be 40 % of the time of the others.
  sentences->Add(TotalSentence(Around(1.848), Total(1.705, {1000, 400}, {})));
  sentences->Add(TotalSentence(Around(1.848), Total(1.848 / 1.4, {1000, 400}, {})));
  // 5 % do not double a time.
  sentences->Add(TotalSentence(Around(1), Total(2, {}, {1000, 50})));
  sentences->Add(TotalFinding(Around(0.995), Total(0.93, {}, {})));
  sentences->Add(TotalFinding(Around(1.5), Total(2, {}, {100, 35})));
  for (const double calls : {1e7, 20.0, 1.0}) sentences->Add(UnseenText(calls));
}

void AddSummaries(Sentences* sentences) {
  const auto add = [&](const std::vector<SuiteEntry>& suite, const std::string& repeat = "") {
    SuiteSummary summary = SummarizeSuite(suite);
    summary.repeat = repeat;
    sentences->Add("");
    sentences->Add(ConsoleLines(SummaryLines(summary)));
  };
  sentences->Title("The summary of a suite: the largest change is first");
  add({Of("a", 1.2), Of("b", 0.5), Of("c", 2), Of("d", 0.9)});
  std::vector<SuiteEntry> large_family = {Of("b", 1.05)};
  for (int i = 0; i < 24; ++i) large_family.push_back(Of("a", 1.03 + i * 0.01, i));
  add(large_family);
  // Long lists end, but no line says "and 1 more".
  std::vector<SuiteEntry> long_list;
  for (int i = 0; i < 40; ++i) long_list.push_back(Of(absl::StrCat("f", i), 1.05));
  add(long_list);
  long_list.resize(11);
  add(long_list);
  std::vector<SuiteEntry> families = {Of("StdMap_vs_BTreeMap", 0.25), Of("single", 1),
                                      Of("StdMap_vs_BTreeMap", 1), Of("twice", 2), Of("twice", 8)};
  families[0].comparison.names = families[2].comparison.names = {"StdMap", "BTreeMap"};
  add(families);
  SuiteEntry soon = WithError("soon", 1.003, 0.003);
  SuiteEntry late = WithError("late", 1.0055, 0.01);
  soon.comparison.wall_s = late.comparison.wall_s = 10;
  SuiteEntry without_work = WithError("idle", 1, 0.01);
  without_work.comparison.lacks_work[0] = true;
  JudgeAgain(&without_work.comparison);
  add({without_work, late, soon, Of("b", 1)}, "./bench --benchmark_min_time=20");
  add({soon, Of("b", 1.2), GateEntry("gate", 0.98, 1.03), Broken("broken"), Unchanged("same")},
      "./bench '--benchmark_filter=^soon$'");
  std::vector<SuiteEntry> many = {Of("clear", 1.2), WithError("weak", 1.012, 0.003)};
  for (int i = 0; i < 98; ++i) many.push_back(Of(absl::StrCat("same", i), 1));
  add(many);
}

void AddEndsOfSuites(Sentences* sentences) {
  sentences->Title("The end of a suite with gates");
  const std::vector<std::vector<SuiteEntry>> suites = {
      {Passing("a")},
      {Failing("a"), Ungated("b")},
      {Undecided("a"), Broken("b")},
      {Passing("a"), Passing("b"), Ungated("c")},
      {Passing("a"), Undecided("b")},
      {Undecided("a"), Undecided("b")},
      {Passing("a"), Failing("b"), Undecided("c"), Broken("d")}};
  for (const std::vector<SuiteEntry>& suite : suites) sentences->Add(FactsOf(suite).headline);
  sentences->Add(
      ClosingLines(FactsOf({Passing("a"), Failing("b"), Ungated("c")}), WhenInconclusive::kPass));
  const std::vector<SuiteEntry> unproven = {Undecided("a"), Failing("b", 0.009), Passing("c")};
  for (const WhenInconclusive when : {WhenInconclusive::kPass, WhenInconclusive::kFail}) {
    sentences->Add(ClosingLines(FactsOf(unproven), when));
  }
  sentences->Add(ClosingLines(FactsOf({NotMeasured("a")}), WhenInconclusive::kSkip));
  sentences->Add(FactsOf({Broken("BM_Parse")}).duets[0].message);
  sentences->Add(FactsOf({Unchanged("BM_Parse", /*has_gate=*/true)}).duets[0].message);
}

void AddAnnotations(Sentences* sentences) {
  sentences->Title("For GitHub");
  const auto add = [&](const std::vector<SuiteEntry>& suite,
                       WhenInconclusive when = WhenInconclusive::kPass) {
    sentences->Add(Annotations(FactsOf(suite), when, "/home/runner/work/r/r"));
  };
  add({Passing("good"), Failing("bad"), Ungated("free")});
  for (const WhenInconclusive when :
       {WhenInconclusive::kPass, WhenInconclusive::kSkip, WhenInconclusive::kFail}) {
    add({Undecided("a")}, when);
  }
  SuiteEntry special = Broken("a:b,c%d\r\ne");
  special.facts.file = "x:y,z.cc";
  add({special, Broken("without a file")});
  SuiteEntry entry = Failing("a");
  for (const char* file :
       {"/home/runner/work/r/r/bench/a.cc", "../../bench/a.cc", "./bench/a.cc", "bench/a.cc"}) {
    entry.facts.file = file;
    add({entry});
  }
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
  AddSummaries(sentences);
  AddEndsOfSuites(sentences);
  AddAnnotations(sentences);
  sentences->Title("--duet_profile");
  SuiteEntry profiled = Ungated("BM_Parse/1024");
  Comparison& comparison = profiled.comparison;
  comparison.schedule = Schedule::kDuet;
  comparison.schedule_reason = "it is narrower";
  TimeAccount& time = comparison.time;
  time.wall_ns = 2e9;
  time.kept_ns = 1.5e9;
  time.dropped_ns = 0.02e9;
  time.solo_ns = 0.14e9;
  time.unmeasured_ns = 0.1e9;
  time.set_up_ns = 0.06e9;
  time.start_ns = 0.08e9;
  time.pilots_ns = 0.04e9;
  sentences->Add(TimeAccountLines({profiled, Broken("has no ratio")}));
}

TEST(SentencesTest, AreThoseOfTheFile) {
  Sentences sentences;
  AddVerdicts(&sentences);
  AddOtherGatesOnTimes(&sentences);
  AddGatesOnMetrics(&sentences);
  AddEffort(&sentences);
  AddMetrics(&sentences);
  AddExplanations(&sentences);
  AddNoticeSentences(&sentences);
  AddSuites(&sentences);
  ExpectGoldenText("sentences.txt", sentences.text());
}

TEST(SentencesTest, ThereAreNoneWhereThereIsNothingToSay) {
  EXPECT_EQ(CounterLine({}), "");
  EXPECT_THAT(CounterHeaderLines({}), IsEmpty());
  EXPECT_THAT(FactsOf("a", FasterComparison()).details, IsEmpty());
  EXPECT_EQ(TotalFinding(Around(0.936), Total(0.93, {}, {})), "") << "both are FASTER";
  Comparison at_both_speeds = FasterComparison();
  at_both_speeds.two_speeds = TwoSpeedsOfOld(0.83, 0.74);
  at_both_speeds.interval = Interval(0.8, 0.73, 0.84);
  EXPECT_THAT(ExplanationLines(at_both_speeds), IsEmpty()) << "the interval contains both";
  for (const SuiteFacts& suite :
       {FactsOf({}), FactsOf({Ungated("a")}), FactsOf({Ungated("a"), Broken("b")})}) {
    EXPECT_EQ(suite.headline, "");
    EXPECT_THAT(ClosingLines(suite, WhenInconclusive::kPass), IsEmpty());
  }
}

}  // namespace
}  // namespace duetbench
