#include "duetbench/main/demands.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "duetbench/report/quantile_format.h"

namespace duetbench {
namespace {

std::string UnmeasuredGate(const Comparison& comparison) {
  if (comparison.estimate() == nullptr) return "";
  for (const CounterGateResult& gate : comparison.counter_gates) {
    if (gate.runs > 0) continue;
    return absl::StrCat("a gate on ", gate.spec.counter,
                        ": no run has counted it for both variants");
  }
  for (const QuantileGateResult& gate : comparison.quantile_gates) {
    if (gate.has_single_calls) continue;
    return absl::StrCat("a gate on ", QuantileName(gate.spec.quantile),
                        ": one call is too short for the clock to be timed alone");
  }
  return "";
}

std::string UnfittedComplexity(const DuetSpec& spec, const Comparison& comparison) {
  const Measured* const measured = comparison.measured();
  if (spec.complexity == benchmark::oNone || measured == nullptr) return "";
  if (measured->variants[0].complexity_n > 0 || measured->variants[1].complexity_n > 0) return "";
  return "nothing to fit a complexity to: call state.SetComplexityN(n), n > 0, in both variants";
}

}  // namespace

void CheckDemands(const DuetSpec& spec, Comparison* comparison) {
  std::string cause = UnfittedComplexity(spec, *comparison);
  if (cause.empty()) cause = UnmeasuredGate(*comparison);
  if (!cause.empty()) *comparison = FailedComparison(cause);
}

}  // namespace duetbench
