#ifndef DUETBENCH_EXPERIMENT_LAUNCHER_H_
#define DUETBENCH_EXPERIMENT_LAUNCHER_H_

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "duetbench/api/duet_spec.h"
#include "duetbench/code_layout/code_layouts.h"
#include "duetbench/experiment/experiment.h"
#include "duetbench/experiment/experiment_plan.h"
#include "duetbench/measure/run_process.h"
#include "duetbench/platform/cpu_pair.h"
#include "duetbench/platform/process.h"
#include "duetbench/platform/survey.h"
#include "duetbench/record/explanation.h"
#include "duetbench/record/options.h"
#include "duetbench/record/plan.h"
#include "duetbench/report/pairs_file.h"
#include "duetbench/report/progress.h"
#include "duetbench/variant/duet_functions.h"

namespace duetbench {

// An experiment that is to be measured.
struct ExperimentRequest {
  std::string name;    // for the progress line, the file of pairs and the seed
  int repetition = 0;  // for the seed
  // The process of a run, but for `executable` and `executes`. A start has no `serve`.
  RunCommand command;
  DuetFunctions functions;  // with ranges
  ExperimentOptions options;
  std::shared_ptr<const ComparedPrograms> programs;  // DuetSpec::programs
  VariantPair pair;                                  // of them, that a run of two executes
  // The code layouts of its runs; null: as linked. Set by Launcher::Begin for variants of
  // this program.
  std::shared_ptr<const CodeLayouts> layouts;
  // The seed of the layouts. All benchmarks of a suite of programs have the same: each costs a copy
  // of the programs. Set by Launcher::Begin.
  uint64_t layout_seed = 0;
  std::vector<ExperimentRequest> duets;       // of a group, those with the base first
  GroupQuestions questions;                   // of `duets`
  std::vector<std::string> callgrind_events;  // EventSurvey::by_callgrind
  bool requires_callgrind = false;            // a gate is on one of them
};

// An experiment while it is measured.
struct LaunchedExperiment {
  LaunchedExperiment(ExperimentRequest for_request, const Machine& machine)
      : request(std::move(for_request)), experiment(request.options, machine, request.questions) {}

  const ExperimentRequest request;
  Experiment experiment;
  // The number of the last run, and of its layout, of programs.
  std::optional<uint32_t> run;
  uint32_t layout = 0;
  // By variant, once Callgrind has been asked; empty: it cannot count them.
  std::optional<std::vector<InstructionCounts>> counts;
};

// Launches the runs of the experiments of one program. They share its command line, the machine as
// it was inspected once, the file of --duet_out, the progress line and Ctrl-C. For one thread.
class Launcher {
 public:
  // `command_line` starts the processes of runs; `cpus` is --duet_cpus; `pairs_path` is --duet_out;
  // `locks_cpus`: it waits for other programs that measure on the same CPUs.
  Launcher(std::vector<std::string> command_line, std::string cpus, std::string pairs_path,
           bool locks_cpus);

  const std::vector<std::string>& command_line() const { return command_line_; }

  // Inspected at the first call, in about 30 ms, once no other program measures on its CPUs.
  const absl::StatusOr<Machine>& machine();

  // Which of the events `names` this machine or Callgrind counts; found out once for each list.
  const EventSurvey& Survey(const std::vector<std::string>& names);

  // The executable of this program, read once: 5 ms for each MB. The error says why runs of this
  // program are measured as it is linked.
  const absl::StatusOr<std::shared_ptr<const Executable>>& executable();

  // The marks (process.h) that the files which runs of this program execute had when they were
  // first asked for: its shared libraries. Its own file may be replaced.
  const std::map<std::string, std::string>& marks();

  // Opens the file of pairs, if there is to be one and it is not open yet.
  absl::Status OpenPairsFile() { return pairs_file_.Open(pairs_path_); }

  // PairsFile::Commit. Call it after the last Measure.
  absl::Status CommitPairsFile() { return pairs_file_.Commit(); }

  // Errors are in the comparison. A signal such as Ctrl-C (interrupt.h) ends the experiment, and no
  // more than that.
  Comparison Measure(ExperimentRequest request);

  // The same run by run, between those of others: Begin; LaunchNext until it returns false; then
  // Finish, and Record for all of them in the order of the file. The caller has an InterruptGuard.
  absl::StatusOr<std::unique_ptr<LaunchedExperiment>> Begin(ExperimentRequest request);
  // Launches the next run, if there is one. False: that was the last one. A run before those that
  // measure, whose costs are not known, is ended after `most_s` seconds, to be launched again.
  bool LaunchNext(LaunchedExperiment* launched,
                  double most_s = std::numeric_limits<double>::infinity());
  // Launches further runs like the one with `plan`, which record stacks, and explains the
  // difference of `comparison` by them, with exact counts if Valgrind is installed. A signal ends
  // them without an explanation. Up to 2 s.
  Explanation Explain(const ExperimentRequest& request, const RunPlan& plan,
                      const Comparison& comparison, bool with_code);
  // Appends the pairs to the file of pairs.
  void Record(const std::string& name, const Comparison& comparison);

  ProgressLine& progress() { return progress_; }

  // True if a signal ended an experiment.
  static bool interrupted();

 private:
  void LockCpus(const CpuPairChoice& choice);
  // Runs of `request` are forks of this process.
  bool ForksRuns(const ExperimentRequest& request) const;
  // Null: runs of `request` are measured as linked.
  std::shared_ptr<const CodeLayouts> LayoutsOf(const ExperimentRequest& request);
  // A run that fails in copies is repeated as linked. If it succeeds there, the rest is measured as
  // linked, too, and a line says so.
  absl::StatusOr<RunOfPairs> LaunchElsewhereOrLinked(const ExperimentRequest& request,
                                                     const RunTask& task, uint32_t layout);
  void MeasureAsLinked(const std::string& reason);
  // A run whose processes have ended. Where two starts take long, further runs are forks of one.
  void LookAtStart(const ExperimentRequest& request, const RunOfPairs& launched);
  // And prints its output. `layout`: the run whose layout it has, in the layouts of programs.
  absl::StatusOr<RunOfPairs> Launch(const ExperimentRequest& request, const RunPlan& plan,
                                    uint32_t layout);
  // Exact counts of old, which is one variant of all `duets`, and of the new ones, in runs like the
  // one with `plan` (explaining_runs.h).
  absl::StatusOr<std::vector<CallgrindFile>> CountInstructions(
      absl::Span<const ExperimentRequest> duets, const RunPlan& plan, double time_ns,
      double longest_ns);
  // Where events are to be counted by Callgrind: adds the counts of all variants to the results of
  // `run`, which had this plan. They are made once. The error is that of a request that requires
  // them.
  absl::Status AddCounts(const RunPlan& plan, LaunchedExperiment* experiment, RunOfPairs* run);

  const std::vector<std::string> command_line_;
  const std::string cpus_;
  const std::string pairs_path_;
  const bool locks_cpus_;
  std::unique_ptr<CpuLock> cpu_lock_;  // as long as this
  std::optional<absl::StatusOr<Machine>> machine_;
  std::optional<absl::StatusOr<std::shared_ptr<const Executable>>> executable_;
  CopiesOfRuns copies_;
  bool as_linked_ = false;           // copies have failed
  std::vector<double> start_ns_;     // of runs that were no forks
  bool is_start_expensive_ = false;  // of this program
  std::optional<std::map<std::string, std::string>> marks_;
  std::map<std::vector<std::string>, EventSurvey> surveys_;
  PairsFile pairs_file_;
  ProgressLine progress_;
};

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_LAUNCHER_H_
