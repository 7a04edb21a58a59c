#include "tools/duet/executions.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "duetbench/measure/run_process.h"
#include "duetbench/measure/run_randomization.h"
#include "duetbench/platform/memory.h"
#include "duetbench/platform/spawn.h"
#include "duetbench/record/run_result.h"

namespace duetbench::duet {
namespace {

using Clock = std::chrono::steady_clock;

// Google Benchmark takes about one and a half times as long as it was told, to find the number of
// iterations.
constexpr double kSlowdownFactor = 1.5;
constexpr double kMinSeconds = 0.001;
// The shortest execution that is to show how many CPUs it uses: longer than the start of a process.
constexpr double kMinSecondsToTell = 0.005;
// CPU time by wall time, from which a program has used more than one CPU. Source: chosen.
constexpr double kUsesMoreCpus = 1.2;
constexpr double kForeverNs = 3600e9;

double NsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
}

enum class Step { kDone, kEnd };

// The executions of one run.
class Run {
 public:
  Run(const ExecutedPrograms& programs, const RunPlan& plan, absl::Span<const Descriptor> copies)
      : programs_(programs), plan_(plan), copies_(copies) {}

  absl::StatusOr<RunOfPairs> Execute() {
    const auto begin = Clock::now();
    ExecuteAll();
    if (!status_.ok()) return status_;
    run_.process_ns = NsSince(begin);
    if (run_.interrupted || !run_.error.cause.empty() || run_.pairs.empty())
      return RunOfPairs{run_};
    run_.batch = plan_.batch > 0 ? plan_.batch : run_.pairs.back().iterations[0];
    for (const PairRecord& pair : run_.pairs) {
      const double slower_ns = std::max(pair.ticks[0], pair.ticks[1]) * plan_.ns_per_tick;
      run_.sample_ns += slower_ns / static_cast<double>(run_.pairs.size());
    }
    run_.wall_ns = std::min(run_.process_ns, measured_ns_);
    AddAmounts();
    return RunOfPairs{run_};
  }

 private:
  bool together() const { return UsesTwoCpus(plan_.schedule); }
  // The run has to show whether the programs disturb each other. Of 18 runs of 8 ms, 6 with a solo
  // pair, the test missed in 2 of 4 experiments that variants which share a counter read 1.01 in
  // place of 1.05 (2026-11-25).
  bool HasSoloPair() const {
    constexpr uint32_t kFirstRuns = 8;
    return together() && plan_.solo_share > 0 && plan_.is_pilot == 0 && plan_.one_pair == 0 &&
           plan_.run < kFirstRuns;
  }

  void ExecuteAll() {
    if (plan_.check_equal != 0) {
      status_ = absl::InvalidArgumentError(
          "comparing results needs functions of duetbench, not programs that are executed as they "
          "are");
      return;
    }
    // In turns a pair takes the time of two executions, and so do two together; a solo
    // pair follows these. Short executions have the same length in all runs: each begins at the
    // head of its input.
    const double waves = plan_.one_pair != 0 ? 2 : 4;
    seconds_ = std::max(plan_.budget_ns * 1e-9 / waves / kSlowdownFactor, kMinSeconds);
    if (plan_.watch_threads != 0) {
      seconds_ = std::max(seconds_, kMinSecondsToTell);
      if (ExecutePair(0, 0, Cpus::kAny) == Step::kDone) CountCpus();
      return;
    }
    const uint64_t most = plan_.is_pilot != 0 || plan_.one_pair != 0 ? 1
                          : plan_.fixed_iterations > 0               ? plan_.fixed_iterations
                                                                     : UINT64_MAX;
    std::mt19937_64 random(plan_.seed + plan_.run);
    const auto begin = Clock::now();
    for (uint32_t block = 0;; ++block) {
      const auto first = static_cast<uint32_t>(random() & 1);
      for (const uint32_t assignment : {first, 1 - first}) {
        if (run_.pairs.size() >= most) return;
        const Cpus cpus = together() ? Cpus::kBoth : Cpus::kFirst;
        if (ExecutePair(assignment, block, cpus) == Step::kEnd) return;
      }
      if (block == 0 && HasSoloPair()) {
        if (ExecutePair(first, block, Cpus::kFirst) == Step::kEnd) return;
        run_.pairs.back().flags = kSolo;
      }
      const double block_ns = NsSince(begin) / (block + 1);
      const bool has_time = NsSince(begin) + block_ns / 2 < plan_.budget_ns;
      const bool is_counted = plan_.fixed_iterations > 0 && !programs_.takes_seconds;
      if (is_counted) continue;
      if (programs_.takes_seconds || !has_time) return;
    }
  }

  // Notes the CPUs that the programs of the last pair have used, beyond one.
  void CountCpus() {
    for (const int side : {0, 1}) {
      const double cpus = last_[side].cpu_ns() / last_[side].wall_ns();
      if (cpus < kUsesMoreCpus) continue;
      run_.started_threads[side] = static_cast<int32_t>(std::ceil(cpus)) - 1;
    }
  }

  // Where a pair is executed: at the same time, or in turns on one CPU or on those that the system
  // chooses.
  enum class Cpus { kBoth, kFirst, kAny };

  Step ExecutePair(uint32_t assignment, uint32_t block, Cpus where) {
    const int first = static_cast<int>(assignment);
    const bool at_the_same_time = where == Cpus::kBoth;
    const int one = where == Cpus::kAny ? -1 : plan_.cpus[0];
    const int cpus[2] = {at_the_same_time ? plan_.cpus[first] : one,
                         at_the_same_time ? plan_.cpus[1 - first] : one};
    const auto begin = Clock::now();
    if (at_the_same_time) {
      if (ExecuteWave({0, 1}, cpus) == Step::kEnd) return Step::kEnd;
    } else {
      for (const int side : {first, 1 - first}) {
        if (ExecuteWave({side}, cpus) == Step::kEnd) return Step::kEnd;
      }
    }
    PairRecord pair{};
    pair.pair_index = run_.pairs.size();
    pair.block = block;
    pair.assignment = assignment;
    double samples_ns[2];
    for (const int side : {0, 1}) {
      const ExecutionTimes& times = times_[side];
      samples_ns[side] = times.real_ns * times.iterations;
      pair.ticks[side] = samples_ns[side] / plan_.ns_per_tick;
      pair.cpu_ns[side] = times.cpu_ns * times.iterations;
      pair.iterations[side] = static_cast<uint64_t>(times.iterations);
      pair.cpus[side] = cpus[side];
    }
    measured_ns_ +=
        std::min(NsSince(begin), at_the_same_time ? std::max(samples_ns[0], samples_ns[1])
                                                  : samples_ns[0] + samples_ns[1]);
    run_.pairs.push_back(pair);
    return Step::kDone;
  }

  // Executes the programs of `sides` at the same time; `cpus` is indexed by side. kEnd: the run is
  // over.
  Step ExecuteWave(const std::vector<int>& sides, const int (&cpus)[2]) {
    Descriptor meeting;
    if (sides.size() > 1) meeting.Reset(OpenSharedMemory(MeetingBytes()));
    std::vector<ExecutionRequest> requests;
    for (const int side : sides) {
      ExecutionRequest& request = requests.emplace_back();
      request.words = programs_.words(side, plan_, seconds_);
      if (!copies_.empty()) {
        // Open in this process; the program is executed by another one.
        const int copy = copies_[static_cast<size_t>(side)].get();
        request.executable = absl::StrCat("/proc/", getpid(), "/fd/", copy);
        request.stack_offset =
            static_cast<int>(DrawRandomization(plan_.seed, plan_.run).stack_offset);
      }
      request.folder = programs_.folders[side];
      request.cpu = cpus[side];
      request.has_report = programs_.has_report;
      request.meeting = meeting.get();
      request.timeout_ns = (plan_.timeout_ns > 0 ? plan_.timeout_ns : kForeverNs) +
                           (programs_.takes_seconds ? plan_.budget_ns : 0);
    }
    int failed = 0;
    absl::StatusOr<std::vector<Execution>> executions = duet::Execute(requests, &failed);
    if (absl::IsCancelled(executions.status())) {
      run_.interrupted = true;
      return Step::kEnd;
    }
    if (absl::IsAborted(executions.status())) {
      run_.out_of_time = plan_.is_limited;
      return Fail(sides[static_cast<size_t>(failed)], executions.status());
    }
    if (!executions.ok()) {
      status_ = executions.status();
      return Step::kEnd;
    }
    for (size_t i = 0; i < sides.size(); ++i) {
      const int side = sides[i];
      last_[side] = std::move((*executions)[i]);
      absl::StatusOr<ExecutionTimes> times = programs_.times(last_[side]);
      if (!times.ok()) return Fail(side, times.status());
      times_[side] = *times;
      Note(side, last_[side]);
    }
    return Step::kDone;
  }

  Step Fail(int side, const absl::Status& status) {
    run_.error = {side, std::string(status.message())};
    return Step::kEnd;
  }

  void Note(int side, const Execution& execution) {
    Sums& sums = sums_[side];
    sums.user_s += execution.record.user_s;
    sums.system_s += execution.record.system_s;
    sums.max_rss_bytes = std::max(sums.max_rss_bytes, execution.record.max_rss_bytes);
    sums.exit_status += execution.exit_status();
    ++sums.executions;
    if (execution.record.not_pinned != 0) {
      run_.notice = "a program could not be kept on its CPU";
    }
  }

  void AddAmounts() {
    const auto add = [&](const char* name, double of_old, double of_new, bool shown) {
      run_.amounts.push_back({name, shown, {of_old, of_new}});
    };
    const Sums& a = sums_[0];
    const Sums& b = sums_[1];
    add(kPeakRss, a.max_rss_bytes, b.max_rss_bytes, programs_.shows_amounts);
    if (!programs_.shows_amounts) return;
    add(kUserTime, a.user_s / a.executions, b.user_s / b.executions, true);
    add(kSystemTime, a.system_s / a.executions, b.system_s / b.executions, true);
    const bool failed = a.exit_status > 0 || b.exit_status > 0;
    add(kExitStatus, a.exit_status / a.executions, b.exit_status / b.executions, failed);
  }

  struct Sums {
    double user_s = 0;
    double system_s = 0;
    double max_rss_bytes = 0;
    double exit_status = 0;
    double executions = 0;
  };

  const ExecutedPrograms& programs_;
  const RunPlan& plan_;
  const absl::Span<const Descriptor> copies_;  // by side; empty: as linked
  double seconds_ = 0;                         // that an execution is to measure
  RunResult run_;
  absl::Status status_;
  double measured_ns_ = 0;
  Execution last_[2];
  ExecutionTimes times_[2];
  Sums sums_[2];
};

}  // namespace

DuetSpec SpecOfExecutions(const std::string& name, ExecutedPrograms programs,
                          ComparedPrograms compared) {
  compared.takes_seconds = programs.takes_seconds;
  DuetSpec spec;
  spec.name = name;
  spec.location = {"", 0};
  for (auto& variant : spec.functions.variants) {
    variant = std::make_shared<VariantElsewhere>(/*is_called=*/false);
  }
  compared.launch = [programs = std::move(programs)](const RunPlan& plan,
                                                     absl::Span<const Descriptor> copies) {
    return Run(programs, plan, copies).Execute();
  };
  spec.programs = std::make_shared<ComparedPrograms>(std::move(compared));
  return spec;
}

}  // namespace duetbench::duet
