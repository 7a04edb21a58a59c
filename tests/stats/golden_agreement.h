#ifndef DUETBENCH_TESTS_STATS_GOLDEN_AGREEMENT_H_
#define DUETBENCH_TESTS_STATS_GOLDEN_AGREEMENT_H_

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "duetbench/stats/interval.h"
#include "duetbench/stats/pairs.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/stats/golden.h"

namespace duetbench::stats {

// Compares numbers with those of a golden file and prints how well they agreed.
class GoldenAgreement {
 public:
  explicit GoldenAgreement(std::string file, double tolerance = 1e-9)
      : file_(std::move(file)), tolerance_(tolerance) {}
  GoldenAgreement(const GoldenAgreement&) = delete;
  GoldenAgreement& operator=(const GoldenAgreement&) = delete;

  ~GoldenAgreement() {
    std::printf("[ AGREEMENT ] %s: %d numbers, largest relative error %.1e\n", file_.c_str(),
                count_, largest_);
  }

  void Expect(double actual, double expected, const std::string& what) {
    ++count_;
    if (actual == expected) return;  // infinities and zeros
    const double error = std::abs(actual - expected) / std::abs(expected);
    largest_ = std::max(largest_, std::isnan(error) ? HUGE_VAL : error);
    EXPECT_LE(error, tolerance_) << file_ << ": " << what << " is " << actual << ", golden "
                                 << expected;
  }

  void Expect(const std::vector<double>& actual, const nlohmann::json& expected,
              const std::string& what) {
    ASSERT_EQ(actual.size(), expected.size()) << file_ << ": " << what;
    for (std::size_t i = 0; i < actual.size(); ++i) {
      Expect(actual[i], Number(expected[i]), what + "[" + std::to_string(i) + "]");
    }
  }

  // A golden number; "0" and "inf" stand for ends that are unbounded.
  static double Number(const nlohmann::json& value) {
    if (!value.is_string()) return value.get<double>();
    return value.get<std::string>() == "inf" ? std::numeric_limits<double>::infinity()
                                             : std::stod(value.get<std::string>());
  }

 private:
  std::string file_;
  double tolerance_;  // relative
  int count_ = 0;
  double largest_ = 0;
};

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

#endif  // DUETBENCH_TESTS_STATS_GOLDEN_AGREEMENT_H_
