// The published results of the duet paper from its appendix.
#include <cmath>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "tests/stats/golden.h"

namespace duetbench::stats {
namespace {

struct Row {
  std::string suite;
  std::string platform;
  double duet;
  double shuffled;
  double standard;
};

std::vector<Row> ReadAppendix() {
  std::ifstream file(std::string(DUETBENCH_TESTDATA) + "/golden/paper_table1.csv");
  std::vector<Row> rows;
  std::string line;
  std::getline(file, line);  // the header
  while (std::getline(file, line)) {
    const std::vector<std::string> cells = absl::StrSplit(line, ',');
    Row row{cells.at(0), cells.at(2), 0, 0, 0};
    EXPECT_TRUE(absl::SimpleAtod(cells.at(3), &row.duet) &&
                absl::SimpleAtod(cells.at(4), &row.shuffled) &&
                absl::SimpleAtod(cells.at(5), &row.standard))
        << line;
    rows.push_back(row);
  }
  return rows;
}

// Geometric mean of numerator / denominator over the rows that `take` selects, and the half-width
// that the rounding of the appendix leaves it. The appendix has two significant digits, so a width
// is known to half a unit of the last one; the errors of many rows are taken to be independent.
struct GeometricMean {
  double value;
  double tolerance;
};

double RoundingError(double percent) {
  // Two significant digits: 12 is 11.5 to 12.5, 1.3 is 1.25 to 1.35.
  const double unit = std::pow(10, std::floor(std::log10(percent)) - 1);
  return 0.5 * unit / percent;
}

template <class Take>
GeometricMean Gain(const std::vector<Row>& rows, double Row::*numerator, double Row::*denominator,
                   Take take) {
  double sum = 0;
  double squares = 0;
  double count = 0;
  for (const Row& row : rows) {
    if (!take(row)) continue;
    sum += std::log(row.*numerator / row.*denominator);
    squares +=
        std::pow(RoundingError(row.*numerator), 2) + std::pow(RoundingError(row.*denominator), 2);
    ++count;
  }
  const double gain = std::exp(sum / count);
  // Uniform errors of half-width e have the standard deviation e / sqrt(3); three of them.
  return {gain, gain * 3 * std::sqrt(squares / 3) / count};
}

// Table 1 publishes each platform with two or three digits.
TEST(PaperTable, GivesTableOne) {
  const std::vector<Row> rows = ReadAppendix();
  ASSERT_EQ(rows.size(), 189u);
  const std::map<std::pair<std::string, std::string>, double> published = {
      {{"m5.large", "ScalaBench"}, 2.3},   {{"m5.large", "SPEC"}, 26.6},
      {{"m5a.large", "ScalaBench"}, 3.86}, {{"m5a.large", "SPEC"}, 82.4},
      {{"t3.medium", "ScalaBench"}, 9.13}, {{"t3a.medium", "ScalaBench"}, 3.99},
      {{"GitLab", "ScalaBench"}, 12.5},    {{"GitLab", "SPEC"}, 23.8},
      {{"Travis", "ScalaBench"}, 3.97},
  };
  for (const auto& [key, gain] : published) {
    const GeometricMean mean =
        Gain(rows, &Row::standard, &Row::duet, [&, &key = key](const Row& row) {
          return row.platform == key.first && row.suite == key.second;
        });
    EXPECT_NEAR(mean.value, gain, mean.tolerance + 0.005 * gain) << key.first << " " << key.second;
    EXPECT_LT(mean.tolerance, 0.05 * gain);
  }
}

TEST(PaperTable, GivesTheAveragesOverAllPlatforms) {
  const std::vector<Row> rows = ReadAppendix();
  struct Published {
    const char* suite;
    double gain;      // RQ1: standard over duet
    double shuffled;  // RQ2: standard over shuffled
  };
  for (const Published& published :
       {Published{"ScalaBench", 5.03, 1.02}, Published{"SPEC", 37.4, 1.03}}) {
    const auto of_suite = [&](const Row& row) { return row.suite == published.suite; };
    const GeometricMean gain = Gain(rows, &Row::standard, &Row::duet, of_suite);
    EXPECT_NEAR(gain.value, published.gain, gain.tolerance) << published.suite;
    EXPECT_LT(gain.tolerance, 0.02 * published.gain);
    const GeometricMean shuffled = Gain(rows, &Row::standard, &Row::shuffled, of_suite);
    EXPECT_NEAR(shuffled.value, published.shuffled, shuffled.tolerance + 0.005) << published.suite;
    EXPECT_LT(shuffled.tolerance, 0.02);
  }
}

}  // namespace
}  // namespace duetbench::stats
