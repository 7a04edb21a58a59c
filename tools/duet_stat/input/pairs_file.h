#ifndef DUETBENCH_TOOLS_DUET_STAT_INPUT_PAIRS_FILE_H_
#define DUETBENCH_TOOLS_DUET_STAT_INPUT_PAIRS_FILE_H_

#include <vector>

#include "absl/status/statusor.h"
#include "tools/duet_stat/input/csv_file.h"
#include "tools/duet_stat/pairs_data.h"

namespace duetbench::duet_stat {

// Reads the pairs of one or several files; a benchmark that is in several of them has the runs of
// all. There are two formats:
//
// --duet_out  duetbench/report/pairs_file.h has the columns; benchmark, run, old_ns, new_ns and
//             flags are needed. A pair without a time is counted only; a disturbed one goes to
//             RunOrigin::disturbed. Times are per iteration; in files without new_ops, which older
//             versions wrote, they are those of whole batches.
// plain       run, x and y, the ratio being x/y; used if they are there: benchmark, assignment.
//
// Both may have a column 'machine' with any text. `run` tells apart the runs of a benchmark in one
// file and on one machine; the same number in another file is another run. The rows of a run are in
// the order of measurement and need not be adjacent.
//
// InvalidArgument with file and line for what CsvFile refuses, a missing column, a cell that is not
// the number that it should be, no pairs, and for a run that is in two files: a copy of a run is no
// further run. 10^6 pairs take 32 MB.
absl::StatusOr<PairsData> ReadPairs(const std::vector<Input>& files);

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_INPUT_PAIRS_FILE_H_
