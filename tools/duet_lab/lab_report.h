#ifndef DUETBENCH_TOOLS_DUET_LAB_LAB_REPORT_H_
#define DUETBENCH_TOOLS_DUET_LAB_LAB_REPORT_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/experiment/experiment_plan.h"

namespace duetbench::lab {

// The result of a measurement, for both output formats. The rows are JSON objects, of which the
// console shows the members in `columns`.
struct LabReport {
  struct Column {
    std::string key;    // in the rows
    std::string title;  // with the unit
    int digits = 0;     // behind the point
  };
  // A promise of the project.
  struct Check {
    std::string target;
    std::string found;
    bool met;
  };

  std::string measurement;           // "rendezvous"
  nlohmann::ordered_json context;    // an object: the machine and the parameters
  std::vector<std::string> summary;  // the context in words, a line each
  std::vector<Column> columns;
  std::vector<nlohmann::ordered_json> rows;
  std::vector<Check> checks;
  nlohmann::ordered_json details;  // for JSON alone; null: nothing
};

// A cell of the console's table: numbers with `digits` behind the point, texts as they are, of an
// object its "text", "-" for null, for what is missing and for what is not finite.
std::string CellText(const nlohmann::ordered_json& value, int digits);

// Inspects the machine (`cpus` "A,B" chooses the CPUs, "" leaves it to the library) and adds it to
// the report: the CPUs, the clock, the load average (other work on the machine makes figures less
// reliable) and the warnings.
absl::StatusOr<Machine> DescribeMachine(const std::string& cpus, LabReport* report);

// The report as lines of text, columns aligned; and as one JSON object with the members
// measurement, context, rows, checks and (if there are any) details.
std::string ToConsole(const LabReport& report);
std::string ToJson(const LabReport& report);

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_LAB_REPORT_H_
