#ifndef DUETBENCH_REPORT_TEXT_H_
#define DUETBENCH_REPORT_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace duetbench {

// A text of the user's program (the message of an exception, a label) for a report: control
// characters, and those that end a line or set the direction of text, become spaces, and bytes that
// are not UTF-8 become U+FFFD. Google Benchmark's reporters copy both unchanged: a line break
// breaks the table, the others make invalid JSON.
std::string Printable(const std::string& text);

// The beginning of a text that is too long for a report, and how long it is: "abc… (100000 bytes)".
// Up to 1000 bytes: `text`.
std::string Shortened(const std::string& text);

// Columns that a text of UTF-8 takes: its characters.
size_t Width(absl::string_view text);

// Columns of a console line at most, however wide the terminal is: longer lines are hard to read,
// and are broken where logs are shown.
inline constexpr size_t kMaxColumns = 120;

// `text`, one line, broken between words into lines of at most `columns`; those after the first
// begin with `indent`. A word that is longer stands alone on a line, unbroken: it may be a
// path or a flag. Leading spaces stay.
std::string Wrapped(absl::string_view text, size_t columns, absl::string_view indent);

// Numbers as people read them; ratios are in ratio_format.h.

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

// Four digits, "1234", "1.234e+06".
std::string NumberText(double number);

// 18431 -> "18,431".
std::string Grouped(uint64_t number);

// "10 pairs", "1 pair".
std::string Plural(uint64_t count, absl::string_view noun);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_TEXT_H_
