#include "duetbench/google_benchmark/program_options.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "duetbench/api/flag_parsing.h"
#include "duetbench/google_benchmark/google_benchmark_calls.h"
#include "duetbench/google_benchmark/versions.h"
#include "duetbench/platform/exit_status.h"
#include "duetbench/version.h"

namespace duetbench {

void PrintHelp() { std::fputs(UsersHelp().c_str(), stdout); }

void AnswerHelp(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const absl::string_view argument = argv[i];
    if (argument == "--help=all") {
      benchmark::PrintDefaultHelp();
      std::fputs(FlagsHelp().c_str(), stdout);
      std::exit(kExitSuccess);
    }
    if (argument == "--help" || argument == "-h") {
      PrintHelp();
      std::exit(kExitSuccess);
    }
  }
}

void AnswerVersion(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (absl::string_view(argv[i]) != "--version") continue;
    std::puts("duetbench " DUETBENCH_VERSION_TEXT);
    std::exit(kExitSuccess);
  }
}

void RewriteArguments(int* argc, char** argv) {
  static auto* const rewritten = new std::deque<std::string>;  // argv refers to them
  int kept = 1;
  for (int i = 1; i < *argc; ++i) {
    absl::string_view argument = argv[i];
    if (absl::StartsWith(argument, "--duet_")) continue;
    if (!internal::kReadsSeconds && absl::StartsWith(argument, "--benchmark_min_time=") &&
        absl::ConsumeSuffix(&argument, "s")) {
      argv[i] = rewritten->emplace_back(argument).data();
    }
    argv[kept++] = argv[i];
  }
  *argc = kept;
  argv[kept] = nullptr;
}

void TakeDryRun(int* argc, char** argv, bool dry_run) {
  char** const end = std::remove_if(argv + 1, argv + *argc, [](absl::string_view argument) {
    return argument.substr(0, argument.find('=')) == "--benchmark_dry_run";
  });
  *argc = static_cast<int>(end - argv);
  *end = nullptr;
  if (!dry_run) return;
  SetGoogleBenchmarkFlags(
      {"--benchmark_min_time=0", "--benchmark_min_warmup_time=0", "--benchmark_repetitions=1"});
}

}  // namespace duetbench
