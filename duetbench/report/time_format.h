#ifndef DUETBENCH_REPORT_TIME_FORMAT_H_
#define DUETBENCH_REPORT_TIME_FORMAT_H_

#include <string>

namespace duetbench {

// Three digits and the unit that makes it short: "12.3 µs", "1.5 s".
std::string ShortTimeText(double ns);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_TIME_FORMAT_H_
