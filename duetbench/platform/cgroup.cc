#include "duetbench/platform/cgroup.h"

#include <cstdint>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "duetbench/platform/text_file.h"

namespace duetbench {
namespace {

// The path of the group of this process, "/user.slice/a", from /proc/self/cgroup; empty: the root,
// or outside of what is mounted (the process was moved out of its cgroup namespace).
std::string GroupOf(absl::string_view proc_cgroup) {
  for (absl::string_view line : absl::StrSplit(proc_cgroup, '\n')) {
    if (!absl::ConsumePrefix(&line, "0::")) continue;
    return absl::StrContains(line, "/..") ? "" : std::string(absl::StripSuffix(line, "/"));
  }
  return "";
}

}  // namespace

std::optional<double> ParseCpuMax(absl::string_view text) {
  const std::vector<absl::string_view> parts = absl::StrSplit(text, ' ', absl::SkipWhitespace());
  // Microseconds. As doubles "inf" and quotients out of range would pass.
  int64_t quota = 0;
  int64_t period = 0;
  if (parts.size() != 2 || !absl::SimpleAtoi(parts[0], &quota) ||
      !absl::SimpleAtoi(parts[1], &period) || quota <= 0 || period <= 0) {
    return std::nullopt;
  }
  return static_cast<double>(quota) / static_cast<double>(period);
}

std::optional<CpuQuota> ReadCpuQuota(const std::string& root) {
  // A container without a cgroup namespace has its group, or an ancestor, mounted here: folders of
  // the path that are missing are passed over.
  const std::string mount = absl::StrCat(root, "/sys/fs/cgroup");
  std::string group = GroupOf(ReadTextFile(absl::StrCat(root, "/proc/self/cgroup")).value_or(""));
  std::optional<CpuQuota> least;
  for (;; group.erase(group.rfind('/'))) {
    const std::string folder = absl::StrCat(mount, group);
    const std::optional<double> cpus =
        ParseCpuMax(ReadTextFile(absl::StrCat(folder, "/cpu.max")).value_or(""));
    if (cpus.has_value() && (!least.has_value() || *cpus < least->cpus)) least = {*cpus, folder};
    if (group.rfind('/') == std::string::npos) return least;
  }
}

}  // namespace duetbench
