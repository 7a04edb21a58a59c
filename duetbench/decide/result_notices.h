#ifndef DUETBENCH_DECIDE_RESULT_NOTICES_H_
#define DUETBENCH_DECIDE_RESULT_NOTICES_H_

#include <vector>

#include "duetbench/decide/notice.h"
#include "duetbench/decide/select_pairs.h"
#include "duetbench/record/options.h"
#include "duetbench/record/run_result.h"

namespace duetbench {

// Adds a notice that is not there yet.
void AddNotice(Notice notice, std::vector<Notice>* notices);

// Adds what the user should know of pairs that could not be used as they are, of runs, and of
// variants that say that they do different work.
void AddNotices(const SelectedPairs& selected, const std::vector<RunResult>& results,
                const ExperimentOptions& options, double ns_per_tick, std::vector<Notice>* notices);

}  // namespace duetbench

#endif  // DUETBENCH_DECIDE_RESULT_NOTICES_H_
