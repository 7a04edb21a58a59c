#ifndef TOOLS_DUET_PLAIN_PROGRAM_H_
#define TOOLS_DUET_PLAIN_PROGRAM_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "duetbench/google_benchmark/handshake.h"
#include "tools/duet/command_line.h"
#include "tools/duet/executions.h"

// Programs that are driven by the flags of Google Benchmark, 1.6 and later: those that are not
// linked with duetbench, and the benchmarks with several threads of those that are. A sample is an
// execution of the program for one benchmark. Only its time in the loop counts, but it begins and
// ends without its partner, and its memory layout is used once: less precise than a duet.
namespace duetbench::duet {

// Protocol of the Offer of such a program.
inline constexpr uint32_t kPlainProtocol = 0;

// A benchmark of which only the name is known. Its parts tell the number of threads and the kind of
// time.
OfferedBenchmark BenchmarkCalled(absl::string_view name);

// The benchmarks in the answer to --benchmark_list_tests, without the lines of `other`: what the
// program writes if its filter selects none.
Offer OfferOfList(absl::string_view list, absl::string_view other);

// The times in a JSON report of one benchmark, between whose rows the program may have written; the
// mean where there are repetitions. The error is the one of the benchmark, or that there is no
// time.
absl::StatusOr<ExecutionTimes> TimesIn(absl::string_view report);

// Where other programs had the CPU meanwhile, and that explains all of the real time beyond the CPU
// time, the latter is the benchmark's own, and becomes its real time. A program that has waited for
// something else, more often than at its ends, keeps its time.
void LeaveOutOthers(double waited_ns, double times_blocked, ExecutionTimes* times);

// Executes the benchmark `name` of both programs.
ExecutedPrograms BenchmarkOf(const ProgramCommand (&programs)[2], const std::string& name);

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_PLAIN_PROGRAM_H_
