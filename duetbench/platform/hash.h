#ifndef DUETBENCH_PLATFORM_HASH_H_
#define DUETBENCH_PLATFORM_HASH_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace duetbench {

// FNV-1a: the same in every process, which std::hash does not promise.
inline uint64_t HashOfText(absl::string_view text) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_HASH_H_
