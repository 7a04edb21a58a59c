#ifndef DUETBENCH_TOOLS_DUET_STAT_INPUT_PAIRS_CSV_H_
#define DUETBENCH_TOOLS_DUET_STAT_INPUT_PAIRS_CSV_H_

#include <cstddef>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "tools/duet_stat/input/byte_source.h"
#include "tools/duet_stat/input/pairs_data.h"

namespace duetbench::duet_stat {

// The source of the machine on which a run was measured.
enum class MachineMark {
  kColumn,  // the column 'machine', if the file has one
  kFile,    // every file is a machine
};

struct PairsCsvOptions {
  MachineMark machine = MachineMark::kColumn;
  // The most bytes that the pairs, runs and names of all files may take; a pair takes 32. Twice
  // that may be in use while vectors grow.
  std::size_t memory_limit = std::size_t{1} << 30;
};

// Reads pairs from one or several files, which are merged: a benchmark that is in several files has
// the runs of all of them. Columns are found by their names in the first line, in any order; others
// are ignored. There are two formats:
//
// --duet_out  benchmark, run, old_ns, new_ns and flags; used if they are there: iteration, old_cpu
//             and new_cpu, assignment, ops and new_ops, clock with old_cpu_ns and new_cpu_ns,
//             layout, round, start_s, the probes and the shares of pauses.
//             duetbench/report/pairs_file.h says what they are. A pair with flag 16 or whose clock
//             shows no time is without a time; one with other flags was disturbed and goes to
//             RunOrigin::disturbed. Times are per iteration; in files without new_ops, which older
//             versions wrote, they are those of whole batches. The assignment of variants to CPUs
//             is the column 'assignment' or, without it, 0 if old_cpu is the smaller number or both
//             are equal, else 1.
// plain       run, x and y, the ratio being x/y; used if they are there: benchmark, iter (or
//             iteration), assignment, round.
//
// Both may have a column 'machine' with any text. `run` tells apart the runs of a benchmark in one
// file and on one machine; the same number in another file is another run. Rows of a run need not
// be adjacent; their order is the order of measurement.
//
// A fault is an error with file and line, after which the reader is of no more use: a file that
// cannot be read or is empty, a column that is missing or there twice, a line with more or fewer
// cells than the header (cut off, or a comma that is not quoted), a cell that is no number, a time
// that is zero, negative, infinite or not a number, a ratio that no double can hold, a run that is
// no whole number, an assignment other than 0 or 1, a round other than 0 to 255, a zero byte in a
// name, quotes that do not match, a line longer than 128 KiB, more data than the memory limit
// allows, and no pairs at all.
//
// An oddity becomes a notice with file, line and count, and the rows are used: runs with a single
// pair, iteration numbers that do not ascend within a run (the same file twice?), blank lines, an
// end of the file in the middle of a line. The times of disturbed pairs may be zero; such pairs are
// counted only.
//
// 10^7 pairs take 320 MB and 1 s (plain) to 2.5 s (--duet_out).
class PairsCsvReader {
 public:
  explicit PairsCsvReader(const PairsCsvOptions& options = {});
  ~PairsCsvReader();
  PairsCsvReader(const PairsCsvReader&) = delete;
  PairsCsvReader& operator=(const PairsCsvReader&) = delete;

  // Reads one more file. `name` is what messages call it.
  absl::Status Add(ByteSource source, const std::string& name);

  // Everything read so far; the reader is empty then.
  PairsData Take();

 private:
  class Collector;
  std::unique_ptr<Collector> collector_;
};

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_INPUT_PAIRS_CSV_H_
