// The class has no functions that return what was set, so its private members are read: an explicit
// instantiation may name them (C++17, [temp.explicit]/12). Their names are the same in all versions
// from 1.7.1 on; another name does not compile.
#include "duetbench/google_benchmark/benchmark_settings.h"

#include "duetbench/api/duet_spec.h"

namespace duetbench {
namespace {

using internal::BenchmarkBase;

// Defines the friend function that returns the pointer to the member.
template <class Tag, auto member>
struct ExposedSetting {
  friend constexpr auto MemberOf(Tag) { return member; }
};

#define DUETBENCH_EXPOSE(member)                 \
  struct member##Tag {                           \
    friend constexpr auto MemberOf(member##Tag); \
  };                                             \
  template struct ExposedSetting<member##Tag, &BenchmarkBase::member>
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
DUETBENCH_EXPOSE(setup_);
DUETBENCH_EXPOSE(teardown_);
#undef DUETBENCH_EXPOSE

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
  duet->Name(Read(base, name_Tag()));
  if (!Read(base, arg_names_Tag()).empty()) duet->ArgNames(Read(base, arg_names_Tag()));
  for (const std::vector<int64_t>& arguments : Read(base, args_Tag())) duet->Args(arguments);
  if (!Read(base, use_default_time_unit_Tag())) duet->Unit(Read(base, time_unit_Tag()));
  if (Read(base, min_time_Tag()) > 0) duet->MinTime(Read(base, min_time_Tag()));
  if (Read(base, min_warmup_time_Tag()) > 0) duet->MinWarmUpTime(Read(base, min_warmup_time_Tag()));
  if (Read(base, iterations_Tag()) > 0) duet->Iterations(Read(base, iterations_Tag()));
  if (Read(base, repetitions_Tag()) > 0) duet->Repetitions(Read(base, repetitions_Tag()));
  if (Read(base, measure_process_cpu_time_Tag())) duet->MeasureProcessCPUTime();
  if (Read(base, use_real_time_Tag())) duet->UseRealTime();
  if (Read(base, use_manual_time_Tag())) duet->UseManualTime();
  const auto mode = Read(base, aggregation_report_mode_Tag());
  if (mode != benchmark::internal::ARM_Unspecified) {
    if ((mode & benchmark::internal::ARM_FileReportAggregatesOnly) != 0)
      duet->ReportAggregatesOnly();
    if ((mode & benchmark::internal::ARM_DisplayReportAggregatesOnly) != 0)
      duet->DisplayAggregatesOnly();
  }
  if (Read(base, complexity_Tag()) == benchmark::oLambda) {
    duet->Complexity(Read(base, complexity_lambda_Tag()));
  } else if (Read(base, complexity_Tag()) != benchmark::oNone) {
    duet->Complexity(Read(base, complexity_Tag()));
  }
  const auto& statistics = Read(base, statistics_Tag());
  const size_t of_every_benchmark = Read(ScratchBenchmark(""), statistics_Tag()).size();
  for (size_t i = of_every_benchmark; i < statistics.size(); ++i) {
    duet->ComputeStatistics(statistics[i].name_, statistics[i].compute_, statistics[i].unit_);
  }
}

void CopyCallbacks(const BenchmarkBase& base, DuetBenchmark* duet) {
  if (Read(base, setup_Tag())) duet->Setup(Read(base, setup_Tag()));
  if (Read(base, teardown_Tag())) duet->Teardown(Read(base, teardown_Tag()));
}

const std::string& NameOf(const BenchmarkBase& base) { return Read(base, name_Tag()); }

const std::vector<int>& ThreadCountsOf(const BenchmarkBase& base) {
  return Read(base, thread_counts_Tag());
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
