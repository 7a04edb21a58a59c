#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "duetbench/report/pairs_file.h"
#include "tools/duet_stat/output/outputs.h"
#include "tools/stats/method_names.h"

namespace duetbench::duet_stat {
namespace {

constexpr char kHeader[] =
    "benchmark,runs,pairs,dropped,kind,method,level,estimator,ratio,lo,hi,verdict,p,effect,"
    "message\n";

// The shortest text that reads as the same double; "inf" if it is infinite.
std::string NumberText(double value) {
  char text[32];  // the longest double has 24 characters
  const std::to_chars_result result = std::to_chars(text, text + sizeof text, value);
  return std::string(text, result.ptr);
}

std::string NumberText(const std::optional<double>& value) {
  return value.has_value() ? NumberText(*value) : "";
}

// The cells of a line, by name; those that do not apply stay empty.
struct Line {
  std::string benchmark;
  std::string effort;  // runs,pairs,dropped
  std::string kind;
  std::string method;
  std::string level;
  std::string estimator;
  std::string ratio;
  std::string lo;
  std::string hi;
  std::string verdict;
  std::string p;
  std::string effect;
  std::string message;
};

void Append(const Line& line, std::string* out) {
  AppendCsvCell(line.benchmark, out);
  absl::StrAppend(out, ",", line.effort);
  for (const std::string* cell :
       {&line.kind, &line.method, &line.level, &line.estimator, &line.ratio, &line.lo, &line.hi,
        &line.verdict, &line.p, &line.effect, &line.message}) {
    *out += ',';
    AppendCsvCell(*cell, out);
  }
  *out += '\n';
}

void AppendMeans(const Line& start,
                 const std::optional<absl::StatusOr<stats::MeansDifference>>& means,
                 std::string* out) {
  if (!means.has_value()) return;
  Line line = start;
  line.kind = "means";
  line.method = "difference-of-means";
  if (means->ok()) {
    line.level = NumberText((*means)->level);
    line.ratio = NumberText((*means)->difference);
    line.lo = NumberText((*means)->lo);
    line.hi = NumberText((*means)->hi);
  } else {
    line.message = std::string(means->status().message());
  }
  Append(line, out);
}

// The detectable slow-down: of the formula, with the spread as it is and at its upper limit, and of
// the resampling.
void AppendPlanning(const Line& start, const Planning& planning, double level, std::string* out) {
  if (!planning.resampled.has_value()) return;
  const auto append = [&](const char* method, const std::optional<double>& slowdown,
                          std::string message) {
    Line line = start;
    line.kind = "mds";
    line.method = method;
    line.level = NumberText(level);
    line.effect = NumberText(slowdown);
    line.message = std::move(message);
    Append(line, out);
  };
  append("formula", planning.mds, "");
  append("formula-upper", planning.mds_upper, "");
  append("resampled", planning.resampled->slowdown,
         absl::StrCat("by the criterion of Laaber et al. ",
                      NumberText(planning.resampled->paper_slowdown), "; ",
                      planning.resampled->false_alarms, " false alarms in 100"));
}

void AppendRules(const Line& start, const std::vector<AppliedRule>& rules, std::string* out) {
  for (const AppliedRule& applied : rules) {
    Line line = start;
    line.kind = "rule";
    line.method = std::string(RuleName(applied.rule));
    if (applied.decision.ok()) {
      line.verdict = std::string(stats::ChangeName(applied.decision->decision));
      line.p = NumberText(applied.decision->p);
      line.effect = NumberText(applied.decision->effect);
    } else {
      line.message = std::string(applied.decision.status().message());
    }
    Append(line, out);
  }
}

}  // namespace

std::string CsvText(const std::vector<BenchmarkResult>& results) {
  std::string out = kHeader;
  for (const BenchmarkResult& result : results) {
    Line start;
    start.benchmark = result.name;
    start.effort = absl::StrCat(result.runs, ",", result.pairs, ",", result.dropped);
    if (result.intervals.empty()) {
      Line line = start;
      line.kind = "error";
      line.message = result.error;
      Append(line, &out);
    }
    for (const IntervalResult& entry : result.intervals) {
      Line line = start;
      line.kind = "interval";
      line.method = std::string(stats::IntervalKindName(entry.kind));
      line.level = NumberText(entry.level);
      line.estimator = std::string(stats::EstimatorName(entry.estimator));
      if (entry.interval.ok()) {
        line.ratio = NumberText(entry.interval->ratio);
        line.lo = NumberText(entry.interval->lo);
        line.hi = NumberText(entry.interval->hi);
        line.verdict = std::string(stats::VerdictName(entry.verdict));
        line.message = entry.interval->warning;
      } else {
        line.message = std::string(entry.interval.status().message());
      }
      Append(line, &out);
    }
    if (result.decision.total_decides) {
      Line line = start;
      line.kind = "interval";
      line.method = "total";
      line.level = NumberText(result.decision.interval.level);
      line.ratio = NumberText(result.decision.interval.ratio);
      line.lo = NumberText(result.decision.interval.lo);
      line.hi = NumberText(result.decision.interval.hi);
      line.verdict = std::string(stats::VerdictName(result.decision.verdict));
      Append(line, &out);
    }
    AppendMeans(start, result.means, &out);
    if (!result.intervals.empty()) {
      AppendPlanning(start, result.planning, result.intervals.front().level, &out);
    }
    AppendRules(start, result.rules, &out);
  }
  return out;
}

std::string CsvText(const UnpairedResult& result) {
  std::string out = kHeader;
  const bool several = std::any_of(
      result.benchmarks.begin(), result.benchmarks.end(),
      [&](const ComparedBenchmark& b) { return b.new_file != result.benchmarks[0].new_file; });
  for (const ComparedBenchmark& benchmark : result.benchmarks) {
    Line start;
    start.benchmark = benchmark.name;
    start.effort = ",,";
    if (several) start.benchmark = absl::StrCat(benchmark.name, " (", benchmark.new_file, ")");
    AppendMeans(start, benchmark.means, &out);
    AppendRules(start, benchmark.rules, &out);
    for (const RuleMds& mds : benchmark.mds) {
      Line line = start;
      line.kind = "mds";
      line.method = mds.rule;
      line.effect = NumberText(mds.mds);
      line.message = absl::StrCat("by the criterion of Laaber et al. ", NumberText(mds.paper_mds),
                                  "; ", mds.false_alarms, " false alarms in ", mds.resamplings);
      Append(line, &out);
    }
  }
  return out;
}

}  // namespace duetbench::duet_stat
