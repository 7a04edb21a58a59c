#include "duetbench/variant/google_benchmark_layout.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "duetbench/platform/exit_status.h"

namespace duetbench::internal {

void RequireGoogleBenchmarkLayout(const void* layout, std::size_t bytes) {
  if (bytes == sizeof(kGoogleBenchmarkLayout) &&
      std::memcmp(layout, &kGoogleBenchmarkLayout, bytes) == 0) {
    return;
  }
#ifdef DUETBENCH_GOOGLE_BENCHMARK_VERSION
  constexpr char kVersion[] = " " DUETBENCH_GOOGLE_BENCHMARK_VERSION;
#else
  constexpr char kVersion[] = "";
#endif
  std::fprintf(
      stderr,
      "duetbench: the library was built with Google Benchmark%s, and this program with a "
      "version whose classes have another layout; build duetbench again with that version\n",
      kVersion);
  // Objects of other sources may not exist yet.
  std::_Exit(kExitError);
}

}  // namespace duetbench::internal
