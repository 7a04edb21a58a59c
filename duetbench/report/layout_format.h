#ifndef DUETBENCH_REPORT_LAYOUT_FORMAT_H_
#define DUETBENCH_REPORT_LAYOUT_FORMAT_H_

#include <map>
#include <string>

#include "duetbench/experiment/experiment_result.h"

namespace duetbench {

// What of the ratio is the code, and what the link layout of this program (stats/layouts.h):
//   "code +0.1 ± 0.3 %, this layout adds +1.2 %; spread between layouts 0.9 %, between the runs of
//   one 0.2 %"
// Empty for an estimate of one layout.
std::string LayoutLine(const Estimate& estimate);

// The same for JSON, as parts: layouts, layout_effect (0.012 for +1.2 %), layout_spread, run_spread
// (standard deviations). What is not known is left out; empty for one layout.
std::map<std::string, double> LayoutKeys(const Estimate& estimate);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_LAYOUT_FORMAT_H_
