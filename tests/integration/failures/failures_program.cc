// Ways in which a program may lose a measurement: with crashes, descriptors, processes, limits and
// its own registry. The variable FAILURES_MAIN says what its main does first.
#include <duetbench/duetbench.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "tests/integration/work.h"

static void Fine(duetbench::State& state) {
  for (auto _ : state) Steps(50);
}

// Does it once, before the loop.
template <void (*DoIt)()>
static void First(duetbench::State& state) {
  DoIt();
  for (auto _ : state) Steps(50);
}

// In the tenth iteration.
template <void (*DoIt)()>
static void Does(duetbench::State& state) {
  int iterations = 0;
  for (auto _ : state) {
    Steps(50);
    if (++iterations == 10) DoIt();
  }
}

static volatile int deepest = 1 << 30;
static int Deeper(int depth) {  // NOLINT(misc-no-recursion)
  volatile char frame[4096];
  frame[0] = 1;
  return depth >= deepest ? 0 : Deeper(depth + 1) + frame[0];
}
static void StackOverflow() { benchmark::DoNotOptimize(Deeper(0)); }

static void CloseAll() {
  for (int fd = 3; fd < 4096; ++fd) close(fd);
}

// A program that takes what it did not open for its own.
static void CloseAndOpen() {
  CloseAll();
  int first = -1;
  for (int i = 0; i < 1100; ++i) {
    const int fd = open("mine", O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (first < 0) first = fd;
  }
  if (write(first, "mine\n", 5) != 5) std::abort();
}

static void UseUpDescriptors() {
  while (open("/dev/null", O_RDONLY) >= 0) {
  }
}

// Into every pipe that is open.
static void WriteGarbage() {
  // Nobody may read from an inherited pipe.
  void (*const earlier)(int) = std::signal(SIGPIPE, SIG_IGN);
  for (int fd = 3; fd < 1100; ++fd) {
    struct stat info {};
    if (fstat(fd, &info) != 0 || !S_ISFIFO(info.st_mode)) continue;
    [[maybe_unused]] const ssize_t size = write(fd, "garbage", 7);
  }
  std::signal(SIGPIPE, earlier);
}

// A process that would go on for an hour; its number is in the file "helper".
// The first one only. It is in no group of the run.
static void StartDaemon() {
  const int file = open("daemon", O_WRONLY | O_CREAT | O_EXCL, 0600);
  if (file < 0 || fork() != 0) return;
  setsid();
  const std::string pid = std::to_string(getpid());
  if (write(file, pid.data(), pid.size()) < 0) std::abort();
  for (int fd = 0; fd < 1100; ++fd) close(fd);
  execlp("sleep", "sleep", "100", nullptr);
  _exit(1);
}

static void StartHelper() {
  if (access("helper", F_OK) == 0) return;
  const pid_t pid = fork();
  if (pid == 0) {
    sleep(3600);
    _exit(0);
  }
  std::ofstream("helper.new") << pid << "\n";
  if (rename("helper.new", "helper") != 0) std::abort();
}

static void CallAgain() { duetbench::RunSpecifiedBenchmarks(); }

static void Sleep() { sleep(3600); }

static void StopItself() { raise(SIGSTOP); }

static void ChangeSurroundings() {
  umask(0777);
  setenv("LC_ALL", "tr_TR.UTF-8", 1);
  setlocale(LC_ALL, "");
  if (chdir("/") != 0) std::abort();
  const rlimit none = {0, 0};
  setrlimit(RLIMIT_FSIZE, &none);
  clearenv();
  alarm(1000);
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, nullptr);
  signal(SIGCHLD, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
}

// 10 GB.
static void AllocateMuch() {
  std::vector<char*> blocks;
  for (int i = 0; i < 10; ++i) {
    blocks.push_back(new char[1 << 30]);
    benchmark::DoNotOptimize(blocks.back());
  }
  for (char* block : blocks) delete[] block;
}

// For sanitizers.
static void Leak() {
  static volatile char* leaked;
  leaked = new char[100];
  leaked[0] = 1;
  leaked = nullptr;
}
static void Overflow() {
  char* text = new char[8];
  benchmark::DoNotOptimize(text);  // its size is unknown to other checks than those of the heap
  text[8] = 1;
  benchmark::DoNotOptimize(text[8]);
  delete[] text;
}
static volatile int shared_counter = 0;
static void Race(duetbench::State& state) {
  for (auto _ : state) {
    for (int i = 0; i < 1000; ++i) shared_counter = shared_counter + 1;
  }
}

static void Spin(std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
  }
}
// By its timed part alone a sample would need thousands of iterations.
static void PauseLong(duetbench::State& state) {
  for (auto _ : state) {
    Steps(5);
    state.PauseTiming();
    Spin(std::chrono::milliseconds(1));
    state.ResumeTiming();
  }
}
static void TakeLong(duetbench::State& state) {
  for (auto _ : state) Spin(std::chrono::milliseconds(1100));
}

// The sum of the numbers in the file INPUT, or in stdin.
static int input = 0;
static void ReadInput() {
  const char* const path = std::getenv("INPUT");
  std::ifstream file(path == nullptr ? "/dev/null" : path);
  std::istream& numbers = path == nullptr ? std::cin : file;
  for (int number = 0; numbers >> number;) input += number;
}
static void One(duetbench::State& state) {
  for (auto _ : state) state.SetIterationTime(1e-3);
}
static void Input(duetbench::State& state) {
  if (input == 0) state.SkipWithError("no input");
  for (auto _ : state) state.SetIterationTime(1e-3 * input);
}

// The bytes of a file that main has opened, in their order.
static int blocks = -1;
static void OpenBlocks() {
  blocks = open("blocks", O_RDWR | O_CREAT, 0600);
  for (char i = 0; i < 64; ++i) {
    if (write(blocks, &i, 1) != 1) std::abort();
  }
}
static void ReadBlocks(duetbench::State& state) {
  int wrong = 0;
  for (auto _ : state) {
    lseek(blocks, 0, SEEK_SET);
    char block = 0;
    for (char i = 0; i < 64; ++i) wrong += read(blocks, &block, 1) != 1 || block != i ? 1 : 0;
  }
  if (wrong > 0) state.SkipWithError("wrong blocks");
}

// Only one process can hold the lock.
static void Lock() {
  if (flock(open("lock", O_RDWR | O_CREAT, 0600), LOCK_EX | LOCK_NB) != 0) std::exit(3);
}

static void StartSlowly() {
  std::ofstream("starts", std::ios::app) << "x";
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
}

// Work in the first runs and fail once the log has twenty lines.
static int LinesOfLog() {
  const char* const path = std::getenv(kLogVariable);
  if (path == nullptr) return 0;
  std::ifstream log(path);
  std::string line;
  int lines = 0;
  while (std::getline(log, line)) ++lines;
  return lines;
}

template <void (*DoIt)()>
static void Late(duetbench::State& state) {
  const bool is_late = LinesOfLog() >= 20;
  Note("late");
  for (auto _ : state) {
    Steps(50);
    if (is_late) DoIt();
  }
}
static void Crash() { raise(SIGSEGV); }

static void Register(const char* name, void (*variant)(duetbench::State&)) {
  duetbench::RegisterDuet(name, Fine, variant);
}

static void SpoilMain(const std::string& what) {
  if (what == "clearenv") clearenv();
  if (what == "input") ReadInput();
  if (what == "blocks") OpenBlocks();
  if (what == "lock") Lock();
  if (what == "slow") StartSlowly();
  if (what == "chdir" && chdir("/") != 0) std::abort();
  if (what == "many") {
    for (int i = 0; i < 1000; ++i) duetbench::RegisterDuet("many/" + std::to_string(i), Fine, Fine);
  }
}

int main(int argc, char** argv) {
  // Before the environment may go.
  const char* const spoiled = std::getenv("FAILURES_MAIN");
  const std::string what = spoiled != nullptr ? spoiled : "";
  duetbench::Initialize(&argc, argv);
  SpoilMain(what);
  Register("Fine", Fine);
  duetbench::RegisterDuet("Input", One, Input)->UseManualTime();
  duetbench::RegisterDuet("Blocks", ReadBlocks, ReadBlocks);
  Register("CloseAll", First<CloseAll>);
  Register("CloseAndOpen", First<CloseAndOpen>);
  Register("UseUpDescriptors", First<UseUpDescriptors>);
  Register("WriteGarbage", First<WriteGarbage>);
  Register("StartHelper", First<StartHelper>);
  Register("StartDaemon", First<StartDaemon>);
  Register("CallAgain", First<CallAgain>);
  Register("Sleep", First<Sleep>);
  duetbench::RegisterDuet("SleepInSetup", Fine, Fine)->Setup([](const benchmark::State&) {
    Sleep();
  });
  Register("Grow", [](duetbench::State& state) {
    std::vector<int> numbers(64);
    for (auto _ : state) {
      numbers.push_back(1);
      benchmark::DoNotOptimize(std::accumulate(numbers.begin(), numbers.end(), 0));
    }
  });
  Register("StackOverflow", Does<StackOverflow>);
  Register("StopItself", First<StopItself>);
  Register("ChangeSurroundings", First<ChangeSurroundings>);
  Register("AllocateMuch", First<AllocateMuch>);
  Register("Leak", First<Leak>);
  Register("Overflow", First<Overflow>);
  duetbench::RegisterDuet("Race", Race, Race);
  duetbench::RegisterDuet("PauseLong", PauseLong, PauseLong);
  duetbench::RegisterDuet("TakeLong", TakeLong, TakeLong);
  duetbench::RegisterDuet("NoManualTime", Fine, Fine)->UseManualTime();
  Register("Gate/Skipped", [](duetbench::State& state) { state.SkipWithMessage("no abacus"); });
  Register("LongError",
           [](duetbench::State& state) { state.SkipWithError(std::string(100'000, 'e').c_str()); });
  // Fails from the third process on that comes here.
  Register("LaterFailure", [](duetbench::State& state) {
    { std::ofstream("runs", std::ios::app) << "x"; }
    std::ifstream runs("runs");
    const std::string count((std::istreambuf_iterator<char>(runs)), {});
    if (count.size() > 4) state.SkipWithError("the later one");
    for (auto _ : state) Steps(50);
  });
  duetbench::RegisterDuet("late/first", Fine, Fine);
  Register("late/crashes", Late<Crash>);
  Register("late/hangs", Late<Sleep>);
  duetbench::RegisterDuet("late/last", Fine, Fine);
  std::string printable;
  for (char c = ' '; c < 127; ++c) printable += c;
  duetbench::RegisterDuet(printable, Fine, Fine);
  benchmark::RegisterBenchmark("Ordinary", [](benchmark::State& state) {
    for (auto _ : state) Steps(50);
  });
  if (duetbench::ReportUnrecognizedArguments(argc, argv)) return duetbench::kExitError;
  return duetbench::RunSpecifiedBenchmarks();
}
