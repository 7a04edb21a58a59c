#ifndef DUETBENCH_API_DUET_SPEC_H_
#define DUETBENCH_API_DUET_SPEC_H_

#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "duetbench/api/duet_benchmark.h"
#include "duetbench/measure/run_process.h"
#include "duetbench/platform/spawn.h"
#include "duetbench/record/options.h"
#include "duetbench/record/plan.h"
#include "duetbench/record/variant_pair.h"
#include "duetbench/variant/duet_functions.h"

namespace duetbench {

struct DuetSpec;

// Three to eight variants that are measured together.
struct DuetGroup {
  std::string prefix;              // of the names of its duets
  std::string suffix;              // likewise
  std::vector<std::string> names;  // of the variants; the first one is the base
};

// The duets of a group: each variant against the base and, with ->Fastest, that variant against
// each other one, which has the gate for it.
std::vector<DuetSpec> DuetsOf(const DuetSpec& group);

class CodeLayouts;

// The programs of the variants of a duet or a group, which are not functions of this one.
struct ComparedPrograms {
  std::vector<RunCommand> sides;  // the process of each variant; empty: `launch` starts them
  std::shared_ptr<const CodeLayouts> layouts;  // of the runs, by variant; null: as linked
  // The marks (platform/process.h) that the executables had when the comparison began, by path.
  std::map<std::string, std::string> marks;
  // Executes a run in another way, if the programs must not run concurrently; null: they are the
  // processes of a run. The copies are by variant; empty: as linked.
  std::function<absl::StatusOr<RunOfPairs>(const RunPlan&, absl::Span<const Descriptor> copies)>
      launch;
  bool takes_seconds = false;  // `launch` can be told how long an execution takes
  // All programs of the comparison have the same bytes, apart from debugging sections.
  bool are_same = false;
};

// A duet as its registration and the chain methods describe it. The flags apply to what is not set.
struct DuetSpec {
  std::string name;  // without arguments
  VariantNames variant_names;
  DuetFunctions functions;  // of a group all, also of its duets
  Location location;
  std::vector<std::vector<int64_t>> arguments;  // one instance each; empty: one without arguments
  std::vector<std::string> argument_names;
  int range_multiplier = 8;  // of Range and Ranges
  std::optional<benchmark::TimeUnit> unit;

  ExperimentOptions options;

  std::vector<std::string> counter_names;  // besides --benchmark_perf_counters

  bool real_time = false;
  bool process_cpu_time = false;

  // In the process of a run, before the variants and after them; may be null.
  std::shared_ptr<const internal::StateCall> set_up;
  std::shared_ptr<const internal::StateCall> tear_down;
  // The variants are fixtures that are set up with a State of Google Benchmark.
  bool needs_google_benchmark_state = false;

  std::shared_ptr<const ComparedPrograms> programs;  // null: variants are functions of this one

  // The group of the duet; else null. In the registry it stands for all of them (DuetsOf), and has
  // no variants itself.
  std::shared_ptr<const DuetGroup> group;
  VariantPair pair;  // of it
  // ->Fastest: no other variant is faster than this one by more than the margin; -1: none has to
  // be.
  int fastest = -1;
  double fastest_margin = 0;

  // As in ->Threads(n); 0: not set. With several, only two programs are compared, in turns.
  int threads = 0;

  std::string error;  // why it cannot be measured; empty: it can
};

// The functions of a run with this number of variants: two of a group are the pair of the duet.
DuetFunctions FunctionsOf(const DuetSpec& spec, size_t variants);

}  // namespace duetbench

#endif  // DUETBENCH_API_DUET_SPEC_H_
