#include "tests/tools/duet_lab/twins.h"

#include "absl/strings/str_cat.h"
#include "tools/duet_lab/pairs/code_pairs.h"

namespace duetbench::lab {

std::vector<Twin> Twins() {
  std::vector<Twin> twins;
  for (const CodePair& pair : CodePairs()) {
    const std::string name =
        absl::StrCat(pair.set == PairSet::kHoldOut ? "hold_out/" : "", pair.name);
    const PairSides sides = pair.sides();
    twins.push_back({name + "/old", sides.old_side.duet, sides.old_side.plain});
    twins.push_back({name + "/new", sides.new_side.duet, sides.new_side.plain});
  }
  return twins;
}

}  // namespace duetbench::lab
