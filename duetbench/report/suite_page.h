#ifndef DUETBENCH_REPORT_SUITE_PAGE_H_
#define DUETBENCH_REPORT_SUITE_PAGE_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/gates/suite.h"
#include "duetbench/page/benchmark.h"
#include "duetbench/platform/cpu_pair.h"

namespace duetbench {

page::GateMark MarkOf(GateStatus status);
page::GateMark MarkOf(GateOutcome outcome);

// A suite as the page of --duet_report shows it. `header` are lines about the machine and the
// options, `statuses` are GateStatuses(suite).
page::ShownSuite SuitePage(absl::Span<const SuiteEntry> suite,
                           absl::Span<const GateStatus> statuses, const std::string& program,
                           const std::vector<std::string>& header, const CpuPairChoice& cpus);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_SUITE_PAGE_H_
