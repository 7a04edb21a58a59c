#include "tools/duet_lab/lab_report.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace duetbench::lab {
namespace {

using Json = nlohmann::ordered_json;

// Code points, so that '±' takes one column.
size_t WidthOf(const std::string& text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string Padding(size_t width, const std::string& text) {
  return std::string(width - std::min(width, WidthOf(text)), ' ');
}

// The first column to the left, the others to the right.
void AppendLine(const std::vector<std::string>& cells, const std::vector<size_t>& widths,
                std::string* out) {
  for (size_t i = 0; i < cells.size(); ++i) {
    const std::string padding = Padding(widths[i], cells[i]);
    absl::StrAppend(out, i == 0 ? "" : "  ", i == 0 ? cells[i] : padding,
                    i == 0 ? padding : cells[i]);
  }
  while (!out->empty() && out->back() == ' ') out->pop_back();
  out->push_back('\n');
}

}  // namespace

std::string CellText(const Json& value, int digits) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number_integer()) return absl::StrCat(value.get<int64_t>());
  if (value.is_number() && std::isfinite(value.get<double>())) {
    return absl::StrFormat("%.*f", digits, value.get<double>());
  }
  if (value.is_object() && value.contains("text")) return value["text"].get<std::string>();
  return "-";
}

absl::StatusOr<Machine> DescribeMachine(const std::string& cpus, LabReport* report) {
  double load = 0;
  const bool has_load = getloadavg(&load, 1) == 1;
  absl::StatusOr<Machine> machine = InspectMachine(cpus);
  if (!machine.ok()) return machine;
  const std::string pair = DescribeCpuPair(machine->cpus);
  report->context["cpus"] = pair;
  report->context["clock"] = machine->clock;
  report->context["load_average"] = has_load ? Json(load) : nullptr;
  report->context["warnings"] = machine->warnings;
  report->summary.push_back(absl::StrCat(
      pair, ", ", machine->clock,
      has_load ? absl::StrFormat(", load average before the start %.2f", load) : std::string()));
  for (const std::string& warning : machine->warnings) {
    report->summary.push_back(absl::StrCat("warning: ", warning));
  }
  return machine;
}

std::string ToConsole(const LabReport& report) {
  std::string out;
  for (const std::string& line : report.summary) absl::StrAppend(&out, "duet_lab: ", line, "\n");

  std::vector<std::vector<std::string>> lines(1);
  for (const LabReport::Column& column : report.columns) lines[0].push_back(column.title);
  for (const Json& row : report.rows) {
    lines.emplace_back();
    for (const LabReport::Column& column : report.columns) {
      lines.back().push_back(CellText(row.value(column.key, Json()), column.digits));
    }
  }
  std::vector<size_t> widths(report.columns.size(), 0);
  for (const auto& line : lines) {
    for (size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], WidthOf(line[i]));
  }
  for (const auto& line : lines) AppendLine(line, widths, &out);

  for (const LabReport::Check& check : report.checks) {
    absl::StrAppend(&out, check.met ? "met:     " : "NOT MET: ", check.target, " (found ",
                    check.found, ")\n");
  }
  return out;
}

std::string ToJson(const LabReport& report) {
  Json json = {{"measurement", report.measurement},
               {"context", report.context},
               {"rows", report.rows},
               {"checks", Json::array()}};
  for (const LabReport::Check& check : report.checks) {
    json["checks"].push_back(
        {{"target", check.target}, {"found", check.found}, {"met", check.met}});
  }
  if (!report.details.is_null()) json["details"] = report.details;
  return json.dump(2) + "\n";
}

}  // namespace duetbench::lab
