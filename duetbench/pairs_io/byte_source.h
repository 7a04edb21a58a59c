#ifndef DUETBENCH_PAIRS_IO_BYTE_SOURCE_H_
#define DUETBENCH_PAIRS_IO_BYTE_SOURCE_H_

#include <cstddef>
#include <functional>

#include "absl/status/statusor.h"

namespace duetbench {

// Where the readers of this layer take their bytes from, so that a test needs no file: puts at most
// `size` > 0 bytes into `buffer` and returns how many; 0 only at the end.
using ByteSource = std::function<absl::StatusOr<std::size_t>(char* buffer, std::size_t size)>;

}  // namespace duetbench

#endif  // DUETBENCH_PAIRS_IO_BYTE_SOURCE_H_
