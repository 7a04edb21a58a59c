#ifndef DUETBENCH_TESTS_DECIDE_RECORDINGS_H_
#define DUETBENCH_TESTS_DECIDE_RECORDINGS_H_

#include <cstdint>
#include <fstream>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "duetbench/decide/decision.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

// The values of the runs of real measurements (testdata/golden/README.md).
namespace duetbench::stats {

// The numbers of a value by the names of the columns in the file.
inline std::map<std::string, double*> NumbersOf(RunValue* value) {
  std::map<std::string, double*> numbers = {{"log_ratio", &value->log_ratio},
                                            {"variance", &value->variance},
                                            {"start_s", &value->start_s}};
  const auto add = [&](const char* name, double* of_variants) {
    for (int v = 0; v < 2; ++v)
      numbers[std::string(name) + (v == 0 ? "/old" : "/new")] = &of_variants[v];
  };
  RunTotals& totals = value->totals;
  add("log_probe", value->log_probe);
  add("sample_iterations", value->sample_iterations);
  add("pause_share", value->pause_share);
  add("time0", totals.time[0]);
  add("time1", totals.time[1]);
  add("pairs_of_assignment", totals.pairs);
  add("median", totals.median);
  add("slow_moments", totals.slow_moments);
  for (int v = 0; v < 2; ++v) {
    const std::string variant = v == 0 ? "/old" : "/new";
    numbers["excess_sum" + variant] = &totals.excess[v].sum;
    numbers["excess_squares" + variant] = &totals.excess[v].squares;
    numbers["excess_largest" + variant] = &totals.excess[v].largest;
    numbers["slow_count" + variant] = &totals.slow[v].count;
    numbers["slow_sum" + variant] = &totals.slow[v].sum;
    numbers["slow_squares" + variant] = &totals.slow[v].squares;
  }
  return numbers;
}

struct Recording {
  std::string name;
  DecisionInput input;
};

inline std::vector<Recording> ReadRecordings() {
  std::ifstream file(DUETBENCH_TESTDATA "/golden/recordings.json");
  const nlohmann::json data = nlohmann::json::parse(file);
  const std::vector<std::string> columns = data["columns"];
  std::vector<Recording> recordings;
  for (const nlohmann::json& each : data["recordings"]) {
    Recording& recording = recordings.emplace_back();
    recording.name = each["name"];
    if (each.contains("two_speeds")) {
      TwoSpeeds& speeds = recording.input.two_speeds.emplace();
      for (int s = 0; s < 2; ++s) speeds.ratio[s] = each["two_speeds"][s];
    }
    if (each.contains("lacks_work")) {
      for (int v = 0; v < 2; ++v) recording.input.lacks_work[v] = each["lacks_work"][v];
    }
    for (const nlohmann::json& row : each["runs"]) {
      RunValue& value = recording.input.values.emplace_back();
      const std::map<std::string, double*> numbers = NumbersOf(&value);
      for (size_t i = 0; i < columns.size(); ++i) {
        const double number =
            row[i].is_null() ? std::numeric_limits<double>::quiet_NaN() : row[i].get<double>();
        const auto known = numbers.find(columns[i]);
        if (known != numbers.end()) *known->second = number;
        if (columns[i] == "pairs") value.pairs = static_cast<std::uint64_t>(number);
      }
      value.has_totals = true;
    }
  }
  return recordings;
}

}  // namespace duetbench::stats

#endif  // DUETBENCH_TESTS_DECIDE_RECORDINGS_H_
