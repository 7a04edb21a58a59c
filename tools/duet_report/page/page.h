#ifndef DUETBENCH_TOOLS_DUET_REPORT_PAGE_PAGE_H_
#define DUETBENCH_TOOLS_DUET_REPORT_PAGE_PAGE_H_

#include <string>

#include "duetbench/report/facts.h"

namespace duetbench::page {

// A report to look at: one HTML document with its pictures (inline SVG) and its style sheet, which
// loads nothing and has no script; a Content-Security-Policy in it says so to the browser. Below
// 10 kB for a benchmark with its pairs. The pictures are written here and not by a library: those
// that distributions package draw with a script of a megabyte in the reader's browser, and none of
// them has these pictures.
std::string PageHtml(const SuiteFacts& suite);

}  // namespace duetbench::page

#endif  // DUETBENCH_TOOLS_DUET_REPORT_PAGE_PAGE_H_
