#include "duetbench/experiment/group.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <variant>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "duetbench/decide/decision.h"
#include "duetbench/decide/select_pairs.h"
#include "duetbench/decide/simultaneous.h"
#include "duetbench/experiment/comparison_in_progress.h"

namespace duetbench {
namespace {

// Nothing where the ratio decides nothing.
std::optional<stats::Decision> DecidePair(const stats::DecisionInput& pair,
                                          const ExperimentOptions& options, double share) {
  absl::StatusOr<stats::Decision> decision = stats::Decide(pair, PolicyOf(options, share));
  if (!decision.ok() || decision->is_withheld()) return std::nullopt;
  if (decision->open_total.has_value() || decision->why == stats::Why::kTwoSpeeds) {
    return std::nullopt;
  }
  return *std::move(decision);
}

// The comparisons of a group's variants with its base, each for itself.
struct WithBase {
  // By variant but the base, then by run: of the runs that each comparison uses.
  std::vector<std::vector<double>> log_ratios;
  double degrees_of_freedom = 0;  // the fewest

  // The part of 1 - level for each of `pairs`.
  double Share(absl::Span<const VariantPair> pairs, double level) const {
    return stats::SimultaneousShare(log_ratios, pairs, degrees_of_freedom, 1 - level);
  }
};

// The runs of a group, as decisions need them.
struct GroupRuns {
  ExperimentOptions options;
  std::vector<std::string> names;           // of the variants
  std::vector<stats::DecisionInput> pairs;  // as PairsOfGroup has them
};

WithBase CompareWithBase(const GroupRuns& group) {
  const size_t others = group.names.size() - 1;
  WithBase with_base;
  std::map<double, std::vector<double>> by_run;  // by its start
  for (size_t i = 0; i < others; ++i) {
    const std::optional<stats::Decision> decision =
        DecidePair(group.pairs[i], group.options, /*share=*/1);
    if (!decision.has_value()) return {};
    const double degrees = decision->degrees_of_freedom;
    double& fewest = with_base.degrees_of_freedom;
    fewest = i > 0 ? std::min(fewest, degrees) : degrees;
    for (const stats::RunValue& run : group.pairs[i].values) {
      by_run[run.start_s].push_back(run.log_ratio);
    }
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

// Why the ratio of the pair decides nothing.
std::string WhyUnknown(const VariantPair& pair, const stats::Reservations& reservations,
                       const std::vector<std::string>& names) {
  const std::string& old_name = names[static_cast<size_t>(pair.old_variant)];
  const std::string& new_name = names[static_cast<size_t>(pair.new_variant)];
  if (reservations.is_withheld() || !reservations.two_speeds.has_value()) {
    return absl::StrCat("the ratio of ", new_name, " to ", old_name, " decides nothing");
  }
  return absl::StrCat(reservations.two_speeds->variant == 0 ? old_name : new_name,
                      " runs at two speeds");
}

Ranking RankVariants(const GroupRuns& group, const WithBase& with_base) {
  const size_t variants = group.names.size();
  const std::vector<VariantPair> pairs = PairsOfGroup(static_cast<int>(variants));
  const double share = with_base.Share(pairs, group.options.level);
  Ranking ranking;
  ranking.margin = group.options.margin;
  // By old and new variant.
  std::vector<std::vector<stats::RatioInterval>> intervals(
      variants, std::vector<stats::RatioInterval>(variants, stats::PointInterval(1)));
  for (size_t pair = 0; pair < pairs.size(); ++pair) {
    const std::optional<stats::Decision> decision =
        DecidePair(group.pairs[pair], group.options, share);
    if (!decision.has_value()) {
      ranking.unknown = WhyUnknown(pairs[pair], group.pairs[pair], group.names);
      return ranking;
    }
    const auto i = static_cast<size_t>(pairs[pair].old_variant);
    const auto j = static_cast<size_t>(pairs[pair].new_variant);
    intervals[i][j] = decision->interval;
    intervals[j][i] = Inverse(decision->interval);
  }
  size_t fastest = 0;
  for (size_t v = 1; v < variants; ++v) {
    if (intervals[0][v].ratio < intervals[0][fastest].ratio) fastest = v;
  }
  ranking.fastest = group.names[fastest];
  for (size_t v = 0; v < variants; ++v) {
    if (v != fastest) ranking.others.push_back({group.names[v], intervals[fastest][v]});
  }
  std::stable_sort(ranking.others.begin(), ranking.others.end(), [](const auto& a, const auto& b) {
    return a.of_fastest.ratio < b.of_fastest.ratio;
  });
  return ranking;
}

// In its cause: a row knows only two variants.
void NameVariant(const std::vector<std::string>& names, RunError* error) {
  if (error->variant < 0) return;
  error->cause = absl::StrCat(names[static_cast<size_t>(error->variant)], " ", error->cause);
  error->variant = -1;
}

GroupRuns RunsOf(const Experiment& experiment, const std::vector<std::string>& names) {
  GroupRuns runs{experiment.options(), names, {}};
  for (const VariantPair& pair : PairsOfGroup(experiment.variants())) {
    runs.pairs.push_back(experiment.SelectPair(pair));
  }
  return runs;
}

}  // namespace

std::vector<Comparison> FinishGroup(absl::Span<const GroupRow> rows,
                                    const std::vector<std::string>& names, double ns_per_tick,
                                    Experiment* experiment) {
  double share = 1;
  std::optional<GroupRuns> runs;
  WithBase with_base;
  if (experiment->has_results()) {
    runs = RunsOf(*experiment, names);
    std::vector<VariantPair> reported;
    for (const GroupRow& row : rows) reported.push_back(row.pair);
    with_base = CompareWithBase(*runs);
    share = with_base.Share(reported, rows.front().options.level);
  }
  std::vector<Comparison> comparisons;
  size_t last_with_base = 0;
  for (const GroupRow& row : rows) {
    if (row.pair.old_variant == 0) last_with_base = comparisons.size();
    Comparison& comparison = comparisons.emplace_back(experiment->FinishPair(row.pair, share));
    if (auto* const failure = std::get_if<Failure>(&comparison.outcome)) {
      NameVariant(names, &failure->error);
    }
    JudgeGates(row.options, ns_per_tick, &comparison);
  }
  if (runs.has_value()) comparisons[last_with_base].ranking = RankVariants(*runs, with_base);
  return comparisons;
}

}  // namespace duetbench
