#ifndef DUETBENCH_RECORD_RUN_RESULT_H_
#define DUETBENCH_RECORD_RUN_RESULT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "duetbench/record/explanation.h"
#include "duetbench/variant/variant_report.h"

// Amounts that a run has of each variant, and not of its iterations: memory, the CPU time of a
// command. Gates and reports treat them as counters.
namespace duetbench {

// Bytes: the most that the iterations had allocated at once, as a memory manager counts it.
inline constexpr char kPeakHeap[] = "PEAK-HEAP";
// Bytes: the most memory that was resident. Of a variant in a process that was forked for it, over
// and above the memory that the process began with; of a command, that of its largest process.
inline constexpr char kPeakRss[] = "PEAK-RSS";
// Seconds of one execution of a command, with the processes that it waited for.
inline constexpr char kUserTime[] = "USER-TIME";
inline constexpr char kSystemTime[] = "SYSTEM-TIME";
inline constexpr char kExitStatus[] = "EXIT-STATUS";

struct Amount {
  std::string name;    // one of those above, or of IsCallgrindEvent
  bool shown = false;  // always; else if the variants differ notably, or a gate asks for it
  double of[2] = {0, 0};
};

// It is the name of an amount, and not of something that is counted per iteration.
inline bool IsAmount(absl::string_view name) {
  return name == kPeakHeap || name == kPeakRss || name == kUserTime || name == kSystemTime ||
         name == kExitStatus;
}

// Why a pair is not used in the estimate.
enum PairFlag : uint32_t {
  kOldPreempted = 1,  // an involuntary context switch between arrival and stop
  kNewPreempted = 2,
  kOldMigrated = 4,  // began and ended on different CPUs
  kNewMigrated = 8,
  kNoTime = 16,  // a variant took no measurable time
  // The samples were taken one after the other on one CPU, while the other CPU had nothing to do:
  // they tell whether the variants disturb each other, and are no part of the ratio.
  kSolo = 32,
  // Variants were preempted, neither slept nor migrated, and their times are those on the CPU.
  kOnCpuTime = 64,
};
// A variant was preempted or migrated.
inline constexpr uint32_t kDisturbed = kOldPreempted | kNewPreempted | kOldMigrated | kNewMigrated;

// One measured iteration; arrays are indexed by variant, 0 old and 1 new.
struct PairRecord {
  uint64_t pair_index;  // in the order of the run, discarded ones counted
  uint32_t block;
  uint32_t assignment;  // 0: old on cpus[0] (interleaved: old went first); 1: the other way
  uint32_t flags;       // PairFlag
  int32_t cpus[2];
  double ticks[2];   // net time of the batch
  double cpu_ns[2];  // CPU time of the batch (microsecond steps)
  uint64_t iterations[2];
  double skew_ticks;      // start of new - start of old
  double probe_ticks[2];  // SpeedProbeTicks() before either sample; 0: there was no probe
};

// Usage of the machine by one variant's thread in the measured iterations of a run, from arrival to
// stop, those of discarded pairs included. What lies between PauseTiming and ResumeTiming is
// included too.
struct UsageTally {
  uint64_t iterations;
  uint64_t minor_faults;  // page faults without and with reading from a device
  uint64_t major_faults;
  uint64_t voluntary_switches;    // it blocked
  uint64_t involuntary_switches;  // it was preempted
  uint64_t migrations;            // it ended on another CPU than it began on
  // By the program's MemoryManager, in iterations after the measured ones, while the partner waits.
  uint64_t allocations;
  uint64_t allocating_iterations;  // 0: there is no MemoryManager
};

// One event over the pairs of a run in which both variants counted it (event_counting.h).
struct EventTally {
  double counts[2];
  double iterations[2];
  uint64_t pairs;   // of iterations
  uint64_t scaled;  // of them: others used the PMU during either sample, so the count is scaled
};

// The samples of a variant that were compared with empty loops (empty_comparison.h).
struct EmptyTally {
  uint64_t samples;
  uint64_t no_longer;  // of them: took no longer than the empty loops, within a tenth
  double empty_ns;     // the times of an empty iteration, before each sample, added up
};
inline void Add(const EmptyTally& more, EmptyTally* sum) {
  sum->samples += more.samples;
  sum->no_longer += more.no_longer;
  sum->empty_ns += more.empty_ns;
}

// The first iteration of a loop after its set-up, before all samples; with KeepRunningBatch the
// first group of them. Not of variants that are called anew for each sample.
struct FirstIteration {
  double ns = 0;            // without pauses and preemptions
  uint64_t iterations = 0;  // 0: it was not timed
  uint64_t faults = 0;      // minor ones
  // An iteration of the sample that follows, whether it is measured or not; 0: not known.
  double next_ns = 0;
};

// Error of a run. `variant` is 0 or 1, or -1 when that is not known.
struct RunError {
  int variant = -1;
  std::string cause;  // "threw std::runtime_error: no such file"; empty: nothing went wrong
  // The variant did not want to be measured (SkipWithMessage): there is no result, and no failure.
  bool skipped = false;
};

inline constexpr int kEitherVariant = 2;

// Result of one run.
struct RunResult {
  RunError error;
  // When the run began, in seconds of a monotonic clock since the first run of this program;
  // negative: not known. Runs that follow each other share the state of the machine.
  double start_s = -1;
  // Number of the code layout (code_layout/code_layouts.h), from 0. The runs of one layout are
  // those in which the functions of the variants take each other's places.
  int layout = 0;
  // The policy found that the ratio depends on the position in a run.
  bool depends_on_position = false;
  uint64_t batch = 0;    // iterations per sample
  double sample_ns = 0;  // of the slower variant, as calibrated, with its pauses (RunPlan)
  double set_up_ns = 0;  // of all set-ups of the run together
  // Time of the samples that are no part of a pair, of all loops together: calibration, warm-up,
  // what is discarded after swaps and solo segments.
  double unmeasured_ns = 0;
  // Time before and after the loops of variants that are called anew for each sample
  // (google_benchmark_loop.h): of all calls of both.
  double call_set_ups_ns = 0;
  EmptyTally empty[2] = {};  // by variant
  // The time of the pauses of a variant, over the time that is left without them.
  double pause_share[2] = {0, 0};
  FirstIteration first_iteration[2];  // of each variant's loop
  double wall_ns = 0;                 // from the start of the threads to their end
  double process_ns = 0;              // of the process, from its start; 0: there was none
  // The most of each variant at once, if that was watched. Where both are threads of one process,
  // it is not known which of them started any: kEitherVariant.
  int32_t started_threads[3] = {0, 0, 0};
  std::string notice;        // what degraded (a thread could not be pinned)
  std::string output;        // lines for stderr: what the processes of a failed run printed
  bool interrupted = false;  // the user wants no more runs
  bool out_of_time = false;  // it was ended: RunPlan::is_limited
  VariantReport variants[2];
  UsageTally usage[2] = {};
  std::vector<EventTally> events;        // as in RunPlan::event_codes
  std::vector<Amount> amounts;           // the same of all runs
  std::vector<CountedStacks> stacks[2];  // by variant, of each of its loops
  std::vector<PairRecord> pairs;

  // It says nothing of the variants.
  bool was_ended() const { return interrupted || out_of_time; }
};

// One run: a result for each pair of its variants, as PairsOfGroup has them; a duet has one. The
// first one stands for all where they are alike: batch, times, errors, how it ended.
using RunOfPairs = std::vector<RunResult>;

}  // namespace duetbench

#endif  // DUETBENCH_RECORD_RUN_RESULT_H_
