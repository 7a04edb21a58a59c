#include "tools/duet/git/cache.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "duetbench/report/repeat_command.h"
#include "tools/duet/git/shell.h"

namespace duetbench::duet {
namespace {

namespace fs = std::filesystem;

// OK if nobody but this user and root can change what `path` is; `forbidden`: bits of its mode.
absl::Status CheckFolder(const std::string& path, mode_t forbidden, bool may_be_of_root) {
  struct stat status {};
  struct stat top {};
  if (lstat(path.c_str(), &status) != 0 || stat("/", &top) != 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat("cannot examine ", path));
  }
  // In a user namespace root's files may appear to belong to nobody, and so does the topmost
  // folder.
  const bool is_of_root = status.st_uid == 0 || status.st_uid == top.st_uid;
  std::string why;
  if (status.st_uid != geteuid() && !(may_be_of_root && is_of_root)) {
    why = absl::StrCat("belongs to the user ", status.st_uid);
  } else if ((status.st_mode & forbidden) != 0 &&
             !(may_be_of_root && (status.st_mode & S_ISVTX) != 0)) {
    why = absl::StrFormat("can be changed by other users (mode %o)", status.st_mode & 07777);
  }
  if (why.empty()) return absl::OkStatus();
  return absl::PermissionDeniedError(
      absl::StrCat(path, " ", why,
                   ", and programs below it would be executed: make it yours alone, remove it, or "
                   "choose another folder with --cache=FOLDER"));
}

}  // namespace

absl::StatusOr<std::string> CacheRoot(const std::string& chosen) {
  if (!chosen.empty()) return fs::absolute(chosen).lexically_normal().string();
  for (const auto& [name, below] :
       {std::pair("XDG_CACHE_HOME", ""), std::pair("HOME", "/.cache")}) {
    const char* const value = std::getenv(name);
    if (value != nullptr && value[0] == '/') return absl::StrCat(value, below, "/duetbench");
  }
  return absl::FailedPreconditionError(
      "there is no folder for builds: XDG_CACHE_HOME and HOME are not set. Choose one that only "
      "you can write to: --cache=FOLDER");
}

absl::StatusOr<std::string> MakePrivateFolder(const std::string& path) {
  fs::path made;
  for (const fs::path& part : fs::path(path)) {
    made /= part;
    if (mkdir(made.c_str(), 0700) == 0 || fs::is_directory(made)) continue;
    return absl::PermissionDeniedError(absl::StrCat("cannot make the folder ", made.string(), ": ",
                                                    std::generic_category().message(errno),
                                                    " (--cache=FOLDER)"));
  }
  const std::string folder = fs::canonical(path).string();
  absl::Status status = CheckFolder(folder, S_IRWXG | S_IRWXO, false);
  mode_t forbidden = S_IWGRP | S_IWOTH;
  for (fs::path above = fs::path(folder); status.ok() && above != above.root_path();) {
    above = above.parent_path();
    status = CheckFolder(above.string(), forbidden, true);
    forbidden = S_IWOTH;
  }
  if (!status.ok()) return status;
  return folder;
}

absl::Status LockFolder(const std::string& folder) {
  const int fd = open(absl::StrCat(folder, "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return absl::ErrnoToStatus(errno, absl::StrCat("cannot write to ", folder));
  if (flock(fd, LOCK_EX | LOCK_NB) == 0) return absl::OkStatus();
  std::fprintf(stderr, "duet: waits for another duet git in this repository\n");
  while (flock(fd, LOCK_EX) != 0 && errno == EINTR) {
  }
  return absl::OkStatus();
}

namespace {

// Patterns of a shell's `case`. No list of variables that decide a build can be complete:
// compilers, CMake, its packages (NAME_ROOT, NAME_DIR) and every project read others. So all do
// that are not listed here.
//
// The same in all jobs of a machine, and used in build commands.
constexpr char kDeciding[] = "GITHUB_WORKSPACE|CI_PROJECT_DIR";
// Builds get them, and their values do not count.
constexpr char kPassed[] =
    "DBUS_SESSION_BUS_ADDRESS|KRB5CCNAME|PWD|SSH_AGENT_PID|SSH_ASKPASS|SSH_AUTH_SOCK|TEMP|TMP|"
    "TMPDIR|XDG_RUNTIME_DIR|ACTIONS_*|GIT_*|GPG_*|*_PASSWORD|*_SECRET|*_TOKEN";
constexpr char kHidden[] =
    "BROWSER|BUILD_DISPLAY_NAME|BUILD_ID|BUILD_NUMBER|BUILD_TAG|BUILD_URL|COLORTERM|COLUMNS|"
    "DISPLAY|EDITOR|EXECUTOR_NUMBER|HOSTNAME|INVOCATION_ID|JOURNAL_STREAM|LESS|LESSCLOSE|LESSOPEN|"
    "LINES|LS_COLORS|MAIL|MANAGERPID|OLDPWD|PAGER|PROMPT_COMMAND|PS1|PS2|SHLVL|STY|TERM|TTY|VISUAL|"
    "WAYLAND_DISPLAY|WINDOWID|XAUTHORITY|_|ALACRITTY_*|APPVEYOR_*|BENCHMARK_*|BUILDKITE_*|CI_*|"
    "CIRCLE_*|DUET_*|GITHUB_*|GITLAB_*|GNOME_*|GTEST_*|JENKINS_*|KDE_*|KITTY_*|KONSOLE_*|RUNNER_*|"
    "SLURM_*|SSH_*|TERM_*|TMUX*|TRAVIS_*|VSCODE_*|VTE_*|WEZTERM_*|WT_*|ZELLIJ*|XDG_SESSION_*|"
    "*_SESSION_ID|*_SESSION_KEY";

// Unsets what matches `pattern`, unless it matches `unless`.
std::string Unset(absl::string_view pattern, absl::string_view unless) {
  return absl::StrCat("for v in $(env | sed -n 's/^\\([A-Za-z_0-9]*\\)=.*/\\1/p'); do case $v in ",
                      unless, ") ;; ", pattern, ") unset \"$v\";; esac; done; ");
}

// Packages are compared by the content of the list where it is text: a CI machine that is set up
// anew writes the same one. Of /proc/cpuinfo the first CPU counts, without what changes.
constexpr char kDescribe[] = R"(
  printf '%s\n' "$text" "$commands"
  env | LC_ALL=C sort
  export LC_ALL=C
  set -f
  IFS=:
  for folder in $PATH; do ls -lnL --full-time "$folder/"; done | grep '^-[rws-]*x' | tr -s ' '
  unset IFS
  for word in $(printf '%s ' "$commands" "$CC" "$CXX" "$CMAKE_TOOLCHAIN_FILE" |
                tr "\"'=;|&(){}" ' '); do
    case $word in /*) ls -lnLd --full-time "$word";; esac
  done
  set +f
  cat /var/lib/dpkg/status /lib/apk/db/installed /etc/os-release
  ls -lnLd --full-time /var/lib/rpm/* /usr/lib/sysimage/rpm/* /var/lib/pacman/local
  sed '/^$/q' /proc/cpuinfo |
    grep -E '^(vendor_id|cpu family|model|stepping|flags|Features|CPU (imp|part|var)|isa|cpu	)'
  git config --get-regexp '^(filter\..*|core\.(autocrlf|eol|symlinks|attributesfile))$'
  for folder in "$@"; do
    find -L "$folder" -name .git -prune -o -type f -exec ls -lnL --full-time {} + | sort
  done
)";

}  // namespace

std::string BuildPrologue(const std::string& cache) {
  return absl::StrCat("umask go=; ", Unset(kHidden, absl::StrCat(kDeciding, "|", kPassed)),
                      "if command -v ccache >/dev/null 2>&1; then "
                      "export CMAKE_C_COMPILER_LAUNCHER=${CMAKE_C_COMPILER_LAUNCHER-ccache} "
                      "CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER-ccache} "
                      "CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR-1} CCACHE_BASEDIR=${CCACHE_BASEDIR-",
                      ShellQuoted(cache), "}; fi; ");
}

absl::StatusOr<std::string> BuildKey(const std::string& top, const std::string& text,
                                     const std::vector<std::string>& commands,
                                     const std::vector<std::string>& folders) {
  // In a subshell, which alone loses the variables.
  std::string script =
      absl::StrCat("describe() ( ", Unset(absl::StrCat(kHidden, "|", kPassed), kDeciding),
                   "text=", ShellQuoted(text),
                   " commands=", ShellQuoted(absl::StrJoin(commands, "\n")), "; set --");
  for (const std::string& folder : folders) absl::StrAppend(&script, " ", ShellQuoted(folder));
  absl::StrAppend(&script, kDescribe, ") 2>/dev/null; ");
  return OutputOf(
      {"describe | git hash-object --stdin", top, "describing what decides a build", script});
}

}  // namespace duetbench::duet
