#ifndef DUETBENCH_REPORT_PRINTABLE_H_
#define DUETBENCH_REPORT_PRINTABLE_H_

#include <string>

namespace duetbench {

// `text` of the user's program (what an exception says, a label) as every report can hold it:
// control characters become spaces, and what is not UTF-8 becomes U+FFFD. The reporters of Google
// Benchmark copy both as they are: a line break tears the table, the others make JSON that nobody
// can parse.
std::string Printable(const std::string& text);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_PRINTABLE_H_
