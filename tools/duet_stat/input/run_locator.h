#ifndef DUETBENCH_TOOLS_DUET_STAT_INPUT_RUN_LOCATOR_H_
#define DUETBENCH_TOOLS_DUET_STAT_INPUT_RUN_LOCATOR_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"

namespace duetbench::duet_stat {

// Which run of which benchmark a row of a file belongs to. A run is told apart by the file, the
// machine and its number; benchmarks, runs of a benchmark and machines are numbered from 0 in the
// order in which they first appear. Rows of the same run one after the other, the usual case, take
// a comparison each; others a look-up.
class RunLocator {
 public:
  struct Place {
    std::size_t benchmark;
    std::size_t run;  // of the benchmark, over all files
    int machine;
    bool is_new_benchmark;
    bool is_new_run;
  };

  // The next rows are from another file: their run numbers mean other runs.
  void BeginFile();

  Place Find(absl::string_view benchmark, absl::string_view machine, std::int64_t number);

  const std::string& benchmark_name(std::size_t benchmark) const { return benchmarks_[benchmark]; }
  const std::vector<std::string>& machines() const { return machines_; }

  // Memory that the names and runs take, about.
  std::size_t bytes() const { return bytes_; }

 private:
  using Key = std::pair<std::pair<std::size_t, int>, std::int64_t>;
  using Numbers = absl::flat_hash_map<std::string, std::size_t>;

  std::size_t NumberOf(absl::string_view name, Numbers& numbers, std::vector<std::string>& names);

  Numbers benchmark_of_;
  Numbers machine_of_;
  std::vector<std::string> benchmarks_;
  std::vector<std::string> machines_;
  std::vector<std::size_t> run_count_;            // of each benchmark
  absl::flat_hash_map<Key, std::size_t> run_of_;  // of the current file
  std::size_t bytes_ = 0;
  bool has_last_ = false;
  std::int64_t last_number_ = 0;
  Place last_{};
};

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_INPUT_RUN_LOCATOR_H_
