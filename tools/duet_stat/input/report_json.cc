#include "tools/duet_stat/input/report_json.h"

#include <limits>
#include <map>
#include <memory>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "nlohmann/json.hpp"
#include "tools/duet_stat/input/foreign_times.h"

namespace duetbench::duet_stat {
namespace {

using ReportJson = nlohmann::json;

absl::Status ReportError(const std::string& name, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(name, ": ", what));
}

std::optional<double> NumberIn(const ReportJson& row, const std::string& key) {
  const auto it = row.find(key);
  if (it == row.end() || !it->is_number()) return std::nullopt;
  return it->get<double>();
}

std::string TextIn(const ReportJson& row, const char* key) {
  const auto it = row.find(key);
  return it != row.end() && it->is_string() ? it->get<std::string>() : "";
}

bool IsErrorRow(const ReportJson& row) {
  for (const char* key : {"error_occurred", "skipped"}) {
    const auto it = row.find(key);
    if (it != row.end() && it->is_boolean() && it->get<bool>()) return true;
  }
  return false;
}

// Several rows of a report are of one duet and one repetition.
using RowKey = std::pair<std::string, double>;

RowKey KeyOf(const ReportJson& row, absl::string_view suffix) {
  std::string name = TextIn(row, "run_name");
  name.resize(name.size() - suffix.size());
  return {name, NumberIn(row, "repetition_index").value_or(-1)};
}

double TimeOf(const ReportJson& row) {
  static const auto* const kUnits =
      new std::map<std::string, double>{{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
  const auto unit = kUnits->find(TextIn(row, "time_unit"));
  return unit == kUnits->end() ? 0 : NumberIn(row, "real_time").value_or(0) * unit->second;
}

// True for a key that Google Benchmark itself writes into every row.
bool IsOwnCounter(const std::string& key, const ReportJson& value) {
  static const auto* const kColumns = new std::set<std::string>{"family_index",
                                                                "per_family_instance_index",
                                                                "repetitions",
                                                                "repetition_index",
                                                                "threads",
                                                                "iterations",
                                                                "real_time",
                                                                "cpu_time",
                                                                "cpu_coefficient",
                                                                "real_coefficient",
                                                                "rms"};
  return value.is_number() && kColumns->count(key) == 0;
}

void AddCounters(const ReportJson& verdict, const ReportJson* const sides[2], ReportedDuet* duet) {
  std::map<std::string, ReportedCounter> counters;
  constexpr char kPrefix[] = "perf.";
  for (const auto& [key, value] : verdict.items()) {
    if (!absl::StartsWith(key, kPrefix) || !value.is_number()) continue;
    const std::size_t dot = key.rfind('.');
    if (dot < sizeof kPrefix) continue;
    const std::string name = key.substr(sizeof kPrefix - 1, dot - (sizeof kPrefix - 1));
    const std::string part = key.substr(dot + 1);
    ReportedCounter& counter = counters[name];
    if (part == "old") counter.old_value = value.get<double>();
    if (part == "new") counter.new_value = value.get<double>();
    if (part == "ratio") counter.ratio = value.get<double>();
    if (part == "ratio_lo") counter.lo = value.get<double>();
    if (part == "ratio_hi") counter.hi = value.get<double>();
  }
  for (int v = 0; v < 2; ++v) {
    if (sides[v] == nullptr) continue;
    for (const auto& [key, value] : sides[v]->items()) {
      if (!IsOwnCounter(key, value)) continue;
      ReportedCounter& counter = counters[key];
      std::optional<double>& shown = v == 0 ? counter.old_value : counter.new_value;
      if (!shown.has_value()) shown = value.get<double>();
    }
  }
  for (auto& [name, counter] : counters) {
    counter.name = name;
    duet->counters.push_back(std::move(counter));
  }
}

int SignOf(double gate) { return gate > 0 ? 1 : gate < 0 ? -1 : 0; }

// The interval of "ratio", "ratio_total" and so on: an end that a report leaves out is 0 or
// infinite.
stats::RatioInterval IntervalIn(const ReportJson& row, const std::string& ratio) {
  stats::RatioInterval interval{};
  interval.ratio = NumberIn(row, ratio).value_or(0);
  interval.lo = NumberIn(row, ratio + "_lo").value_or(0);
  interval.hi = NumberIn(row, ratio + "_hi").value_or(std::numeric_limits<double>::infinity());
  interval.level = NumberIn(row, "ratio_level").value_or(0);
  return interval;
}

bool IsUsable(const stats::RatioInterval& interval) {
  return interval.ratio > 0 && interval.lo >= 0 && interval.hi >= interval.lo &&
         interval.level > 0 && interval.level < 1;
}

void AddGates(const ReportJson& row, ReportedDuet* duet) {
  for (const auto& [key, value] : row.items()) {
    absl::string_view of = key;
    if (!absl::ConsumePrefix(&of, "gate") || !value.is_number()) continue;
    if (!of.empty() && of[0] != '.') continue;
    const std::optional<double> p = NumberIn(row, absl::StrCat("gate_p", of));
    duet->gates.push_back({SignOf(value.get<double>()), p.value_or(1)});
  }
  duet->allowed_lo = NumberIn(row, "gate_lo").value_or(0);
  duet->allowed_hi = NumberIn(row, "gate_hi").value_or(0);
}

// 0.99 of "p99".
std::optional<double> QuantileNamed(absl::string_view name) {
  double percent = 0;
  if (!absl::ConsumePrefix(&name, "p") || !absl::SimpleAtod(name, &percent) ||
      !(percent > 0 && percent < 100)) {
    return std::nullopt;
  }
  return percent / 100;
}

void AddQuantiles(const ReportJson& row, ReportedDuet* duet) {
  std::map<double, ReportedQuantile> quantiles;
  if (row.find("calls") == row.end()) return;
  for (const auto& [key, value] : row.items()) {
    absl::string_view name = key;
    const bool is_ratio = absl::ConsumePrefix(&name, "ratio_");
    if (!value.is_number() || (!is_ratio && !absl::ConsumePrefix(&name, "gate."))) continue;
    const std::optional<double> quantile = QuantileNamed(name);
    if (!quantile.has_value()) continue;
    ReportedQuantile& shown = quantiles[*quantile];
    shown.quantile = *quantile;
    if (!is_ratio) {
      shown.gate = SignOf(value.get<double>());
    } else if (const stats::RatioInterval interval = IntervalIn(row, key); IsUsable(interval)) {
      shown.interval = interval;
    }
  }
  for (const auto& [quantile, shown] : quantiles) duet->quantiles.push_back(shown);
}

std::optional<stats::Verdict> VerdictNamed(const std::string& name) {
  for (const stats::Verdict verdict : {stats::Verdict::kFaster, stats::Verdict::kSlower,
                                       stats::Verdict::kEqual, stats::Verdict::kInconclusive}) {
    if (name == stats::VerdictName(verdict)) return verdict;
  }
  return std::nullopt;
}

// Nothing where the row has no usable ratio.
std::optional<ReportedDuet> DuetOf(const ReportJson& row) {
  ReportedDuet duet;
  duet.name = TextIn(row, "name");
  duet.interval = IntervalIn(row, "ratio");
  const std::optional<stats::Verdict> verdict = VerdictNamed(TextIn(row, "label"));
  if (!verdict.has_value() || !IsUsable(duet.interval)) return std::nullopt;
  duet.verdict = *verdict;
  duet.runs = NumberIn(row, "runs").value_or(0);
  duet.pairs = NumberIn(row, "pairs").value_or(0);
  duet.dropped = NumberIn(row, "pairs_dropped").value_or(0);
  AddGates(row, &duet);
  AddQuantiles(row, &duet);
  return duet;
}

std::vector<ReportedDuet> DuetsOf(const ReportJson& rows, bool aggregates) {
  std::map<RowKey, const ReportJson*> sides[2];
  const auto is_meant = [&](const ReportJson& row) {
    if (!row.is_object()) return false;
    return aggregates ? TextIn(row, "aggregate_name") == "pooled"
                      : TextIn(row, "run_type") == "iteration";
  };
  for (const ReportJson& row : rows) {
    if (!is_meant(row)) continue;
    const std::string name = TextIn(row, "run_name");
    if (absl::EndsWith(name, "/old")) sides[0][KeyOf(row, "/old")] = &row;
    if (absl::EndsWith(name, "/new")) sides[1][KeyOf(row, "/new")] = &row;
  }
  std::vector<ReportedDuet> duets;
  for (const ReportJson& row : rows) {
    if (!is_meant(row)) continue;
    if (IsErrorRow(row)) {
      ReportedDuet failed;
      failed.name = TextIn(row, "name");
      failed.error =
          TextIn(row, TextIn(row, "error_message").empty() ? "skip_message" : "error_message");
      if (failed.error.empty()) failed.error = "failed";
      duets.push_back(std::move(failed));
      continue;
    }
    if (row.find("ratio_level") == row.end()) continue;
    std::optional<ReportedDuet> duet = DuetOf(row);
    if (!duet.has_value()) continue;
    const ReportJson* of_variants[2] = {nullptr, nullptr};
    for (int v = 0; v < 2; ++v) {
      const auto side = sides[v].find(KeyOf(row, ""));
      if (side == sides[v].end()) continue;
      of_variants[v] = side->second;
      duet->time_ns[v] = TimeOf(*side->second);
    }
    AddCounters(row, of_variants, &*duet);
    duets.push_back(*std::move(duet));
  }
  return duets;
}

bool HasRatio(const std::vector<ReportedDuet>& duets) {
  for (const ReportedDuet& duet : duets) {
    if (duet.error.empty()) return true;
  }
  return false;
}

}  // namespace

absl::StatusOr<bool> BeginsLikeJson(ByteSource* source) {
  const absl::StatusOr<std::string> start = PeekStart(source, 1);
  if (!start.ok()) return start.status();
  return absl::StartsWith(*start, "{");
}

absl::StatusOr<Report> ReadReportJson(const ByteSource& source, const std::string& name,
                                      std::size_t memory_limit) {
  const absl::StatusOr<std::string> text = ReadWhole(source, name, memory_limit);
  if (!text.ok()) return text.status();
  const ReportJson json = ReportJson::parse(*text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) {
    return ReportError(name, "begins like JSON, but is not: was it cut off?");
  }
  const auto rows = json.find("benchmarks");
  const auto context = json.find("context");
  if (rows == json.end() || !rows->is_array() || context == json.end() || !context->is_object()) {
    return ReportError(name,
                       "is JSON, but no report of a program: write one with --benchmark_out=FILE");
  }
  Report report;
  for (const auto& [key, value] : context->items()) {
    report.context.emplace_back(key, value.is_string() ? value.get<std::string>() : value.dump());
  }
  report.duets = DuetsOf(*rows, /*aggregates=*/false);
  if (!HasRatio(report.duets)) {
    std::vector<ReportedDuet> pooled = DuetsOf(*rows, /*aggregates=*/true);
    for (ReportedDuet& duet : pooled) report.duets.push_back(std::move(duet));
  }
  if (report.duets.empty()) {
    return ReportError(name, "has no duets: its benchmarks are ordinary ones, or ran dry");
  }
  return report;
}

}  // namespace duetbench::duet_stat
