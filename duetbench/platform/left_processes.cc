#include "duetbench/platform/left_processes.h"

#include <unistd.h>

#include <optional>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "duetbench/platform/text_file.h"

namespace duetbench {

std::vector<LeftProcess> ProcessesWithVariable(
    absl::string_view variable, const std::function<bool(absl::string_view value)>& is_ours) {
  const std::string begin = absl::StrCat(variable, "=");
  std::vector<LeftProcess> found;
  for (const std::string& entry : ListFolder("/proc")) {
    int pid = 0;
    if (!absl::SimpleAtoi(entry, &pid) || pid == getpid()) continue;
    // That of a process that has ended is empty.
    const std::optional<std::string> environment =
        ReadTextFile(absl::StrCat("/proc/", pid, "/environ"));
    if (!environment.has_value()) continue;
    for (absl::string_view text : absl::StrSplit(*environment, '\0')) {
      if (!absl::ConsumePrefix(&text, begin) || !is_ours(text)) continue;
      found.push_back({pid, ReadTextFile(absl::StrCat("/proc/", pid, "/comm")).value_or("")});
      break;
    }
  }
  return found;
}

}  // namespace duetbench
