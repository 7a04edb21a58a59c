#include "duetbench/gates/group.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "duetbench/experiment/select_pairs.h"
#include "duetbench/stats/decision.h"
#include "duetbench/stats/simultaneous.h"

namespace duetbench {
namespace {

// Nothing where the ratio decides nothing.
std::optional<stats::Decision> DecidePair(const SelectedPairs& selected,
                                          const ExperimentOptions& options, double share) {
  if (selected.is_withheld() || selected.two_speeds.has_value()) return std::nullopt;
  absl::StatusOr<stats::Decision> decision =
      stats::Decide(selected.values, PolicyFor(selected, options, share));
  if (!decision.ok() || decision->open_total.has_value()) return std::nullopt;
  return *std::move(decision);
}

// The comparisons of a group's variants with its base, each for itself.
struct WithBase {
  // By variant but the base, then by run: of the runs that each comparison uses.
  std::vector<std::vector<double>> log_ratios;
  double degrees_of_freedom = 0;  // the fewest

  // The part of 1 - level for each of `pairs`.
  double Share(absl::Span<const VariantPair> pairs, double level) const {
    std::vector<stats::Contrast> contrasts;
    for (const VariantPair& pair : pairs) {
      contrasts.push_back(
          {static_cast<size_t>(pair.old_variant), static_cast<size_t>(pair.new_variant)});
    }
    return stats::SimultaneousShare(log_ratios, contrasts, degrees_of_freedom, 1 - level);
  }
};

WithBase CompareWithBase(const Experiment& experiment) {
  const auto others = static_cast<size_t>(experiment.variants() - 1);
  WithBase with_base;
  std::map<double, std::vector<double>> by_run;  // by its start
  for (size_t i = 0; i < others; ++i) {
    const SelectedPairs selected = experiment.SelectPair({0, static_cast<int>(i) + 1});
    const std::optional<stats::Decision> decision =
        DecidePair(selected, experiment.options(), /*share=*/1);
    if (!decision.has_value()) return {};
    const double degrees = decision->degrees_of_freedom;
    double& fewest = with_base.degrees_of_freedom;
    fewest = i > 0 ? std::min(fewest, degrees) : degrees;
    for (const stats::RunValue& run : selected.values) by_run[run.start_s].push_back(run.log_ratio);
  }
  with_base.log_ratios.resize(others);
  for (const auto& [start_s, values] : by_run) {
    for (size_t i = 0; i < others && values.size() == others; ++i) {
      with_base.log_ratios[i].push_back(values[i]);
    }
  }
  return with_base;
}

stats::RatioInterval Inverse(const stats::RatioInterval& interval) {
  stats::RatioInterval inverse = interval;
  inverse.ratio = 1 / interval.ratio;
  inverse.lo = 1 / interval.hi;
  inverse.hi = 1 / interval.lo;
  return inverse;
}

std::optional<Ranking> RankVariants(const Experiment& experiment,
                                    const std::vector<std::string>& names, double share,
                                    double margin) {
  const auto variants = static_cast<size_t>(experiment.variants());
  // By old and new variant.
  std::vector<std::vector<stats::RatioInterval>> intervals(
      variants, std::vector<stats::RatioInterval>(variants, stats::PointInterval(1)));
  for (const VariantPair& pair : PairsOfGroup(experiment.variants())) {
    const std::optional<stats::Decision> decision =
        DecidePair(experiment.SelectPair(pair), experiment.options(), share);
    if (!decision.has_value()) return std::nullopt;
    const auto i = static_cast<size_t>(pair.old_variant);
    const auto j = static_cast<size_t>(pair.new_variant);
    intervals[i][j] = decision->interval;
    intervals[j][i] = Inverse(decision->interval);
  }
  size_t fastest = 0;
  for (size_t v = 1; v < variants; ++v) {
    if (intervals[0][v].ratio < intervals[0][fastest].ratio) fastest = v;
  }
  Ranking ranking;
  ranking.fastest = names[fastest];
  ranking.margin = margin;
  for (size_t v = 0; v < variants; ++v) {
    if (v != fastest) ranking.others.push_back({names[v], intervals[fastest][v]});
  }
  std::stable_sort(ranking.others.begin(), ranking.others.end(), [](const auto& a, const auto& b) {
    return a.of_fastest.ratio < b.of_fastest.ratio;
  });
  return ranking;
}

}  // namespace

std::vector<Comparison> FinishGroup(absl::Span<const GroupRow> rows,
                                    const std::vector<std::string>& names, double ns_per_tick,
                                    Experiment* experiment) {
  const double level = rows.front().options.level;
  double share = 1;
  std::optional<Ranking> ranking;
  if (experiment->has_results()) {
    const WithBase with_base = CompareWithBase(*experiment);
    std::vector<VariantPair> reported;
    for (const GroupRow& row : rows) reported.push_back(row.pair);
    share = with_base.Share(reported, level);
    const double share_of_all = with_base.Share(PairsOfGroup(experiment->variants()), level);
    ranking = RankVariants(*experiment, names, share_of_all, rows.front().options.margin);
  }
  std::vector<Comparison> comparisons;
  size_t last_with_base = 0;
  for (const GroupRow& row : rows) {
    if (row.pair.old_variant == 0) last_with_base = comparisons.size();
    Comparison& comparison = comparisons.emplace_back();
    static_cast<ExperimentResult&>(comparison) = experiment->FinishPair(row.pair, share);
    JudgeGates(row.options, ns_per_tick, share, &comparison);
  }
  comparisons[last_with_base].ranking = std::move(ranking);
  return comparisons;
}

}  // namespace duetbench
