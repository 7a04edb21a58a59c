#include "tools/duet_lab/lab_report.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/duet_stat/output/table.h"

namespace duetbench::lab {

using Json = nlohmann::ordered_json;

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

  Cells cells(1);
  for (const LabReport::Column& column : report.columns) cells[0].push_back(column.title);
  for (const Json& row : report.rows) {
    cells.emplace_back();
    for (const LabReport::Column& column : report.columns) {
      cells.back().push_back(CellText(row.value(column.key, Json()), column.digits));
    }
  }
  absl::StrAppend(&out, TableText(cells, "l", ""));
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
