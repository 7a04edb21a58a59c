#ifndef DUETBENCH_PAIRS_IO_PAIRS_DATA_H_
#define DUETBENCH_PAIRS_IO_PAIRS_DATA_H_

#include <cstdint>
#include <string>
#include <vector>

#include "duetbench/stats/pairs.h"

namespace duetbench {

// A pair that was disturbed: a side was preempted, migrated, or (not kept here) took no time.
struct DisturbedPair {
  std::uint64_t position;  // before which of the run's undisturbed pairs it was measured
  stats::Pair pair;
};

// What is known of a run beside its pairs.
struct RunOrigin {
  std::uint64_t file;          // of PairsData::files
  std::int64_t number;         // as the file gives it
  int machine;                 // of PairsData::machines
  std::uint64_t line;          // of the file, where its first pair is
  std::uint64_t without_time;  // disturbed pairs that cannot be used even if one wanted to
  std::vector<DisturbedPair> disturbed;
};

// All runs of one benchmark, those of the first file first, in each file in the order in which they
// begin. `runs` and `origins` are parallel. No run is without pairs after DropEmptyRuns.
struct BenchmarkPairs {
  std::string name;  // "x/y" where the file gives none
  bool is_x_over_y;  // the file had the columns x and y: 'new' is x, 'old' is y
  bool interleaved;  // in every pair both sides ran on one and the same CPU
  std::vector<stats::RunPairs> runs;
  std::vector<RunOrigin> origins;
};

struct PairsData {
  std::vector<BenchmarkPairs> benchmarks;  // in the order in which they first appear
  std::vector<std::string> files;
  std::vector<std::string> machines;  // one of them, without a name, if nothing marks the machine
  std::vector<std::string> notices;   // what was odd, but no reason to stop; with file and line
};

// The part of the pairs above which disturbed ones are kept (KeepDisturbedPairs), the same as in
// the report of a run: where most pairs are preempted, those that are not are no fair sample.
inline constexpr double kMostDisturbed = 0.5;

// What became of the pairs of a benchmark that were disturbed.
struct DisturbedCount {
  std::uint64_t pairs;      // in the estimate
  std::uint64_t dropped;    // left out
  std::uint64_t disturbed;  // in all
  bool kept;                // they are among `pairs`, except those without a time
};

// Puts the disturbed pairs of a benchmark back to where they were measured if they are more than
// kMostDisturbed of all; otherwise only counts them.
DisturbedCount ResolveDisturbedPairs(BenchmarkPairs& benchmark);

// Takes out the runs that have no pairs, which happens when all of them are disturbed; returns how
// many. For after ResolveDisturbedPairs.
std::uint64_t DropEmptyRuns(BenchmarkPairs& benchmark);

// A sentence with file and line if runs have a single pair, which says nothing about the noise
// inside a run; else empty. For after DropEmptyRuns. `files` are PairsData::files.
std::string SinglePairNotice(const BenchmarkPairs& benchmark,
                             const std::vector<std::string>& files);

}  // namespace duetbench

#endif  // DUETBENCH_PAIRS_IO_PAIRS_DATA_H_
