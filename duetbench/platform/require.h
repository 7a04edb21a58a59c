#ifndef DUETBENCH_PLATFORM_REQUIRE_H_
#define DUETBENCH_PLATFORM_REQUIRE_H_

#include <cstdio>
#include <cstdlib>

namespace duetbench::stats {

// Stops the program with `what` when `holds` is false, in every build type: for mistakes of the
// caller's code. What a user's data may cause is returned as absl::Status instead.
inline void Require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "duetbench: broken precondition: %s\n", what);
  std::abort();
}

}  // namespace duetbench::stats

#endif  // DUETBENCH_PLATFORM_REQUIRE_H_
