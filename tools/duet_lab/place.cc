#include "tools/duet_lab/place.h"

#include <cstdlib>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace duetbench::lab {

absl::StatusOr<Machine> DescribePlace(Arguments& arguments, LabReport* report) {
  double load = 0;
  const bool has_load = getloadavg(&load, 1) == 1;
  absl::StatusOr<Machine> machine = InspectMachine(arguments.Text("cpus", ""));
  if (!machine.ok()) return machine;
  const std::string cpus = DescribeCpuPair(machine->cpus);
  report->context["cpus"] = cpus;
  report->context["clock"] = machine->clock;
  report->context["load_average"] = has_load ? nlohmann::ordered_json(load) : nullptr;
  report->context["warnings"] = machine->warnings;
  report->summary.push_back(absl::StrCat(
      cpus, ", ", machine->clock,
      has_load ? absl::StrFormat(", load average before the start %.2f", load) : std::string()));
  for (const std::string& warning : machine->warnings) {
    report->summary.push_back(absl::StrCat("warning: ", warning));
  }
  return machine;
}

}  // namespace duetbench::lab
