#ifndef DUETBENCH_MEASURE_RUN_PROTOCOL_H_
#define DUETBENCH_MEASURE_RUN_PROTOCOL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "duetbench/measure/run_record.h"
#include "duetbench/record/plan.h"

// Messages between the process of a run and the process that collects: a task as text in the
// environment, and a record as bytes through a pipe. Both begin with the number of this version of
// the protocol, and another version is refused.
namespace duetbench {

inline constexpr uint32_t kRunProtocolVersion = 25;

// The variables in the environment of a run: its task, and the descriptor for its result.
inline constexpr char kTaskVariable[] = "DUETBENCH_RUN";
inline constexpr char kResultVariable[] = "DUETBENCH_RESULT_FD";

// The name of the benchmark that the process of a run is to find, beside its number.
inline constexpr char kDuetVariable[] = "DUETBENCH_DUET";

// The exit status of a run that cannot write its result: EX_IOERR of sysexits.h. Any other may be
// that of the program.
inline constexpr int kExitCannotReport = 74;

// The task of the process of a run.
struct RunTask {
  int64_t parent = 0;           // process id; the run dies with it
  int family = 0;               // number of the duet benchmark, in order of registration; -1: none
  std::vector<int64_t> ranges;  // its arguments
  // The run takes place in a process for each variant, and this is the one of this variant; it
  // executes the variant `executes` of the duet. -1: one process executes all.
  int side = -1;
  int executes = 0;
  int shared_fd = -1;  // the memory that they share (run_process.h)
  RunPlan plan;
};

// The text of a task, and back. InvalidArgument for anything else.
std::string EncodeRunTask(const RunTask& task);
absl::StatusOr<RunTask> DecodeRunTask(absl::string_view text);

// The bytes of a record, and back. DataLoss when bytes are missing, damaged or left over.
std::string EncodeRunRecord(const RunRecord& record);
absl::StatusOr<RunRecord> DecodeRunRecord(absl::string_view bytes);

// Encodes a record that is an error alone into `buffer` of kMaxCrashReportBytes (crash_report.h),
// and returns its length. Allocates nothing and is safe in a signal handler. `cause` is cut where
// it does not fit.
int EncodeRunError(int variant, const char* cause, char* buffer);

// The name and the purpose with which this process was started.

// A run that another process of this program has started this one for.
struct AssignedRun {
  RunTask task;
  int result_fd = -1;
};

// The run that this process was started for; none if no other one started it. The first call
// reads it from the environment and takes it out of there; from then on this process ends when its
// parent does. Ends the process with a message if there is a task that cannot be read. Whether it
// is one or not, the descriptors 0, 1 and 2 are open from then on.
const std::optional<AssignedRun>& RunOfThisProcess();

// The command line that this process was started with, whatever its main made of argv.
std::vector<std::string> CommandLineOfThisProcess();

// Makes processes started from here have random memory layouts, unless this one was started with a
// fixed layout itself. (Some versions of Google Benchmark restart the program with a fixed one; the
// runs of a duet must differ in theirs.)
void RandomizeLayoutOfRuns();

}  // namespace duetbench

#endif  // DUETBENCH_MEASURE_RUN_PROTOCOL_H_
