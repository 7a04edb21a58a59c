#ifndef DUETBENCH_TOOLS_DUET_LAB_PAPERS_PAPER_PLAN_H_
#define DUETBENCH_TOOLS_DUET_LAB_PAPERS_PAPER_PLAN_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/duet_lab/lab_report.h"
#include "tools/duet_lab/loads.h"
#include "tools/duet_lab/measurements.h"
#include "tools/duet_lab/papers/collection.h"
#include "tools/duet_lab/workloads.h"

namespace duetbench::lab {

// The options that the measurements after the papers share. --quick replaces the defaults by those
// of a minute, and the report says that it is rough.
struct PaperOptions {
  std::vector<std::string> workloads;  // empty, and 0: the defaults of the measurement
  std::vector<std::string> loads;
  int runs = 0;
  double run_seconds = 0;
  double iteration_ms = 1;
  bool quick = false;
};
void AddPaperOptions(CLI::App& command, PaperOptions* options);

struct PaperDefaults {
  std::vector<std::string> workloads;
  int runs;
  double run_seconds;
  std::vector<std::string> loads;
};

struct PaperPlan {
  std::vector<const Workload*> workloads;
  int runs = 10;
  double run_seconds = 1;
  double iteration_ms = 1;
  std::vector<LoadKind> loads;
  uint64_t seed = 1;
  bool quick = false;
  std::string cpus;              // for the library
  std::vector<int> cpu_numbers;  // the pair
  std::map<std::string, double> unit_ns;

  // An iteration of `ms` milliseconds (0: what the plan says), in units.
  int64_t Units(const Workload& workload, double ms = 0) const;
};

// Describes the machine in `report` and calibrates the workloads.
absl::StatusOr<PaperPlan> MakePaperPlan(const PaperOptions& options, const CommonOptions& common,
                                        const PaperDefaults& full, const PaperDefaults& quick,
                                        LabReport* report);

// Adds the rows that `measure` returns for each load and workload of the plan to the report, with
// the load and the workload in them, and shows the progress. Loads that this machine cannot have
// are left out, and the report says why. Cancelled with what was measured so far kept in the
// report, which says so: then OK.
using MeasureRows = std::function<absl::StatusOr<std::vector<nlohmann::ordered_json>>(
    LoadKind load, const Workload& workload)>;
absl::Status AddRows(const PaperPlan& plan, LabReport* report, const MeasureRows& measure);

// Adds a row for each load with the geometric means of these columns over its workloads.
void AddMeans(const PaperPlan& plan, const std::vector<LabReport::Column>& columns,
              LabReport* report);

// The experiment that a plan makes of a workload.
DuetPlan MakeDuetPlan(const PaperPlan& plan, const Workload& workload, double ms, double ratio,
                      const std::string& schedule);

// `ratio` times as many units, rounded; that ratio is then the true one.
int64_t ScaledUnits(int64_t units, double ratio);

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_PAPERS_PAPER_PLAN_H_
