#include "duetbench/platform/cpu_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"

namespace duetbench {
namespace {

// A look takes some microseconds of a CPU that may be measured on. Chosen.
constexpr std::chrono::milliseconds kPauseOfLooks(100);

// In the environment of a process that has its locks, and of those that it starts.
constexpr char kVariable[] = "DUETBENCH_HAS_CPUS";

}  // namespace

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
