#ifndef DUETBENCH_REGISTRY_SESSION_H_
#define DUETBENCH_REGISTRY_SESSION_H_

#include <benchmark/benchmark.h>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/counters/survey.h"
#include "duetbench/registry/flags.h"
#include "duetbench/registry/run_process.h"
#include "duetbench/registry/suite_log.h"
#include "duetbench/report/comparison_book.h"
#include "duetbench/report/pairs_file.h"
#include "duetbench/report/progress.h"
#include "duetbench/runner/comparison.h"
#include "duetbench/runner/machine.h"

namespace duetbench {

class DuetBenchmark;

// What the duet benchmarks of one program share while it runs: its arguments and flags, the
// machine, the comparisons that its reporters look up, and how it will end. There is one. It is
// created with the first duet benchmark, before main; Google Benchmark calls it from one thread.
class Session {
 public:
  static Session& Get();

  // Numbers the duet benchmarks, in order of registration.
  int AddFamily(DuetBenchmark* benchmark);
  void RemoveFamily(int family) { families_[static_cast<size_t>(family)] = nullptr; }
  int families() const { return static_cast<int>(families_.size()); }
  // Null for one that exists no more.
  DuetBenchmark* family(int number) const { return families_[static_cast<size_t>(number)]; }

  // --- Flags ---

  // Takes the --duet_* flags out of argv (argc includes argv[0]). Without this call the flags come
  // from the environment alone.
  absl::Status ParseCommandLine(int* argc, char** argv);

  // Takes the --duet_* flags that this process was started with, where main knows nothing of them
  // and leaves them alone.
  absl::Status TakeFlagsOfProcess();

  // The error in the environment's flags, if there was one.
  const absl::Status& environment_status() const { return environment_status_; }

  // Of RegisterMemoryManager; null for none. counts_memory: Google Benchmark is within its call for
  // it, in which nothing is measured.
  benchmark::MemoryManager* memory_manager() const { return memory_manager_; }
  void set_memory_manager(benchmark::MemoryManager* manager) { memory_manager_ = manager; }
  bool counts_memory() const { return counts_memory_; }
  void set_counts_memory(bool counts) { counts_memory_ = counts; }

  // As the program was started.
  const std::string& program() const { return argv_.front(); }

  const Flags& flags() const { return flags_; }
  const std::vector<std::string>& argv() const { return argv_; }  // as the program was started
  std::string GoogleBenchmarkFlag(const std::string& name) const;

  // The options of an experiment by the flags alone.
  const ExperimentOptions& options() const { return flags_.experiment; }

  // --- The process of a run ---

  // Set if this process is one.
  const std::optional<RunTask>& task() const { return task_; }
  int result_fd() const { return result_fd_; }

  // --- Experiments ---

  // This machine, looked at once.
  const absl::StatusOr<Machine>& machine();

  // Whether this machine counts the events of --benchmark_perf_counters and `names`: found out once
  // for each list. SurveyAll: those of every registered duet.
  const EventSurvey& Survey(std::vector<std::string> names);
  const EventSurvey& SurveyAll();

  // Does the experiment of one duet benchmark. `route` and `task` lead the runs to it; `name` is
  // for the progress line and the seed.
  Comparison Compare(const RunRoute& route, const std::string& name, int repetition,
                     const RunTask& task, const DuetFunctions& functions,
                     ExperimentOptions options);

  // Creates the file of --duet_out, if there is to be one. Not in the process of a run.
  absl::Status OpenPairsFile();

  // The comparisons, for the reporters.
  ComparisonBook& book() { return book_; }
  const ComparisonBook& book() const { return book_; }

  // What is said of the duets at the end of the program.
  SuiteLog& suite() { return suite_; }

  // Whether reporters that know comparisons are in use.
  bool reports_comparisons() const { return reports_comparisons_; }
  void set_reports_comparisons() { reports_comparisons_ = true; }

  // A line on stderr, once however often it is said.
  void SayOnce(const std::string& line);

  void CountError() { ++errors_; }
  int errors() const { return errors_; }
  bool interrupted() const;

 private:
  Session();
  void KeepLayoutsRandom() const;

  std::vector<std::string> argv_;      // as the program was started
  std::deque<std::string> rewritten_;  // arguments that argv points to
  Flags flags_;
  absl::Status environment_status_;
  std::optional<RunTask> task_;
  int result_fd_ = -1;
  std::vector<DuetBenchmark*> families_;
  std::optional<absl::StatusOr<Machine>> machine_;
  ComparisonBook book_;
  std::map<std::vector<std::string>, EventSurvey> surveys_;
  SuiteLog suite_;
  bool reports_comparisons_ = false;
  benchmark::MemoryManager* memory_manager_ = nullptr;
  bool counts_memory_ = false;
  int errors_ = 0;
  std::set<std::string> said_;
  ProgressLine progress_;
  std::optional<PairsFile> pairs_file_;
};

}  // namespace duetbench

#endif  // DUETBENCH_REGISTRY_SESSION_H_
