#ifndef DUETBENCH_PLATFORM_TEXT_FILE_H_
#define DUETBENCH_PLATFORM_TEXT_FILE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace duetbench {

// Small files of /proc and /sys. A file that cannot be read is not an error, but an unknown value:
// which files exist depends on the kernel, the machine and the container.

// The whole text without leading and trailing white space; nothing if it cannot be read.
std::optional<std::string> ReadTextFile(const std::string& path);

// The text as a number; nothing if it is not one.
std::optional<int64_t> ReadNumberFile(const std::string& path);

// Writes all of `text`, waiting while a pipe is full. Returns 0, or an errno.
int WriteAll(int fd, absl::string_view text);

// The names in a folder, ascending, without "." and ".."; empty if there is no such folder.
std::vector<std::string> ListFolder(const std::string& path);

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_TEXT_FILE_H_
