#ifndef DUETBENCH_TOOLS_DUET_STAT_INPUT_BYTE_SOURCE_H_
#define DUETBENCH_TOOLS_DUET_STAT_INPUT_BYTE_SOURCE_H_

#include <cstddef>
#include <functional>
#include <string>

#include "absl/status/statusor.h"

namespace duetbench::duet_stat {

// Where the readers take their bytes from, so that a test needs no file: puts at most
// `size` > 0 bytes into `buffer` and returns how many; 0 only at the end.
using ByteSource = std::function<absl::StatusOr<std::size_t>(char* buffer, std::size_t size)>;

// The name under which standard input is asked for.
inline constexpr char kStandardInput[] = "-";

// The bytes of a file, a pipe or (for "-") of standard input. The error names the file and says why
// it cannot be opened; that of the source, why it cannot be read. The file is closed with the last
// copy of the source.
absl::StatusOr<ByteSource> OpenByteSource(const std::string& path);

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_INPUT_BYTE_SOURCE_H_
