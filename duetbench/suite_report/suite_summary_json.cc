#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "duetbench/report/measuring_time.h"
#include "duetbench/report/printable.h"
#include "duetbench/report/ranking_format.h"
#include "duetbench/suite_report/suite_summary.h"

namespace duetbench {
namespace {

nlohmann::ordered_json TimesJson(const TimeDifference& time) {
  return {{"old_ns", time.ns[0]},
          {"new_ns", time.ns[1]},
          {"difference_ns", time.difference_ns},
          {"difference_lo_ns", time.lo_ns},
          {"difference_hi_ns", time.hi_ns}};
}

nlohmann::ordered_json CallsJson(const CallNode& node) {
  nlohmann::ordered_json json = {{"function", Printable(node.function)}};
  json.update(TimesJson(node.time));
  for (const CallNode& call : node.calls) json["calls"].push_back(CallsJson(call));
  return json;
}

nlohmann::ordered_json ExplanationJson(const Explanation& explanation) {
  if (!explanation.error.empty()) return {{"error", explanation.error}};
  nlohmann::ordered_json json = {{"level", explanation.level},
                                 {"old_moments", explanation.moments[0]},
                                 {"new_moments", explanation.moments[1]}};
  json["parts"] = nlohmann::ordered_json::array();
  for (const DifferencePart& part : explanation.parts) {
    nlohmann::ordered_json row = {{"function", Printable(part.function)},
                                  {"line", Printable(part.line)},
                                  {"caller", Printable(part.caller)},
                                  {"caller_line", Printable(part.caller_line)}};
    row.update(TimesJson(part));
    if (part.same_code.has_value()) row["same_code"] = *part.same_code;
    if (part.counts[0].has_value() && part.counts[1].has_value()) {
      row["old_calls"] = part.counts[0]->calls;
      row["new_calls"] = part.counts[1]->calls;
      row["old_instructions"] = part.counts[0]->instructions;
      row["new_instructions"] = part.counts[1]->instructions;
    }
    json["parts"].push_back(std::move(row));
  }
  if (explanation.counts[0].has_value() && explanation.counts[1].has_value()) {
    json["old_instructions"] = explanation.counts[0]->instructions;
    json["new_instructions"] = explanation.counts[1]->instructions;
    json["old_allocations"] = explanation.counts[0]->allocations;
    json["new_allocations"] = explanation.counts[1]->allocations;
  }
  json["calls"] = CallsJson(explanation.calls);
  if (!explanation.listing.empty()) json["listing"] = explanation.listing;
  return json;
}

}  // namespace

std::string SummaryJson(const SuiteSummary& summary) {
  using nlohmann::ordered_json;
  const auto changes = [&summary](const std::vector<const SuiteEntry*>& duets) {
    ordered_json list = ordered_json::array();
    for (const SuiteEntry* const duet : duets) {
      const stats::RatioInterval& interval = duet->comparison.estimate()->interval;
      const Explanation& explanation = duet->comparison.explanation;
      ordered_json row = {{"name", Printable(duet->name)}, {"ratio", interval.ratio}};
      row["ratio_lo"] = interval.lo;
      if (std::isfinite(interval.hi)) row["ratio_hi"] = interval.hi;
      row["may_be_chance"] = summary.may_be_chance.count(duet) > 0;
      if (explanation.is_wanted()) row["explanation"] = ExplanationJson(explanation);
      list.push_back(std::move(row));
    }
    return list;
  };
  ordered_json json = {{"duets", summary.duets},
                       {"slower", summary.slower},
                       {"faster", summary.faster},
                       {"equal", summary.equal},
                       {"open", summary.open},
                       {"gates", summary.gates},
                       {"unchanged", summary.unchanged},
                       {"not_measured", summary.not_measured},
                       {"expected_false", summary.expected_false}};
  if (summary.geometric_mean.has_value()) json["geometric_mean"] = *summary.geometric_mean;
  if (summary.bound.has_value()) {
    json["slowdown_bound"] = {{"ratio", summary.bound->ratio},
                              {"duets", summary.bound->duets},
                              {"besides", summary.bound->besides},
                              {"level", summary.bound->level}};
  }
  json["slower_duets"] = changes(summary.slower_duets);
  json["faster_duets"] = changes(summary.faster_duets);
  json["open_duets"] = ordered_json::array();
  for (const SuiteEntry* const duet : summary.open_duets) {
    ordered_json row = {{"name", Printable(duet->name)}};
    const std::optional<double> seconds = SecondsToDecide(duet->comparison);
    if (seconds.has_value() && std::isfinite(*seconds)) row["seconds_to_decide"] = *seconds;
    json["open_duets"].push_back(std::move(row));
  }
  json["families"] = ordered_json::array();
  for (const FamilyRatios& family : summary.families) {
    json["families"].push_back({{"title", Printable(family.title)},
                                {"count", family.count},
                                {"geometric_mean", family.geometric_mean},
                                {"least", family.least},
                                {"largest", family.largest}});
  }
  if (!summary.rankings.empty()) json["groups"] = ordered_json::array();
  for (const SuiteEntry* const entry : summary.rankings) {
    const Ranking& ranking = *entry->comparison.ranking;
    ordered_json others = ordered_json::array();
    for (const Ranking::Place& place : ranking.others) {
      ordered_json other = {{"name", Printable(place.name)}, {"ratio", place.of_fastest.ratio}};
      other["ratio_lo"] = place.of_fastest.lo;
      if (std::isfinite(place.of_fastest.hi)) other["ratio_hi"] = place.of_fastest.hi;
      other["ties"] = place.ties();
      others.push_back(std::move(other));
    }
    ordered_json ranked = {{"last_duet", Printable(entry->name)}};
    if (ranking.unknown.empty()) ranked["fastest"] = Printable(ranking.fastest);
    ranked["others"] = std::move(others);
    ranked["sentence"] = Printable(RankingSentence(ranking));
    json["groups"].push_back(std::move(ranked));
  }
  if (!summary.repeat.empty()) json["repeat"] = Printable(summary.repeat);
  return json.dump(2);
}

}  // namespace duetbench
