#include "duetbench/google_benchmark/benchmark_settings.h"

#include "duetbench/api/duet_spec.h"
#include "duetbench/variant/private_members.h"

namespace duetbench {
namespace {

using internal::BenchmarkBase;

template <class Tag>
const auto& Read(const BenchmarkBase& base, Tag tag) {
  return base.*MemberOf(tag);
}

class ScratchBenchmark : public BenchmarkBase {
 public:
  explicit ScratchBenchmark(const std::string& name) : BenchmarkBase(name.c_str()) {}
  void Run(benchmark::State&) override {}
};

}  // namespace

void CopySettings(const BenchmarkBase& base, DuetBenchmark* duet) {
  duet->Name(Read(base, internal::Benchmark_name_()));
  if (!Read(base, internal::Benchmark_arg_names_()).empty())
    duet->ArgNames(Read(base, internal::Benchmark_arg_names_()));
  for (const std::vector<int64_t>& arguments : Read(base, internal::Benchmark_args_()))
    duet->Args(arguments);
  if (!Read(base, internal::Benchmark_use_default_time_unit_()))
    duet->Unit(Read(base, internal::Benchmark_time_unit_()));
  if (Read(base, internal::Benchmark_min_time_()) > 0)
    duet->MinTime(Read(base, internal::Benchmark_min_time_()));
  if (Read(base, internal::Benchmark_min_warmup_time_()) > 0)
    duet->MinWarmUpTime(Read(base, internal::Benchmark_min_warmup_time_()));
  if (Read(base, internal::Benchmark_iterations_()) > 0)
    duet->Iterations(Read(base, internal::Benchmark_iterations_()));
  if (Read(base, internal::Benchmark_repetitions_()) > 0)
    duet->Repetitions(Read(base, internal::Benchmark_repetitions_()));
  if (Read(base, internal::Benchmark_measure_process_cpu_time_())) duet->MeasureProcessCPUTime();
  if (Read(base, internal::Benchmark_use_real_time_())) duet->UseRealTime();
  if (Read(base, internal::Benchmark_use_manual_time_())) duet->UseManualTime();
  const auto mode = Read(base, internal::Benchmark_aggregation_report_mode_());
  if (mode != benchmark::internal::ARM_Unspecified) {
    if ((mode & benchmark::internal::ARM_FileReportAggregatesOnly) != 0)
      duet->ReportAggregatesOnly();
    if ((mode & benchmark::internal::ARM_DisplayReportAggregatesOnly) != 0)
      duet->DisplayAggregatesOnly();
  }
  if (Read(base, internal::Benchmark_complexity_()) == benchmark::oLambda) {
    duet->Complexity(Read(base, internal::Benchmark_complexity_lambda_()));
  } else if (Read(base, internal::Benchmark_complexity_()) != benchmark::oNone) {
    duet->Complexity(Read(base, internal::Benchmark_complexity_()));
  }
  const auto& statistics = Read(base, internal::Benchmark_statistics_());
  const size_t of_every_benchmark =
      Read(ScratchBenchmark(""), internal::Benchmark_statistics_()).size();
  for (size_t i = of_every_benchmark; i < statistics.size(); ++i) {
    duet->ComputeStatistics(statistics[i].name_, statistics[i].compute_, statistics[i].unit_);
  }
}

void CopyCallbacks(const BenchmarkBase& base, DuetBenchmark* duet) {
  if (Read(base, internal::Benchmark_setup_()))
    duet->Setup(Read(base, internal::Benchmark_setup_()));
  if (Read(base, internal::Benchmark_teardown_()))
    duet->Teardown(Read(base, internal::Benchmark_teardown_()));
}

const std::string& NameOf(const BenchmarkBase& base) {
  return Read(base, internal::Benchmark_name_());
}

const std::vector<int>& ThreadCountsOf(const BenchmarkBase& base) {
  return Read(base, internal::Benchmark_thread_counts_());
}

// The function is called with a benchmark that is never registered, and what it set there is copied
// to the duet.
DuetBenchmark* DuetBenchmark::ApplyToBase(void (*call)(internal::BenchmarkBase*, const void*),
                                          const void* function) {
  ScratchBenchmark scratch(spec_.name);
  scratch.RangeMultiplier(spec_.range_multiplier);
  call(&scratch, function);

  CopySettings(scratch, this);
  if (!ThreadCountsOf(scratch).empty()) {
    spec_.error = "a duet has one thread for each variant: remove Threads from it";
  }
  return this;
}

}  // namespace duetbench
