#ifndef DUETBENCH_GOOGLE_BENCHMARK_HANDSHAKE_H_
#define DUETBENCH_GOOGLE_BENCHMARK_HANDSHAKE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// The way in which a program that compares two others (tools/duet) asks for their benchmarks: it
// starts each with a variable in its environment, and the program answers through a pipe, in place
// of running its benchmarks. The first line is "duetbench-handshake PROTOCOL VERSION CLOCK", and
// stays so in all versions of the protocol; CBOR (RFC 8949) follows.
namespace duetbench {

// The environment variable that asks for a handshake.
inline constexpr char kHandshakeVariable[] = "DUETBENCH_HANDSHAKE";

// A benchmark with its arguments.
struct OfferedBenchmark {
  std::string name;         // as Google Benchmark composes it
  std::string family_name;  // without arguments
  int family = -1;          // RunTask::family
  std::vector<int64_t> ranges;
  bool is_duet = false;                // of two variants; else both are the same
  bool is_called[2] = {false, false};  // RunPlan::calls, by variant
  std::string error;                   // why it cannot be measured; empty: it can
  // Its shared object was built without duetbench: only the name is known, and only the program
  // itself can measure it.
  bool is_foreign = false;

  int unit = -1;  // benchmark::TimeUnit; -1: not set
  bool manual_time = false;
  bool real_time = false;
  bool process_cpu_time = false;
  double min_time = 0;  // in seconds; 0: not set, as below
  double warm_up = 0;
  int64_t fixed_iterations = 0;
  int repetitions = 0;
  int threads = 0;
  std::string file;  // where it was registered, if that is known
  int line = 0;
};

// All that a program answers.
struct Offer {
  uint32_t protocol = 0;
  std::string version;  // of duetbench
  std::string clock;    // ticks::SourceName()
  std::vector<OfferedBenchmark> benchmarks;
  std::vector<std::string> files;  // MappedFiles(), in the program's view of the file system
};

std::string EncodeOffer(const Offer& offer);
// DataLoss if it is damaged, or no handshake. Of another protocol than this program's only the
// first line is read.
absl::StatusOr<Offer> DecodeOffer(absl::string_view text);

// If this process was asked for a handshake, answers it and ends the process.
void AnswerHandshake();

// If this process was started by a program that compares (this one or another), for a handshake or
// for a run, does that and ends the process. RunSpecifiedBenchmarks begins with it, and so does the
// function of Google Benchmark of that name in a program that is linked with --wrap: under a plain
// BENCHMARK_MAIN, and in mains of the user's own.
void ServeParent();

}  // namespace duetbench

#endif  // DUETBENCH_GOOGLE_BENCHMARK_HANDSHAKE_H_
