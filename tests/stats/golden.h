#ifndef DUETBENCH_TESTS_STATS_GOLDEN_H_
#define DUETBENCH_TESTS_STATS_GOLDEN_H_

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace duetbench::stats {

// Agreement of numbers with the golden files: printed for each file when the program ends.
class AgreementLog {
 public:
  AgreementLog() = default;
  AgreementLog(const AgreementLog&) = delete;
  AgreementLog& operator=(const AgreementLog&) = delete;

  ~AgreementLog() {
    for (const auto& [name, agreement] : files_) {
      if (agreement.count == 0) continue;
      std::printf("[ AGREEMENT ] %s: %d numbers, largest relative error %.1e\n", name.c_str(),
                  agreement.count, agreement.largest);
    }
  }

  // Selects the file that the next numbers are compared with.
  void Open(const std::string& name) { current_ = &files_[name]; }

  void Add(double relative_error) {
    if (current_ == nullptr) return;
    ++current_->count;
    current_->largest = std::max(current_->largest, relative_error);
  }

 private:
  struct Agreement {
    int count = 0;
    double largest = 0;
  };
  std::map<std::string, Agreement> files_;
  Agreement* current_ = nullptr;
};

inline AgreementLog& Agreements() {
  static AgreementLog log;
  return log;
}

// A file of tests/testdata/golden as JSON.
inline nlohmann::json GoldenJson(const std::string& name) {
  Agreements().Open(name);
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
  Agreements().Add(error);
  *result_listener << "relative error " << error;
  return golden != 0 ? error <= 1e-9 : error <= 1e-15;
}

}  // namespace duetbench::stats

#endif  // DUETBENCH_TESTS_STATS_GOLDEN_H_
