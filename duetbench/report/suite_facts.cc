#include "duetbench/report/suite_facts.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "duetbench/decide/gate.h"
#include "duetbench/report/comparison_format.h"
#include "duetbench/report/text.h"

namespace duetbench {
namespace {

double OutcomeNumber(GateStatus outcome) {
  if (outcome == GateStatus::kPass) return 1;
  return outcome == GateStatus::kFail ? -1 : 0;
}

// Collects numbers.
class NumberList {
 public:
  void Add(const std::string& name, double value) {
    if (std::isfinite(value)) numbers_[name] = value;
  }
  void Add(const std::string& name, const std::optional<double>& value) {
    if (value.has_value()) Add(name, *value);
  }
  void Add(const std::string& name, const stats::RatioInterval& interval) {
    Add(name, interval.ratio);
    Add(name + "_lo", interval.lo);
    Add(name + "_hi", interval.hi);
  }
  Numbers End() { return std::move(numbers_); }

 private:
  Numbers numbers_;
};

void AddGates(const Comparison& comparison, NumberList* list) {
  for (const GateResult& gate : comparison.gates) {
    const bool of_time = gate.spec.metric.is_time();
    const std::string suffix = of_time ? "" : absl::StrCat(".", MetricName(gate.spec.metric));
    list->Add("gate" + suffix, OutcomeNumber(gate.outcome));
    list->Add("gate_p" + suffix, gate.p);
    if (!of_time) continue;
    if (gate.spec.lo() > 0) list->Add("gate_lo", gate.spec.lo());
    list->Add("gate_hi", gate.spec.hi());
    list->Add("gate_looks", comparison.analyses);
    list->Add("gate_seconds", comparison.wall_s);
  }
}

void AddEvents(const std::vector<CounterComparison>& summary, NumberList* list) {
  for (const CounterComparison& counter : summary) {
    if (!counter.counted) continue;
    const std::string name = absl::StrCat("perf.", counter.name);
    list->Add(name + ".old", counter.per_iteration[0]);
    list->Add(name + ".new", counter.per_iteration[1]);
    if (counter.interval.has_value()) list->Add(name + ".ratio", *counter.interval);
    list->Add(name + ".ratio", counter.ratio);
  }
}

// Events that were counted for both variants, and what the variants report.
std::vector<Facts::Counter> CountersOf(const Comparison& comparison) {
  std::map<std::string, Facts::Counter> rows;
  for (const CounterComparison& counter : comparison.counters) {
    if (!counter.counted) continue;
    Facts::Counter& row = rows[counter.name];
    row.old_value = NumberText(counter.per_iteration[0]);
    row.new_value = NumberText(counter.per_iteration[1]);
    row.ratio = CounterRatioText(counter);
  }
  for (int v = 0; v < 2; ++v) {
    for (const CounterValue& counter : comparison.variants[v].counters) {
      Facts::Counter& row = rows[counter.name];
      std::string& text = v == 0 ? row.old_value : row.new_value;
      if (text.empty()) text = NumberText(counter.value);
    }
  }
  std::vector<Facts::Counter> shown;
  for (auto& [name, row] : rows) {
    row.name = Printable(name);
    shown.push_back(std::move(row));
  }
  return shown;
}

std::vector<Facts::Quantile> QuantilesOf(const Comparison& comparison) {
  std::vector<Facts::Quantile> shown;
  for (const stats::QuantileRatio& ratio : comparison.quantiles) {
    Facts::Quantile& quantile = shown.emplace_back();
    quantile.quantile = ratio.quantile;
    quantile.name = QuantileName(ratio.quantile);
    quantile.interval = ratio.interval;
    if (ratio.interval.has_value()) {
      for (int v = 0; v < 2; ++v) quantile.time_ns[v] = ratio.time[v];
    } else {
      quantile.gap = TooFewText(ratio, comparison.quantiles.size());
    }
    for (const GateResult& gate : comparison.gates) {
      if (gate.spec.metric.quantile != ratio.quantile) continue;
      quantile.gate = gate.outcome;
      quantile.gate_limit = GateSpecText(gate.spec);
      quantile.allowed_hi = gate.spec.hi();
    }
  }
  std::sort(shown.begin(), shown.end(), [](const Facts::Quantile& a, const Facts::Quantile& b) {
    return a.quantile < b.quantile;
  });
  return shown;
}

// With the correction if that changed the status of a gate.
std::string MessageOf(const Facts& duet, const Comparison& comparison, const CpuPairChoice& cpus) {
  if (duet.unchanged) {
    return absl::StrCat(duet.gate == GateStatus::kPass ? "PASS " : "", duet.name, ": ", duet.error);
  }
  switch (duet.gate) {
    case GateStatus::kNoGate:
      return "";
    case GateStatus::kError:
      return absl::StrCat("ERROR ", duet.name, ": ", duet.error);
    case GateStatus::kNotMeasured:
      return absl::StrCat("SKIPPED ", duet.name, ": its gate was not measured: ", duet.error);
    case GateStatus::kUnproven:
      return absl::StrCat(AllGatesMessage(duet.name, comparison, cpus),
                          " Alone it would have failed; in a suite of gates this may be chance.");
    case GateStatus::kPass:
    case GateStatus::kFail:
    case GateStatus::kInconclusive:
      break;
  }
  return AllGatesMessage(duet.name, comparison, cpus);
}

void AddRatio(const Comparison& comparison, Facts* facts) {
  facts->interval = comparison.interval;
  facts->verdict = comparison.verdict;
  facts->sentence = Printable(VerdictSentence(comparison.interval, comparison.verdict,
                                              comparison.margin, SentenceNames(comparison)));
  facts->meaning = Printable(VerdictSentence(comparison));
  for (const GateResult& gate : comparison.gates) {
    if (gate.spec.metric.is_time()) {
      facts->meaning = Printable(GateMeaning(comparison, gate));
      facts->allowed_lo = gate.spec.lo();
      facts->allowed_hi = gate.spec.hi();
      facts->gate_limit = GateSpecText(gate.spec);
      facts->time_gate = gate.outcome;
    } else {
      facts->other_gates.push_back({gate.outcome, Printable(GateSentence(comparison, gate))});
    }
  }
  facts->effort = Printable(EffortText(comparison));
  facts->numbers = NumbersOf(comparison);
  for (int v = 0; v < 2; ++v) facts->time_ns[v] = comparison.time_ns[v];
  facts->cpu_time = comparison.cpu_time;
  facts->one_at_a_time = !RunsConcurrently(comparison.schedule);
  // A run of little weight is to be seen at what it measured.
  const bool has_runs = !comparison.total_decides && !comparison.typical_log_ratios.empty();
  facts->run_log_ratios = has_runs ? comparison.typical_log_ratios : comparison.run_log_ratios;
  facts->quantiles = QuantilesOf(comparison);
  facts->counters = CountersOf(comparison);
  for (const Facts::Quantile& quantile : facts->quantiles) {
    facts->details.push_back(QuantileLine(quantile));
  }
  const std::string counters = CounterLine(comparison.counters);
  if (!counters.empty()) facts->details.push_back(Printable(counters));
  for (const std::string& line : ExplanationLines(comparison)) {
    facts->diagnosis.push_back(Printable(line));
  }
}

// "2 of 31 gates failed", "30 of 31 gates hold, 1 is inconclusive", "1 gate holds"; empty without
// gates. `undecided` of them are.
std::string Headline(const std::vector<GateStatus>& outcomes, int undecided) {
  const auto count = [&](GateStatus status) {
    return std::count(outcomes.begin(), outcomes.end(), status);
  };
  const auto errors = count(GateStatus::kError);
  const auto failed = count(GateStatus::kFail);
  const auto passed = count(GateStatus::kPass);
  const auto gates = passed + failed + undecided;
  if (gates == 0) return "";
  std::vector<std::string> parts;
  if (gates == 1) {
    parts.push_back(failed > 0      ? "1 gate failed"
                    : undecided > 0 ? "1 gate is inconclusive"
                                    : "1 gate holds");
  } else if (failed > 0) {
    parts.push_back(absl::StrCat(failed, " of ", gates, " gates failed"));
  } else if (undecided == 0) {
    parts.push_back(absl::StrCat("all ", gates, " gates hold"));
  } else {
    parts.push_back(
        absl::StrCat(passed, " of ", gates, passed == 1 ? " gates holds" : " gates hold"));
  }
  if (undecided > 0 && gates > 1) {
    parts.push_back(absl::StrCat(undecided, undecided == 1 ? " is" : " are", " inconclusive"));
  }
  if (errors > 0) {
    parts.push_back(
        absl::StrCat(errors, errors == 1 ? " duet" : " duets", " could not be measured"));
  }
  return absl::StrJoin(parts, ", ");
}

constexpr size_t kShownPairs = 160;

// The pairs of a run that have times and no solo samples.
std::vector<ShownPair> TimedPairs(const RunResult& run, bool cpu_time, double ns_per_tick) {
  std::vector<ShownPair> pairs;
  for (const PairRecord& pair : run.pairs) {
    if ((pair.flags & (kNoTime | kSolo)) != 0) continue;
    ShownPair shown;
    shown.disturbed = (pair.flags & kDisturbed) != 0;
    for (int v = 0; v < 2; ++v) {
      const double ns = cpu_time ? pair.cpu_ns[v] : pair.ticks[v] * ns_per_tick;
      shown.time[v] = ns / static_cast<double>(std::max<uint64_t>(1, pair.iterations[v]));
    }
    if (shown.time[0] > 0 && shown.time[1] > 0) pairs.push_back(shown);
  }
  return pairs;
}

// The mean over the undisturbed pairs; 0 if there are none.
double MeanLogRatio(absl::Span<const ShownPair> pairs) {
  double sum = 0;
  int count = 0;
  for (const ShownPair& pair : pairs) {
    if (pair.disturbed) continue;
    sum += std::log(pair.time[1] / pair.time[0]);
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

}  // namespace

Numbers NumbersOf(const Comparison& comparison) {
  if (!comparison.has_ratio()) return {};
  NumberList list;
  list.Add("ratio", comparison.interval);
  list.Add("ratio_level", comparison.interval.level);
  list.Add("runs", comparison.runs);
  list.Add("pairs", static_cast<double>(comparison.pairs));
  list.Add("pairs_dropped", static_cast<double>(comparison.dropped));
  if (comparison.total.has_value()) {
    list.Add("ratio_total", comparison.total->interval);
    list.Add("ratio_typical", comparison.typical);
    list.Add("tails_p", comparison.total->p);
  }
  if (comparison.cpus_per_variant == kAllCpus) list.Add("all_cpus", 1);
  if (comparison.cpus_per_variant > 1) list.Add("cpus_per_variant", comparison.cpus_per_variant);
  list.Add("schedule", static_cast<double>(comparison.schedule));
  if (comparison.time.wall_ns > 0) {
    list.Add("wall_seconds", comparison.time.wall_ns * 1e-9);
    list.Add("kept_share", comparison.time.kept_ns / comparison.time.wall_ns);
  }
  if (comparison.slow_core_runs > 0) {
    list.Add("core_runs_left_out", static_cast<double>(comparison.slow_core_runs));
  }
  if (comparison.mutual_disturbance.has_value()) {
    list.Add("ratio_solo", comparison.mutual_disturbance->ratio_solo);
    list.Add("ratio_concurrent", comparison.mutual_disturbance->ratio_together);
  }
  for (const stats::QuantileRatio& each : comparison.quantiles) {
    list.Add("calls", static_cast<double>(each.calls));
    if (each.interval.has_value())
      list.Add(absl::StrCat("ratio_", QuantileName(each.quantile)), *each.interval);
  }
  if (!comparison.far_off.empty()) {
    list.Add("far_off", static_cast<double>(comparison.far_off.size()));
  }
  if (comparison.by_address.has_value()) {
    list.Add("ratio_by_address_lo", comparison.by_address->lo);
    list.Add("ratio_by_address_hi", comparison.by_address->hi);
  }
  AddEvents(comparison.counters, &list);
  AddGates(comparison, &list);
  return list.End();
}

Facts FactsOf(const std::string& name, const Comparison& comparison) {
  Facts facts;
  facts.name = Printable(name);
  facts.wall_s = comparison.wall_s;
  facts.unchanged = comparison.failure.unchanged;
  if (comparison.has_ratio()) {
    AddRatio(comparison, &facts);
  } else if (comparison.has_failed()) {
    facts.error = Printable(ErrorText(comparison.failure));
  } else {
    facts.sentence = "DRY RUN: one iteration of each, no verdict";
    facts.error = "not measured: a dry run";
  }
  facts.why = comparison.explanation.lines;
  facts.listing = comparison.explanation.listing;
  facts.explanation = comparison.explanation.json;
  if (comparison.ranking.has_value()) {
    facts.ranking = Printable(RankingSentence(*comparison.ranking));
  }
  for (const Notice& notice : comparison.notices) {
    // EffortText says so, too: more of it is told where it keeps a decision away.
    if (notice.kind == Notice::Kind::kDisturbedPairsKept && comparison.has_ratio() &&
        comparison.why_undecided() == stats::Why::kDecided) {
      continue;
    }
    const std::string text = Printable(NoticeText(notice));
    // In how many runs does not make it another one.
    facts.notices.push_back(
        {text, notice.kind == Notice::Kind::kRunDegraded ? Printable(notice.text) : text});
  }
  return facts;
}

SuiteFacts FactsOf(absl::Span<const SuiteEntry> suite, const SuiteSummary& summary,
                   const std::string& program, const std::vector<std::string>& header,
                   const CpuPairChoice& cpus) {
  SuiteFacts facts;
  facts.program = Printable(program);
  for (const std::string& line : header) {
    facts.header.push_back(Printable(std::string(absl::StripPrefix(line, "duetbench: "))));
  }
  facts.cpus = DescribeCpuPair(cpus);
  std::vector<GateStatus> outcomes;
  for (size_t i = 0; i < suite.size(); ++i) {
    Facts& duet = facts.duets.emplace_back(suite[i].facts);
    outcomes.insert(outcomes.end(), summary.outcomes[i].begin(), summary.outcomes[i].end());
    duet.gate = summary.outcomes[i].front();
    duet.message = Printable(MessageOf(duet, suite[i].comparison, cpus));
  }
  facts.undecided_gates =
      static_cast<int>(std::count_if(outcomes.begin(), outcomes.end(), IsUndecided));
  facts.headline = Headline(outcomes, facts.undecided_gates);
  for (const SummaryLine& line : SummaryLines(summary)) {
    facts.summary.push_back({Printable(line.text), line.is_detail, line.is_command});
  }
  return facts;
}

RunPicture PictureOfRun(size_t run, absl::Span<const ShownPair> pairs, size_t most) {
  RunPicture picture;
  picture.run = run;
  picture.pairs = pairs.size();
  picture.step = std::max<size_t>(1, (pairs.size() + most - 1) / most);
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (i % picture.step == 0) {
      picture.shown.push_back(pairs[i]);
    } else {
      picture.shown.back().disturbed |= pairs[i].disturbed;
    }
    if (pairs[i].disturbed) ++picture.disturbed;
  }
  return picture;
}

RunPicture PictureOfMiddleRun(const Comparison& result, double ns_per_tick) {
  if (!result.has_ratio()) return {};
  std::vector<std::vector<ShownPair>> runs;
  std::vector<std::pair<double, size_t>> ratios;
  for (const RunResult& run : result.results) {
    runs.push_back(TimedPairs(run, result.cpu_time, ns_per_tick));
    if (!runs.back().empty()) ratios.emplace_back(MeanLogRatio(runs.back()), runs.size() - 1);
  }
  if (ratios.empty()) return {};
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::nth_element(ratios.begin(), middle, ratios.end());
  return PictureOfRun(middle->second, runs[middle->second], kShownPairs);
}

}  // namespace duetbench
