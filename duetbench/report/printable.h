#ifndef DUETBENCH_REPORT_PRINTABLE_H_
#define DUETBENCH_REPORT_PRINTABLE_H_

#include <string>

namespace duetbench {

// A text of the user's program (the message of an exception, a label) for a report: control
// characters become spaces, and bytes that are not UTF-8 become U+FFFD. Google Benchmark's
// reporters copy both unchanged: a line break breaks the table, the others make invalid JSON.
std::string Printable(const std::string& text);

// The beginning of a text that is too long for a report, and how long it is: "abc… (100000 bytes)".
// Up to 1000 bytes: `text`.
std::string Shortened(const std::string& text);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_PRINTABLE_H_
