#include "duetbench/platform/topology.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "duetbench/platform/text_file.h"

namespace duetbench {
namespace {

// Far above any kernel's limit (8192): a larger number is a damaged list, not a machine.
constexpr int kMaxCpu = 1 << 16;

std::vector<int> ReadCpuListFile(const std::string& path) {
  const std::optional<std::string> text = ReadTextFile(path);
  if (!text.has_value()) return {};
  absl::StatusOr<std::vector<int>> cpus = ParseCpuList(*text);
  return cpus.ok() ? *std::move(cpus) : std::vector<int>();
}

std::optional<int> ReadInt(const std::string& path) {
  const std::optional<int64_t> number = ReadNumberFile(path);
  if (!number.has_value()) return std::nullopt;
  return static_cast<int>(*number);
}

// CPU number -> number of the folder `<prefix><number>` whose cpulist has it.
std::map<int, int> ReadNodes(const std::string& nodes) {
  constexpr char kPrefix[] = "node";
  std::map<int, int> node_of;
  for (const std::string& name : ListFolder(nodes)) {
    int node = 0;
    if (!absl::StartsWith(name, kPrefix) ||
        !absl::SimpleAtoi(name.substr(sizeof(kPrefix) - 1), &node)) {
      continue;
    }
    for (const int cpu : ReadCpuListFile(absl::StrCat(nodes, "/", name, "/cpulist"))) {
      node_of[cpu] = node;
    }
  }
  return node_of;
}

}  // namespace

const Cpu* CpuTopology::Find(int number) const {
  const auto found =
      std::lower_bound(cpus.begin(), cpus.end(), number,
                       [](const Cpu& cpu, int wanted) { return cpu.number < wanted; });
  return found != cpus.end() && found->number == number ? &*found : nullptr;
}

CpuTopology ReadCpuTopology(const std::string& sysfs_root) {
  const std::string system = absl::StrCat(sysfs_root, "/devices/system");
  const std::map<int, int> nodes = ReadNodes(absl::StrCat(system, "/node"));
  CpuTopology topology;
  for (const int number : ReadCpuListFile(absl::StrCat(system, "/cpu/online"))) {
    const std::string folder = absl::StrCat(system, "/cpu/cpu", number);
    Cpu cpu;
    cpu.number = number;
    cpu.siblings = ReadCpuListFile(absl::StrCat(folder, "/topology/thread_siblings_list"));
    const auto node = nodes.find(number);
    if (node != nodes.end()) cpu.node = node->second;
    cpu.capacity = ReadInt(absl::StrCat(folder, "/cpu_capacity"));
    cpu.max_frequency_khz = ReadNumberFile(absl::StrCat(folder, "/cpufreq/cpuinfo_max_freq"));
    topology.cpus.push_back(std::move(cpu));
  }
  return topology;
}

std::optional<bool> ShareCore(const CpuTopology& topology, int a, int b) {
  const Cpu* const cpu_a = topology.Find(a);
  const Cpu* const cpu_b = topology.Find(b);
  if (cpu_a == nullptr || cpu_b == nullptr || cpu_a->siblings.empty()) return std::nullopt;
  return std::binary_search(cpu_a->siblings.begin(), cpu_a->siblings.end(), b);
}

absl::StatusOr<std::vector<int>> ParseCpuList(absl::string_view text) {
  std::vector<int> cpus;
  text = absl::StripAsciiWhitespace(text);
  if (text.empty()) return cpus;
  for (absl::string_view part : absl::StrSplit(text, ',')) {
    const std::pair<absl::string_view, absl::string_view> ends =
        absl::StrSplit(part, absl::MaxSplits('-', 1));
    int first = 0;
    int last = 0;
    const bool is_range = part.find('-') != absl::string_view::npos;
    if (!absl::SimpleAtoi(ends.first, &first) ||
        !absl::SimpleAtoi(is_range ? ends.second : ends.first, &last) || first < 0 ||
        last < first || last > kMaxCpu) {
      return absl::InvalidArgumentError(
          absl::StrCat("'", part, "' is not a CPU number or range in the list '", text, "'"));
    }
    for (int cpu = first; cpu <= last; ++cpu) cpus.push_back(cpu);
  }
  std::sort(cpus.begin(), cpus.end());
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  return cpus;
}

std::string FormatCpuList(const std::vector<int>& cpus) {
  std::string text;
  for (size_t i = 0; i < cpus.size();) {
    size_t end = i;
    while (end + 1 < cpus.size() && cpus[end + 1] == cpus[end] + 1) ++end;
    absl::StrAppend(&text, text.empty() ? "" : ",", cpus[i]);
    if (end > i) absl::StrAppend(&text, "-", cpus[end]);
    i = end + 1;
  }
  return text;
}

}  // namespace duetbench
