// The entry of libFuzzer: DUETBENCH_FUZZ=ON with clang, then for a target such as `readers`
//   readers_fuzzer -max_len=4096 -max_total_time=600 NEW_CORPUS tests/fuzz/corpus/readers

#include <cstddef>
#include <cstdint>

#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  DUETBENCH_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
