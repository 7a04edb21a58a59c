#ifndef DUETBENCH_TOOLS_DUET_STAT_INPUT_PAIRS_COLUMNS_H_
#define DUETBENCH_TOOLS_DUET_STAT_INPUT_PAIRS_COLUMNS_H_

#include "absl/status/statusor.h"
#include "tools/duet_stat/input/csv_header.h"
#include "tools/duet_stat/input/csv_reader.h"

namespace duetbench::duet_stat {

// Where a file of pairs has what; CsvHeader::kAbsent where it has not.
struct PairsColumns {
  int benchmark;
  int run;
  int iteration;
  int old_time;
  int new_time;
  int old_cpu;
  int new_cpu;
  int flags;
  int assignment;
  int machine;
  int old_iterations;  // absent unless both are there
  int new_iterations;
  int clock;  // absent unless the CPU times are there
  int old_cpu_time;
  int new_cpu_time;
  int layout;
  int round;
  int start;
  int old_probe;  // absent unless both are there
  int new_probe;
  int old_pause_share;  // likewise
  int new_pause_share;
  bool is_x_over_y;
};

// InvalidArgument names the columns that are missing or there twice.
absl::StatusOr<PairsColumns> FindPairsColumns(const CsvReader& reader, const CsvHeader& header);

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_INPUT_PAIRS_COLUMNS_H_
