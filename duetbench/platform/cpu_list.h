#ifndef DUETBENCH_PLATFORM_CPU_LIST_H_
#define DUETBENCH_PLATFORM_CPU_LIST_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace duetbench {

// Parses the kernel's list format for sets of CPUs, as in /sys/devices/system/cpu/online or
// cpuset.cpus: "0-3,8,10-11". Returns the numbers ascending and without repetition; the empty
// (or blank) text is the empty list. InvalidArgument names the part that could not be read.
absl::StatusOr<std::vector<int>> ParseCpuList(absl::string_view text);

// The inverse: {0, 1, 2, 3, 8} gives "0-3,8". `cpus` is ascending.
std::string FormatCpuList(const std::vector<int>& cpus);

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_CPU_LIST_H_
