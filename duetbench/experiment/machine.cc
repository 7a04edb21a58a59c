#include "duetbench/experiment/machine.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/measure/loop_processes.h"
#include "duetbench/platform/core_probe.h"
#include "duetbench/platform/environment.h"
#include "duetbench/platform/forked_children.h"
#include "duetbench/platform/thread.h"
#include "duetbench/platform/ticks.h"
#include "duetbench/platform/topology.h"

namespace duetbench {
namespace {

constexpr int kMaxProbes = 4;  // of pairs; about 5 ms each, 20 ms in doubt

absl::StatusOr<CpuPairChoice> Choose(const std::string& cpus, const std::vector<int>& allowed,
                                     const CpuTopology& topology) {
  if (cpus.empty()) return ChooseCpuPair(allowed, topology);
  absl::StatusOr<CpuPairChoice> choice = ParseCpuPair(cpus, allowed, topology);
  if (choice.ok()) return choice;
  return absl::Status(choice.status().code(),
                      absl::StrCat("--duet_cpus: ", std::string(choice.status().message())));
}

// The probe starts threads, and what this process measures itself, ordinary benchmarks, takes
// longer once there was one: so a child probes, unless there are threads already.
std::optional<double> SlowDownOnce(const int cpus[2]) {
  const auto probe = [cpus]() -> std::optional<double> {
    const absl::StatusOr<ProbeTimes> times = ProbeCores(cpus[0], cpus[1]);
    return times.ok() ? SlowDownOf(*times) : std::optional<double>();
  };
  if (!CanForkLoops()) return probe();
  ForkedChildren children;
  const absl::Status started = children.Start([&probe](const ForkedChildren::Pipe& pipe) {
    const std::optional<double> slow_down = probe();
    if (!slow_down.has_value()) return;
    pipe.Write({reinterpret_cast<const char*>(&*slow_down), sizeof(*slow_down)});
  });
  if (!started.ok()) return std::nullopt;
  const ForkedChildren::Child& child = *children.children().front();
  while (!child.has_ended) children.Await(std::chrono::milliseconds(100));
  double slow_down = 0;
  if (child.written.size() != sizeof(slow_down)) return std::nullopt;
  std::memcpy(&slow_down, child.written.data(), sizeof(slow_down));
  return slow_down;
}

// As many probes as it takes for a verdict, up to four.
ProbeVerdict Probe(const int cpus[2]) {
  constexpr size_t kMaxProbesOfPair = 4;
  std::vector<double> slow_downs;
  ProbeVerdict verdict;
  for (size_t i = 0; i < kMaxProbesOfPair && verdict.sharing == CoreSharing::kUnclear; ++i) {
    // A probe that tells nothing does not agree with the others.
    slow_downs.push_back(SlowDownOnce(cpus).value_or(std::numeric_limits<double>::infinity()));
    verdict = JudgeProbes(slow_downs);
  }
  return verdict;
}

}  // namespace

absl::StatusOr<Machine> InspectMachine(const std::string& cpus, const BeforeProbe& before_probe) {
  const absl::StatusOr<std::vector<int>> allowed = AllowedCpus();
  if (!allowed.ok()) return allowed.status();
  CpuTopology topology = ReadCpuTopology("/sys");
  absl::StatusOr<CpuPairChoice> choice = Choose(cpus, *allowed, topology);
  if (!choice.ok()) return choice.status();
  if (before_probe) before_probe(*choice);

  Machine machine;
  NsPerTick();  // begins the measurement of the rate, which goes on while the cores are probed
  // Guests misreport topology; what is measured goes before what the kernel tells. A pair found to
  // share a core makes another one the best, where there is one, which is probed in its turn.
  for (int probes = 0; probes < kMaxProbes && choice->relation != CpuRelation::kOneCpu; ++probes) {
    const int probed[2] = {choice->cpus[0], choice->cpus[1]};
    const ProbeVerdict verdict = Probe(probed);
    machine.probed = verdict.sharing != CoreSharing::kUnclear;
    machine.is_probe_unclear = !machine.probed;
    if (!machine.probed) break;
    machine.probe_slow_down = verdict.slow_down;
    SetShareCore(&topology, probed[0], probed[1], verdict.sharing == CoreSharing::kShared);
    choice = Choose(cpus, *allowed, topology);
    if (!choice.ok()) return choice.status();
    if (choice->cpus[0] == probed[0] && choice->cpus[1] == probed[1]) break;
    if (before_probe) before_probe(*choice);
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
