#include "duetbench/report/repeat_command.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"

namespace duetbench {
namespace {

// Flags that are replaced, or that write what an earlier program has written.
constexpr const char* kLeftOut[] = {"benchmark_filter", "benchmark_list_tests",
                                    "benchmark_out",    "benchmark_out_format",
                                    "benchmark_format", "duet_seed",
                                    "duet_out",         "duet_summary",
                                    "duet_junit",       "duet_report",
                                    "duet_bmf",         "duet_gobench",
                                    "duet_openmetrics", "duet_list",
                                    "duet_ctest"};

bool IsLeftOut(const std::string& name) {
  return std::any_of(std::begin(kLeftOut), std::end(kLeftOut),
                     [&](const char* flag) { return name == flag; });
}

bool IsHarmless(char c) {
  return absl::ascii_isalnum(c) || std::strchr("_@%+=:,./-", c) != nullptr;
}

}  // namespace

std::string ShellQuoted(absl::string_view text) {
  if (!text.empty() && text.find('\0') == absl::string_view::npos &&
      std::all_of(text.begin(), text.end(), IsHarmless)) {
    return std::string(text);
  }
  return absl::StrCat("'", absl::StrReplaceAll(text, {{"'", "'\\''"}}), "'");
}

std::string EscapedForFilter(absl::string_view text) {
  std::string filter;
  for (const char c : text) {
    if (c != '\0' && std::strchr(".[\\*+?^${()|", c) != nullptr) filter += '\\';
    filter += c;
  }
  return filter;
}

std::string ExactFilter(absl::string_view name) {
  return absl::StrCat("^", EscapedForFilter(name), "$");
}

std::string RepeatCommand(const std::vector<std::string>& argv,
                          const std::vector<std::pair<std::string, std::string>>& environment,
                          const std::string& name, uint64_t seed) {
  std::vector<std::string> words;
  for (const auto& [variable, value] : environment) {
    if (IsLeftOut(absl::AsciiStrToLower(variable))) continue;
    words.push_back(absl::StrCat(variable, "=", ShellQuoted(value)));
  }
  for (size_t i = 0; i < argv.size(); ++i) {
    const std::string& word = argv[i];
    const bool is_flag = i > 0 && word.compare(0, 2, "--") == 0;
    if (is_flag && IsLeftOut(word.substr(2, word.find('=') - 2))) continue;
    words.push_back(ShellQuoted(word));
  }
  // Arguments after `--` are for other programs (tools/duet).
  const auto end = std::find(words.begin(), words.end(), "--");
  words.insert(end, {ShellQuoted(absl::StrCat("--benchmark_filter=", ExactFilter(name))),
                     absl::StrCat("--duet_seed=", seed)});
  return absl::StrJoin(words, " ");
}

}  // namespace duetbench
