#ifndef DUETBENCH_TOOLS_DUET_STAT_INPUT_PAIRS_DATA_H_
#define DUETBENCH_TOOLS_DUET_STAT_INPUT_PAIRS_DATA_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "duetbench/stats/pairs.h"

namespace duetbench::duet_stat {

// A disturbed pair: a variant was preempted or migrated. It has usable times.
struct DisturbedPair {
  std::uint64_t position;  // before which of the run's undisturbed pairs it was measured
  stats::Pair pair;
  bool corrected = false;  // its times are those on the CPU
};

// Properties of a run besides its pairs.
struct RunOrigin {
  std::uint64_t file;          // of PairsData::files
  std::int64_t number;         // as the file gives it
  int machine;                 // of PairsData::machines
  std::uint64_t line;          // of the file, where its first pair is
  std::uint64_t without_time;  // pairs in which a variant took no measurable time
  std::vector<DisturbedPair> disturbed;
  std::int64_t layout = 0;         // link layout of the program, as the file gives it
  double start_s = -1;             // when the run began (pairs_file.h); negative: not known
  double pause_share[2] = {0, 0};  // of each variant (pairs_file.h)
};

// All runs of one benchmark, those of the first file first, in each file in the order in which they
// begin. `runs` and `origins` are parallel. No run is without pairs after DropEmptyRuns.
struct BenchmarkPairs {
  std::string name;          // "x/y" where the file gives none
  bool is_x_over_y = false;  // the file had the columns x and y: 'new' is x, 'old' is y
  bool interleaved = false;  // in every pair both variants ran on one and the same CPU
  std::vector<stats::RunPairs> runs;
  std::vector<RunOrigin> origins;
  bool cpu_time = false;          // the times are CPU times
  double measured_ns = 0;         // real time of the longer variant, over all pairs with times
  std::uint64_t timed_pairs = 0;  // those pairs
  double iterations[2] = {0, 0};  // of old and new in them; as many as pairs where none are given
};

struct PairsData {
  std::vector<BenchmarkPairs> benchmarks;  // in the order in which they first appear
  std::vector<std::string> files;
  std::vector<std::string> machines;  // one of them, without a name, if nothing marks the machine
  std::vector<std::string> notices;   // what was odd, but no reason to stop; with file and line
};

// Which pairs of a benchmark are used.
struct SelectedPairs {
  std::uint64_t pairs = 0;      // in the estimate
  std::uint64_t dropped = 0;    // left out: disturbed or without a time
  bool uses_disturbed = false;  // disturbed ones are among `pairs`
  bool is_biased = false;       // so, and their times are not known: nothing can be decided
  // For the ratio of totals, parallel to the runs; empty where it is of the same pairs: files may
  // have gigabytes of them.
  std::vector<stats::RunPairs> total_runs;
  double disturbed_share = 0;        // of the pairs with times
  std::uint64_t one_sided_runs = 0;  // lost all pairs with one assignment, and
  bool uses_one_sided = false;       // are used; else they have no pairs now
};

// Selects the pairs by stats::PairSelection, as the report of a run does: where the disturbed ones
// are used it puts them back to where they were measured. `total_runs` has all runs, those without
// pairs too.
//
// `keep_disturbed`: they are used in any case.
SelectedPairs SelectPairs(BenchmarkPairs& benchmark, bool keep_disturbed = false);

// Takes out the runs that have no pairs, which happens when all of them are disturbed; returns how
// many. For after SelectPairs.
std::uint64_t DropEmptyRuns(BenchmarkPairs& benchmark);

// InvalidArgument if a run of one file is in another one too, with all of its times: a copy counts
// as no further run. Runs of fewer than four pairs, or of equal pairs, may be equal by chance.
absl::Status CheckRunsDiffer(const PairsData& data);

// A sentence with file and line if runs have a single pair, which says nothing about the noise
// inside a run; else empty. For after DropEmptyRuns. `files` are PairsData::files.
std::string SinglePairNotice(const BenchmarkPairs& benchmark,
                             const std::vector<std::string>& files);

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_INPUT_PAIRS_DATA_H_
