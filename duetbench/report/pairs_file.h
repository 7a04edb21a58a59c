#ifndef DUETBENCH_REPORT_PAIRS_FILE_H_
#define DUETBENCH_REPORT_PAIRS_FILE_H_

#include <cstdint>
#include <fstream>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "duetbench/runner/comparison.h"

namespace duetbench {

// The file of --duet_out: every measured pair of every benchmark, those that were not used
// included, as duet_stat reads them (pairs_io/pairs_csv.h).
class PairsFile {
 public:
  // Creates or empties the file. The error says why it cannot be written.
  absl::Status Open(const std::string& path);

  // Appends the pairs of a comparison. The runs of one benchmark are numbered on from call to call,
  // as its repetitions are more runs.
  absl::Status Append(const std::string& benchmark, const Comparison& comparison,
                      double ns_per_tick);

 private:
  std::string path_;
  std::ofstream file_;
  std::map<std::string, uint64_t> runs_;
};

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_PAIRS_FILE_H_
