#include <cstdint>
#include <vector>

#include "duetbench/code_layout/code_layouts.h"
#include "duetbench/code_layout/movable_code.h"
#include "duetbench/code_layout/placement.h"
#include "duetbench/code_layout/program_copy.h"
#include "tests/fuzz/targets.h"

namespace duetbench {

void FuzzMovableCode(absl::string_view input) {
  const auto bytes =
      absl::MakeConstSpan(reinterpret_cast<const uint8_t*>(input.data()), input.size());
  const absl::StatusOr<MovableCode> code = ReadMovableCode(bytes);
  if (!code.ok()) return FuzzCheck(!code.status().message().empty(), "a refusal says why");
  FuzzCheck(KeysOfFunctions(*code, bytes).size() == code->functions.size(),
            "each function has a key");
  const MovableCode* const programs[] = {&*code};
  const auto variants = FunctionsOfVariants(
      programs, {{code->functions.front().begin}, {code->functions.back().begin}});
  const Slots slots = SlotsOfVariants(*code, variants[0]);
  const Placement placement = PlaceFunctions(programs, slots, input.size(), slots.turns - 1)[0];
  CopyOptions options;
  for (const auto& library : code->libraries) options.libraries[library.name] = "/proc/1/fd/3";
  const std::vector<uint8_t> copy = WriteCopy(*code, placement, options);
  FuzzCheck(copy.empty() || copy.size() > code->image.size(), "a copy has a segment more");
}

}  // namespace duetbench
