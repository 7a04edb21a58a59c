#include "tools/duet_lab/replicate/replicate_report.h"

#include <cmath>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"

namespace duetbench::lab {
namespace {

using ReportJson = nlohmann::ordered_json;

// Everything that was measured of one pair.
struct MeasuredPair {
  std::vector<Observation> duets;
  std::vector<PlainVisit> visits;
  int plain_errors = 0;
};

std::map<std::string, MeasuredPair> GroupByPair(const std::vector<ReplicateRecord>& records) {
  std::map<std::string, MeasuredPair> groups;
  for (const ReplicateRecord& record : records) {
    for (const Observation& duet : record.duets) groups[duet.name].duets.push_back(duet);
    const std::vector<std::string> key = absl::StrSplit(record.key, ',');
    if (key[0] != "plain" || key.size() != 3) continue;
    MeasuredPair& group = groups[key[1]];
    if (record.error.empty()) {
      group.visits.push_back(record.plain);
    } else {
      ++group.plain_errors;
    }
  }
  return groups;
}

ReportJson ShareJson(const Share& share) {
  return {{"count", share.count},
          {"of", share.of},
          {"lo", share.lo},
          {"hi", share.hi},
          {"text", share.of == 0 ? "-" : absl::StrFormat("%d/%d", share.count, share.of)}};
}

ReportJson TotalShareJson(const Share& share) {
  ReportJson json = ShareJson(share);
  if (share.of == 0) return json;
  json["text"] = absl::StrFormat("%d/%d = %.1f %% (%.1f-%.1f)", share.count, share.of,
                                 100.0 * share.count / share.of, 100 * share.lo, 100 * share.hi);
  return json;
}

ReportJson FactorJson(const Factor& factor) {
  return {{"value", factor.value},
          {"lo", factor.lo},
          {"hi", factor.hi},
          {"text", std::isfinite(factor.value)
                       ? absl::StrFormat("%.2f (%.2f-%.2f)", factor.value, factor.lo, factor.hi)
                       : "-"}};
}

ReportJson ContradictionsJson(const Contradictions& found) {
  return {{"verdicts", found.verdicts},
          {"gates", found.gates},
          {"wrong_gates", found.wrong_gates},
          {"text", absl::StrCat(found.verdicts, "+", found.gates, "+", found.wrong_gates)}};
}

ReportJson AgreementJson(const Agreement& agreement) {
  return {{"difference", agreement.difference},
          {"inside", agreement.inside},
          {"text", std::isfinite(agreement.difference)
                       ? absl::StrFormat("%+.1f%s", 100 * agreement.difference,
                                         agreement.inside ? "" : " !")
                       : "-"}};
}

ReportJson RatioJson(double ratio, double lo, double hi) {
  return {
      {"ratio", ratio},
      {"lo", lo},
      {"hi", hi},
      {"text", std::isfinite(ratio) ? absl::StrFormat("%.4g (%.4g-%.4g)", ratio, lo, hi) : "-"}};
}

ReportJson PairRow(const std::string& name, const PairStatistics& pair,
                   const PlainStatistics& plain) {
  return {{"pair", name},
          {"replications", pair.replications},
          {"errors", pair.errors},
          {"ratio", RatioJson(pair.ratio, pair.min, pair.max)},
          {"half_width_percent", 100 * pair.half_width},
          {"consistent", ShareJson(pair.consistent)},
          {"overdispersion", FactorJson(pair.overdispersion)},
          {"plain", RatioJson(plain.ratio, plain.lo, plain.hi)},
          {"plain_visits", plain.visits},
          {"difference", AgreementJson(CompareWithPlain(pair, plain))},
          {"contradictions", ContradictionsJson(pair.contradictions)}};
}

// Results of the pairs of a set.
struct SetOfPairs {
  explicit SetOfPairs(std::string set_name) : name(std::move(set_name)) {}

  std::string name;
  std::vector<PairStatistics> pairs;
  int compared = 0;  // with plain loops
  int inside = 0;
  int errors = 0;
};

void AddToSet(const PairStatistics& pair, const PlainStatistics& plain, SetOfPairs* set) {
  set->pairs.push_back(pair);
  set->errors += pair.errors;
  const Agreement agreement = CompareWithPlain(pair, plain);
  if (!std::isfinite(agreement.difference)) return;
  ++set->compared;
  if (agreement.inside) ++set->inside;
}

ReportJson SetRow(const SetOfPairs& set, const SetStatistics& statistics) {
  ReportJson overdispersion = FactorJson(statistics.pooled);
  overdispersion["geometric_mean"] = statistics.geometric_mean;
  overdispersion["worst"] = statistics.worst;
  overdispersion["text"] =
      std::isfinite(statistics.geometric_mean)
          ? absl::StrFormat("%.2f, worst %.2f; rms %s", statistics.geometric_mean, statistics.worst,
                            FactorJson(statistics.pooled)["text"].get<std::string>())
          : "-";
  return {{"pair", absl::StrCat(set.name, ", ", statistics.pairs, " pairs")},
          {"errors", set.errors},
          {"half_width_percent", 100 * statistics.median_half_width},
          {"consistent", TotalShareJson(statistics.consistent)},
          {"overdispersion", std::move(overdispersion)},
          {"difference", ShareJson(MakeShare(set.inside, set.compared))},
          {"contradictions", ContradictionsJson(statistics.contradictions)}};
}

// Adds the checks that honest intervals pass, over all pairs.
void AddChecks(const SetStatistics& statistics, LabReport* report) {
  constexpr double kLeastConsistent = 0.97;  // chosen: ten right ones of 99 % differ less
  const Share& consistent = statistics.consistent;
  if (consistent.of == 0) return;
  report->checks.push_back(
      {absl::StrFormat("%.0f %% of the intervals are consistent with the other replications",
                       100 * kLeastConsistent),
       TotalShareJson(consistent)["text"], consistent.count >= kLeastConsistent * consistent.of});
  const Contradictions& found = statistics.contradictions;
  report->checks.push_back({"no contradicting and no wrong decisions",
                            ContradictionsJson(found)["text"],
                            found.verdicts + found.gates + found.wrong_gates == 0});
}

void AddDetails(const std::string& pair, const MeasuredPair& group, LabReport* report) {
  for (const Observation& replication : group.duets) {
    report->details["replications"].push_back({{"pair", pair},
                                               {"ratio", replication.ratio},
                                               {"lo", replication.lo},
                                               {"hi", replication.hi},
                                               {"verdict", replication.verdict},
                                               {"runs", replication.runs},
                                               {"schedule_in_use", replication.schedule},
                                               {"error", replication.error}});
  }
  ReportJson plain = {
      {"pair", pair}, {"visits", group.visits.size()}, {"errors", group.plain_errors}};
  for (const PlainVisit& visit : group.visits) {
    plain["old_ns"].push_back(visit.old_ns);
    plain["new_ns"].push_back(visit.new_ns);
  }
  report->details["plain"].push_back(std::move(plain));
}

}  // namespace

void FillReplicateReport(const std::vector<ReplicatedPair>& pairs,
                         const std::vector<ReplicateRecord>& records, LabReport* report) {
  report->columns = {{"pair", "pair"},
                     {"replications", "n"},
                     {"errors", "errors"},
                     {"ratio", "ratio (min-max)"},
                     {"half_width_percent", "± [%]", 2},
                     {"consistent", "consistent"},
                     {"overdispersion", "overdispersion"},
                     {"plain", "plain loops (99 %)"},
                     {"difference", "to plain [%]"},
                     {"contradictions", "contrad."}};
  std::map<std::string, MeasuredPair> groups = GroupByPair(records);
  report->details["replications"] = ReportJson::array();
  SetOfPairs tuning("tuning");
  SetOfPairs held_out("hold-out");
  SetOfPairs all("all");
  for (const ReplicatedPair& pair : pairs) {
    const MeasuredPair& group = groups[pair.name];
    const PairStatistics statistics = SummarizeReplications(group.duets);
    const PlainStatistics plain = SummarizePlain(group.visits);
    report->rows.push_back(PairRow(pair.name, statistics, plain));
    for (SetOfPairs* set : {pair.is_held_out ? &held_out : &tuning, &all}) {
      AddToSet(statistics, plain, set);
    }
    AddDetails(pair.name, group, report);
  }
  for (const SetOfPairs* set : {&tuning, &held_out, &all}) {
    if (set->pairs.empty()) continue;
    const SetStatistics statistics = SummarizeSet(set->pairs);
    report->rows.push_back(SetRow(*set, statistics));
    if (set == &all) AddChecks(statistics, report);
  }
}

}  // namespace duetbench::lab
