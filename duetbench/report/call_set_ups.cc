#include "duetbench/report/call_set_ups.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/experiment/run_result.h"
#include "duetbench/report/printable.h"
#include "duetbench/report/time_format.h"

namespace duetbench {
namespace {

double SetUpPart(const CallTally& calls) {
  return calls.set_ups_ns / std::max(calls.set_ups_ns + calls.loops_ns, 1.0);
}

}  // namespace

std::vector<std::string> CallSetUpLines(absl::Span<const SuiteEntry> suite) {
  int called = 0;
  int dominated = 0;
  CallTally all = {};
  CallTally worst = {};
  std::string worst_name;
  for (const SuiteEntry& entry : suite) {
    const Estimate* const estimate = entry.comparison.estimate();
    if (estimate == nullptr || estimate->time.calls.calls == 0) continue;
    ++called;
    const CallTally& calls = estimate->time.calls;
    if (SetUpPart(calls) < kDominatingSetUp) continue;
    ++dominated;
    Add(calls, &all);
    if (SetUpPart(calls) <= SetUpPart(worst)) continue;
    worst = calls;
    worst_name = entry.name;
  }
  if (dominated == 0) return {};
  const auto number = static_cast<double>(worst.calls);
  return {absl::StrFormat(
      "duetbench: set-up dominates in %d of %d benchmarks of benchmark::State&: it takes %.0f %% "
      "of the time of their calls, most in %s (%s of set-up for %s of loop in each call). It is "
      "not timed, but leaves few samples and wide intervals: a function of auto& or "
      "duetbench::State& is set up once in a run, and not in each sample",
      dominated, called, 100 * SetUpPart(all), Printable(worst_name),
      ShortTimeText(worst.set_ups_ns / number), ShortTimeText(worst.loops_ns / number))};
}

}  // namespace duetbench
