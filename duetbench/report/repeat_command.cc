#include "duetbench/report/repeat_command.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"

namespace duetbench {
namespace {

// Flags that write what an earlier program has written, and those of an earlier choice.
constexpr const char* kLeftOut[] = {"benchmark_filter", "benchmark_list_tests",
                                    "benchmark_out",    "benchmark_out_format",
                                    "benchmark_format", "duet_seed",
                                    "duet_out",         "duet_summary",
                                    "duet_junit",       "duet_report",
                                    "duet_list"};

std::string NameOfFlag(absl::string_view flag) {
  return std::string(flag.substr(2, flag.find('=') - 2));
}

// `name` without dashes; `others` with dashes and values.
bool IsLeftOut(const std::string& name, const std::vector<std::string>& others) {
  return std::any_of(std::begin(kLeftOut), std::end(kLeftOut),
                     [&](const char* flag) { return name == flag; }) ||
         std::any_of(others.begin(), others.end(),
                     [&](const std::string& flag) { return name == NameOfFlag(flag); });
}

bool IsHarmless(char c) {
  return absl::ascii_isalnum(c) || std::strchr("_@%+=:,./-", c) != nullptr;
}

// The regular expression that matches `text` and nothing else, for every expression engine that
// Google Benchmark may be built with.
std::string EscapedForFilter(absl::string_view text) {
  std::string filter;
  for (const char c : text) {
    if (c != '\0' && std::strchr(".[\\*+?^${()|", c) != nullptr) filter += '\\';
    filter += c;
  }
  return filter;
}

}  // namespace

std::string ShellQuoted(absl::string_view text) {
  if (!text.empty() && text.find('\0') == absl::string_view::npos &&
      std::all_of(text.begin(), text.end(), IsHarmless)) {
    return std::string(text);
  }
  return absl::StrCat("'", absl::StrReplaceAll(text, {{"'", "'\\''"}}), "'");
}

std::string ExactFilter(const std::vector<std::string>& names) {
  if (names.size() == 1) return absl::StrCat("^", EscapedForFilter(names.front()), "$");
  const auto append = [](std::string* out, const std::string& name) {
    absl::StrAppend(out, EscapedForFilter(name));
  };
  return absl::StrCat("^(", absl::StrJoin(names, "|", append), ")$");
}

std::string ChangedCommand(const std::vector<std::string>& argv,
                           const std::vector<std::pair<std::string, std::string>>& environment,
                           const std::vector<std::string>& flags) {
  std::vector<std::string> words;
  for (const auto& [variable, value] : environment) {
    if (IsLeftOut(absl::AsciiStrToLower(variable), flags)) continue;
    words.push_back(absl::StrCat(variable, "=", ShellQuoted(value)));
  }
  for (size_t i = 0; i < argv.size(); ++i) {
    const std::string& word = argv[i];
    const bool is_flag = i > 0 && word.compare(0, 2, "--") == 0;
    if (is_flag && IsLeftOut(NameOfFlag(word), flags)) continue;
    words.push_back(ShellQuoted(word));
  }
  // Arguments after `--` are for other programs (tools/duet).
  auto end = std::find(words.begin(), words.end(), "--");
  for (const std::string& flag : flags) end = words.insert(end, ShellQuoted(flag)) + 1;
  return absl::StrJoin(words, " ");
}

std::string RepeatCommand(const std::vector<std::string>& argv,
                          const std::vector<std::pair<std::string, std::string>>& environment,
                          const std::vector<std::string>& names, uint64_t seed) {
  return ChangedCommand(argv, environment,
                        {absl::StrCat("--benchmark_filter=", ExactFilter(names)),
                         absl::StrCat("--duet_seed=", seed)});
}

}  // namespace duetbench
