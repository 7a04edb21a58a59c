#ifndef DUETBENCH_TOOLS_DUET_STAT_OUTPUT_REPORT_PAGE_H_
#define DUETBENCH_TOOLS_DUET_STAT_OUTPUT_REPORT_PAGE_H_

#include <string>
#include <vector>

#include "tools/duet_stat/input/report_json.h"

namespace duetbench::duet_stat {

struct NamedReport {
  std::string name;  // of its file
  Report report;
};

// The page of --duet_report (duetbench/page/) of what reports say: all ratios, gates, verdicts,
// curves over arguments, times and counters. Reports have no pairs, so there are no pictures of
// them. A gate that fails by itself, but not among all gates of the report by Holm's correction, is
// UNPROVEN, as in the report of the program.
std::string ReportPageHtml(const std::vector<NamedReport>& reports);

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_OUTPUT_REPORT_PAGE_H_
