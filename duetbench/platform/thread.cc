#include "duetbench/platform/thread.h"

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <memory>
#include <string>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "duetbench/platform/cpu_pair.h"
#include "duetbench/platform/process.h"
#include "duetbench/platform/text_file.h"

namespace duetbench {
namespace {

struct FreeCpuSet {
  void operator()(cpu_set_t* set) const { CPU_FREE(set); }
};
using CpuSet = std::unique_ptr<cpu_set_t, FreeCpuSet>;

// No kernel is configured for more.
constexpr int kMaxCpus = 1 << 20;

absl::Status MoveThisThread(const std::vector<int>& cpus) {
  const int end = *std::max_element(cpus.begin(), cpus.end()) + 1;
  const CpuSet set(CPU_ALLOC(end));
  const size_t bytes = CPU_ALLOC_SIZE(end);
  CPU_ZERO_S(bytes, set.get());
  for (const int cpu : cpus) CPU_SET_S(cpu, bytes, set.get());
  if (sched_setaffinity(0, bytes, set.get()) != 0) {
    return absl::UnavailableError(absl::StrCat("cannot pin a thread to CPU ",
                                               absl::StrJoin(cpus, ","),
                                               " (sched_setaffinity: ", std::strerror(errno),
                                               "); is it online and allowed for this process?"));
  }
  return absl::OkStatus();
}

// The default of threads before the change; 0: it could not be changed.
size_t ChangeStackOfThreads(size_t bytes) {
  pthread_attr_t attributes;
  if (pthread_getattr_default_np(&attributes) != 0) return 0;
  size_t earlier = 0;
  pthread_attr_getstacksize(&attributes, &earlier);
  const bool changed = pthread_attr_setstacksize(&attributes, bytes) == 0 &&
                       pthread_setattr_default_np(&attributes) == 0;
  pthread_attr_destroy(&attributes);
  return changed ? earlier : 0;
}

}  // namespace

absl::StatusOr<std::vector<int>> AllowedCpus() {
  for (int cpus = 1024; cpus <= kMaxCpus; cpus *= 2) {
    const CpuSet set(CPU_ALLOC(cpus));
    const size_t bytes = CPU_ALLOC_SIZE(cpus);
    CPU_ZERO_S(bytes, set.get());
    if (sched_getaffinity(0, bytes, set.get()) == 0) {
      std::vector<int> allowed;
      for (int cpu = 0; cpu < cpus; ++cpu) {
        if (CPU_ISSET_S(cpu, bytes, set.get())) allowed.push_back(cpu);
      }
      return allowed;
    }
    if (errno != EINVAL) break;  // EINVAL: the mask is smaller than the kernel's
  }
  return absl::UnavailableError(absl::StrCat(
      "the allowed CPUs cannot be read (sched_getaffinity: ", std::strerror(errno), ")"));
}

absl::Status PinThisThread(int cpu) { return MoveThisThread({cpu}); }

absl::Status ConfineThisThread(const int (&first)[2], int count) {
  const absl::StatusOr<std::vector<int>> allowed = AllowedCpus();
  if (!allowed.ok()) return allowed.status();
  const std::vector<int> cpus = FirstCpus(first, *allowed, count);
  const absl::Status moved = MoveThisThread(cpus);
  if (!moved.ok() || cpus.size() == static_cast<size_t>(count)) return moved;
  return absl::UnavailableError(
      absl::StrCat("a variant cannot use ", count, " CPUs, as this process may use ", cpus.size()));
}

int CurrentCpu() { return sched_getcpu(); }

void ExecuteBeside(pid_t process, const std::function<void()>& work) {
  constexpr size_t kProcessor = 36;  // field 39 in proc_pid_stat(5)
  const std::vector<std::string> words = StatWords(absl::StrCat("/proc/", process));
  const std::vector<int> allowed = AllowedCpus().value_or(std::vector<int>());
  std::vector<int> others = allowed;
  int cpu = -1;
  if (words.size() > kProcessor && absl::SimpleAtoi(words[kProcessor], &cpu)) {
    others.erase(std::remove(others.begin(), others.end(), cpu), others.end());
  }
  const bool moves = !others.empty() && MoveThisThread(others).ok();
  work();
  if (moves) (void)MoveThisThread(allowed);
}

ThreadUsage ThisThreadUsage() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  ThreadUsage result;
  result.involuntary_switches = static_cast<uint64_t>(usage.ru_nivcsw);
  result.voluntary_switches = static_cast<uint64_t>(usage.ru_nvcsw);
  result.minor_faults = static_cast<uint64_t>(usage.ru_minflt);
  result.major_faults = static_cast<uint64_t>(usage.ru_majflt);
  return result;
}

SchedulingTimes SchedulingTimesOf(const std::string& process) {
  const std::string text = ReadTextFile(absl::StrCat("/proc/", process, "/schedstat")).value_or("");
  const std::vector<std::string> parts = absl::StrSplit(text, ' ');
  SchedulingTimes times;
  if (parts.size() < 2 || !absl::SimpleAtod(parts[0], &times.running_ns) ||
      !absl::SimpleAtod(parts[1], &times.waiting_ns)) {
    return {};
  }
  return times;
}

void WithStacksOfMainThread(const std::function<void()>& start) {
  constexpr size_t kBytesWithoutLimit = 64 << 20;
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0) return start();
  const size_t earlier =
      ChangeStackOfThreads(limit.rlim_cur == RLIM_INFINITY ? kBytesWithoutLimit : limit.rlim_cur);
  const absl::Cleanup restore = [=] {
    if (earlier > 0) ChangeStackOfThreads(earlier);
  };
  start();
}

uint64_t ThisThreadCpuNs() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(time.tv_nsec);
}

}  // namespace duetbench
