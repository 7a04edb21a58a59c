#include "duetbench/platform/cpu_list.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace duetbench {
namespace {

// Far above any kernel's limit (8192): a larger number is a damaged list, not a machine.
constexpr int kMaxCpu = 1 << 16;

}  // namespace

absl::StatusOr<std::vector<int>> ParseCpuList(absl::string_view text) {
  std::vector<int> cpus;
  text = absl::StripAsciiWhitespace(text);
  if (text.empty()) return cpus;
  for (absl::string_view part : absl::StrSplit(text, ',')) {
    const std::pair<absl::string_view, absl::string_view> ends =
        absl::StrSplit(part, absl::MaxSplits('-', 1));
    int first = 0;
    int last = 0;
    const bool is_range = part.find('-') != absl::string_view::npos;
    if (!absl::SimpleAtoi(ends.first, &first) ||
        !absl::SimpleAtoi(is_range ? ends.second : ends.first, &last) || first < 0 ||
        last < first || last > kMaxCpu) {
      return absl::InvalidArgumentError(
          absl::StrCat("'", part, "' is not a CPU number or range in the list '", text, "'"));
    }
    for (int cpu = first; cpu <= last; ++cpu) cpus.push_back(cpu);
  }
  std::sort(cpus.begin(), cpus.end());
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  return cpus;
}

std::string FormatCpuList(const std::vector<int>& cpus) {
  std::string text;
  for (size_t i = 0; i < cpus.size();) {
    size_t end = i;
    while (end + 1 < cpus.size() && cpus[end + 1] == cpus[end] + 1) ++end;
    absl::StrAppend(&text, text.empty() ? "" : ",", cpus[i]);
    if (end > i) absl::StrAppend(&text, "-", cpus[end]);
    i = end + 1;
  }
  return text;
}

}  // namespace duetbench
