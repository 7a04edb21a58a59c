#include "duetbench/platform/cpu_pair.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <iterator>
#include <map>
#include <thread>
#include <tuple>
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

// Cores of one kind still differ a little: the favoured cores of one chip may clock 5 % higher.
// Between kinds the step is 20 % and more.
bool NearlyEqual(const std::optional<int64_t>& a, const std::optional<int64_t>& b) {
  if (!a.has_value() || !b.has_value()) return true;
  return 10 * std::min(*a, *b) >= 9 * std::max(*a, *b);
}

bool OfEqualKind(const Cpu& a, const Cpu& b) {
  return NearlyEqual(a.capacity, b.capacity) &&
         NearlyEqual(a.max_frequency_khz, b.max_frequency_khz);
}

template <typename Id>
bool KnownToDiffer(const std::optional<Id>& a, const std::optional<Id>& b) {
  return a.has_value() && b.has_value() && *a != *b;
}

CpuPairChoice Relate(const CpuTopology& topology, int first, int second) {
  CpuPairChoice choice;
  choice.cpus[0] = std::min(first, second);
  choice.cpus[1] = std::max(first, second);
  const Cpu* const a = topology.Find(choice.cpus[0]);
  const Cpu* const b = topology.Find(choice.cpus[1]);
  if (first == second) {
    choice.relation = CpuRelation::kOneCpu;
    return choice;
  }
  if (a == nullptr || b == nullptr) return choice;
  const std::optional<bool> share_core = ShareCore(topology, choice.cpus[0], choice.cpus[1]);
  if (share_core.value_or(false)) {
    choice.relation = CpuRelation::kSmtSiblings;
  } else if (!OfEqualKind(*a, *b)) {
    choice.relation = CpuRelation::kUnequalCores;
  } else if (!share_core.has_value()) {
    choice.relation = CpuRelation::kUnknown;
  } else if (KnownToDiffer(a->node, b->node)) {
    choice.relation = CpuRelation::kSeparateNodes;
  } else {
    choice.relation = CpuRelation::kSeparateCores;
  }
  return choice;
}

// Smaller is better.
auto PenaltyOf(const CpuTopology& topology, const CpuPairChoice& choice) {
  const Cpu none;
  const Cpu* const found_a = topology.Find(choice.cpus[0]);
  const Cpu* const found_b = topology.Find(choice.cpus[1]);
  const Cpu& a = found_a == nullptr ? none : *found_a;
  const Cpu& b = found_b == nullptr ? none : *found_b;
  const auto near_cpu_0 = [&](int cpu) {
    return cpu == 0 || ShareCore(topology, cpu, 0).value_or(false);
  };
  return std::make_tuple(choice.relation, -(a.capacity.value_or(0) + b.capacity.value_or(0)),
                         -(a.max_frequency_khz.value_or(0) + b.max_frequency_khz.value_or(0)),
                         KnownToDiffer(a.max_frequency_khz, b.max_frequency_khz),
                         near_cpu_0(choice.cpus[0]) || near_cpu_0(choice.cpus[1]),
                         choice.cpus[0] == 0, choice.cpus[0], choice.cpus[1]);
}

std::string CpusInWords(const std::vector<int>& cpus) {
  return absl::StrCat(cpus.size() == 1 ? "CPU " : "CPUs ", FormatCpuList(cpus));
}

// A look takes some microseconds of a CPU that may be measured on. Chosen.
constexpr std::chrono::milliseconds kPauseOfLooks(100);

// In the environment of a process that has its locks, and of those that it starts.
constexpr char kVariable[] = "DUETBENCH_HAS_CPUS";

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
    cpu.capacity = ReadNumberFile(absl::StrCat(folder, "/cpu_capacity"));
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

absl::StatusOr<CpuPairChoice> ChooseCpuPair(const std::vector<int>& allowed,
                                            const CpuTopology& topology) {
  std::vector<int> usable;
  std::copy_if(allowed.begin(), allowed.end(), std::back_inserter(usable),
               [&](int cpu) { return topology.cpus.empty() || topology.Find(cpu) != nullptr; });
  if (usable.empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat("none of the CPUs that this process may use (", FormatCpuList(allowed),
                     ") is online; see taskset(1)"));
  }
  if (usable.size() == 1) return Relate(topology, usable[0], usable[0]);
  // All pairs, which is quadratic: of a very large machine only this number of CPUs is tried,
  // which is still several packages.
  constexpr size_t kMaxCpus = 512;
  const size_t count = std::min(usable.size(), kMaxCpus);
  CpuPairChoice best = Relate(topology, usable[0], usable[1]);
  auto smallest = PenaltyOf(topology, best);
  for (size_t i = 0; i < count; ++i) {
    for (size_t j = i + 1; j < count; ++j) {
      const CpuPairChoice choice = Relate(topology, usable[i], usable[j]);
      if (choice.relation > best.relation) continue;
      const auto penalty = PenaltyOf(topology, choice);
      if (penalty >= smallest) continue;
      smallest = penalty;
      best = choice;
    }
  }
  return best;
}

absl::StatusOr<CpuPairChoice> ParseCpuPair(absl::string_view text, const std::vector<int>& allowed,
                                           const CpuTopology& topology) {
  const std::string usable = absl::StrCat("this process may use ", CpusInWords(allowed));
  const std::vector<absl::string_view> parts = absl::StrSplit(text, ',');
  int cpus[2];
  if (parts.size() != 2 || !absl::SimpleAtoi(parts[0], &cpus[0]) ||
      !absl::SimpleAtoi(parts[1], &cpus[1])) {
    const size_t count = allowed.size();
    const std::string example =
        count < 2 ? "" : absl::StrCat(", such as ", allowed[count - 2], ",", allowed[count - 1]);
    return absl::InvalidArgumentError(absl::StrCat(
        "'", text, "' is not a pair of CPUs; give two numbers", example, " (", usable, ")"));
  }
  if (cpus[0] == cpus[1]) {
    return absl::InvalidArgumentError(absl::StrCat("'", text, "' names CPU ", cpus[0],
                                                   " twice; a duet needs two different CPUs (",
                                                   usable, ")"));
  }
  for (const int cpu : cpus) {
    const bool is_allowed = std::binary_search(allowed.begin(), allowed.end(), cpu);
    if (!topology.cpus.empty() && topology.Find(cpu) == nullptr) {
      return absl::InvalidArgumentError(absl::StrCat(
          "CPU ", cpu, " of '", text, "' does not exist or is offline (", usable, ")"));
    }
    if (!is_allowed) {
      return absl::InvalidArgumentError(
          absl::StrCat("CPU ", cpu, " of '", text, "' is not allowed for this process (", usable,
                       "; see taskset(1), and cpuset in a container)"));
    }
  }
  return Relate(topology, cpus[0], cpus[1]);
}

std::vector<int> FirstCpus(const int (&first)[2], const std::vector<int>& allowed, int count) {
  std::vector<int> cpus;
  const auto add = [&](int cpu) {
    if (std::find(cpus.begin(), cpus.end(), cpu) == cpus.end()) cpus.push_back(cpu);
  };
  for (const int cpu : first) {
    if (std::find(allowed.begin(), allowed.end(), cpu) != allowed.end()) add(cpu);
  }
  for (const int cpu : allowed) add(cpu);
  if (cpus.size() > static_cast<size_t>(count)) cpus.resize(static_cast<size_t>(count));
  return cpus;
}

std::string DescribeCpuRelation(const CpuPairChoice& choice) {
  constexpr const char* kTexts[] = {
      "separate cores",        "separate cores on different memory nodes",
      "relation unknown",      "SMT siblings: they share one core",
      "cores of unequal kind", "not a duet: one CPU"};
  return kTexts[static_cast<size_t>(choice.relation)];
}

std::string DescribeCpuPair(const CpuPairChoice& choice) {
  const std::string relation = DescribeCpuRelation(choice);
  if (choice.relation == CpuRelation::kOneCpu) {
    return absl::StrCat("CPU ", choice.cpus[0], " (", relation, ")");
  }
  return absl::StrCat("CPUs ", choice.cpus[0], " and ", choice.cpus[1], " (", relation, ")");
}

CpuLock::~CpuLock() {
  // A process that a variant has left may have a copy of the descriptor.
  for (const Descriptor& folder : folders_) flock(folder.get(), LOCK_UN);
  if (!folders_.empty()) unsetenv(kVariable);
}

std::unique_ptr<CpuLock> CpuLock::Acquire(std::vector<int> cpus,
                                          const std::function<void()>& on_wait,
                                          const volatile std::sig_atomic_t* interrupted,
                                          const std::string& folder) {
  auto lock = std::make_unique<CpuLock>();
  if (std::getenv(kVariable) != nullptr) return lock;
  // In the same order in all programs: none waits for one that waits for it.
  std::sort(cpus.begin(), cpus.end());
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());  // or it would wait for itself
  bool has_told = false;
  for (const int cpu : cpus) {
    const std::string path = absl::StrCat(folder, "/cpu", cpu);
    Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    while (flock(file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      if (!std::exchange(has_told, true)) on_wait();
      if (interrupted != nullptr && *interrupted != 0) break;
      std::this_thread::sleep_for(kPauseOfLooks);
    }
    lock->folders_.push_back(std::move(file));
  }
  setenv(kVariable, "1", 1);
  return lock;
}

}  // namespace duetbench
