#include "tests/platform/golden_machines.h"

#include <map>

#include "absl/strings/str_cat.h"

namespace duetbench {

Machine SmtDesktop() {
  Machine machine{"0-7", {}};
  for (int cpu = 0; cpu < 8; ++cpu) {
    const int core = cpu % 4;
    machine.cpus.push_back({cpu, absl::StrCat(core, ",", core + 4)});
  }
  return machine;
}

Machine SmtOff() {
  Machine machine{"0-3", {}};
  for (int cpu = 0; cpu < 4; ++cpu) {
    machine.cpus.push_back({cpu, absl::StrCat(cpu)});
  }
  return machine;
}

Machine HybridLaptop() {
  Machine machine{"0-7", {}};
  for (int cpu = 0; cpu < 4; ++cpu) {
    const int first = cpu / 2 * 2;
    machine.cpus.push_back(
        {cpu, absl::StrCat(first, "-", first + 1), 0, kNone, cpu < 2 ? 4700 : 4900});
  }
  for (int cpu = 4; cpu < 8; ++cpu) {
    machine.cpus.push_back({cpu, absl::StrCat(cpu), 0, kNone, 3500});
  }
  return machine;
}

Machine BigLittle() {
  Machine machine{"0-5", {}};
  for (int cpu = 0; cpu < 6; ++cpu) {
    machine.cpus.push_back({cpu, absl::StrCat(cpu), 0, cpu < 4 ? 446 : 1024});
  }
  return machine;
}

Machine DualSocket() {
  Machine machine{"0-15", {}};
  for (int cpu = 0; cpu < 16; ++cpu) {
    const int first = cpu % 8;
    machine.cpus.push_back({cpu, absl::StrCat(first, ",", first + 8), cpu % 2});
  }
  return machine;
}

Machine TwoVcpus() { return {"0-1", {{0, "0"}, {1, "1"}}}; }

Machine OfflineCpus() { return {"1,3", {{1, "1"}, {3, "3"}}}; }

Machine OneCpu() { return {"0", {{0, "0"}}}; }

Machine NothingButOnline() {
  Machine machine{"0-1", {}};
  for (int cpu = 0; cpu < 2; ++cpu) machine.cpus.push_back({cpu, "", kNone});
  return machine;
}

void WriteSysfs(const Machine& machine, FileTree* tree) {
  const std::string system = "/sys/devices/system";
  tree->Write(system + "/cpu/online", machine.online);
  std::map<int, std::string> nodes;
  const auto append = [](std::string* list, int cpu) {
    absl::StrAppend(list, list->empty() ? "" : ",", cpu);
  };
  for (const MachineCpu& cpu : machine.cpus) {
    const std::string folder = absl::StrCat(system, "/cpu/cpu", cpu.number);
    const auto write = [&](const std::string& file, int number) {
      if (number != kNone) tree->Write(absl::StrCat(folder, file), absl::StrCat(number));
    };
    if (!cpu.siblings.empty()) tree->Write(folder + "/topology/thread_siblings_list", cpu.siblings);
    write("/cpu_capacity", cpu.capacity);
    write("/cpufreq/cpuinfo_max_freq", cpu.max_mhz == kNone ? kNone : cpu.max_mhz * 1000);
    if (cpu.node != kNone) append(&nodes[cpu.node], cpu.number);
  }
  for (const auto& [node, cpus] : nodes) {
    tree->Write(absl::StrCat(system, "/node/node", node, "/cpulist"), cpus);
  }
}

}  // namespace duetbench
