#ifndef DUETBENCH_TESTS_TOOLS_DUET_STAT_RUN_DUET_STAT_H_
#define DUETBENCH_TESTS_TOOLS_DUET_STAT_RUN_DUET_STAT_H_

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "tools/duet_stat/program.h"

namespace duetbench::duet_stat {

struct Outcome {
  int status;
  std::string out;
  std::string err;
};

// The program with files by name; one that is not there is opened in the file system.
inline Outcome RunDuetStat(const std::vector<std::string>& arguments,
                           const std::map<std::string, std::string>& files = {}) {
  std::ostringstream out;
  std::ostringstream err;
  const auto open = [&](const std::string& path) -> absl::StatusOr<std::unique_ptr<std::istream>> {
    const auto it = files.find(path);
    if (it == files.end()) return OpenInputFile(path);
    return std::make_unique<std::istringstream>(it->second);
  };
  const int status = RunProgram(arguments, World{open, out, err, false});
  return {status, out.str(), err.str()};
}

// The report of a program that succeeded.
inline nlohmann::json Json(const Outcome& outcome) {
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return nlohmann::json::parse(outcome.out);
}

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TESTS_TOOLS_DUET_STAT_RUN_DUET_STAT_H_
