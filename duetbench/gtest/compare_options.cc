#include "duetbench/gtest/compare_options.h"

#include <utility>

namespace duetbench {

CompareOptions& CompareOptions::Runs(int value) {
  runs = value;
  return *this;
}

CompareOptions& CompareOptions::MinTime(double seconds) {
  min_time = seconds;
  return *this;
}

CompareOptions& CompareOptions::MaxTime(double seconds) {
  max_time = seconds;
  return *this;
}

CompareOptions& CompareOptions::Level(double value) {
  level = value;
  return *this;
}

CompareOptions& CompareOptions::Margin(double value) {
  margin = value;
  return *this;
}

CompareOptions& CompareOptions::Fill(bool value) {
  fill = value;
  return *this;
}

CompareOptions& CompareOptions::InTurns() {
  schedule = Schedule::kInterleaved;
  return *this;
}

CompareOptions& CompareOptions::Args(std::vector<int64_t> values) {
  ranges = std::move(values);
  return *this;
}

}  // namespace duetbench
