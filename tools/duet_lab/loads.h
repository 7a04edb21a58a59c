#ifndef DUETBENCH_TOOLS_DUET_LAB_LOADS_H_
#define DUETBENCH_TOOLS_DUET_LAB_LOADS_H_

#include <sys/types.h>

#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace duetbench::lab {

// Interference that the lab makes itself, to see what it does to measurements (RQ3 of Bulej et al.,
// ICPE 2020, section 4.3). What cannot be made here is a neighbor outside of the virtual machine,
// who slows both CPUs at once without being seen; `bursts` comes closest: it takes both CPUs away
// from the whole program at the same moment.
enum class LoadKind {
  kNone,    // idle
  kOne,     // a busy process on the first CPU of the pair
  kBoth,    // one on each
  kBursts,  // all measuring processes are stopped and continued from outside, together: 1 to 20 ms
            // of every 5 to 60 ms
  kMemory,  // a process that copies 64 MiB again and again, on any CPU
};
inline constexpr LoadKind kAllLoads[] = {LoadKind::kNone, LoadKind::kOne, LoadKind::kBoth,
                                         LoadKind::kBursts, LoadKind::kMemory};

// "none", "one", "both", "bursts", "memory".
absl::string_view LoadName(LoadKind kind);

// A load for as long as this lives. It consists of separate processes, which end with this
// process also when it is killed.
class Load {
 public:
  // Start it before there are threads. `cpus` are those that are measured on.
  static absl::StatusOr<Load> Start(LoadKind kind, const std::vector<int>& cpus);
  // `number` processes that count in their registers, on any CPU, at normal priority.
  static absl::StatusOr<Load> StartBusy(int number);
  ~Load();
  Load(Load&& other) noexcept : processes_(std::exchange(other.processes_, {})) {}
  Load& operator=(Load&&) = delete;

  const std::vector<pid_t>& processes() const { return processes_; }

 private:
  Load() = default;
  // A process for each, which ends with this one. The works do not return.
  static absl::StatusOr<Load> StartAll(const std::vector<std::function<void()>>& works);

  std::vector<pid_t> processes_;
};

// The descendants of `ancestor`, without `excluded` and their descendants, from the parents of all
// processes. For `bursts`. Pure.
std::vector<pid_t> DescendantsOf(pid_t ancestor, const std::vector<pid_t>& excluded,
                                 const std::map<pid_t, pid_t>& parent_of);

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_LOADS_H_
