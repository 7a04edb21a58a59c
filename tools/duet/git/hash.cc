#include "tools/duet/git/hash.h"

#include <string>

#include "absl/strings/str_format.h"
#include "duetbench/platform/hash.h"

namespace duetbench::duet {

std::string HashOf(absl::string_view text) { return absl::StrFormat("%016x", HashOfText(text)); }

}  // namespace duetbench::duet
