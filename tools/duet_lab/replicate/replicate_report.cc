#include "tools/duet_lab/replicate/replicate_report.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"

namespace duetbench::lab {
namespace {

// Adds `count` replications of `task`.
void AddReplications(ReplicateTask task, int count, double seconds, std::mt19937_64* random,
                     std::vector<ReplicateTask>* tasks) {
  std::uniform_real_distribution<double> part(0, 1);
  for (task.replication = 0; task.replication < count; ++task.replication) {
    task.moment = (task.replication + part(*random)) / count * seconds;
    tasks->push_back(task);
  }
}

using ReportJson = nlohmann::ordered_json;

// Everything that was measured of one pair.
struct MeasuredPair {
  std::vector<Observation> duets;
  std::vector<PlainVisit> visits;  // without those that failed
};

std::map<std::string, MeasuredPair> GroupByPair(const std::vector<ReplicateRecord>& records) {
  std::map<std::string, MeasuredPair> groups;
  for (const ReplicateRecord& record : records) {
    for (const Observation& duet : record.duets) groups[duet.name].duets.push_back(duet);
    const std::vector<std::string> key = absl::StrSplit(record.key, ',');
    if (key[0] != "plain" || key.size() != 3) continue;
    if (record.error.empty()) groups[key[1]].visits.push_back(record.plain);
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

ReportJson LinksJson(const LinkSpread& links) {
  ReportJson json = {{"deviation_percent", 100 * links.deviation},
                     {"error_percent", 100 * links.error},
                     {"overdispersion", FactorJson(links.overdispersion)}};
  if (!std::isfinite(links.deviation)) return json;
  json["text"] = absl::StrFormat("%.2f : %.2f; %s", 100 * links.deviation, 100 * links.error,
                                 json["overdispersion"]["text"].get<std::string>());
  return json;
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
          {"between_links", LinksJson(pair.between_links)},
          {"plain", RatioJson(plain.ratio, plain.lo, plain.hi)},
          {"plain_visits", plain.visits},
          {"difference", AgreementJson(pair.to_plain)},
          {"contradictions", ContradictionsJson(pair.contradictions)}};
}

ReportJson SetRow(const std::string& name, const SetStatistics& statistics) {
  ReportJson overdispersion = FactorJson(statistics.pooled);
  overdispersion["geometric_mean"] = statistics.geometric_mean;
  overdispersion["worst"] = statistics.worst;
  overdispersion["text"] =
      std::isfinite(statistics.geometric_mean)
          ? absl::StrFormat("%.2f, worst %.2f; rms %s", statistics.geometric_mean, statistics.worst,
                            FactorJson(statistics.pooled)["text"].get<std::string>())
          : "-";
  return {{"pair", absl::StrCat(name, ", ", statistics.pairs, " pairs")},
          {"errors", statistics.errors},
          {"half_width_percent", 100 * statistics.median_half_width},
          {"consistent", TotalShareJson(statistics.consistent)},
          {"overdispersion", std::move(overdispersion)},
          {"between_links", LinksJson(statistics.between_links)},
          {"difference", ShareJson(statistics.agree)},
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

}  // namespace

std::string KeyOf(const ReplicateTask& task) {
  return absl::StrCat(task.is_plain() ? "plain," : "duets", task.pair, ",", task.replication);
}

std::vector<ReplicateTask> PlanTasks(const ReplicatePlan& plan) {
  std::mt19937_64 random(plan.seed);
  std::vector<ReplicateTask> tasks;
  // Without a time to fill, the moments only give the order.
  const double seconds = plan.seconds > 0 ? plan.seconds : 1;
  AddReplications({}, plan.replications, seconds, &random, &tasks);
  for (const std::string& pair : plan.pairs) {
    AddReplications({pair}, plan.plain_visits, seconds, &random, &tasks);
  }
  std::stable_sort(tasks.begin(), tasks.end(), [](const ReplicateTask& a, const ReplicateTask& b) {
    return a.moment < b.moment;
  });
  if (plan.seconds > 0) return tasks;
  for (ReplicateTask& task : tasks) task.moment = 0;
  return tasks;
}

void FillReplicateReport(const std::vector<CodePair>& pairs,
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
  std::vector<PairStatistics> tuning;
  std::vector<PairStatistics> held_out;
  std::vector<PairStatistics> all;
  for (const CodePair& pair : pairs) {
    const MeasuredPair& group = groups[pair.name];
    PairStatistics statistics = SummarizeReplications(group.duets);
    const PlainStatistics plain = SummarizePlain(group.visits);
    statistics.to_plain = CompareWithPlain(statistics, plain);
    report->rows.push_back(PairRow(pair.name, statistics, plain));
    (pair.set == PairSet::kHoldOut ? held_out : tuning).push_back(statistics);
    all.push_back(statistics);
    for (const Observation& replication : group.duets) {
      report->details["replications"].emplace_back(nlohmann::json(replication));
    }
  }
  for (const auto& [name, set] :
       {std::pair("tuning", &tuning), {"hold-out", &held_out}, {"all", &all}}) {
    if (!set->empty()) report->rows.push_back(SetRow(name, SummarizeSet(*set)));
  }
  if (all.empty()) return;
  const SetStatistics statistics = SummarizeSet(all);
  if (std::isfinite(statistics.between_links.deviation)) {
    report->columns.push_back({"between_links", "between links [%]"});
  }
  AddChecks(statistics, report);
}

}  // namespace duetbench::lab
