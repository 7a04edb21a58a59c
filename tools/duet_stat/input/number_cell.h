#ifndef DUETBENCH_TOOLS_DUET_STAT_INPUT_NUMBER_CELL_H_
#define DUETBENCH_TOOLS_DUET_STAT_INPUT_NUMBER_CELL_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace duetbench::duet_stat {

// Numbers in cells of a CSV file. Spaces and tabs around a number are ignored; whatever else is in
// the cell makes it no number.

// A whole number without fraction or exponent: "42", "-1". False if it is none or does not fit.
bool ReadWholeNumber(absl::string_view cell, std::int64_t* value);

// A decimal number, correctly rounded: "12", "12.5", "1e3", also "inf" and "nan", as programs write
// them. False if it is none, or too large or too small for a double.
bool ReadNumber(absl::string_view cell, double* value);

// Limits of a number that can be a time, which is positive, and in no unit beyond these, within
// which no statistic of times and their squares overflows or vanishes.
inline constexpr double kMinTime = 1e-60;
inline constexpr double kMaxTime = 1e60;
inline bool IsTime(double value) { return value >= kMinTime && value <= kMaxTime; }

// Why a cell is not a usable time, for a message that begins with its name: "is not a number:
// 'abc'", "is 0: times are positive", "is nan: times are finite".
std::string WhyNotATime(absl::string_view cell);

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_INPUT_NUMBER_CELL_H_
