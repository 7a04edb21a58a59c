#include "duetbench/runner/machine.h"

#include <optional>
#include <utility>

#include "absl/strings/str_format.h"
#include "duetbench/platform/affinity.h"
#include "duetbench/platform/core_probe.h"
#include "duetbench/platform/environment.h"
#include "duetbench/platform/tick_rate.h"
#include "duetbench/platform/ticks.h"
#include "duetbench/platform/topology.h"

namespace duetbench {
namespace {

absl::StatusOr<CpuPairChoice> Choose(const std::string& cpus, const std::vector<int>& allowed,
                                     const CpuTopology& topology) {
  return cpus.empty() ? ChooseCpuPair(allowed, topology) : ParseCpuPair(cpus, allowed, topology);
}

}  // namespace

absl::StatusOr<Machine> InspectMachine(const std::string& cpus) {
  const absl::StatusOr<std::vector<int>> allowed = AllowedCpus();
  if (!allowed.ok()) return allowed.status();
  CpuTopology topology = ReadCpuTopology("/sys");
  absl::StatusOr<CpuPairChoice> choice = Choose(cpus, *allowed, topology);
  if (!choice.ok()) return choice.status();

  Machine machine;
  NsPerTick();  // begins the measurement of the rate, which goes on while the cores are probed
  if (choice->relation != CpuRelation::kOneCpu) {
    // Guests misreport topology; what is measured goes before what the kernel tells.
    const absl::StatusOr<ProbeTimes> times = ProbeCores(choice->cpus[0], choice->cpus[1]);
    const std::optional<double> slow_down =
        times.ok() ? SlowDownOf(*times) : std::optional<double>();
    if (slow_down.has_value()) {
      const CoreSharing sharing = ClassifySlowDown(*slow_down);
      machine.probe_slow_down = *slow_down;
      machine.probed = sharing != CoreSharing::kUnclear;
      if (machine.probed) {
        SetShareCore(&topology, choice->cpus[0], choice->cpus[1], sharing == CoreSharing::kShared);
        choice = Choose(cpus, *allowed, topology);
        if (!choice.ok()) return choice.status();
      }
    }
  }
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
  std::vector<int> used = {machine.cpus.cpus[0]};
  if (machine.cpus.cpus[1] != used[0]) used.push_back(machine.cpus.cpus[1]);
  for (std::string& warning : EnvironmentWarnings(ReadEnvironment("", used))) {
    machine.warnings.push_back(std::move(warning));
  }
  return machine;
}

}  // namespace duetbench
