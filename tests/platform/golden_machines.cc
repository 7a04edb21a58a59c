#include "tests/platform/golden_machines.h"

#include <map>

#include "absl/strings/str_cat.h"

namespace duetbench {

Machine SmtDesktop() {
  Machine machine{"0-7", {}};
  for (int cpu = 0; cpu < 8; ++cpu) {
    const int core = cpu % 4;
    machine.cpus.push_back({cpu, core, 0, absl::StrCat(core, ",", core + 4), "0-7"});
  }
  return machine;
}

Machine SmtOff() {
  Machine machine{"0-3", {}};
  for (int cpu = 0; cpu < 4; ++cpu) {
    machine.cpus.push_back({cpu, cpu, 0, absl::StrCat(cpu), "0-3"});
  }
  return machine;
}

Machine HybridLaptop() {
  Machine machine{"0-7", {}};
  for (int cpu = 0; cpu < 4; ++cpu) {
    const int first = cpu / 2 * 2;
    machine.cpus.push_back({cpu, cpu / 2 * 4, 0, absl::StrCat(first, "-", first + 1), "0-7", 0,
                            kNone, "core", cpu < 2 ? 4700 : 4900});
  }
  for (int cpu = 4; cpu < 8; ++cpu) {
    machine.cpus.push_back({cpu, cpu + 4, 0, absl::StrCat(cpu), "0-7", 0, kNone, "atom", 3500});
  }
  return machine;
}

Machine BigLittle() {
  Machine machine{"0-5", {}};
  for (int cpu = 0; cpu < 6; ++cpu) {
    machine.cpus.push_back({cpu, cpu, 0, absl::StrCat(cpu), "", 0, cpu < 4 ? 446 : 1024});
  }
  return machine;
}

Machine DualSocket() {
  Machine machine{"0-15", {}};
  for (int cpu = 0; cpu < 16; ++cpu) {
    const int package = cpu % 2;
    const int first = cpu % 8;
    machine.cpus.push_back({cpu, first / 2, package, absl::StrCat(first, ",", first + 8),
                            package == 0 ? "0,2,4,6,8,10,12,14" : "1,3,5,7,9,11,13,15", package});
  }
  return machine;
}

Machine TwoL3() {
  Machine machine{"0-3", {}};
  for (int cpu = 0; cpu < 4; ++cpu) {
    machine.cpus.push_back({cpu, cpu, 0, absl::StrCat(cpu), cpu < 2 ? "0-1" : "2-3"});
  }
  return machine;
}

Machine TwoVcpus() { return {"0-1", {{0, 0, 0, "0", "0-1"}, {1, 1, 0, "1", "0-1"}}}; }

Machine MissingL3() {
  Machine machine{"0-3", {}};
  for (int cpu = 0; cpu < 4; ++cpu) {
    machine.cpus.push_back({cpu, cpu, 0, absl::StrCat(cpu), ""});
  }
  return machine;
}

Machine OfflineCpus() { return {"1,3", {{1, 1, 0, "1", "1,3"}, {3, 3, 0, "3", "1,3"}}}; }

Machine OneCpu() { return {"0", {{0, 0, 0, "0", "0"}}}; }

Machine NothingButOnline() {
  Machine machine{"0-1", {}};
  for (int cpu = 0; cpu < 2; ++cpu) machine.cpus.push_back({cpu, kNone, kNone, "", "", kNone});
  return machine;
}

void WriteSysfs(const Machine& machine, FileTree* tree) {
  const std::string devices = "/sys/devices";
  const std::string system = devices + "/system";
  tree->Write(system + "/cpu/online", machine.online);
  std::map<int, std::string> nodes;
  std::map<std::string, std::string> kinds;
  const auto append = [](std::string* list, int cpu) {
    absl::StrAppend(list, list->empty() ? "" : ",", cpu);
  };
  for (const MachineCpu& cpu : machine.cpus) {
    const std::string folder = absl::StrCat(system, "/cpu/cpu", cpu.number);
    const auto write = [&](const std::string& file, int number) {
      if (number != kNone) tree->Write(absl::StrCat(folder, file), absl::StrCat(number));
    };
    write("/topology/core_id", cpu.core);
    write("/topology/physical_package_id", cpu.package);
    if (!cpu.siblings.empty()) tree->Write(folder + "/topology/core_cpus_list", cpu.siblings);
    if (!cpu.l3.empty()) {
      for (int index = 0; index < 4; ++index) {
        const std::string cache = absl::StrCat(folder, "/cache/index", index);
        tree->Write(cache + "/level", index == 3 ? "3" : index == 2 ? "2" : "1");
        tree->Write(cache + "/shared_cpu_list", index == 3 ? cpu.l3 : cpu.siblings);
      }
    }
    write("/cpu_capacity", cpu.capacity);
    write("/cpufreq/cpuinfo_max_freq", cpu.max_mhz == kNone ? kNone : cpu.max_mhz * 1000);
    if (cpu.node != kNone) append(&nodes[cpu.node], cpu.number);
    if (!cpu.kind.empty()) append(&kinds[cpu.kind], cpu.number);
  }
  for (const auto& [node, cpus] : nodes) {
    tree->Write(absl::StrCat(system, "/node/node", node, "/cpulist"), cpus);
  }
  for (const auto& [kind, cpus] : kinds) {
    tree->Write(absl::StrCat(devices, "/cpu_", kind, "/cpus"), cpus);
  }
}

}  // namespace duetbench
