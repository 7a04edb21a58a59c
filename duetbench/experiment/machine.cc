#include "duetbench/experiment/machine.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/platform/environment.h"
#include "duetbench/platform/thread.h"
#include "duetbench/platform/ticks.h"

namespace duetbench {
namespace {

absl::StatusOr<CpuPairChoice> Choose(const std::string& cpus, const std::vector<int>& allowed,
                                     const CpuTopology& topology) {
  if (cpus.empty()) return ChooseCpuPair(allowed, topology);
  absl::StatusOr<CpuPairChoice> choice = ParseCpuPair(cpus, allowed, topology);
  if (choice.ok()) return choice;
  return absl::Status(choice.status().code(),
                      absl::StrCat("--duet_cpus: ", std::string(choice.status().message())));
}

}  // namespace

absl::StatusOr<Machine> InspectMachine(const std::string& cpus) {
  const absl::StatusOr<std::vector<int>> allowed = AllowedCpus();
  if (!allowed.ok()) return allowed.status();
  absl::StatusOr<CpuPairChoice> choice = Choose(cpus, *allowed, ReadCpuTopology("/sys"));
  if (!choice.ok()) return choice.status();
  Machine machine;
  machine.cpus = *std::move(choice);
  const ClockTraits clock = MeasureClock();
  machine.ns_per_tick = NsPerTick();
  machine.clock_step_ns = static_cast<double>(clock.step_ticks) * machine.ns_per_tick;
  machine.clock_overhead_ns = static_cast<double>(clock.overhead_ticks) * machine.ns_per_tick;
  machine.clock = ticks::SourceName();
  if (ticks::internal::kUseCounter) {
    machine.clock += absl::StrFormat(" %.2f GHz", 1 / machine.ns_per_tick);
  }
  machine.clock += absl::StrFormat(", %.2g ns steps", machine.clock_step_ns);

  const std::string why_not_counter = ticks::FallbackReason();
  if (!why_not_counter.empty()) {
    machine.warnings.push_back("times are taken with clock_gettime: " + why_not_counter);
  }
  for (std::string& warning : EnvironmentWarnings(ReadEnvironment(""))) {
    machine.warnings.push_back(std::move(warning));
  }
  return machine;
}

}  // namespace duetbench
