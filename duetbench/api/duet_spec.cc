#include "duetbench/api/duet_spec.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "duetbench/variant/check_equal.h"

namespace duetbench {
namespace {

// The gate of a pair, one of whose variants has to be the fastest; the one that it has besides, if
// that is stricter.
GateSpec FastestGate(const DuetSpec& group, const VariantPair& pair, const GateSpec* besides) {
  const double limit = 1 + group.fastest_margin;
  if (group.fastest == pair.old_variant) return GateSpec::MinRatio(1 / limit);
  return GateSpec::MaxRatio(besides != nullptr ? std::min(limit, besides->hi()) : limit);
}

}  // namespace

std::vector<DuetSpec> DuetsOf(const DuetSpec& spec) {
  const DuetGroup& group = *spec.group;
  std::vector<DuetSpec> duets;
  for (const VariantPair& pair : PairsOfGroup(static_cast<int>(group.names.size()))) {
    const bool has_base = pair.old_variant == 0;
    const bool is_for_fastest =
        spec.fastest == pair.old_variant || spec.fastest == pair.new_variant;
    if (!has_base && !is_for_fastest) continue;
    DuetSpec& duet = duets.emplace_back(spec);
    const auto old_variant = static_cast<size_t>(pair.old_variant);
    const auto new_variant = static_cast<size_t>(pair.new_variant);
    duet.pair = pair;
    duet.name = absl::StrCat(group.prefix, group.names[old_variant], "_vs_",
                             group.names[new_variant], group.suffix);
    duet.variant_names = {group.names[old_variant], group.names[new_variant]};
    std::vector<GateSpec>& gates = duet.options.gates;
    if (!has_base) gates.clear();
    if (is_for_fastest) SetGate(FastestGate(spec, pair, TimeGate(gates)), &gates);
  }
  return duets;
}

DuetFunctions FunctionsOf(const DuetSpec& spec, size_t variants) {
  DuetFunctions functions = spec.functions;
  if (functions.variants.size() == variants) return functions;
  const auto i = static_cast<size_t>(spec.pair.old_variant);
  const auto j = static_cast<size_t>(spec.pair.new_variant);
  functions.variants = {functions.variants[i], functions.variants[j]};
  if (!functions.results.empty()) functions.results = {functions.results[i], functions.results[j]};
  return functions;
}

}  // namespace duetbench
