#include "tools/duet_lab/loads.h"

#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "duetbench/platform/process.h"
#include "duetbench/platform/subprocess.h"
#include "duetbench/platform/thread.h"

namespace duetbench::lab {
namespace {

// On any CPU if `cpu` is negative, or not allowed.
[[noreturn]] void SpinOn(int cpu) {
  if (cpu >= 0) (void)PinThisThread(cpu);
  for (;;) {
    for (int i = 0; i < 1'000'000; ++i) asm volatile("");
  }
}

[[noreturn]] void CopyForever() {
  std::vector<char> from(std::size_t{64} << 20, 'x');
  std::vector<char> to(from.size());
  for (;;) {
    std::memcpy(to.data(), from.data(), from.size());
    asm volatile("" : : "r"(to.data()) : "memory");
  }
}

// The parents of all processes.
std::map<pid_t, pid_t> Parents() {
  std::map<pid_t, pid_t> parents;
  DIR* const directory = opendir("/proc");
  if (directory == nullptr) return parents;
  while (const dirent* const entry = readdir(directory)) {
    pid_t process = 0;
    pid_t parent = 0;
    if (!absl::SimpleAtoi(entry->d_name, &process)) continue;
    const std::vector<std::string> words = StatWords(absl::StrCat("/proc/", entry->d_name));
    if (words.size() > 1 && absl::SimpleAtoi(words[1], &parent)) parents[process] = parent;
  }
  closedir(directory);
  return parents;
}

[[noreturn]] void StopAndContinue(pid_t lab) {
  uint64_t random = 1;
  const auto sleep_between = [&](useconds_t least_us, useconds_t most_us) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    usleep(least_us + static_cast<useconds_t>((random >> 33) % (most_us - least_us)));
  };
  for (;;) {
    sleep_between(4'000, 40'000);
    const std::vector<pid_t> measuring = DescendantsOf(lab, {getpid()}, Parents());
    for (const pid_t process : measuring) kill(process, SIGSTOP);
    sleep_between(1'000, 20'000);
    for (const pid_t process : measuring) kill(process, SIGCONT);
  }
}

}  // namespace

absl::string_view LoadName(LoadKind kind) {
  constexpr const char* kNames[] = {"none", "one", "both", "bursts", "memory"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::vector<pid_t> DescendantsOf(pid_t ancestor, const std::vector<pid_t>& excluded,
                                 const std::map<pid_t, pid_t>& parent_of) {
  std::vector<pid_t> descendants;
  for (const auto& [process, parent] : parent_of) {
    if (parent != ancestor || std::count(excluded.begin(), excluded.end(), process) > 0) continue;
    descendants.push_back(process);
    const std::vector<pid_t> deeper = DescendantsOf(process, excluded, parent_of);
    descendants.insert(descendants.end(), deeper.begin(), deeper.end());
  }
  return descendants;
}

absl::StatusOr<Load> Load::StartAll(const std::vector<std::function<void()>>& works) {
  Load load;
  const pid_t parent = getpid();
  for (const std::function<void()>& work : works) {
    const pid_t child = fork();
    if (child < 0) return absl::ErrnoToStatus(errno, "cannot start a process for a load");
    if (child == 0) {
      // Ctrl-C on the terminal is for the lab, which then ends its loads.
      signal(SIGINT, SIG_IGN);
      DieWithParent(parent);
      work();
      _exit(0);
    }
    load.processes_.push_back(child);
  }
  return load;
}

absl::StatusOr<Load> Load::Start(LoadKind kind, const std::vector<int>& cpus) {
  std::vector<std::function<void()>> works;
  for (const int cpu : cpus) {
    if (kind == LoadKind::kBoth || (kind == LoadKind::kOne && works.empty())) {
      works.emplace_back([cpu] { SpinOn(cpu); });
    }
  }
  if (kind == LoadKind::kBursts) works.emplace_back([lab = getpid()] { StopAndContinue(lab); });
  if (kind == LoadKind::kMemory) works.emplace_back(CopyForever);
  return StartAll(works);
}

absl::StatusOr<Load> Load::StartBusy(int number) {
  return StartAll(
      std::vector<std::function<void()>>(static_cast<std::size_t>(number), [] { SpinOn(-1); }));
}

Load::~Load() {
  for (const pid_t process : processes_) kill(process, SIGKILL);
  for (const pid_t process : processes_) waitpid(process, nullptr, 0);
}

}  // namespace duetbench::lab
