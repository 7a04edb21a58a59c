#ifndef TOOLS_DUET_GIT_HASH_H_
#define TOOLS_DUET_GIT_HASH_H_

#include <string>

#include "absl/strings/string_view.h"

namespace duetbench::duet {

// FNV-1a in 16 hexadecimal digits: the same in every process, which std::hash does not promise.
std::string HashOf(absl::string_view text);

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_GIT_HASH_H_
