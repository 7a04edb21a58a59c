#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "duetbench/text/number_text.h"
#include "duetbench/text/ratio_format.h"
#include "tools/duet_stat/output/outputs.h"
#include "tools/stats/method_names.h"

namespace duetbench::duet_stat {
namespace {

constexpr char kIndent[] = "    ";
constexpr char kReset[] = "\033[m";
constexpr std::size_t kWidestName = 50;

// FASTER green, SLOWER red, INCONCLUSIVE yellow, EQUAL as it is.
const char* ColorOf(stats::Verdict verdict) {
  switch (verdict) {
    case stats::Verdict::kFaster:
      return "\033[0;32m";
    case stats::Verdict::kSlower:
      return "\033[0;31m";
    case stats::Verdict::kInconclusive:
      return "\033[0;33m";
    case stats::Verdict::kEqual:
      break;
  }
  return "";
}

// UTF-8 stays; what could move the cursor does not.
std::string ConsoleName(const std::string& name) {
  std::string text;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f) {
      text += c;
    } else {
      absl::StrAppend(&text, absl::CHexEscape(std::string(1, c)));
    }
  }
  return text.empty() ? "(no name)" : text;
}

std::string EffortText(const BenchmarkResult& result) {
  std::string text = absl::StrCat(Plural(result.runs, "run"), ", ", Plural(result.pairs, "pair"),
                                  ", ", result.dropped, " dropped");
  if (result.machines > 1) absl::StrAppend(&text, ", ", result.machines, " machines");
  if (result.layouts > 1) absl::StrAppend(&text, ", ", result.layouts, " layouts");
  if (result.uses_disturbed) absl::StrAppend(&text, "; disturbed pairs kept");
  if (result.interleaved) absl::StrAppend(&text, "; interleaved on one CPU");
  if (result.runs == 1) absl::StrAppend(&text, "; one process only");
  return text;
}

// "t 99 %, trimmed"
std::string IntervalName(const IntervalResult& interval) {
  return absl::StrFormat("%s %g %%, %s", std::string(stats::IntervalKindName(interval.kind)),
                         interval.level * 100,
                         std::string(stats::EstimatorName(interval.estimator)));
}

void AppendIntervals(const BenchmarkResult& result, const Options& options, std::string* out) {
  std::size_t width = 0;
  for (const IntervalResult& interval : result.intervals) {
    width = std::max(width, IntervalName(interval).size());
  }
  for (const IntervalResult& interval : result.intervals) {
    const std::string name = IntervalName(interval);
    if (!interval.interval.ok()) {
      absl::StrAppendFormat(out, "%s%-*s  none: %s\n", kIndent, static_cast<int>(width), name,
                            std::string(interval.interval.status().message()));
      continue;
    }
    // A single interval stands in the first line already.
    if (result.intervals.size() > 1) {
      absl::StrAppendFormat(out, "%s%-*s  %10s %20s  %s\n", kIndent, static_cast<int>(width), name,
                            RatioText(*interval.interval), IntervalText(*interval.interval),
                            VerdictSentence(*interval.interval, interval.verdict, options.margin));
    }
  }
  for (const IntervalResult& interval : result.intervals) {
    if (!interval.interval.ok() || interval.interval->warning.empty()) continue;
    absl::StrAppend(out, kIndent, "warning: ", IntervalName(interval), ": ",
                    interval.interval->warning, "\n");
  }
}

std::string PercentText(double slowdown) {
  if (std::isinf(slowdown)) return "no";
  return duetbench::PercentText(slowdown);
}

void AppendPlanning(const BenchmarkResult& result, const Options& options, std::string* out) {
  const Planning& planning = result.planning;
  if (!planning.mds.has_value()) {
    absl::StrAppend(out, kIndent, "detectable slow-down: unknown from a single run\n");
    return;
  }
  absl::StrAppendFormat(
      out,
      "%s%s would find a slow-down of %s in 95 of 100 tries at the %g %% level (of %s if their "
      "spread is underestimated)\n",
      kIndent, Plural(result.runs, "run"), PercentText(*planning.mds), options.levels[0] * 100,
      PercentText(*planning.mds_upper));
  if (planning.resampled.has_value()) {
    const stats::ResampledMds& resampled = *planning.resampled;
    absl::StrAppend(out, kIndent, "by resampling these runs: ");
    if (std::isinf(resampled.slowdown)) {
      absl::StrAppend(out, "no slow-down up to 1000 %");
    } else {
      absl::StrAppend(out, "a slow-down of ", PercentText(resampled.slowdown));
    }
    absl::StrAppend(out, ", with ", Plural(resampled.false_alarms, "false alarm"), " in 100");
    absl::StrAppend(
        out, " (",
        std::isinf(resampled.paper_slowdown) ? "none" : PercentText(resampled.paper_slowdown),
        " if at most 5 are allowed, as in the paper)\n");
  }
  if (!planning.s1_2.has_value()) return;
  absl::StrAppendFormat(out, "%svariance of ln ratio: %.3g within runs, %.3g between runs\n",
                        kIndent, *planning.s1_2, *planning.t2_2);
  if (!planning.best_pairs.has_value()) return;
  if (std::isinf(*planning.best_pairs)) {
    absl::StrAppend(out, kIndent, "best pairs a run: as many as possible, as runs do not differ\n");
  } else {
    absl::StrAppendFormat(
        out, "%sbest pairs a run: %.0f (starting a run costs %g s, a pair %.3g s)\n", kIndent,
        std::max(1.0, std::ceil(*planning.best_pairs)), planning.run_cost_s, planning.pair_cost_s);
  }
}

// "rule wilcoxon    slower         p = 0.0012, Cliff's delta 0.61"
void AppendRules(const std::vector<AppliedRule>& rules, std::string* out) {
  for (const AppliedRule& applied : rules) {
    absl::StrAppendFormat(out, "%srule %-10s  ", kIndent, std::string(RuleName(applied.rule)));
    if (!applied.decision.ok()) {
      absl::StrAppend(out, "none: ", std::string(applied.decision.status().message()), "\n");
      continue;
    }
    const stats::RuleDecision& decision = *applied.decision;
    std::vector<std::string> figures;
    if (decision.p.has_value()) {
      figures.push_back(*decision.p > 0 ? absl::StrFormat("p = %.2g", *decision.p) : "p < 1e-300");
    }
    if (decision.effect.has_value()) {
      figures.push_back(applied.rule == Rule::kWilcoxon
                            ? absl::StrFormat("Cliff's delta %.2f", *decision.effect)
                            : absl::StrFormat("%.4f x", *decision.effect));
    }
    absl::StrAppendFormat(out, "%-13s  %s\n", std::string(stats::ChangeName(decision.decision)),
                          absl::StrJoin(figures, ", "));
  }
}

// "difference of means  +0.31 %  [-0.20 %, +0.80 %] of the mean, 99 % (standard method)"
void AppendMeans(const std::optional<absl::StatusOr<stats::MeansDifference>>& means,
                 std::string* out) {
  if (!means.has_value()) return;
  absl::StrAppend(out, kIndent, "difference of means  ");
  if (!means->ok()) {
    absl::StrAppend(out, "none: ", std::string(means->status().message()), "\n");
    return;
  }
  const stats::MeansDifference& difference = **means;
  absl::StrAppendFormat(out, "%+.3g %%  [%+.3g %%, %+.3g %%] of the mean, at %g %%; %.3g %% wide\n",
                        100 * difference.difference, 100 * difference.lo, 100 * difference.hi,
                        100 * difference.level, 100 * stats::RelativeWidth(difference));
}

// A column for each file, as MMTests shows them: stars mark what Welch's test finds different from
// the first one.
void AppendSummaries(absl::Span<const ComparedBenchmark> same, const Options& options,
                     std::string* out) {
  std::vector<std::string> heads = {options.compare[0]};
  std::vector<const SideSummary*> sides = {&same[0].old_side};
  std::vector<bool> starred = {false};
  for (const ComparedBenchmark& benchmark : same) {
    heads.push_back(benchmark.new_file);
    sides.push_back(&benchmark.new_side);
    starred.push_back(IsStarred(benchmark));
  }
  std::vector<std::vector<std::string>> columns;
  for (std::size_t k = 0; k < sides.size(); ++k) {
    const SideSummary& side = *sides[k];
    const std::string mean = absl::StrFormat("%.6g", side.mean);
    columns.push_back({ConsoleName(heads[k]), absl::StrCat(side.runs), absl::StrCat(side.times),
                       absl::StrFormat("%.6g", side.min),
                       starred[k] ? absl::StrCat("*", mean, "*") : mean,
                       absl::StrFormat("%.6g", side.median), absl::StrFormat("%.6g", side.max),
                       absl::StrFormat("%.3g", side.deviation),
                       absl::StrFormat("%.2f %%", 100 * side.variation)});
  }
  const char* const names[] = {"",       "runs", "times",  "min", options.rates ? "Hmean" : "Amean",
                               "median", "max",  "stddev", "CV"};
  for (std::size_t row = 0; row < columns[0].size(); ++row) {
    absl::StrAppendFormat(out, "%s%-7s", kIndent, names[row]);
    for (const std::vector<std::string>& column : columns) {
      std::size_t width = 0;
      for (const std::string& cell : column) width = std::max(width, cell.size());
      absl::StrAppendFormat(out, "  %*s", static_cast<int>(width), column[row]);
    }
    absl::StrAppend(out, "\n");
  }
}

void AppendMds(const ComparedBenchmark& benchmark, std::string* out) {
  if (!benchmark.mds_error.empty()) {
    absl::StrAppend(out, kIndent, "detectable slow-down: unknown: ", benchmark.mds_error, "\n");
  }
  for (const RuleMds& mds : benchmark.mds) {
    const auto text = [](double slowdown) {
      return std::isinf(slowdown) ? "none" : PercentText(slowdown);
    };
    absl::StrAppendFormat(
        out,
        "%sdetectable slow-down by %-10s  %s (%s by the criterion of Laaber et al.), %d false "
        "alarms in %d\n",
        kIndent, mds.rule, text(mds.mds), text(mds.paper_mds), mds.false_alarms, mds.resamplings);
  }
}

std::string HeaderText(const std::vector<BenchmarkResult>& results, const Options& options) {
  std::vector<std::string> lines;
  lines.push_back(absl::StrCat(Plural(results.size(), "benchmark"), " from ",
                               absl::StrJoin(options.files, ", ")));
  std::string about = absl::StrFormat("%g %% intervals of new/old", options.levels[0] * 100);
  if (options.margin > 0) {
    absl::StrAppendFormat(&about, ", EQUAL within %g %%", options.margin * 100);
  }
  if (options.winsorize != stats::OutlierRule::kNone) {
    absl::StrAppend(&about, ", winsorized: ", stats::OutlierRuleName(options.winsorize));
  }
  const bool any_plain = std::any_of(results.begin(), results.end(),
                                     [](const BenchmarkResult& r) { return r.is_x_over_y; });
  if (any_plain) absl::StrAppend(&about, "; new is x, old is y");
  lines.push_back(about);
  if (options.shuffle != Shuffle::kNone) {
    lines.push_back("SHUFFLED: no results, but what the data would say without pairing");
  }
  std::string text;
  for (const std::string& line : lines) absl::StrAppend(&text, "duet_stat: ", line, "\n");
  return text;
}

}  // namespace

std::string ConsoleText(const std::vector<BenchmarkResult>& results,
                        const std::vector<std::string>& notices, const Options& options,
                        bool colors) {
  std::string out = HeaderText(results, options);
  for (const std::string& notice : notices) {
    absl::StrAppend(&out, "duet_stat: warning: ", ConsoleName(notice), "\n");
  }
  std::size_t width = 0;
  for (const BenchmarkResult& result : results) {
    width = std::max(width, std::min(kWidestName, ConsoleName(result.name).size()));
  }
  for (const BenchmarkResult& result : results) {
    absl::StrAppendFormat(&out, "\n%-*s  ", static_cast<int>(width), ConsoleName(result.name));
    if (!result.error.empty()) {
      const char* color = colors ? "\033[0;31m" : "";
      absl::StrAppend(&out, color, "ERROR: ", result.error, *color != '\0' ? kReset : "", "\n");
    } else {
      const stats::RatioInterval& interval = result.decision.interval;
      const char* color = colors ? ColorOf(result.decision.verdict) : "";
      absl::StrAppendFormat(&out, "%10s %20s  %s%s%s\n", RatioText(interval),
                            IntervalText(interval), color,
                            VerdictSentence(interval, result.decision.verdict, options.margin),
                            *color != '\0' ? kReset : "");
    }
    absl::StrAppend(&out, kIndent, EffortText(result), "\n");
    AppendIntervals(result, options, &out);
    for (const std::string& sentence : result.sentences) {
      absl::StrAppend(&out, kIndent, sentence, "\n");
    }
    if (options.mds) AppendPlanning(result, options, &out);
    AppendMeans(result.means, &out);
    AppendRules(result.rules, &out);
    for (const std::string& notice : result.notices) {
      absl::StrAppend(&out, kIndent, "note: ", ConsoleName(notice), "\n");
    }
  }
  return out;
}

std::string ConsoleText(const UnpairedResult& result, const Options& options) {
  std::string out = absl::StrCat(
      "duet_stat: unpaired ", options.rates ? "rates" : "times", ": old is ", options.compare[0],
      ", new is ", absl::StrJoin(absl::MakeConstSpan(options.compare).subspan(1), " and then "),
      "\n");
  for (const std::string& notice : result.notices) {
    absl::StrAppend(&out, "duet_stat: warning: ", ConsoleName(notice), "\n");
  }
  for (std::size_t i = 0; i < result.benchmarks.size();) {
    std::size_t end = i + 1;
    while (end < result.benchmarks.size() &&
           result.benchmarks[end].name == result.benchmarks[i].name) {
      ++end;
    }
    const auto same = absl::MakeConstSpan(result.benchmarks).subspan(i, end - i);
    absl::StrAppend(&out, "\n", ConsoleName(same[0].name), "\n");
    AppendSummaries(same, options, &out);
    for (const ComparedBenchmark& benchmark : same) {
      if (same.size() > 1) absl::StrAppend(&out, kIndent, benchmark.new_file, ":\n");
      AppendMeans(benchmark.means, &out);
      AppendRules(benchmark.rules, &out);
      for (const std::string& notice : benchmark.notices) {
        absl::StrAppend(&out, kIndent, "note: ", ConsoleName(notice), "\n");
      }
    }
    AppendMds(same[0], &out);
    i = end;
  }
  return out;
}

}  // namespace duetbench::duet_stat
