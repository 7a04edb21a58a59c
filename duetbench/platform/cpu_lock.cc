#include "duetbench/platform/cpu_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "duetbench/platform/process.h"
#include "duetbench/platform/text_file.h"

namespace duetbench {
namespace {

// A look takes some microseconds of a CPU that may be measured on. Chosen.
constexpr std::chrono::milliseconds kPauseOfLooks(100);

// 0: unknown.
pid_t ParentOf(pid_t pid) {
  const std::vector<std::string> words = StatWords(absl::StrCat("/proc/", pid));
  pid_t parent = 0;
  return words.size() > 1 && absl::SimpleAtoi(words[1], &parent) ? parent : 0;
}

bool IsThisOrAncestor(pid_t process) {
  for (pid_t pid = getpid(); pid > 0; pid = ParentOf(pid)) {
    if (pid == process) return true;
  }
  return false;
}

bool Exists(pid_t pid) { return kill(pid, 0) == 0 || errno != ESRCH; }

// The process that has the lock of an open file; 0: unknown.
pid_t HolderOf(int file) {
  struct stat status {};
  if (fstat(file, &status) != 0) return 0;
  const std::string place =
      absl::StrFormat("%02x:%02x:%d", major(status.st_dev), minor(status.st_dev), status.st_ino);
  const std::string locks = ReadTextFile("/proc/locks").value_or("");
  for (const absl::string_view line : absl::StrSplit(locks, '\n')) {
    // NUMBER: FLOCK ADVISORY WRITE PID MAJOR:MINOR:INODE FIRST LAST
    const std::vector<absl::string_view> words = absl::StrSplit(line, ' ', absl::SkipEmpty());
    pid_t holder = 0;
    if (words.size() > 5 && words[1] == "FLOCK" && words[5] == place &&
        absl::SimpleAtoi(words[4], &holder)) {
      return holder;
    }
  }
  return 0;
}

}  // namespace

CpuLock::~CpuLock() {
  // A process that a variant has left may have a copy of the descriptor.
  for (const auto& folder : folders_) flock(folder->get(), LOCK_UN);
}

std::unique_ptr<CpuLock> CpuLock::Acquire(std::vector<int> cpus, const OnWait& on_wait,
                                          const volatile std::sig_atomic_t* interrupted,
                                          const std::string& folder) {
  auto lock = std::make_unique<CpuLock>();
  // In the same order in all programs: none waits for one that waits for it.
  std::sort(cpus.begin(), cpus.end());
  bool has_told = false;
  for (const int cpu : cpus) {
    const std::string path = absl::StrCat(folder, "/cpu", cpu);
    auto file = std::make_unique<Descriptor>(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    while (flock(file->get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      const pid_t holder = HolderOf(file->get());
      if (holder > 0 && (IsThisOrAncestor(holder) || !Exists(holder))) break;
      if (!has_told) on_wait(holder);
      has_told = true;
      if (interrupted != nullptr && *interrupted != 0) break;
      std::this_thread::sleep_for(kPauseOfLooks);
    }
    lock->folders_.push_back(std::move(file));
  }
  return lock;
}

}  // namespace duetbench
