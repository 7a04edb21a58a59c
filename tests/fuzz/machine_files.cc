#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "duetbench/platform/cgroup.h"
#include "duetbench/platform/cpu_pair.h"
#include "duetbench/platform/environment.h"
#include "duetbench/platform/topology.h"
#include "tests/fuzz/targets.h"

namespace duetbench {
namespace {

namespace fs = std::filesystem;

// The files of a machine with two CPUs. A tree is these, with the texts that the input gives.
constexpr const char* kFiles[] = {
    "/sys/devices/system/cpu/online",
    "/sys/devices/system/cpu/cpu0/topology/thread_siblings_list",
    "/sys/devices/system/cpu/cpu0/cpu_capacity",
    "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq",
    "/sys/devices/system/cpu/cpu1/topology/thread_siblings_list",
    "/sys/devices/system/node/node0/cpulist",
    "/proc/loadavg",
    "/proc/self/cgroup",
    "/sys/fs/cgroup/cpu.max",
};

// A folder of this process; in memory, as its files are written thousands of times a second.
const std::string& Root() {
  static const auto* const root = [] {
    auto* const path = new std::string("/dev/shm/duetbench_fuzz_XXXXXX");
    FuzzCheck(mkdtemp(path->data()) != nullptr, "there is a folder in memory");
    for (const char* file : kFiles) fs::create_directories(fs::path(*path + file).parent_path());
    std::atexit([] { fs::remove_all(Root()); });
    return path;
  }();
  return *root;
}

// Each line of the input begins with a letter, which chooses the file; what follows is its text,
// with '|' for line ends.
void WriteTree(absl::string_view input) {
  for (const char* file : kFiles) std::remove((Root() + file).c_str());
  for (absl::string_view line : absl::StrSplit(input, '\n')) {
    if (line.empty()) continue;
    const size_t file = static_cast<unsigned char>(line[0]) % std::size(kFiles);
    std::string text(line.substr(1));
    std::replace(text.begin(), text.end(), '|', '\n');
    std::ofstream(Root() + kFiles[file], std::ios::binary) << text;
  }
}

void CheckCpus(const std::vector<int>& cpus) {
  FuzzCheck(std::is_sorted(cpus.begin(), cpus.end()), "numbers of CPUs ascend");
  FuzzCheck(std::adjacent_find(cpus.begin(), cpus.end()) == cpus.end(), "each is there once");
  FuzzCheck(cpus.empty() || cpus.front() >= 0, "none is negative");
}

CpuTopology CheckTree(absl::string_view input) {
  WriteTree(input);
  const CpuTopology topology = ReadCpuTopology(Root() + "/sys");
  std::vector<int> numbers;
  for (const auto& cpu : topology.cpus) numbers.push_back(cpu.number);
  CheckCpus(numbers);
  const std::optional<CpuQuota> quota = ReadCpuQuota(Root());
  FuzzCheck(!quota.has_value() || (std::isfinite(quota->cpus) && quota->cpus > 0),
            "a quota is a positive number of CPUs");
  ReadEnvironment(Root());
  const absl::StatusOr<CpuPairChoice> chosen = ChooseCpuPair({0, 1}, topology);
  if (chosen.ok()) {
    FuzzCheck(chosen->cpus[0] >= 0 && chosen->cpus[0] <= 1, "a chosen CPU is allowed");
    FuzzCheck(chosen->cpus[1] >= 0 && chosen->cpus[1] <= 1, "a chosen CPU is allowed");
  }
  return topology;
}

}  // namespace

void FuzzMachineFiles(absl::string_view input) {
  if (input.empty()) return;
  const absl::string_view text = input.substr(1);
  switch (static_cast<unsigned char>(input[0]) % 4) {
    case 0: {
      const absl::StatusOr<std::vector<int>> cpus = ParseCpuList(text);
      if (!cpus.ok()) return FuzzCheck(!cpus.status().message().empty(), "a refusal says why");
      CheckCpus(*cpus);
      const absl::StatusOr<std::vector<int>> again = ParseCpuList(FormatCpuList(*cpus));
      return FuzzCheck(again.ok() && *again == *cpus, "a list is written and read");
    }
    case 1: {
      const std::optional<double> cpus = ParseCpuMax(text);
      return FuzzCheck(!cpus.has_value() || (std::isfinite(*cpus) && *cpus > 0),
                       "a quota is a positive number of CPUs");
    }
    case 2: {
      const absl::StatusOr<CpuPairChoice> chosen = ParseCpuPair(text, {0, 1, 5}, CpuTopology());
      if (!chosen.ok()) return FuzzCheck(!chosen.status().message().empty(), "a refusal says why");
      return FuzzCheck(chosen->cpus[0] != chosen->cpus[1], "two CPUs are chosen");
    }
    default:
      CheckTree(text);
  }
}

}  // namespace duetbench
