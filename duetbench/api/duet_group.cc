#include "duetbench/api/duet_group.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "absl/strings/str_cat.h"
#include "duetbench/api/duet_spec.h"
#include "duetbench/variant/check_equal.h"

namespace duetbench {
namespace {

// The gate of a pair, one of whose variants has to be the fastest; the one that it has besides, if
// that is stricter.
GateSpec FastestGate(const FastestSpec& fastest, const VariantPair& pair,
                     const std::optional<GateSpec>& besides) {
  if (fastest.variant == pair.old_variant) return GateSpec::MinRatio(1 / (1 + fastest.margin));
  const double limit = 1 + fastest.margin;
  return GateSpec::MaxRatio(besides.has_value() ? std::min(limit, besides->hi()) : limit);
}

bool IsOf(const FastestSpec& fastest, const VariantPair& pair) {
  return fastest.variant == pair.old_variant || fastest.variant == pair.new_variant;
}

}  // namespace

std::vector<DuetSpec> DuetsOf(const DuetSpec& spec) {
  const DuetGroup& group = *spec.group;
  std::vector<DuetSpec> duets;
  for (const VariantPair& pair : PairsOfGroup(static_cast<int>(group.names.size()))) {
    const bool has_base = pair.old_variant == 0;
    const bool is_for_fastest = spec.fastest.has_value() && IsOf(*spec.fastest, pair);
    if (!has_base && !is_for_fastest) continue;
    DuetSpec& duet = duets.emplace_back(spec);
    const auto old_variant = static_cast<size_t>(pair.old_variant);
    const auto new_variant = static_cast<size_t>(pair.new_variant);
    duet.pair = pair;
    duet.name = absl::StrCat(group.prefix, group.names[old_variant], "_vs_",
                             group.names[new_variant], group.suffix);
    duet.variant_names = {group.names[old_variant], group.names[new_variant]};
    duet.functions.variants[0] = spec.functions.group[old_variant];
    duet.functions.variants[1] = spec.functions.group[new_variant];
    if (!group.results.empty()) {
      duet.functions.check_results =
          internal::MakeGroupCheck({group.results[old_variant], group.results[new_variant]});
      duet.functions.check_group = internal::MakeGroupCheck(group.results);
    }
    if (!group.programs.empty()) duet.programs = group.programs[new_variant - 1];
    if (!has_base) duet.options.DropGates();
    if (is_for_fastest) duet.options.gate = FastestGate(*spec.fastest, pair, duet.options.gate);
  }
  return duets;
}

}  // namespace duetbench
