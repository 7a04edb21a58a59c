#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "duetbench/report/comparison_format.h"
#include "duetbench/report/text.h"

namespace duetbench {
namespace {

const char* VariantName(double variant) { return variant == 0 ? "old" : "new"; }

// "new starts 4 threads".
std::string StartedThreadsText(const Notice& notice) {
  std::vector<std::string> texts;
  for (int v = 0; v < 2; ++v) {
    const auto count = static_cast<uint64_t>(notice.value[v]);
    if (count > 0) {
      texts.push_back(absl::StrCat(VariantName(v), " starts ", Plural(count, "thread")));
    }
  }
  uint64_t count = 0;
  if (absl::SimpleAtoi(notice.text, &count)) {
    texts.push_back(absl::StrCat("a variant starts ", Plural(count, "thread")));
  }
  return absl::StrJoin(texts, ", ");
}

}  // namespace

std::string NoticeText(const Notice& notice) {
  switch (notice.kind) {
    case Notice::Kind::kRunDegraded:
      if (notice.value[0] >= notice.value[1]) break;
      return absl::StrFormat("in %g of %g runs %s", notice.value[0], notice.value[1], notice.text);
    case Notice::Kind::kWorkDiffers:
      return absl::StrFormat(
          "old does %.4g %s in an iteration and new %.4g: the ratio compares different amounts of "
          "work",
          notice.value[0], notice.text, notice.value[1]);
    case Notice::Kind::kOneSidedRuns:
      return absl::StrFormat(
          "in %g of %g runs every pair with one CPU assignment (or order) was disturbed, so the "
          "ratio may contain a difference between the CPUs: stop other programs",
          notice.value[0], notice.value[1]);
    case Notice::Kind::kNotStationary:
      return absl::StrFormat(
          "the ratio depends on the position in a run, and that of a much longer run %s: "
          "%s --benchmark_min_time=%.2gs on a quiet machine would tell, or "
          "none if old or new keeps growing",
          std::isfinite(notice.value[0])
              ? absl::StrFormat("may differ by %.2g %%", 100 * std::expm1(notice.value[0]))
              : "is not known, since runs see a part of the input",
          std::isfinite(notice.value[0]) ? "about" : "at least", notice.value[1]);
    case Notice::Kind::kForksOfThisProcess:
      return absl::StrCat("runs are forks of this process: ", notice.text);
    case Notice::Kind::kNoManualTime:
      return absl::StrCat(
          "pairs in which ", notice.text,
          " reported no time were dropped: call SetIterationTime in every iteration");
    case Notice::Kind::kNoMeasurableTime:
      return absl::StrCat("pairs in which ", notice.text, " took no measurable time were dropped");
    case Notice::Kind::kDisturbEachOther:
      return absl::StrFormat(
          "old and new disturb each other (%s %.3g x), so they were measured in alternating blocks",
          notice.text, notice.value[1]);
    case Notice::Kind::kMeasuredTogether:
      return absl::StrFormat(
          "solo %.3g x, %s %.3g x: old and new disturb each other, so there is no verdict "
          "(--duet_schedule=alternating measures them solo)",
          notice.value[0], notice.text, notice.value[1]);
    case Notice::Kind::kDisturbedPairsKept:
      return absl::StrFormat(
          "%.0f %% of the pairs were disturbed by other threads; they are kept, with their CPU "
          "times, and the interval is wide: stop other programs",
          100 * notice.value[0]);
    case Notice::Kind::kBiasedPairsKept:
      return absl::StrFormat(
          "%.0f %% of the pairs were disturbed by other threads for an unknown time, so there is "
          "no verdict: stop other programs",
          100 * notice.value[0]);
    case Notice::Kind::kLacksWork:
      return absl::StrFormat(
          "%s takes no more time than an empty loop (%.2g ns): was its work removed? Keep its "
          "result alive with benchmark::DoNotOptimize, and hide its input from the compiler",
          VariantName(notice.value[0]), notice.value[1]);
    case Notice::Kind::kNoSingleCalls:
      return absl::StrFormat(
          "no quantiles: one call is too short for the clock to be timed alone, so that a sample "
          "has %.4g iterations",
          std::max(notice.value[0], notice.value[1]));
    case Notice::Kind::kStartsThreads:
      return absl::StrCat(StartedThreadsText(notice),
                          ": measured one variant at a time, with all CPUs "
                          "(--duet_cpus_per_variant=1 gives each variant one CPU)");
    case Notice::Kind::kConfinesThreads:
      return absl::StrCat(StartedThreadsText(notice),
                          ": they share the one CPU of the variant, as a schedule was demanded "
                          "(--duet_cpus_per_variant=all gives them all CPUs)");
    case Notice::Kind::kMayNotWait:
      return absl::StrFormat(
          "%s starts threads, and an iteration takes %s, less than waking a thread: if it starts "
          "work and does not wait for the end, that is not in the ratio",
          VariantName(notice.value[0]), ShortTimeText(notice.value[1]));
    case Notice::Kind::kExpensiveRuns:
      return absl::StrFormat("only %g runs: each took %s%s%s; --duet_runs demands more",
                             notice.value[0], ShortTimeText(1e9 * notice.value[1]),
                             notice.text.empty() ? "" : ", mostly ", notice.text);
    case Notice::Kind::kPausesCost:
      return absl::StrFormat(
          "PauseTiming and ResumeTiming take %.2g times as long as the work of %s between them, "
          "which is not measured well: do more work between pauses, or pause less often",
          notice.value[1], VariantName(notice.value[0]));
    case Notice::Kind::kPausesDoubtful:
      return absl::StrFormat(
          "one variant spends more time in PauseTiming and ResumeTiming, across which the "
          "processor does not overlap work: the interval is wider by %.2g %% on both sides for "
          "that; pause equally often in both variants, or do more work between pauses",
          100 * std::expm1(notice.value[0]));
    case Notice::Kind::kSlowFirstIteration:
      return absl::StrFormat(
          "the first iteration of %s after each set-up takes %s, others %s: if an iteration uses "
          "up its input, give each one a fresh copy between PauseTiming and ResumeTiming",
          notice.text, ShortTimeText(notice.value[0]), ShortTimeText(notice.value[1]));
    case Notice::Kind::kSlowsDown:
      return absl::StrFormat(
          "an iteration of %s takes %.2g times as long late in a run as early in it, so the ratio "
          "depends on how long a run is: restore what the iterations change, between PauseTiming "
          "and ResumeTiming",
          VariantName(notice.value[0]), notice.value[1]);
    case Notice::Kind::kNotFilled:
      return "not filled: filling executes more iterations than Iterations(n) demands";
  }
  return notice.text;
}

}  // namespace duetbench
