#ifndef TOOLS_DUET_CODE_NAMED_PARTS_H_
#define TOOLS_DUET_CODE_NAMED_PARTS_H_

#include <vector>

#include "tools/duet/code/image.h"

namespace duetbench::duet {

// Sorts the parts, makes one of those with the same address, and ends those without a size where
// the next part, or their section, does.
void SettleParts(const std::vector<Section>& sections, std::vector<NamedPart>* parts);

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_CODE_NAMED_PARTS_H_
