// DuetBenchmark::Apply with a function that takes Google Benchmark's own type. The function is
// called with a benchmark that is never registered, and what it set there is copied to the duet.
// The class has no functions that return what was set, so its private members are read: an explicit
// instantiation may name them (C++17, [temp.explicit]/12). Their names are the same in all versions
// from 1.7.1 on; another name does not compile.
#include <string>
#include <vector>

#include "duetbench/api/duet_benchmark.h"
#include "duetbench/api/duet_spec.h"
#include "duetbench/google_benchmark/versions.h"

namespace duetbench {
namespace {

using internal::BenchmarkBase;

class ScratchBenchmark : public BenchmarkBase {
 public:
  explicit ScratchBenchmark(const std::string& name) : BenchmarkBase(name.c_str()) {}
  void Run(benchmark::State&) override {}
};

// Defines the friend function that returns the pointer to the member.
template <class Tag, auto member>
struct Exposed {
  friend constexpr auto MemberOf(Tag) { return member; }
};

#define DUETBENCH_EXPOSE(member)                 \
  struct member##Tag {                           \
    friend constexpr auto MemberOf(member##Tag); \
  };                                             \
  template struct Exposed<member##Tag, &BenchmarkBase::member>
DUETBENCH_EXPOSE(name_);
DUETBENCH_EXPOSE(aggregation_report_mode_);
DUETBENCH_EXPOSE(arg_names_);
DUETBENCH_EXPOSE(args_);
DUETBENCH_EXPOSE(time_unit_);
DUETBENCH_EXPOSE(use_default_time_unit_);
DUETBENCH_EXPOSE(min_time_);
DUETBENCH_EXPOSE(min_warmup_time_);
DUETBENCH_EXPOSE(iterations_);
DUETBENCH_EXPOSE(repetitions_);
DUETBENCH_EXPOSE(measure_process_cpu_time_);
DUETBENCH_EXPOSE(use_real_time_);
DUETBENCH_EXPOSE(use_manual_time_);
DUETBENCH_EXPOSE(complexity_);
DUETBENCH_EXPOSE(complexity_lambda_);
DUETBENCH_EXPOSE(statistics_);
DUETBENCH_EXPOSE(thread_counts_);
#undef DUETBENCH_EXPOSE

template <class Tag>
const auto& Read(const BenchmarkBase& base, Tag tag) {
  return base.*MemberOf(tag);
}

}  // namespace

DuetBenchmark* DuetBenchmark::ApplyToBase(void (*call)(internal::BenchmarkBase*, const void*),
                                          const void* function) {
  ScratchBenchmark scratch(spec_.name);
  scratch.RangeMultiplier(spec_.range_multiplier);
  const size_t own_statistics = Read(scratch, statistics_Tag()).size();  // of every benchmark
  call(&scratch, function);

  Name(Read(scratch, name_Tag()));
  if (!Read(scratch, arg_names_Tag()).empty()) ArgNames(Read(scratch, arg_names_Tag()));
  for (const std::vector<int64_t>& arguments : Read(scratch, args_Tag())) Args(arguments);
  if (!Read(scratch, use_default_time_unit_Tag())) Unit(Read(scratch, time_unit_Tag()));
  if (Read(scratch, min_time_Tag()) > 0) MinTime(Read(scratch, min_time_Tag()));
  if (Read(scratch, min_warmup_time_Tag()) > 0) MinWarmUpTime(Read(scratch, min_warmup_time_Tag()));
  if (Read(scratch, iterations_Tag()) > 0) Iterations(Read(scratch, iterations_Tag()));
  if (Read(scratch, repetitions_Tag()) > 0) Repetitions(Read(scratch, repetitions_Tag()));
  if (Read(scratch, measure_process_cpu_time_Tag())) MeasureProcessCPUTime();
  if (Read(scratch, use_real_time_Tag())) UseRealTime();
  if (Read(scratch, use_manual_time_Tag())) UseManualTime();
  const auto mode = Read(scratch, aggregation_report_mode_Tag());
  if (mode != benchmark::internal::ARM_Unspecified) {
    if ((mode & benchmark::internal::ARM_FileReportAggregatesOnly) != 0) ReportAggregatesOnly();
    if ((mode & benchmark::internal::ARM_DisplayReportAggregatesOnly) != 0) DisplayAggregatesOnly();
  }
  if (Read(scratch, complexity_Tag()) == benchmark::oLambda) {
    Complexity(Read(scratch, complexity_lambda_Tag()));
  } else if (Read(scratch, complexity_Tag()) != benchmark::oNone) {
    Complexity(Read(scratch, complexity_Tag()));
  }
  const auto& statistics = Read(scratch, statistics_Tag());
  for (size_t i = own_statistics; i < statistics.size(); ++i) {
    ComputeStatistics(statistics[i].name_, statistics[i].compute_, statistics[i].unit_);
  }
  if (!Read(scratch, thread_counts_Tag()).empty()) {
    spec_.error = "a duet has one thread for each variant: remove Threads from it";
  }
  return this;
}

}  // namespace duetbench
