#ifndef DUETBENCH_REPORT_TEXT_H_
#define DUETBENCH_REPORT_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "duetbench/decide/interval.h"
#include "duetbench/record/variant_pair.h"
#include "duetbench/record/verdict.h"

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

// Numbers as people read them.

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

// An interval of the ratio new/old as text, the same in the report of a run and in what duet_stat
// prints about files.

// "0.797 x": with as many digits as the interval justifies, 3 to 5 after the point; "1234 x",
// "7.33e+12 x".
std::string RatioText(const stats::RatioInterval& interval);

// "[0.795, 0.799]", with the digits of RatioText. An unbounded end reads "0" or "inf".
std::string IntervalText(const stats::RatioInterval& interval);

// "0.797 ×": the ratio, and the interval as "0.795 to 0.799 ×", in sentences. An interval without
// an upper end reads "0.25 × and more", one that bounds nothing "any ratio".
std::string TimesText(const stats::RatioInterval& interval);
std::string RangeText(const stats::RatioInterval& interval, double limit = 1);

// The verdict and what it means for a reader who sees only this line:
//   "FASTER: BM_BTreeMap takes 0.797 × the time of BM_StdMap"
//   "EQUAL: new takes the same time as old, within 1 %"
//   "INCONCLUSIVE: new takes 0.979 to 1.034 × the time of old"
// `margin` is the one that the verdict was given with.
std::string VerdictSentence(const stats::RatioInterval& interval, stats::Verdict verdict,
                            double margin, const VariantNames& names = {});

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_TEXT_H_
