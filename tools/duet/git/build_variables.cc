#include "tools/duet/git/build_variables.h"

#include <unistd.h>

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace duetbench::duet {
namespace {

using absl::string_view;

// Exceptions from the lists below: the same in all jobs of a machine, and used in build commands.
constexpr string_view kDecidingNames[] = {"GITHUB_WORKSPACE", "CI_PROJECT_DIR"};

constexpr string_view kPassedNames[] = {"DBUS_SESSION_BUS_ADDRESS",
                                        "KRB5CCNAME",
                                        "PWD",
                                        "SSH_AGENT_PID",
                                        "SSH_ASKPASS",
                                        "SSH_AUTH_SOCK",
                                        "TEMP",
                                        "TMP",
                                        "TMPDIR",
                                        "XDG_RUNTIME_DIR"};
constexpr string_view kPassedPrefixes[] = {"ACTIONS_", "GIT_", "GPG_"};
constexpr string_view kPassedSuffixes[] = {"_PASSWORD", "_SECRET", "_TOKEN"};

constexpr string_view kHiddenNames[] = {"BROWSER",
                                        "BUILD_DISPLAY_NAME",
                                        "BUILD_ID",
                                        "BUILD_NUMBER",
                                        "BUILD_TAG",
                                        "BUILD_URL",
                                        "COLORTERM",
                                        "COLUMNS",
                                        "DISPLAY",
                                        "EDITOR",
                                        "EXECUTOR_NUMBER",
                                        "HOSTNAME",
                                        "INVOCATION_ID",
                                        "JOURNAL_STREAM",
                                        "LESS",
                                        "LESSCLOSE",
                                        "LESSOPEN",
                                        "LINES",
                                        "LS_COLORS",
                                        "MAIL",
                                        "MANAGERPID",
                                        "OLDPWD",
                                        "PAGER",
                                        "PROMPT_COMMAND",
                                        "PS1",
                                        "PS2",
                                        "SHLVL",
                                        "STY",
                                        "TERM",
                                        "TTY",
                                        "VISUAL",
                                        "WAYLAND_DISPLAY",
                                        "WINDOWID",
                                        "XAUTHORITY",
                                        "_"};
constexpr string_view kHiddenPrefixes[] = {
    "ALACRITTY_", "APPVEYOR_", "BENCHMARK_", "BUILDKITE_", "CI_",      "CIRCLE_",     "DUET_",
    "GITHUB_",    "GITLAB_",   "GNOME_",     "GTEST_",     "JENKINS_", "KDE_",        "KITTY_",
    "KONSOLE_",   "RUNNER_",   "SLURM_",     "SSH_",       "TERM_",    "TMUX",        "TRAVIS_",
    "VSCODE_",    "VTE_",      "WEZTERM_",   "WT_",        "ZELLIJ",   "XDG_SESSION_"};

constexpr string_view kHiddenSuffixes[] = {"_SESSION_ID", "_SESSION_KEY"};

template <typename List>
bool Has(const List& names, string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

template <typename List>
bool HasPrefixOf(const List& prefixes, string_view name) {
  return std::any_of(std::begin(prefixes), std::end(prefixes),
                     [&](string_view prefix) { return absl::StartsWith(name, prefix); });
}

template <typename List>
bool HasSuffixOf(const List& suffixes, string_view name) {
  return std::any_of(std::begin(suffixes), std::end(suffixes),
                     [&](string_view suffix) { return absl::EndsWith(name, suffix); });
}

string_view NameOf(string_view variable) { return variable.substr(0, variable.find('=')); }

// A shell can unset it: bash exports functions under other names.
bool IsIdentifier(string_view name) {
  return !name.empty() && name.find_first_not_of(
                              "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                              "abcdefghijklmnopqrstuvwxyz0123456789_") == string_view::npos;
}

}  // namespace

VariableUse UseOfVariable(string_view name) {
  if (Has(kDecidingNames, name)) return VariableUse::kDecides;
  if (Has(kPassedNames, name) || HasPrefixOf(kPassedPrefixes, name) ||
      HasSuffixOf(kPassedSuffixes, name)) {
    return VariableUse::kPassed;
  }
  const bool hidden = Has(kHiddenNames, name) || HasPrefixOf(kHiddenPrefixes, name) ||
                      HasSuffixOf(kHiddenSuffixes, name);
  return hidden && IsIdentifier(name) ? VariableUse::kHidden : VariableUse::kDecides;
}

std::vector<std::string> DecidingVariables(const std::vector<std::string>& environment) {
  std::vector<std::string> deciding;
  for (const std::string& variable : environment) {
    if (UseOfVariable(NameOf(variable)) == VariableUse::kDecides) deciding.push_back(variable);
  }
  std::sort(deciding.begin(), deciding.end());
  return deciding;
}

std::string HideVariables(const std::vector<std::string>& environment) {
  std::string names;
  for (const std::string& variable : environment) {
    const string_view name = NameOf(variable);
    if (UseOfVariable(name) == VariableUse::kHidden) absl::StrAppend(&names, " ", name);
  }
  return names.empty() ? "" : absl::StrCat("unset", names, "; ");
}

std::vector<std::string> Environment() {
  std::vector<std::string> environment;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    environment.emplace_back(*variable);
  }
  return environment;
}

}  // namespace duetbench::duet
