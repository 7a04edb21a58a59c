#ifndef DUETBENCH_TESTS_REPORT_SUITES_H_
#define DUETBENCH_TESTS_REPORT_SUITES_H_

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "duetbench/decide/comparison.h"
#include "duetbench/record/verdict.h"
#include "duetbench/report/suite_facts.h"
#include "tests/report/comparisons.h"

// Suites as a program leaves them.
namespace duetbench {

inline CpuPairChoice SeparateCores() {
  CpuPairChoice cpus;
  cpus.cpus[0] = 0;
  cpus.cpus[1] = 1;
  cpus.relation = CpuRelation::kSeparateCores;
  return cpus;
}

inline SuiteEntry Entry(const std::string& name, const Comparison& comparison,
                        bool has_gate = false) {
  SuiteEntry entry;
  entry.facts.name = name;
  entry.comparison = comparison;
  entry.comparison.has_gate = has_gate;
  return entry;
}

inline constexpr double kDegrees = 7;

// A ratio with this standard error of its logarithm, which has kDegrees of freedom.
inline SuiteEntry WithError(const std::string& name, double ratio, double error) {
  const double half = stats::TwoSidedT(0.01, kDegrees) * error;
  const stats::RatioInterval interval =
      Interval(ratio, ratio * std::exp(-half), ratio * std::exp(half));
  SuiteEntry entry = Entry(name, WithVerdict(stats::Decide(interval, 0.01), interval));
  entry.family = name.substr(0, name.find('/'));
  Comparison& comparison = entry.comparison;
  comparison.log_error = error;
  comparison.degrees_of_freedom = kDegrees;
  return entry;
}

// "FAMILY/64", known to 0.1 %.
inline SuiteEntry Of(const std::string& family, double ratio, int argument = 64) {
  return WithError(absl::StrCat(family, "/", argument), ratio, 0.0003);
}

// With a gate of 5 % and this interval; `p` is of a gate that failed.
inline SuiteEntry GateEntry(const std::string& name, double lo, double hi, double p = 1e-6) {
  SuiteEntry entry;
  entry.facts.name = name;
  entry.facts.file = "bench/parse.cc";
  entry.facts.line = 12;
  entry.facts.repeat = "./bench '--benchmark_filter=^" + name + "$' --duet_seed=7";
  entry.comparison = FasterComparison();
  entry.comparison.wall_s = 0.25;
  Comparison& comparison = entry.comparison;
  comparison.interval = Interval((lo + hi) / 2, lo, hi);
  comparison.runs = 8;
  comparison.gates.resize(1);
  comparison.gates[0].spec = GateSpec::MaxRatio(1.05);
  JudgeAgain(&entry.comparison);
  if (comparison.gates[0].outcome == GateStatus::kFail) comparison.gates[0].p = p;
  return entry;
}

inline SuiteEntry Passing(const std::string& name) { return GateEntry(name, 0.99, 1.01); }
inline SuiteEntry Failing(const std::string& name, double p = 1e-6) {
  return GateEntry(name, 1.06, 1.08, p);
}
inline SuiteEntry Undecided(const std::string& name) { return GateEntry(name, 1.04, 1.06); }

inline SuiteEntry Ungated(const std::string& name) {
  SuiteEntry entry = Passing(name);
  entry.comparison.gates.clear();
  return entry;
}

// The failing one with the reason: an allocation.
inline SuiteEntry Explained(const std::string& name) {
  SuiteEntry entry = Failing(name);
  entry.comparison.explanation = {
      {"+6.0 of +7.0 % in operator new<x>, called from Trim (maps.cc:12)"},
      {"hottest loop"},
      R"({"level": 0.99})"};
  return entry;
}

// A gate on a variant that asked not to be measured.
inline SuiteEntry NotMeasured(const std::string& name) {
  return Entry(name, FailedIn(1, 2, "skipped: this machine has no abacus", /*skipped=*/true),
               /*has_gate=*/true);
}

inline SuiteEntry Unchanged(const std::string& name, bool has_gate = false) {
  return Entry(name, UnchangedComparison(), has_gate);
}

inline SuiteEntry Broken(const std::string& name) {
  return Entry(name, FailedIn(1, 2, "threw std::runtime_error: <no> \"file\""));
}

// The worst outcome of each duet.
inline std::vector<GateStatus> Judge(const std::vector<SuiteEntry>& suite) {
  std::vector<GateStatus> worst;
  for (const auto& outcomes : SummarizeSuite(suite).outcomes) worst.push_back(outcomes.front());
  return worst;
}

// The facts are those of the comparisons, which tests have changed.
inline SuiteFacts FactsOf(std::vector<SuiteEntry> suite) {
  for (SuiteEntry& entry : suite) {
    const Facts before = std::exchange(entry.facts, FactsOf(entry.facts.name, entry.comparison));
    entry.facts.file = before.file;
    entry.facts.line = before.line;
    entry.facts.repeat = before.repeat;
  }
  return FactsOf(suite, SummarizeSuite(suite), "bench", {"duetbench: CPUs 0 and 1", "warning"},
                 SeparateCores());
}

}  // namespace duetbench

#endif  // DUETBENCH_TESTS_REPORT_SUITES_H_
