#ifndef DUETBENCH_PAIRS_IO_PAIRS_CSV_WRITER_H_
#define DUETBENCH_PAIRS_IO_PAIRS_CSV_WRITER_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace duetbench {

// One pair as --duet_out writes it.
struct PairsCsvRow {
  absl::string_view benchmark;
  std::uint64_t run;        // from 0
  std::uint64_t block;      // from 0
  std::uint64_t iteration;  // in the order of the run
  double old_ns;            // time of the batch
  double new_ns;
  int old_cpu;
  int new_cpu;
  std::uint64_t ops;    // operations of the batch
  std::uint32_t flags;  // 0: undisturbed
  int assignment;       // 0 or 1: of the variants to the CPUs or, interleaved, their order
};

// The first line of such a file, with its line end.
std::string PairsCsvHeader();

// Appends one line. Times are written with as many digits as it takes to read the same double
// again. 0.2 us.
void AppendPairsCsvRow(const PairsCsvRow& row, std::string* out);

// Appends `cell` as RFC 4180 wants it: as it is, or in quotes if it has a comma, a quote, a line
// end or a space at either end.
void AppendCsvCell(absl::string_view cell, std::string* out);

}  // namespace duetbench

#endif  // DUETBENCH_PAIRS_IO_PAIRS_CSV_WRITER_H_
