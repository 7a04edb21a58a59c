#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "duetbench/report/text.h"
#include "tools/duet_stat/output/outputs.h"
#include "tools/duet_stat/output/table.h"
#include "tools/stats/method_names.h"

namespace duetbench::duet_stat {
namespace {

constexpr char kIndent[] = "    ";
constexpr char kNote[] = "    note: ";
constexpr char kWarning[] = "duet_stat: warning: ";
constexpr std::size_t kWidestName = 50;

// FASTER green, SLOWER red, INCONCLUSIVE yellow, EQUAL as it is.
std::string Colored(const std::string& text, stats::Verdict verdict, bool colors) {
  if (!colors || verdict == stats::Verdict::kEqual) return text;
  const int color = verdict == stats::Verdict::kFaster   ? 32
                    : verdict == stats::Verdict::kSlower ? 31
                                                         : 33;
  return absl::StrCat("\033[0;", color, "m", text, "\033[m");
}

std::string NameText(const std::string& name) {
  return name.empty() ? "(no name)" : Printable(name);
}

// A line for each.
std::string LinesText(absl::string_view begin, const std::vector<std::string>& notices) {
  std::string text;
  for (const std::string& notice : notices) absl::StrAppend(&text, begin, Printable(notice), "\n");
  return text;
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

// A single interval without fault stands in the first line already.
std::string IntervalsText(const BenchmarkResult& result, const Options& options) {
  Cells rows;
  std::string warnings;
  for (const IntervalResult& entry : result.intervals) {
    const std::string name = absl::StrFormat(
        "%s %g %%, %s", NameOf(stats::kIntervalKinds, entry.kind), options.level * 100,
        NameOf(stats::kEstimators, EstimatorOf(entry.kind, options)));
    if (!entry.interval.ok()) {
      rows.push_back({name, "", "", absl::StrCat("none: ", entry.interval.status().message())});
      continue;
    }
    if (result.intervals.size() > 1) {
      rows.push_back({name, RatioText(*entry.interval), IntervalText(*entry.interval),
                      VerdictSentence(*entry.interval, entry.verdict, options.margin)});
    }
    if (!entry.warning.empty()) {
      absl::StrAppend(&warnings, kIndent, "warning: ", name, ": ", entry.warning, "\n");
    }
  }
  return absl::StrCat(TableText(rows, "lrrl", kIndent), warnings);
}

std::string SlowdownText(double slowdown) {
  return std::isinf(slowdown) ? "none" : absl::StrFormat("%.2g %%", 100 * slowdown);
}

std::string PlanningText(const BenchmarkResult& result, double level) {
  const stats::Planning& planning = result.planning;
  if (!planning.mds.has_value()) {
    return absl::StrCat(kIndent, "detectable slow-down: unknown from a single run\n");
  }
  std::string text = absl::StrFormat(
      "%s%s would find a slow-down of %s in 95 of 100 tries at the %g %% level (of %s if their "
      "spread is underestimated)\n",
      kIndent, Plural(result.runs, "run"), SlowdownText(*planning.mds), level * 100,
      SlowdownText(*planning.mds_upper));
  if (!planning.s1_2.has_value()) return text;
  absl::StrAppendFormat(&text, "%svariance of ln ratio: %.3g within runs, %.3g between runs\n",
                        kIndent, *planning.s1_2, *planning.t2_2);
  if (!planning.best_pairs.has_value()) return text;
  absl::StrAppend(&text, kIndent, "best pairs a run: ",
                  std::isinf(*planning.best_pairs)
                      ? "as many as possible, as runs do not differ"
                      : absl::StrFormat("%.0f (starting a run costs %g s, a pair %.3g s)",
                                        std::max(1.0, std::ceil(*planning.best_pairs)),
                                        planning.run_cost_s, planning.pair_cost_s),
                  "\n");
  return text;
}

// "rule wilcoxon  slower  p = 0.0012, Cliff's delta 0.61"
std::string RulesText(const std::vector<AppliedRule>& rules) {
  Cells rows;
  for (const AppliedRule& applied : rules) {
    const std::string name = absl::StrCat("rule ", NameOf(stats::kRules, applied.rule));
    if (!applied.decision.ok()) {
      rows.push_back({name, "undecided", std::string(applied.decision.status().message())});
      continue;
    }
    const stats::RuleDecision& decision = *applied.decision;
    std::vector<std::string> figures;
    if (decision.p.has_value()) {
      figures.push_back(*decision.p > 0 ? absl::StrFormat("p = %.2g", *decision.p) : "p < 1e-300");
    }
    if (decision.effect.has_value()) {
      figures.push_back(applied.rule == stats::Rule::kWilcoxon
                            ? absl::StrFormat("Cliff's delta %.2f", *decision.effect)
                            : absl::StrFormat("%.4f x", *decision.effect));
    }
    rows.push_back(
        {name, std::string(stats::ChangeName(decision.decision)), absl::StrJoin(figures, ", ")});
  }
  return TableText(rows, "lll", kIndent);
}

// "difference of means  +0.31 %  [-0.20 %, +0.80 %] of the mean, 99 % (standard method)"
std::string MeansText(const std::optional<absl::StatusOr<stats::MeansDifference>>& means) {
  if (!means.has_value()) return "";
  if (!means->ok()) {
    return absl::StrCat(kIndent, "difference of means  none: ", means->status().message(), "\n");
  }
  const stats::MeansDifference& of = **means;
  return absl::StrFormat(
      "%sdifference of means  %+.3g %%  [%+.3g %%, %+.3g %%] of the mean, at %g %%; %.3g %% wide\n",
      kIndent, 100 * of.difference, 100 * of.lo, 100 * of.hi, 100 * of.level, 100 * of.Width());
}

std::string HeaderText(const std::vector<BenchmarkResult>& results, const Options& options) {
  std::string text = absl::StrFormat("duet_stat: %s from %s\nduet_stat: %g %% intervals of new/old",
                                     Plural(results.size(), "benchmark"),
                                     absl::StrJoin(options.files, ", "), options.level * 100);
  if (options.margin > 0) {
    absl::StrAppendFormat(&text, ", EQUAL within %g %%", options.margin * 100);
  }
  if (options.winsorize) absl::StrAppend(&text, ", winsorized");
  const bool any_plain = std::any_of(results.begin(), results.end(),
                                     [](const BenchmarkResult& r) { return r.is_x_over_y; });
  absl::StrAppend(&text, any_plain ? "; new is x, old is y\n" : "\n");
  if (options.shuffle) {
    absl::StrAppend(&text,
                    "duet_stat: SHUFFLED: no results, but what the data would say without "
                    "pairing\n");
  }
  return text;
}

std::string SummariesText(const ComparedBenchmark& benchmark, const std::vector<std::string>& files,
                          bool rates) {
  Cells rows = {{""},       {"runs"}, {"times"},  {"min"}, {rates ? "Hmean" : "Amean"},
                {"median"}, {"max"},  {"stddev"}, {"CV"}};
  for (const std::size_t v : {0, 1}) {
    const SideSummary& side = benchmark.sides[v];
    const std::string column[] = {Printable(files[v]),
                                  absl::StrCat(side.runs),
                                  absl::StrCat(side.times),
                                  absl::StrFormat("%.6g", side.min),
                                  absl::StrFormat("%.6g", side.mean),
                                  absl::StrFormat("%.6g", side.median),
                                  absl::StrFormat("%.6g", side.max),
                                  absl::StrFormat("%.3g", side.deviation),
                                  absl::StrFormat("%.2f %%", 100 * side.variation)};
    for (std::size_t row = 0; row < rows.size(); ++row) rows[row].push_back(column[row]);
  }
  return TableText(rows, "l", kIndent);
}

// A row for each sampling, instances and trials, with the cells of all rules.
template <class CellText>
std::string GridText(const GridBenchmark& benchmark, const stats::GridOptions& grid,
                     CellText text) {
  Cells rows = {{"sampling", "instances", "trials"}};
  for (const stats::Rule rule : grid.rules) rows[0].emplace_back(NameOf(stats::kRules, rule));
  const stats::GridCell* last = nullptr;
  for (const stats::GridCell& cell : benchmark.cells) {
    if (last == nullptr || last->sampling != cell.sampling || last->instances != cell.instances ||
        last->trials != cell.trials) {
      rows.push_back({std::string(stats::SamplingName(cell.sampling)), absl::StrCat(cell.instances),
                      absl::StrCat(cell.trials)});
      rows.back().resize(rows[0].size(), "-");
    }
    const auto rule = std::find(grid.rules.begin(), grid.rules.end(), cell.rule);
    rows.back()[3 + static_cast<std::size_t>(rule - grid.rules.begin())] = text(cell);
    last = &cell;
  }
  return TableText(rows, "l", kIndent);
}

}  // namespace

std::string ConsoleText(const std::vector<BenchmarkResult>& results,
                        const std::vector<std::string>& notices, const Options& options,
                        bool colors) {
  std::string out = absl::StrCat(HeaderText(results, options), LinesText(kWarning, notices));
  std::size_t width = 0;
  for (const BenchmarkResult& result : results) {
    width = std::max(width, std::min(kWidestName, NameText(result.name).size()));
  }
  for (const BenchmarkResult& result : results) {
    absl::StrAppendFormat(&out, "\n%-*s  ", static_cast<int>(width), NameText(result.name));
    if (!result.error.empty()) {
      absl::StrAppend(
          &out, Colored(absl::StrCat("ERROR: ", result.error), stats::Verdict::kSlower, colors),
          "\n");
    } else {
      const stats::RatioInterval& interval = result.decision.interval;
      const stats::Verdict verdict = result.decision.verdict;
      absl::StrAppendFormat(
          &out, "%10s %20s  %s\n", RatioText(interval), IntervalText(interval),
          Colored(VerdictSentence(interval, verdict, options.margin), verdict, colors));
    }
    absl::StrAppend(&out, kIndent, EffortText(result), "\n", IntervalsText(result, options));
    for (const std::string& sentence : result.sentences) {
      absl::StrAppend(&out, kIndent, sentence, "\n");
    }
    if (options.mds) absl::StrAppend(&out, PlanningText(result, options.level));
    absl::StrAppend(&out, MeansText(result.means), RulesText(result.rules),
                    LinesText(kNote, result.notices));
  }
  return out;
}

std::string ConsoleText(const UnpairedResult& result, const Options& options) {
  std::string out = absl::StrCat("duet_stat: unpaired ", options.rates ? "rates" : "times",
                                 ": old is ", result.files[0], ", new is ", result.files[1], "\n",
                                 LinesText(kWarning, result.notices));
  for (const ComparedBenchmark& benchmark : result.benchmarks) {
    absl::StrAppend(&out, "\n", NameText(benchmark.name), "\n",
                    SummariesText(benchmark, result.files, options.rates),
                    MeansText(benchmark.means), RulesText(benchmark.applied.rules),
                    LinesText(kNote, benchmark.applied.notices));
  }
  return out;
}

std::string ConsoleText(const GridResult& result, const Options& options) {
  const stats::GridOptions grid = GridOptionsOf(options);
  std::string out = LinesText(kWarning, result.notices);
  for (const GridBenchmark& benchmark : result.benchmarks) {
    absl::StrAppend(&out, "\n", NameText(benchmark.name), "\n", kIndent, benchmark.times,
                    " times, ", benchmark.instances, " instances of at least ", benchmark.trials,
                    " trials, ", benchmark.dropped, " above ten times the median left out\n");
    if (benchmark.instances > 0) {
      const stats::Variability& v = benchmark.variability;
      absl::StrAppendFormat(&out,
                            "%scoefficient of variation: %.3g %% in all (95 %% interval %.0f %% of "
                            "it wide), %.3g +- %.2g %% of an instance, %.3g +- %.2g %% of a "
                            "trial\n",
                            kIndent, 100 * v.total, 100 * v.total_interval_width,
                            100 * v.instances.mean, 100 * v.instances.deviation,
                            100 * v.trials.mean, 100 * v.trials.deviation);
    }
    if (!benchmark.error.empty()) absl::StrAppend(&out, kIndent, "ERROR: ", benchmark.error, "\n");
    if (benchmark.cells.empty()) continue;
    absl::StrAppend(&out, kIndent, "false alarms in % of ", grid.resamplings,
                    " resamplings (rules at ", 100 * grid.alpha, " %)\n",
                    GridText(benchmark, grid, [](const stats::GridCell& cell) {
                      return absl::StrFormat("%.3g", 100 * cell.FalseAlarmRate());
                    }));
    if (grid.slowdowns.empty()) continue;
    absl::StrAppend(
        &out, kIndent,
        "smallest slow-down that is found in 95 % of them: with at most 5 % false alarms (the "
        "paper) / with as many as chance explains\n",
        GridText(benchmark, grid, [&](const stats::GridCell& cell) {
          return absl::StrCat(SlowdownText(stats::PaperMds(cell, grid.slowdowns)), "/",
                              SlowdownText(stats::BinomialMds(cell, grid.slowdowns, grid.alpha)));
        }));
  }
  return out;
}

}  // namespace duetbench::duet_stat
