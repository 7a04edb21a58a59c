#include "duetbench/main/command_line.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "duetbench/api/duet_spec.h"
#include "duetbench/api/flag_parsing.h"
#include "duetbench/experiment/duet_request.h"
#include "duetbench/google_benchmark/google_benchmark_calls.h"
#include "duetbench/google_benchmark/registry.h"
#include "duetbench/report/repeat_command.h"
#include "duetbench/report/text.h"
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
    if (argument == "--version") {
      std::puts("duetbench " DUETBENCH_VERSION_TEXT);
      std::exit(kExitSuccess);
    }
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

ExitStatus NothingMatched(const char* what) {
  const std::string filter = benchmark::GetBenchmarkFilter();
  if (filter.empty() || filter == ".") {
    std::fprintf(stderr, "duetbench: this program has no %s\n", what);
    return kExitError;
  }
  const std::string hint = HintForRowName(filter, RegisteredDuets());
  std::fprintf(stderr, "duetbench: no %s matches --benchmark_filter=%s%s\n", what, filter.c_str(),
               hint.c_str());
  return kExitError;
}

ExitStatus PrintNames(const std::string& filter, const std::vector<DuetInstance>& instances) {
  const std::string ordinary = NamesOfOrdinaryBenchmarks(filter);
  std::fputs(ordinary.c_str(), stdout);
  for (const DuetInstance& instance : instances) std::puts(Printable(instance.name.str()).c_str());
  return !ordinary.empty() || !instances.empty() ? kExitSuccess : NothingMatched("benchmark");
}

namespace {

// "find/map_vs_btree_vs_flat/8" of a group whose first duet is "find/map_vs_btree/8".
std::string NameOfGroup(const DuetGroup& group, std::string first_name) {
  const std::string first = absl::StrCat(group.names[0], "_vs_", group.names[1]);
  const size_t place = first_name.find(first, group.prefix.size());
  if (place == std::string::npos) return first_name;
  return first_name.replace(place, first.size(), absl::StrJoin(group.names, "_vs_"));
}

}  // namespace

ExitStatus PrintDuets(const Flags& flags, const std::vector<DuetInstance>& instances) {
  std::set<std::string> listed;
  for (size_t i = 0; i < instances.size(); ++i) {
    std::vector<std::string> names;
    for (const size_t each : MeasuredTogether(i, instances, flags)) {
      names.push_back(Printable(instances[each].name.str()));
    }
    if (!listed.insert(names.front()).second) continue;
    const DuetSpec& spec = *instances[i].spec;
    const double seconds = static_cast<double>(names.size()) * MaxSeconds(OptionsOf(spec, flags));
    const bool is_group = names.size() > 1;
    const std::string name = is_group ? NameOfGroup(*spec.group, names.front()) : names.front();
    const std::string filter = is_group ? absl::StrCat("\t", ExactFilter(names)) : "";
    std::printf("duet %.0f %s%s\n", std::ceil(seconds), name.c_str(), filter.c_str());
  }
  return instances.empty() ? NothingMatched("duet") : kExitSuccess;
}

}  // namespace duetbench
