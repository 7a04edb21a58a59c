#ifndef DUETBENCH_TESTS_TOOLS_DUET_STAT_PAIRS_OF_H_
#define DUETBENCH_TESTS_TOOLS_DUET_STAT_PAIRS_OF_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "tools/duet_stat/input/pairs_file.h"
#include "tools/duet_stat/pairs_data.h"

namespace duetbench::duet_stat {

// The reader's result for a file 'a.csv' with these runs of one benchmark.
inline BenchmarkPairs PairsOf(std::vector<stats::RunPairs> runs, const std::string& name = "BM") {
  BenchmarkPairs benchmark{name, false, false, std::move(runs), {}};
  for (std::size_t r = 0; r < benchmark.runs.size(); ++r) {
    benchmark.origins.push_back(
        {0, static_cast<std::int64_t>(r), 0, static_cast<std::int64_t>(2 + r), 0, {}});
    for (const stats::Pair& pair : benchmark.runs[r]) {
      benchmark.measured_ns += std::max(pair.old_time, pair.new_time);
      ++benchmark.timed_pairs;
    }
  }
  return benchmark;
}

// Reads files 'a.csv', 'b.csv' … with these texts.
inline absl::StatusOr<PairsData> ReadTexts(const std::vector<std::string>& texts) {
  std::vector<std::istringstream> streams;
  for (const std::string& text : texts) streams.emplace_back(text);
  std::vector<Input> inputs;
  for (std::istringstream& stream : streams) {
    const auto letter = static_cast<char>('a' + inputs.size());
    inputs.push_back({std::string(1, letter) + ".csv", &stream, ""});
    std::getline(stream, inputs.back().first_line);
  }
  return ReadPairs(inputs);
}

// The runs `from` to `to` as --duet_out wrote them before it told the two batches apart.
inline std::string OldPairsCsv(const std::string& name, const std::vector<stats::RunPairs>& runs,
                               std::size_t from, std::size_t to, bool header = true) {
  std::string text;
  if (header) {
    text = "benchmark,run,block,iteration,old_ns,new_ns,old_cpu,new_cpu,ops,flags,assignment\n";
  }
  for (std::size_t r = from; r < to; ++r) {
    for (std::size_t i = 0; i < runs[r].size(); ++i) {
      const stats::Pair& pair = runs[r][i];
      absl::StrAppendFormat(&text, "%s,%d,%d,%d,%.17g,%.17g,%d,%d,1,0,%d\n", name, r - from, i / 10,
                            i, pair.old_time, pair.new_time, pair.assignment, 1 - pair.assignment,
                            pair.assignment);
    }
  }
  return text;
}

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TESTS_TOOLS_DUET_STAT_PAIRS_OF_H_
