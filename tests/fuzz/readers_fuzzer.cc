// The entry of libFuzzer: DUETBENCH_FUZZ=ON with clang, then
//   readers_fuzzer -max_len=4096 -max_total_time=600 NEW_CORPUS tests/fuzz/corpus

#include <cstddef>
#include <cstdint>

#include "tests/fuzz/readers.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  duetbench::duet_stat::FuzzReaders({reinterpret_cast<const char*>(data), size});
  return 0;
}
