#ifndef DUETBENCH_VARIANT_GOOGLE_BENCHMARK_LAYOUT_H_
#define DUETBENCH_VARIANT_GOOGLE_BENCHMARK_LAYOUT_H_

#include <benchmark/benchmark.h>

#include <cstddef>

#include "duetbench/variant/private_members.h"

// Assumptions of a compiled duetbench about Google Benchmark beyond its public functions: sizes of
// classes that it copies, constructs or derives from, private members (variant/private_members.h),
// and places in virtual tables. Equal numbers mean that the library works with that version of
// Google Benchmark, whatever its number is. They are compared
// - at configure time: CMake compiles google_benchmark_layout.cc for the installed version
//   (tools/cmake/DuetbenchGoogleBenchmarkLayout.cmake);
// - at the start of a program: every source that includes <duetbench/duetbench.h> or
//   <duetbench/gtest.h> checks the headers that it was compiled with.
//
// A member that a version does not have does not compile, and a function that is missing does not
// link.
namespace duetbench::internal {

// Ends the program with a message and kExitError if the `bytes` bytes of `layout` differ from the
// layout that this library was compiled with. About 0.1 us.
void RequireGoogleBenchmarkLayout(const void* layout, std::size_t bytes);

// Other headers may give other numbers in each source: nothing here is shared between them.
namespace {  // NOLINT(google-build-namespaces)

template <class T>
constexpr unsigned long long kSize = sizeof(T);

// One constant without relocations and padding: the compiler writes it into the object file as it
// is. Pointers to data members are offsets, those to virtual functions places in the virtual table.
struct GoogleBenchmarkLayout {
  using Base = BenchmarkBase;
  using Reporter = benchmark::BenchmarkReporter;
  using Run = Reporter::Run;

  char begin[16] = {'d', 'u', 'e', 't', ' ', 'l', 'a', 'y',
                    'o', 'u', 't', ' ', 'v', '1', ':', '\0'};

  unsigned long long sizes[10] = {
      kSize<benchmark::State>,
      kSize<Base>,
      kSize<Reporter>,
      kSize<Reporter::Context>,
      kSize<Run>,
      kSize<benchmark::Counter>,
      kSize<benchmark::UserCounters>,
      kSize<benchmark::BenchmarkName>,
      kSize<benchmark::MemoryManager::Result>,
      kSize<benchmark::ConsoleReporter>,
  };

  // The iterations that are asked for are a constant, which is overwritten in the copy.
  decltype(&benchmark::State::max_iterations) max_iterations = &benchmark::State::max_iterations;
  decltype(&benchmark::State::counters) counters = &benchmark::State::counters;
#define DUETBENCH_PLACE(prefix, type, member) \
  decltype(MemberOf(prefix##_##member())) place_##prefix##_##member = MemberOf(prefix##_##member())
  DUETBENCH_PRIVATE_MEMBERS(DUETBENCH_PLACE)
#undef DUETBENCH_PLACE

  // Rows are copied and changed (google_benchmark/reports.cc).
  decltype(&Run::run_name) run_name = &Run::run_name;
  decltype(&Run::run_type) run_type = &Run::run_type;
  decltype(&Run::aggregate_name) aggregate_name = &Run::aggregate_name;
  decltype(&Run::report_label) report_label = &Run::report_label;
  decltype(&Run::iterations) run_iterations = &Run::iterations;
  decltype(&Run::repetition_index) repetition_index = &Run::repetition_index;
  decltype(&Run::time_unit) time_unit = &Run::time_unit;
  decltype(&Run::real_accumulated_time) real_time_of_run = &Run::real_accumulated_time;
  decltype(&Run::cpu_accumulated_time) cpu_time_of_run = &Run::cpu_accumulated_time;
  decltype(&Run::counters) run_counters = &Run::counters;

  // Called, or overridden by reporters of duetbench.
  decltype(&Reporter::ReportContext) report_context = &Reporter::ReportContext;
  decltype(&Reporter::ReportRuns) report_runs = &Reporter::ReportRuns;
  decltype(&Reporter::Finalize) finalize = &Reporter::Finalize;
  decltype(&Base::Run) run = &Base::Run;
  decltype(&benchmark::MemoryManager::Start) start = &benchmark::MemoryManager::Start;

  char end[16] = {'d', 'u', 'e', 't', ' ', 'l', 'a', 'y', 'o', 'u', 't', ' ', 'e', 'n', 'd', '\0'};
};

constexpr GoogleBenchmarkLayout kGoogleBenchmarkLayout{};

// Before the static objects that follow, such as registered duets.
[[maybe_unused]] const bool kHasGoogleBenchmarkLayout =
    (RequireGoogleBenchmarkLayout(&kGoogleBenchmarkLayout, sizeof(kGoogleBenchmarkLayout)), true);

}  // namespace
}  // namespace duetbench::internal

#endif  // DUETBENCH_VARIANT_GOOGLE_BENCHMARK_LAYOUT_H_
