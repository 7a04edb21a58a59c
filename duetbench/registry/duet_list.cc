#include "duetbench/registry/duet_list.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "duetbench/registry/duet_benchmark.h"
#include "duetbench/registry/session.h"

namespace duetbench {
namespace {

constexpr char kMark[] = "\x01";

// The measuring time several times over: starting the runs and their set-up come on top of it, and
// the machines of continuous integration are slow.
constexpr double kSlowness = 10;
// A run that does not end is reported after the time-out of one run; the second one is for what
// happened before it.
constexpr double kRunTimeouts = 2;

class NameReporter : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>&) override {}
};

// The names that the library lists for `filter`; empty: the one of the command line.
std::vector<std::string> ListedNames(const std::string& filter) {
  std::ostringstream names;
  std::ostringstream complaints;  // that nothing matches; the caller tells
  NameReporter reporter;
  reporter.SetOutputStream(&names);
  reporter.SetErrorStream(&complaints);
  if (filter.empty()) {
    benchmark::RunSpecifiedBenchmarks(&reporter);
  } else {
    benchmark::RunSpecifiedBenchmarks(&reporter, filter);
  }
  return absl::StrSplit(names.str(), '\n', absl::SkipEmpty());
}

// From here on the library lists instead of running, and writes no file.
void MakeLibraryList() {
  // The library keeps the pointer to argv[0].
  static std::string arguments[] = {"duetbench", "--benchmark_list_tests=true", "--benchmark_out="};
  char* argv[] = {arguments[0].data(), arguments[1].data(), arguments[2].data(), nullptr};
  int argc = 3;
  benchmark::Initialize(&argc, argv);
}

}  // namespace

std::string MarkedName(int family, absl::string_view name) {
  return absl::StrCat(kMark, family, kMark, name);
}

bool ReadMarkedName(absl::string_view marked, int* family, std::string* name) {
  const std::vector<absl::string_view> parts = absl::StrSplit(marked, absl::MaxSplits(kMark, 2));
  if (parts.size() != 3 || !parts[0].empty() || !absl::SimpleAtoi(parts[1], family)) return false;
  *name = std::string(parts[2]);
  return true;
}

double MostSeconds(const ExperimentOptions& options, int repetitions) {
  const double seconds = options.gate.exists() && options.runs == 0
                             ? std::max(options.min_time, MaxTime(options))
                             : options.min_time;
  return kSlowness * seconds * std::max(repetitions, 1) + kRunTimeouts * options.timeout;
}

std::vector<ListedDuet> ListDuets() {
  Session& session = Session::Get();
  MakeLibraryList();
  std::set<std::string> selected;
  for (std::string& name : ListedNames("")) selected.insert(std::move(name));

  for (int family = 0; family < session.families(); ++family) {
    DuetBenchmark* const duet = session.family(family);
    if (duet != nullptr) duet->Name(MarkedName(family, duet->family_name()));
  }
  std::vector<ListedDuet> duets;
  for (const std::string& marked : ListedNames(".")) {
    int family = 0;
    ListedDuet duet;
    // Two duets of one name are selected together, by any filter: they are listed once.
    if (!ReadMarkedName(marked, &family, &duet.name) || selected.erase(duet.name) == 0) continue;
    const DuetBenchmark& benchmark = *session.family(family);
    duet.most_seconds = MostSeconds(benchmark.Options(), benchmark.repetitions());
    duets.push_back(std::move(duet));
  }
  return duets;
}

}  // namespace duetbench
