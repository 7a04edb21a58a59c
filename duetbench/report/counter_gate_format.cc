#include "duetbench/report/counter_gate_format.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "duetbench/report/printable.h"
#include "duetbench/report/quantile_format.h"
#include "duetbench/stats/ratio_format.h"

namespace duetbench {
namespace {

// "2 -> 3 an iteration, 1.500 ×, all above the limit".
std::string CountsText(const CounterGateResult& gate) {
  std::string text = absl::StrFormat("%s %.4g -> %.4g an iteration", Printable(gate.spec.counter),
                                     gate.per_iteration[0], gate.per_iteration[1]);
  if (gate.interval.has_value()) {
    const bool is_exact = gate.interval->hi - gate.interval->lo < 1e-9;
    absl::StrAppend(&text, ", ", is_exact ? TimesText(*gate.interval) : RangeText(*gate.interval));
  }
  switch (gate.outcome) {
    case GateOutcome::kPass:
      return absl::StrCat(text, ", not above the limit");
    case GateOutcome::kFail:
      return absl::StrCat(text, ", all above the limit");
    case GateOutcome::kInconclusive:
      break;
  }
  return absl::StrCat(text,
                      gate.runs < 2 ? ", in fewer than two runs" : ", on both sides of the limit");
}

std::string LimitText(const CounterGateResult& gate) {
  return absl::StrFormat("limit %.6g ×", gate.spec.max_ratio);
}

struct Part {
  bool holds;
  std::string text;
};

}  // namespace

std::string CounterGateSentence(const CounterGateResult& gate) {
  return absl::StrCat(GateOutcomeName(gate.outcome), " (", LimitText(gate),
                      "): ", CountsText(gate));
}

std::string AllGatesMessage(const std::string& name, const Comparison& comparison,
                            const std::string& times) {
  std::vector<Part> parts;
  if (comparison.gate.has_value()) {
    parts.push_back({comparison.gate->outcome == GateOutcome::kPass, times});
  }
  for (const CounterGateResult& gate : comparison.counter_gates) {
    parts.push_back({gate.outcome == GateOutcome::kPass,
                     absl::StrCat(GateOutcomeName(gate.outcome), " ", name, ": ", CountsText(gate),
                                  " of ", absl::StrFormat("%.6g", gate.spec.max_ratio), " ×, in ",
                                  gate.runs, " runs.")});
  }
  for (const QuantileGateResult& gate : comparison.quantile_gates) {
    parts.push_back({gate.outcome == GateOutcome::kPass, QuantileGateMessage(name, gate)});
  }
  std::stable_partition(parts.begin(), parts.end(), [](const Part& part) { return !part.holds; });
  return absl::StrJoin(parts, " ",
                       [](std::string* out, const Part& part) { out->append(part.text); });
}

}  // namespace duetbench
