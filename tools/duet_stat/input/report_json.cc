#include "tools/duet_stat/input/report_json.h"

#include <map>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
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

Numbers NumbersIn(const ReportJson& row) {
  Numbers numbers;
  for (const auto& [key, value] : row.items()) {
    if (IsOwnCounter(key, value)) numbers[key] = value.get<double>();
  }
  return numbers;
}

std::optional<stats::Verdict> VerdictNamed(const std::string& name) {
  for (const stats::Verdict verdict : {stats::Verdict::kFaster, stats::Verdict::kSlower,
                                       stats::Verdict::kEqual, stats::Verdict::kInconclusive}) {
    if (name == stats::VerdictName(verdict)) return verdict;
  }
  return std::nullopt;
}

// Nothing where the row has no usable ratio.
std::optional<DuetFacts> DuetOf(const ReportJson& row) {
  DuetFacts duet;
  duet.name = TextIn(row, "name");
  duet.numbers = NumbersIn(row);
  const std::optional<stats::Verdict> verdict = VerdictNamed(TextIn(row, "label"));
  if (!verdict.has_value() || !IntervalIn(duet.numbers, "ratio").has_value()) return std::nullopt;
  duet.verdict = *verdict;
  return duet;
}

std::vector<DuetFacts> DuetsOf(const ReportJson& rows, bool aggregates) {
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
  std::vector<DuetFacts> duets;
  for (const ReportJson& row : rows) {
    if (!is_meant(row)) continue;
    if (IsErrorRow(row)) {
      DuetFacts failed;
      failed.name = TextIn(row, "name");
      failed.error =
          TextIn(row, TextIn(row, "error_message").empty() ? "skip_message" : "error_message");
      if (failed.error.empty()) failed.error = "failed";
      duets.push_back(std::move(failed));
      continue;
    }
    if (row.find("ratio_level") == row.end()) continue;
    std::optional<DuetFacts> duet = DuetOf(row);
    if (!duet.has_value()) continue;
    for (int v = 0; v < 2; ++v) {
      const auto side = sides[v].find(KeyOf(row, ""));
      if (side == sides[v].end()) continue;
      duet->time_ns[v] = TimeOf(*side->second);
      duet->counters[v] = NumbersIn(*side->second);
    }
    duets.push_back(*std::move(duet));
  }
  return duets;
}

bool HasRatio(const std::vector<DuetFacts>& duets) {
  for (const DuetFacts& duet : duets) {
    if (duet.error.empty()) return true;
  }
  return false;
}

// The elements of `key`, empty where it is no array.
ReportJson ListIn(const ReportJson& json, const char* key) {
  const auto it = json.find(key);
  return it != json.end() && it->is_array() ? *it : ReportJson::array();
}

void AddGroups(const ReportJson& suite, Report* report) {
  for (const ReportJson& group : ListIn(suite, "groups")) {
    report->rankings[TextIn(group, "last_duet")] = TextIn(group, "sentence");
  }
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
    std::vector<DuetFacts> pooled = DuetsOf(*rows, /*aggregates=*/true);
    for (DuetFacts& duet : pooled) report.duets.push_back(std::move(duet));
  }
  if (report.duets.empty()) {
    return ReportError(name, "has no duets: its benchmarks are ordinary ones, or ran dry");
  }
  if (const auto suite = json.find("duet_suite"); suite != json.end()) AddGroups(*suite, &report);
  return report;
}

}  // namespace duetbench::duet_stat
