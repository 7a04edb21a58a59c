#ifndef TESTS_DECIDE_GOLDEN_H_
#define TESTS_DECIDE_GOLDEN_H_

#include <cmath>
#include <cstddef>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "duetbench/decide/pairs.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace duetbench::stats {

// A file of tests/testdata/golden as JSON.
inline nlohmann::json GoldenJson(const std::string& name) {
  std::ifstream file(std::string(DUETBENCH_TESTDATA) + "/golden/" + name);
  return nlohmann::json::parse(file);
}

// The rows below the header of a golden CSV file of numbers.
inline std::vector<std::vector<double>> GoldenCsv(const std::string& name) {
  std::ifstream file(std::string(DUETBENCH_TESTDATA) + "/golden/" + name);
  std::vector<std::vector<double>> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(std::stod(cell));
  }
  return rows;
}

// Relative agreement of 1e-9; a golden 0 may be off by 1e-15.
MATCHER_P(MatchesGolden, expected, "") {
  const auto golden = static_cast<double>(expected);
  const double difference = std::fabs(arg - golden);
  const double error = golden != 0 ? difference / std::fabs(golden) : difference;
  *result_listener << "relative error " << error;
  return golden != 0 ? error <= 1e-9 : error <= 1e-15;
}

inline void ExpectGolden(const std::vector<double>& actual, const nlohmann::json& expected,
                         const std::string& what) {
  ASSERT_EQ(actual.size(), expected.size()) << what;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    EXPECT_THAT(actual[i], MatchesGolden(expected[i].get<double>())) << what << "[" << i << "]";
  }
}

// The runs of a golden duet_*.csv: x is the new time, y the old one.
inline std::vector<RunPairs> GoldenRuns(const std::string& name) {
  std::vector<RunPairs> runs;
  for (const std::vector<double>& row : GoldenCsv(name)) {
    const auto run = static_cast<std::size_t>(row[0]);
    if (run == runs.size()) runs.emplace_back();
    runs[run].push_back({row[3], row[2], 0});
  }
  return runs;
}

}  // namespace duetbench::stats

#endif  // TESTS_DECIDE_GOLDEN_H_
