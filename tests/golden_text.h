#ifndef DUETBENCH_TESTS_GOLDEN_TEXT_H_
#define DUETBENCH_TESTS_GOLDEN_TEXT_H_

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "gtest/gtest.h"

namespace duetbench {

// Expects the text of the file `name` in tests/testdata/golden, which a person reads. With
// DUETBENCH_WRITE_GOLDEN=1 the file is written anew.
inline void ExpectGoldenText(const std::string& name, const std::string& text) {
  const std::string path = std::string(DUETBENCH_TESTDATA) + "/golden/" + name;
  if (std::getenv("DUETBENCH_WRITE_GOLDEN") != nullptr) std::ofstream(path) << text;
  std::ostringstream expected;
  expected << std::ifstream(path).rdbuf();
  EXPECT_EQ(text, expected.str()) << path;
}

}  // namespace duetbench

#endif  // DUETBENCH_TESTS_GOLDEN_TEXT_H_
