// Fallbacks for systems other than Linux, and for their tests: see fallback.h.
#include "duetbench/platform/fallback.h"

#if DUETBENCH_FALLBACK

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "duetbench/platform/memory.h"
#include "duetbench/platform/process.h"
#include "duetbench/platform/rendezvous.h"
#include "duetbench/platform/thread.h"

namespace duetbench {

// --- thread.h: one CPU; the operating system moves threads as it likes ---

absl::StatusOr<std::vector<int>> AllowedCpus() { return std::vector<int>{0}; }

absl::Status PinThisThread(int cpu) {
  if (cpu == 0) return absl::OkStatus();
  return absl::UnavailableError(
      absl::StrCat("cannot pin a thread to CPU ", cpu, ": this build knows of no CPU but 0"));
}

absl::Status ConfineThisThread(const int (&)[2], int count) {
  return absl::UnavailableError(
      absl::StrCat("a variant cannot be confined to ", count, " CPUs: this build pins no thread"));
}

int CurrentCpu() { return -1; }

// POSIX counts preemptions and faults for whole processes only.
ThreadUsage ThisThreadUsage() { return {}; }

bool ThreadUsageIsCounted() { return false; }

double ThisThreadWaitingShare() { return 0; }

StacksOfMainThread::StacksOfMainThread() = default;
StacksOfMainThread::~StacksOfMainThread() = default;

uint64_t ThisThreadCpuNs() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(time.tv_nsec);
}

// --- rendezvous.h ---

// Callers check the word again whenever this returns: a short sleep is enough. Neither a mutex nor
// a condition variable could be used for a word that two processes share.
void FutexWait(const uint32_t* word, uint32_t expected) {
  if (__atomic_load_n(word, __ATOMIC_ACQUIRE) != expected) return;
  std::this_thread::sleep_for(std::chrono::microseconds(50));
}

void FutexWaitFor(const uint32_t* word, uint32_t expected, std::chrono::nanoseconds /*limit*/) {
  FutexWait(word, expected);
}

void FutexWake(const uint32_t* /*word*/) {}

// --- memory.h ---

// Written once, so that the first use causes no page fault.
Pages::Pages(size_t bytes) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t whole = (bytes + page - 1) / page * page;
  void* memory = nullptr;
  if (whole < bytes || posix_memalign(&memory, page, whole) != 0) return;
  std::memset(memory, 0, whole);
  data_ = memory;
  bytes_ = whole;
}

Pages::~Pages() { std::free(data_); }

int OpenSharedMemory(size_t) {
  errno = ENOSYS;
  return -1;
}

void* MapSharedMemory(int, size_t) { return nullptr; }

std::optional<ResidentMemory> ReadResidentMemory() { return std::nullopt; }

void* MemoryForForkedChildren(size_t) { return nullptr; }

// --- process.h ---

// A program that another thread starts between the calls inherits the ends: POSIX has no other way.
int OpenPipeClosedOnExec(int ends[2]) {
  if (pipe(ends) != 0) return -1;
  for (int i = 0; i < 2; ++i) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
  return 0;
}

int OpenEndOfProcess(int /*pid*/) { return -1; }

void AskToDieWithParent() {}

bool LayoutFixedForProcess() { return false; }

void SetLayoutFixed(bool /*fixed*/) {}

int ThreadCount(int) { return 0; }
std::vector<int> ThreadIds() { return {}; }
int ThisThreadId() { return -1; }
void NameThisThread(const char*) {}
std::string NameOfThread(int) { return ""; }
bool ThreadLives(int) { return false; }

}  // namespace duetbench

#endif
