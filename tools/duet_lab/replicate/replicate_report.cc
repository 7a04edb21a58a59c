#include "tools/duet_lab/replicate/replicate_report.h"

#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"

namespace duetbench::lab {
namespace {

using ReportJson = nlohmann::ordered_json;

// Form and schedule: "suite", "auto".
using Arm = std::pair<std::string, std::string>;

// Everything that was measured of one pair.
struct MeasuredPair {
  std::map<Arm, std::vector<Observation>> duets;
  std::vector<PlainVisit> visits;
  int plain_errors = 0;
};

std::map<std::string, MeasuredPair> GroupByPair(const std::vector<ReplicateRecord>& records) {
  std::map<std::string, MeasuredPair> groups;
  for (const ReplicateRecord& record : records) {
    const std::vector<std::string> key = absl::StrSplit(record.key, ',');
    if (key.size() != 4) continue;
    if (key[0] == "plain") {
      MeasuredPair& group = groups[key[2]];
      if (record.error.empty()) {
        group.visits.push_back(record.plain);
      } else {
        ++group.plain_errors;
      }
      continue;
    }
    for (const Observation& duet : record.duets) {
      groups[duet.name].duets[{key[0], key[1]}].push_back(duet);
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
                   const PlainStatistics& plain, const PairStatistics& reference) {
  return {{"pair", name},
          {"replications", pair.replications},
          {"errors", pair.errors},
          {"ratio", RatioJson(pair.ratio, pair.min, pair.max)},
          {"half_width_percent", 100 * pair.half_width},
          {"contained", ShareJson(pair.contained)},
          {"consistent", ShareJson(pair.consistent)},
          {"overdispersion", FactorJson(pair.overdispersion)},
          {"plain", RatioJson(plain.ratio, plain.lo, plain.hi)},
          {"plain_visits", plain.visits},
          {"difference", AgreementJson(CompareWithPlain(pair, plain))},
          {"from_first", AgreementJson(CompareSchedules(pair, reference))},
          {"contradictions", ContradictionsJson(pair.contradictions)},
          {"scatter", ScatterAgainstPlain(pair, plain)},
          {"wall_s", pair.wall_seconds}};
}

// Results of the pairs of a set, in one arm.
struct SetOfPairs {
  explicit SetOfPairs(std::string set_name) : name(std::move(set_name)) {}

  std::string name;
  std::vector<PairStatistics> pairs;
  std::vector<double> scatters;
  int compared = 0;  // with plain loops
  int inside = 0;
  int compared_with_first = 0;
  int inside_first = 0;
  int errors = 0;
  double level = 0.99;
};

void AddToSet(const PairStatistics& pair, const PlainStatistics& plain,
              const PairStatistics& reference, SetOfPairs* set) {
  set->pairs.push_back(pair);
  set->errors += pair.errors;
  set->scatters.push_back(ScatterAgainstPlain(pair, plain));
  const auto count = [](const Agreement& agreement, int* compared, int* inside) {
    if (!std::isfinite(agreement.difference)) return;
    ++*compared;
    if (agreement.inside) ++*inside;
  };
  count(CompareWithPlain(pair, plain), &set->compared, &set->inside);
  count(CompareSchedules(pair, reference), &set->compared_with_first, &set->inside_first);
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
          {"contained", TotalShareJson(statistics.contained)},
          {"consistent", TotalShareJson(statistics.consistent)},
          {"expected_share", statistics.expected_share},
          {"overdispersion", std::move(overdispersion)},
          {"difference", ShareJson(MakeShare(set.inside, set.compared))},
          {"from_first", ShareJson(MakeShare(set.inside_first, set.compared_with_first))},
          {"contradictions", ContradictionsJson(statistics.contradictions)},
          {"scatter", GeometricMeanOfFinite(set.scatters)}};
}

// The project's goals for its default, over all pairs of one form.
constexpr double kGoalOfShare[] = {0.97, 0.95};  // of suite and single
constexpr double kGoalOfGeometricMean = 1.3;
constexpr double kGoalOfWorst = 2;
constexpr double kGoalOfAgreement = 0.9;
constexpr double kGoalOfScatter = 0.35;

void AddGoals(const Arm& arm, bool is_first, const SetOfPairs& set, const SetStatistics& statistics,
              LabReport* report) {
  const std::string name = absl::StrCat(arm.first, ", ", arm.second, ": ");
  const auto add = [&](const std::string& target, const std::string& found, bool met) {
    report->checks.push_back({name + target, found, met});
  };
  const auto add_agreement = [&](const char* with, int inside, int compared) {
    if (compared == 0) return;
    add(absl::StrFormat("%.0f %% of the pairs agree with %s", 100 * kGoalOfAgreement, with),
        absl::StrFormat("%d of %d", inside, compared), inside >= kGoalOfAgreement * compared);
  };
  if (!is_first)
    add_agreement("the first form and schedule", set.inside_first, set.compared_with_first);
  if (arm.second != "auto" || statistics.contained.of == 0) return;
  const double share = static_cast<double>(statistics.contained.count) / statistics.contained.of;
  const double goal = kGoalOfShare[arm.first == "suite" ? 0 : 1];
  add(absl::StrFormat("%.0f %% of the intervals contain the mean of the other replications",
                      100 * goal),
      absl::StrFormat("%.1f %%", 100 * share), share >= goal);
  add(absl::StrFormat("overdispersion: geometric mean at most %g, worst at most %g",
                      kGoalOfGeometricMean, kGoalOfWorst),
      absl::StrFormat("%.2f, %.2f", statistics.geometric_mean, statistics.worst),
      statistics.geometric_mean <= kGoalOfGeometricMean && statistics.worst <= kGoalOfWorst);
  add_agreement("plain loops", set.inside, set.compared);
  const Contradictions& found = statistics.contradictions;
  add("no contradicting and no wrong decisions",
      absl::StrFormat("%d pairs of verdicts, %d pairs of gates, %d wrong gates", found.verdicts,
                      found.gates, found.wrong_gates),
      found.verdicts + found.gates + found.wrong_gates == 0);
  const double scatter = GeometricMeanOfFinite(set.scatters);
  if (!std::isfinite(scatter)) return;
  add(absl::StrFormat("scatter at most %g of that of plain loops at equal wall time",
                      kGoalOfScatter),
      absl::StrFormat("%.2f", scatter), scatter <= kGoalOfScatter);
}

// The pairs of a group are measured together in the form of a suite, else as duets.
IntervalKind KindOf(const std::vector<ReplicatedPair>& pairs, const Arm& arm) {
  IntervalKind kind;
  if (!pairs.front().is_of_group || arm.first != "suite") return kind;
  kind.comparisons = static_cast<int>(pairs.size());
  return kind;
}

void AddDetails(const Arm& arm, const std::vector<Observation>& replications,
                const std::string& pair, LabReport* report) {
  for (const Observation& replication : replications) {
    report->details["replications"].push_back({{"form", arm.first},
                                               {"schedule", arm.second},
                                               {"pair", pair},
                                               {"ratio", replication.ratio},
                                               {"lo", replication.lo},
                                               {"hi", replication.hi},
                                               {"verdict", replication.verdict},
                                               {"runs", replication.runs},
                                               {"schedule_in_use", replication.schedule},
                                               {"error", replication.error}});
  }
}

}  // namespace

void FillReplicateReport(const ReplicatePlan& plan, const std::vector<ReplicatedPair>& pairs,
                         const std::vector<ReplicateRecord>& records, LabReport* report) {
  report->columns = {{"pair", "pair"},
                     {"form", "form"},
                     {"schedule", "schedule"},
                     {"replications", "n"},
                     {"errors", "errors"},
                     {"ratio", "ratio (min-max)"},
                     {"half_width_percent", "± [%]", 2},
                     {"contained", "contained"},
                     {"consistent", "consistent"},
                     {"overdispersion", "overdispersion"},
                     {"plain", "plain loops (99 %)"},
                     {"difference", "to plain [%]"},
                     {"from_first", "to first [%]"},
                     {"contradictions", "contrad."},
                     {"scatter", "scatter", 2}};
  std::map<std::string, MeasuredPair> groups = GroupByPair(records);
  std::vector<Arm> arms;
  for (const ReplicateTask::Kind form : plan.forms) {
    for (const std::string& schedule : plan.schedules) {
      arms.emplace_back(form == ReplicateTask::Kind::kSuite ? "suite" : "single", schedule);
    }
  }
  report->details["replications"] = ReportJson::array();
  for (const Arm& arm : arms) {
    SetOfPairs tuning("tuning");
    SetOfPairs held_out("hold-out");
    SetOfPairs all("all");
    std::vector<std::vector<Observation>> of_group;
    const std::size_t first_row = report->rows.size();
    const IntervalKind kind = KindOf(pairs, arm);
    for (const ReplicatedPair& pair : pairs) {
      MeasuredPair& group = groups[pair.name];
      const std::vector<Observation>& replications = group.duets[arm];
      const PairStatistics statistics = SummarizeReplications(replications, kind);
      const PlainStatistics plain = SummarizePlain(group.visits);
      const PairStatistics reference =
          arm == arms[0] ? PairStatistics() : SummarizeReplications(group.duets[arms[0]]);
      report->rows.push_back(PairRow(pair.name, statistics, plain, reference));
      if (!replications.empty()) all.level = replications.front().level;
      for (SetOfPairs* set : {pair.is_held_out ? &held_out : &tuning, &all}) {
        AddToSet(statistics, plain, reference, set);
      }
      if (pair.is_of_group) of_group.push_back(replications);
      AddDetails(arm, replications, pair.name, report);
    }
    if (const Share share = CountSimultaneous(of_group, kind); share.of > 0) {
      report->summary.push_back(absl::StrFormat(
          "%s, %s: all %d ratios of the group are consistent with the weighted means of the other "
          "replications in %d of %d (%.0f to %.0f %%)",
          arm.first, arm.second, of_group.size(), share.count, share.of, 100 * share.lo,
          100 * share.hi));
    }
    for (SetOfPairs* set : {&tuning, &held_out, &all}) {
      set->level = all.level;
      if (set->pairs.empty()) continue;
      const SetStatistics statistics = SummarizeSet(set->pairs, set->level);
      report->rows.push_back(SetRow(*set, statistics));
      if (set == &all) AddGoals(arm, arm == arms[0], all, statistics, report);
    }
    for (std::size_t i = first_row; i < report->rows.size(); ++i) {
      report->rows[i]["form"] = arm.first;
      report->rows[i]["schedule"] = arm.second;
      if (arm == arms[0]) report->rows[i]["from_first"] = nullptr;
    }
  }
  for (const ReplicatedPair& pair : pairs) {
    const MeasuredPair& group = groups[pair.name];
    report->details["plain"].push_back(
        {{"pair", pair.name}, {"visits", group.visits.size()}, {"errors", group.plain_errors}});
    for (const PlainVisit& visit : group.visits) {
      report->details["plain"].back()["old_ns"].push_back(visit.old_ns);
      report->details["plain"].back()["new_ns"].push_back(visit.new_ns);
    }
  }
}

}  // namespace duetbench::lab
