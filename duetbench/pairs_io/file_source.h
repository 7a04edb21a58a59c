#ifndef DUETBENCH_PAIRS_IO_FILE_SOURCE_H_
#define DUETBENCH_PAIRS_IO_FILE_SOURCE_H_

#include <string>

#include "absl/status/statusor.h"
#include "duetbench/pairs_io/byte_source.h"

namespace duetbench {

// The name under which standard input is asked for.
inline constexpr char kStandardInput[] = "-";

// The bytes of a file, a pipe or (for "-") of standard input. The error names the file and says why
// it cannot be opened; that of the source, why it cannot be read. The file is closed with the last
// copy of the source.
absl::StatusOr<ByteSource> OpenByteSource(const std::string& path);

}  // namespace duetbench

#endif  // DUETBENCH_PAIRS_IO_FILE_SOURCE_H_
