#ifndef DUETBENCH_EXPERIMENT_GROUP_H_
#define DUETBENCH_EXPERIMENT_GROUP_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "duetbench/decide/comparison.h"
#include "duetbench/decide/ranking.h"
#include "duetbench/experiment/experiment.h"
#include "duetbench/record/options.h"
#include "duetbench/stats/variant_pair.h"

namespace duetbench {

// A comparison that is reported of a group.
struct GroupRow {
  VariantPair pair;
  ExperimentOptions options;  // with its gates
};

// The results of `rows`, once the group's runs are over. Their intervals hold together with the
// level (decide/simultaneous.h): they share the base, and a reader picks the most striking one.
// The last comparison with the base has the ranking of the group. `names` are those of the
// variants. `experiment` is that of the group.
std::vector<Comparison> FinishGroup(absl::Span<const GroupRow> rows,
                                    const std::vector<std::string>& names, double ns_per_tick,
                                    Experiment* experiment);

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_GROUP_H_
