// Targets of the linker's --wrap for a program's calls of Google Benchmark and of dlopen: a call of
// f becomes one of __wrap_f, and __real_f is f. They are a separate library, always static: it is
// part of each program and shared object that is linked with --wrap, and its initialization tells
// duetbench so.
//
// The functions have the mangled names of those that they stand for. A method is called like a
// function with `this` as its first argument (Itanium C++ ABI). Versions of Google Benchmark differ
// in what exists: a name that does not exist is never called, and weak, so that it is no error.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <memory>
#include <string>

#include "duetbench/code_layout/shared_libraries.h"
#include "duetbench/google_benchmark/handshake.h"
#include "duetbench/google_benchmark/registry.h"
#include "duetbench/variant/google_benchmark_loop.h"

using benchmark::State;
namespace internal = duetbench::internal;

namespace {
const bool wrapped = internal::SetWrapped();
}  // namespace

// DUETBENCH_WRAP(NAME, MANGLED, RESULT, PARAMETERS): declares Real##NAME and begins Wrap##NAME.
#define DUETBENCH_WRAP(name, mangled, result, ...)                                            \
  extern "C" result Real##name(__VA_ARGS__) __asm__("__real_" mangled) __attribute__((weak)); \
  extern "C" result Wrap##name(__VA_ARGS__) __asm__("__wrap_" mangled);                       \
  result Wrap##name(__VA_ARGS__)

#define DUETBENCH_STRING "RKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"

// Not weak: static libraries have it only for those who demand it.
extern "C" void* RealLoad(const char* name, int flags) __asm__("__real_dlopen");
extern "C" void* WrapLoad(const char* name, int flags) __asm__("__wrap_dlopen");
void* WrapLoad(const char* name, int flags) {
  return RealLoad(name == nullptr ? nullptr : duetbench::LibraryToLoad(name).c_str(), flags);
}
DUETBENCH_WRAP(Start, "_ZN9benchmark5State16StartKeepRunningEv", void, State* state) {
  if (!internal::TakeStart(*state)) RealStart(state);
}
DUETBENCH_WRAP(Finish, "_ZN9benchmark5State17FinishKeepRunningEv", void, State* state) {
  if (!internal::TakeFinish(*state)) RealFinish(state);
}
DUETBENCH_WRAP(Pause, "_ZN9benchmark5State11PauseTimingEv", void, State* state) {
  if (!internal::TakePause(*state)) RealPause(state);
}
DUETBENCH_WRAP(Resume, "_ZN9benchmark5State12ResumeTimingEv", void, State* state) {
  if (!internal::TakeResume(*state)) RealResume(state);
}
DUETBENCH_WRAP(Time, "_ZN9benchmark5State16SetIterationTimeEd", void, State* state,
               double seconds) {
  if (!internal::TakeIterationTime(*state, seconds)) RealTime(state, seconds);
}
DUETBENCH_WRAP(Label, "_ZN9benchmark5State8SetLabelEPKc", void, State* state, const char* label) {
  if (!internal::TakeLabel(*state, label)) RealLabel(state, label);
}
DUETBENCH_WRAP(LabelString, "_ZN9benchmark5State8SetLabelE" DUETBENCH_STRING, void, State* state,
               const std::string& label) {
  if (!internal::TakeLabel(*state, label.c_str())) RealLabelString(state, label);
}
DUETBENCH_WRAP(Error, "_ZN9benchmark5State13SkipWithErrorEPKc", void, State* state,
               const char* message) {
  internal::NoteError(*state, message);
  RealError(state, message);
}
DUETBENCH_WRAP(ErrorString, "_ZN9benchmark5State13SkipWithErrorE" DUETBENCH_STRING, void,
               State* state, const std::string& message) {
  internal::NoteError(*state, message.c_str());
  RealErrorString(state, message);
}
DUETBENCH_WRAP(Skip, "_ZN9benchmark5State15SkipWithMessageE" DUETBENCH_STRING, void, State* state,
               const std::string& message) {
  internal::NoteSkip(*state, message.c_str());
  RealSkip(state, message);
}

// Registration. The newer versions pass a unique_ptr, which the caller of the ABI passes by
// reference.
using Base = internal::BenchmarkBase;
DUETBENCH_WRAP(Register, "_ZN9benchmark8internal25RegisterBenchmarkInternalEPNS0_9BenchmarkE",
               Base*, Base* registered) {
  internal::NoteRegistered(registered);
  return RealRegister(registered);
}
DUETBENCH_WRAP(RegisterUnique,
               "_ZN9benchmark8internal25RegisterBenchmarkInternalE"
               "St10unique_ptrINS0_9BenchmarkESt14default_deleteIS2_EE",
               Base*, std::unique_ptr<Base>* registered) {
  internal::NoteRegistered(registered->get());
  return RealRegisterUnique(registered);
}
DUETBENCH_WRAP(RegisterPublic,
               "_ZN9benchmark8internal25RegisterBenchmarkInternalE"
               "St10unique_ptrINS_9BenchmarkESt14default_deleteIS2_EE",
               Base*, std::unique_ptr<Base>* registered) {
  internal::NoteRegistered(registered->get());
  return RealRegisterPublic(registered);
}
DUETBENCH_WRAP(Clear, "_ZN9benchmark25ClearRegisteredBenchmarksEv", void, void) {
  internal::NoteCleared();
  RealClear();
}

// A program with a main that knows only Google Benchmark takes part in a comparison of two
// programs.
DUETBENCH_WRAP(Run, "_ZN9benchmark22RunSpecifiedBenchmarksEv", size_t, void) {
  duetbench::ServeParent();
  return RealRun();
}
DUETBENCH_WRAP(RunDisplay, "_ZN9benchmark22RunSpecifiedBenchmarksEPNS_17BenchmarkReporterE", size_t,
               benchmark::BenchmarkReporter* display) {
  duetbench::ServeParent();
  return RealRunDisplay(display);
}
DUETBENCH_WRAP(RunFile, "_ZN9benchmark22RunSpecifiedBenchmarksEPNS_17BenchmarkReporterES1_", size_t,
               benchmark::BenchmarkReporter* display, benchmark::BenchmarkReporter* file) {
  duetbench::ServeParent();
  return RealRunFile(display, file);
}
