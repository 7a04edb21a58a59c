#ifndef DUETBENCH_REPORT_NUMBER_TEXT_H_
#define DUETBENCH_REPORT_NUMBER_TEXT_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

// Numbers as people read them; ratios are in ratio_format.h.
namespace duetbench {

// The unit in which a time is a short number.
struct TimeUnit {
  const char* name;  // "ns", "µs", "ms", "s"
  double ns;
};
TimeUnit UnitFor(double ns);

// With three or four digits, all of them written: "125.0 ns", "1.250 ms".
std::string TimeText(double ns);

// With three digits at most: "12.3 µs", "1.5 s".
std::string ShortTimeText(double ns);

// In the unit that makes it short: "45 s", "4.5 min", "1.2 h".
std::string DurationText(double seconds);

// Two digits, of 0.012: "1.2 %".
std::string PercentText(double fraction);

// Four digits, "1234", "1.234e+06".
std::string NumberText(double number);

// 18431 -> "18,431".
std::string Grouped(uint64_t number);

// "10 pairs", "1 pair".
std::string Plural(uint64_t count, absl::string_view noun);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_NUMBER_TEXT_H_
