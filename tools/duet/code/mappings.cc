#include "tools/duet/code/mappings.h"

#include <fstream>
#include <sstream>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace duetbench::duet {

std::vector<Mapping> ParseMappings(absl::string_view text) {
  std::vector<Mapping> mappings;
  for (absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    const std::vector<absl::string_view> words = absl::StrSplit(line, absl::MaxSplits(' ', 5));
    if (words.size() < 5) continue;
    const std::vector<absl::string_view> ends = absl::StrSplit(words[0], '-');
    Mapping mapping;
    if (ends.size() != 2 || !absl::SimpleHexAtoi(ends[0], &mapping.begin) ||
        !absl::SimpleHexAtoi(ends[1], &mapping.end) ||
        !absl::SimpleHexAtoi(words[2], &mapping.offset)) {
      continue;
    }
    mapping.executable = absl::StrContains(words[1], 'x');
    if (words.size() > 5) {
      absl::string_view file = words[5];
      while (absl::ConsumePrefix(&file, " ")) {
      }
      mapping.file = std::string(file);
    }
    mappings.push_back(std::move(mapping));
  }
  return mappings;
}

std::vector<Mapping> MappingsOf(pid_t process) {
  std::stringstream text;
  text << std::ifstream(absl::StrCat("/proc/", process, "/maps")).rdbuf();
  return ParseMappings(text.str());
}

}  // namespace duetbench::duet
