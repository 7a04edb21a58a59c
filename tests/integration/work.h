#ifndef DUETBENCH_TESTS_INTEGRATION_WORK_H_
#define DUETBENCH_TESTS_INTEGRATION_WORK_H_

#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

// The work of the variants of the programs here.

// The environment variable that names the file to which Note() appends.
inline constexpr char kLogVariable[] = "INTEGRATION_LOG";

// The process of the run, where it has forked this one for a variant: that has such a name.
inline int ProcessOfRun() {
  char name[16] = "";
  prctl(PR_GET_NAME, name);
  const bool is_main_thread = syscall(SYS_gettid) == getpid();
  if (is_main_thread && std::strncmp(name, "duet.", 5) == 0) return static_cast<int>(getppid());
  return static_cast<int>(getpid());
}

// Appends "PID CPU WHAT" to the log, if there is one. Threads and processes may do so at once.
inline void Note(const char* what) {
  const char* const path = std::getenv(kLogVariable);
  if (path == nullptr) return;
  char line[200];
  const int length =
      std::snprintf(line, sizeof(line), "%d %d %s\n", ProcessOfRun(), sched_getcpu(), what);
  const int log = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (log < 0 || write(log, line, static_cast<size_t>(length)) != length) std::abort();
  close(log);
}

// The linker's symbols for the begin and the end of the image.
extern "C" const char __ehdr_start;
extern "C" const char end;

// Notes NAME:ADDRESS. With CRASH_ELSEWHERE in the environment it fails in a copy.
inline void NoteAddress(const char* name, const void* address) {
  const auto place = reinterpret_cast<uintptr_t>(address);
  const auto image = reinterpret_cast<uintptr_t>(&__ehdr_start);
  char note[100];
  std::snprintf(note, sizeof note, "%s:%" PRIxPTR, name, place - image);
  Note(note);
  if (std::getenv("CRASH_ELSEWHERE") == nullptr) return;
  if (place > reinterpret_cast<uintptr_t>(&end)) std::abort();
}

// Notes NAME:IMAGE,STACK,MAPPING,LIBRARY.
__attribute__((noinline)) inline void NoteMemory(const char* name) {
  const std::vector<char> mapping(1 << 20);
  const auto address = [](auto* place) { return reinterpret_cast<uintptr_t>(place); };
  char note[200];
  std::snprintf(note, sizeof note, "%s:%" PRIxPTR ",%" PRIxPTR ",%" PRIxPTR ",%" PRIxPTR, name,
                address(&__ehdr_start), address(&note), address(mapping.data()), address(&puts));
  Note(note);
}

// So many steps in registers. Not inlined: both variants execute the same machine code.
__attribute__((noinline)) inline void Steps(int64_t steps) {
  uint64_t x = 88172645463325252u;
  for (int64_t i = 0; i < steps; ++i) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
  }
  benchmark::DoNotOptimize(x);
}

#endif  // DUETBENCH_TESTS_INTEGRATION_WORK_H_
