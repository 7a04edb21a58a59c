#ifndef DUETBENCH_REPORT_RUN_PICTURE_H_
#define DUETBENCH_REPORT_RUN_PICTURE_H_

#include <cstddef>

#include "absl/types/span.h"
#include "duetbench/decide/comparison.h"
#include "duetbench/report/facts.h"

namespace duetbench {

// The picture of all pairs of a run, of which at most `most` > 0 are shown.
RunPicture PictureOfRun(size_t run, absl::Span<const ShownPair> pairs, size_t most);

// The picture of the run whose ratio, by the mean ln(new/old) of its undisturbed pairs, is in the
// middle, of an experiment with an estimate: 160 of its pairs at most, disturbed ones included.
// Times are by the clock of the ratio. Empty without an estimate, and if no run has pairs.
RunPicture PictureOfMiddleRun(const Comparison& result, double ns_per_tick);

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_RUN_PICTURE_H_
