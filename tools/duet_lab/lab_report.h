#ifndef DUETBENCH_TOOLS_DUET_LAB_LAB_REPORT_H_
#define DUETBENCH_TOOLS_DUET_LAB_LAB_REPORT_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/experiment/machine.h"
#include "tools/duet_lab/arguments.h"

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

// Median, smallest and largest of `values`, which must not be empty: {"median", "min", "max"}. The
// console shows it as "12.3 (11.8-14.0)". Of an object with a "text" it shows that.
nlohmann::ordered_json Spread(std::vector<double> values);

// A cell of the console's table: numbers with `digits` behind the point, texts as they are, "-"
// for null, for what is missing and for what is not finite.
std::string CellText(const nlohmann::ordered_json& value, int digits);

// Inspects the machine (--cpus=A,B chooses the CPUs) and adds it to the report: the CPUs, the
// clock, the load average (other work on the machine makes figures less reliable) and the warnings.
absl::StatusOr<Machine> DescribeMachine(Arguments& arguments, LabReport* report);

// The plan of measurements that repeat in random orders: --repetitions, --seed and the machine.
struct RepetitionPlan {
  int64_t repetitions = 0;
  uint64_t seed = 0;
  Machine machine;
};
// Takes these flags, which must be the last ones that the measurement takes, and adds them and the
// machine to the report.
absl::StatusOr<RepetitionPlan> PlanRepetitions(Arguments& arguments, int64_t by_default,
                                               int64_t least, LabReport* report);

// The report as lines of text, columns aligned; and as one JSON object with the members
// measurement, context, rows, checks and (if there are any) details.
std::string ToConsole(const LabReport& report);
std::string ToJson(const LabReport& report);

// The rows as CSV (RFC 4180), a column for each of `columns` by its key. A member that is an object
// gives its "text" or its "median".
std::string ToCsv(const LabReport& report);

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_LAB_REPORT_H_
