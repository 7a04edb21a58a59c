#include "tools/duet_stat/analysis_notices.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/duet_stat/input/pairs_data.h"

namespace duetbench::duet_stat {

void AddNotices(const BenchmarkPairs& benchmark, const std::vector<std::string>& files,
                const SelectedPairs& selected, std::uint64_t empty_runs, BenchmarkResult* result) {
  if (benchmark.cpu_time) result->notices.push_back("the ratio is that of CPU times");
  if (result->kept_disturbed > 0) {
    result->notices.push_back(absl::StrCat(
        result->kept_disturbed, " disturbed pairs were kept, as the paper's procedure does: a ",
        "thread that took the CPU of one variant counts as the variant's time"));
  } else if (selected.uses_disturbed) {
    result->notices.push_back(
        selected.is_biased
            ? absl::StrFormat("%.0f %% of the pairs were disturbed by other threads for an "
                              "unknown time, so there is no verdict",
                              100 * selected.disturbed_share)
            : absl::StrFormat("%.0f %% of the pairs were disturbed by other threads; they are "
                              "kept, with their CPU times, and the interval is wide",
                              100 * selected.disturbed_share));
  }
  const stats::Decision& decision = result->decision;
  if (decision.why == stats::Why::kTwoSpeeds) {
    result->notices.push_back(absl::StrFormat(
        "%s runs at two speeds, so there is no verdict: the ratio is %.3g x at one and %.3g x at "
        "the other",
        decision.two_speeds->variant == 0 ? "old" : "new", decision.two_speeds->ratio[0],
        decision.two_speeds->ratio[1]));
  } else if (decision.why == stats::Why::kPauses) {
    result->notices.push_back(absl::StrCat("the pauses of ",
                                           decision.pause_share[0] > 0 ? "old" : "new",
                                           " take longer than its work, so there is no verdict"));
  }
  if (selected.uses_one_sided) {
    result->notices.push_back(absl::StrCat(
        "in ", selected.one_sided_runs, " of ", benchmark.runs.size(),
        " runs every pair with one CPU assignment (or order) was disturbed, so the ratio may ",
        "contain a difference between the CPUs"));
  }
  if (empty_runs > 0) {
    result->notices.push_back(absl::StrCat(
        empty_runs, empty_runs == 1 ? " run has" : " runs have", " no undisturbed pair",
        selected.one_sided_runs > 0 ? " of one or both assignments" : "", " and are left out"));
  }
  std::string single = SinglePairNotice(benchmark, files);
  if (!single.empty()) result->notices.push_back(std::move(single));
  if (result->machines > 1 &&
      std::any_of(result->intervals.begin(), result->intervals.end(), [](const IntervalResult& i) {
        return i.kind != stats::IntervalKind::kHierarchical;
      })) {
    result->notices.push_back(absl::StrCat("the runs are from ", result->machines,
                                           " machines, which only --ci=hier takes into account"));
  }
}

}  // namespace duetbench::duet_stat
