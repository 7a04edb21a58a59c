#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "duetbench/report/comparison_format.h"
#include "duetbench/report/suite_summary.h"
#include "duetbench/report/text.h"

namespace duetbench {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SlowDownBound, ratio, duets, besides, open, level)

std::string SummaryJson(const SuiteSummary& summary) {
  using nlohmann::json;
  const auto changes = [&summary](const std::vector<const SuiteEntry*>& duets) {
    json list = json::array();
    for (const SuiteEntry* const duet : duets) {
      const stats::RatioInterval& interval = duet->comparison.interval;
      json row = {{"name", duet->facts.name}, {"ratio", interval.ratio}};
      row["ratio_lo"] = interval.lo;
      if (std::isfinite(interval.hi)) row["ratio_hi"] = interval.hi;
      row["may_be_chance"] = summary.may_be_chance.count(duet) > 0;
      if (!duet->facts.explanation.empty()) {
        row["explanation"] = json::parse(duet->facts.explanation);
      }
      list.push_back(std::move(row));
    }
    return list;
  };
  json document = {{"duets", summary.duets},
                   {"slower", summary.slower_duets.size()},
                   {"faster", summary.faster_duets.size()},
                   {"equal", summary.equal},
                   {"open", summary.open_duets.size()},
                   {"gates", summary.gates},
                   {"unchanged", summary.unchanged},
                   {"not_measured", summary.not_measured},
                   {"expected_false", summary.expected_false}};
  if (summary.ratios.count > 1) document["geometric_mean"] = summary.ratios.geometric_mean();
  if (summary.bound.has_value()) document["slowdown_bound"] = *summary.bound;
  document["slower_duets"] = changes(summary.slower_duets);
  document["faster_duets"] = changes(summary.faster_duets);
  document["open_duets"] = json::array();
  for (const SuiteEntry* const duet : summary.open_duets) {
    json row = {{"name", duet->facts.name}};
    const std::optional<double> seconds = SecondsToDecide(duet->comparison);
    if (seconds.has_value() && std::isfinite(*seconds)) row["seconds_to_decide"] = *seconds;
    document["open_duets"].push_back(std::move(row));
  }
  document["families"] = json::array();
  for (const FamilyRatios& family : summary.families) {
    document["families"].push_back({{"title", Printable(family.title())},
                                    {"count", family.count},
                                    {"geometric_mean", family.geometric_mean()},
                                    {"least", family.least},
                                    {"largest", family.largest}});
  }
  if (!summary.rankings.empty()) document["groups"] = json::array();
  for (const SuiteEntry* const entry : summary.rankings) {
    const Ranking& ranking = *entry->comparison.ranking;
    json others = json::array();
    for (const Ranking::Place& place : ranking.others) {
      json other = {{"name", Printable(place.name)}, {"ratio", place.of_fastest.ratio}};
      other["ratio_lo"] = place.of_fastest.lo;
      if (std::isfinite(place.of_fastest.hi)) other["ratio_hi"] = place.of_fastest.hi;
      other["ties"] = place.ties();
      others.push_back(std::move(other));
    }
    json ranked = {{"last_duet", entry->facts.name}};
    if (ranking.unknown.empty()) ranked["fastest"] = Printable(ranking.fastest);
    ranked["others"] = std::move(others);
    ranked["sentence"] = entry->facts.ranking;
    document["groups"].push_back(std::move(ranked));
  }
  if (!summary.repeat.empty()) document["repeat"] = Printable(summary.repeat);
  return document.dump(2);
}

}  // namespace duetbench
