#ifndef DUETBENCH_TESTS_STATS_GOLDEN_H_
#define DUETBENCH_TESTS_STATS_GOLDEN_H_

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

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

// Relative agreement of 1e-9 (absolute below 1, where golden numbers may be rounding noise of 0).
MATCHER_P(MatchesGolden, expected, "") {
  const double error = std::fabs(arg - static_cast<double>(expected));
  const double scale = std::fabs(static_cast<double>(expected));
  *result_listener << "relative error " << (scale > 0 ? error / scale : error);
  return error <= 1e-9 * scale || error <= 1e-15;
}

}  // namespace duetbench::stats

#endif  // DUETBENCH_TESTS_STATS_GOLDEN_H_
