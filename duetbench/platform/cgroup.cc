#include "duetbench/platform/cgroup.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "duetbench/platform/text_file.h"

namespace duetbench {
namespace {

// One line of /proc/self/mountinfo that mounts a hierarchy with the CPU controller.
struct Mount {
  int version;
  std::string root;   // the group that is visible at `point`
  std::string point;  // the folder
};

bool HasItem(absl::string_view comma_list, absl::string_view item) {
  const std::vector<absl::string_view> items = absl::StrSplit(comma_list, ',');
  return std::find(items.begin(), items.end(), item) != items.end();
}

// mountinfo writes blanks, tabs, line ends and backslashes as three octal digits: "\040".
std::string Unescape(absl::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto is_octal = [&](size_t at) { return text[at] >= '0' && text[at] <= '7'; };
    if (text[i] == '\\' && i + 3 < text.size() && is_octal(i + 1) && is_octal(i + 2) &&
        is_octal(i + 3)) {
      plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 +
                                 (text[i + 3] - '0'));
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

// Fields: id parent device root point options [optional …] - type source super-options.
std::vector<Mount> CpuMounts(absl::string_view mountinfo) {
  std::vector<Mount> mounts;
  for (absl::string_view line : absl::StrSplit(mountinfo, '\n')) {
    const std::pair<absl::string_view, absl::string_view> halves =
        absl::StrSplit(line, absl::MaxSplits(" - ", 1));
    const std::vector<absl::string_view> left = absl::StrSplit(halves.first, ' ');
    const std::vector<absl::string_view> right = absl::StrSplit(halves.second, ' ');
    if (left.size() < 6 || right.size() < 3) continue;
    const bool v2 = right[0] == "cgroup2";
    const bool v1 = right[0] == "cgroup" && HasItem(right[2], "cpu");
    if (v1 || v2) mounts.push_back({v1 ? 1 : 2, Unescape(left[3]), Unescape(left[4])});
  }
  return mounts;
}

// The rest of `path` below `root`, with a leading '/' unless empty; nothing if it is elsewhere.
std::optional<std::string> Below(absl::string_view path, absl::string_view root) {
  path = absl::StripSuffix(path, "/");
  root = absl::StripSuffix(root, "/");
  if (!absl::ConsumePrefix(&path, root)) return std::nullopt;
  if (!path.empty() && path[0] != '/') return std::nullopt;
  return std::string(path);
}

// The groups from `path` up to the mount's root, innermost first. A path that is not below the
// root (the process was moved out of its cgroup namespace, or has a bind mount of another group)
// leaves the group that is mounted.
void AppendGroups(const Mount& mount, absl::string_view path, std::vector<CpuGroup>* groups) {
  std::string rest = Below(path, mount.root).value_or("");
  if (absl::StrContains(rest, "/..")) rest.clear();
  while (!rest.empty()) {
    groups->push_back({mount.version, absl::StrCat(mount.point, rest)});
    rest.erase(rest.rfind('/'));
  }
  groups->push_back({mount.version, mount.point});
}

std::optional<double> ReadQuota(const CpuGroup& group) {
  if (group.version == 2) {
    return ParseCpuMax(ReadTextFile(absl::StrCat(group.folder, "/cpu.max")).value_or(""));
  }
  const auto quota = ReadNumberFile(absl::StrCat(group.folder, "/cpu.cfs_quota_us"));
  const auto period = ReadNumberFile(absl::StrCat(group.folder, "/cpu.cfs_period_us"));
  // -1 is "no limit".
  if (quota.value_or(-1) <= 0 || period.value_or(0) <= 0) return std::nullopt;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

}  // namespace

std::vector<CpuGroup> CpuGroupsOf(absl::string_view proc_cgroup, absl::string_view mountinfo) {
  const std::vector<Mount> mounts = CpuMounts(mountinfo);
  std::vector<CpuGroup> groups;
  for (absl::string_view line : absl::StrSplit(proc_cgroup, '\n')) {
    // "4:cpu,cpuacct:/path" in version 1, "0::/path" in version 2.
    const std::vector<absl::string_view> parts = absl::StrSplit(line, absl::MaxSplits(':', 2));
    if (parts.size() != 3) continue;
    const bool v2 = parts[0] == "0" && parts[1].empty();
    if (!v2 && !HasItem(parts[1], "cpu")) continue;
    // Several mounts of one hierarchy (bind mounts): take the one that shows the most of the path.
    const Mount* best = nullptr;
    for (const Mount& mount : mounts) {
      if (mount.version != (v2 ? 2 : 1)) continue;
      const auto levels = [&](const Mount& candidate) {
        const std::optional<std::string> below = Below(parts[2], candidate.root);
        return below.has_value() ? static_cast<int>(below->size()) : -1;
      };
      if (best == nullptr || levels(mount) > levels(*best)) best = &mount;
    }
    if (best != nullptr) AppendGroups(*best, parts[2], &groups);
  }
  return groups;
}

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

std::vector<CpuQuota> ReadCpuQuotas(const std::string& root) {
  const std::string self = absl::StrCat(root, "/proc/self");
  std::vector<CpuQuota> quotas;
  for (CpuGroup& group : CpuGroupsOf(ReadTextFile(absl::StrCat(self, "/cgroup")).value_or(""),
                                     ReadTextFile(absl::StrCat(self, "/mountinfo")).value_or(""))) {
    group.folder = absl::StrCat(root, group.folder);
    const std::optional<double> cpus = ReadQuota(group);
    if (cpus.has_value()) quotas.push_back({*cpus, group.folder, group.version});
  }
  return quotas;
}

std::optional<CpuQuota> EffectiveCpuQuota(const std::vector<CpuQuota>& quotas) {
  const auto least =
      std::min_element(quotas.begin(), quotas.end(),
                       [](const CpuQuota& a, const CpuQuota& b) { return a.cpus < b.cpus; });
  if (least == quotas.end()) return std::nullopt;
  return *least;
}

}  // namespace duetbench
