#include "tools/duet/hash.h"

#include <cstdint>

#include "absl/strings/str_format.h"

namespace duetbench::duet {

std::string HashOf(absl::string_view text) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return absl::StrFormat("%016x", hash);
}

}  // namespace duetbench::duet
