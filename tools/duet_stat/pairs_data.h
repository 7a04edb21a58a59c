#ifndef DUETBENCH_TOOLS_DUET_STAT_PAIRS_DATA_H_
#define DUETBENCH_TOOLS_DUET_STAT_PAIRS_DATA_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/decide/pairs.h"

namespace duetbench::duet_stat {

// A disturbed pair: a variant was preempted or migrated. It has usable times.
struct DisturbedPair {
  std::uint64_t position;  // before which of the run's undisturbed pairs it was measured
  stats::Pair pair;
  bool corrected = false;  // its times are those on the CPU
};

// Properties of a run besides its pairs.
struct RunOrigin {
  std::uint64_t file = 0;          // of PairsData::files
  std::int64_t number = 0;         // as the file gives it
  int machine = 0;                 // from 0 on
  std::int64_t line = 0;           // of the file, where its first pair is
  std::uint64_t without_time = 0;  // pairs in which a variant took no measurable time
  std::vector<DisturbedPair> disturbed = {};
  std::int64_t layout = 0;         // code layout of the program, as the file gives it
  double start_s = -1;             // when the run began (pairs_file.h); negative: not known
  double pause_share[2] = {0, 0};  // of each variant (pairs_file.h)
  double position_error = 0;       // of its experiment (pairs_file.h)
  double taper = 0;                // likewise
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
  std::vector<std::string> notices;  // what was odd, but no reason to stop
};

// Which pairs of a benchmark are used.
struct SelectedPairs {
  std::uint64_t pairs = 0;      // in the estimate
  std::uint64_t dropped = 0;    // left out: disturbed or without a time
  std::uint64_t disturbed = 0;  // pairs with times that are disturbed
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

// The part of the pairs that is used, as the duet paper used parts of its data (Bulej et al., ICPE
// 2020, section 4): 10 of the runs at random, the first 100 pairs, the second half of them.
struct Subset {
  std::size_t sample_runs = 0;  // number of runs, chosen at random; 0: all
  std::size_t first_pairs = 0;  // of each run; 0: all
  double skip = 0;              // the first part of each run that is left out, a fraction
};

// Leaves the part of the pairs; the runs keep their order. Returns a sentence for each part that
// was left out. InvalidArgument if there are fewer runs than asked for. For after SelectPairs and
// DropEmptyRuns: pairs count as they come after these.
absl::StatusOr<std::vector<std::string>> TakeSubset(const Subset& subset, std::uint64_t seed,
                                                    BenchmarkPairs& benchmark);

// Takes the pairing away (Bulej et al., section 4.2, RQ2): the new times change places, each with
// another of the same CPU assignment, over all runs. Every time stays where it is
// in sum, so what differs afterwards is due to the pairing alone. O(n).
void ShufflePairs(std::uint64_t seed, std::vector<stats::RunPairs>& runs);

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_PAIRS_DATA_H_
