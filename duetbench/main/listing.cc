#include "duetbench/main/listing.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <set>

#include "duetbench/google_benchmark/duet_instance.h"
#include "duetbench/google_benchmark/google_benchmark_calls.h"
#include "duetbench/google_benchmark/registry.h"
#include "duetbench/report/printable.h"
#include "duetbench/runner/measure_duets.h"

namespace duetbench {

ExitStatus NothingMatched(const char* what) {
  const std::string filter = benchmark::GetBenchmarkFilter();
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

ExitStatus PrintDuets(const Flags& flags, const std::vector<DuetInstance>& instances) {
  std::set<std::string> listed;
  for (const DuetInstance& instance : instances) {
    const std::string name = instance.name.str();
    if (!listed.insert(name).second) continue;
    const double seconds = MaxSeconds(OptionsOf(*instance.spec, flags), instance.repetitions);
    std::printf("duet %.0f %s\n", std::ceil(seconds), Printable(name).c_str());
  }
  return instances.empty() ? NothingMatched("duet") : kExitSuccess;
}

}  // namespace duetbench
