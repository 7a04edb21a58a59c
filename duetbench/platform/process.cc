#include "duetbench/platform/process.h"

#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "duetbench/platform/text_file.h"

namespace duetbench {

constexpr unsigned long kQuery = 0xffffffff;

bool LayoutFixedForProcess() {
  const int flags = personality(kQuery);
  return flags != -1 && (flags & ADDR_NO_RANDOMIZE) != 0;
}

void SetLayoutFixed(bool fixed) {
  const int flags = personality(kQuery);
  if (flags == -1) return;
  constexpr auto kFixed = static_cast<unsigned long>(ADDR_NO_RANDOMIZE);
  const auto present = static_cast<unsigned long>(flags);
  personality(fixed ? present | kFixed : present & ~kFixed);
}

bool MayFixLayout() {
  const bool was_fixed = LayoutFixedForProcess();
  SetLayoutFixed(true);
  const bool may_fix = LayoutFixedForProcess();
  SetLayoutFixed(was_fixed);
  return may_fix;
}

int ThreadCount(int pid) {
  // The links of a folder: itself, its parent, and each folder in it.
  struct stat status {};
  if (stat(absl::StrCat("/proc/", pid, "/task").c_str(), &status) != 0) return 0;
  return std::max(0, static_cast<int>(status.st_nlink) - 2);
}

void NameThisThread(const char* name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

int ThisThreadId() { return static_cast<int>(syscall(SYS_gettid)); }

std::vector<std::string> StatWords(const std::string& folder) {
  const std::string text = ReadTextFile(absl::StrCat(folder, "/stat")).value_or("");
  // NUMBER (NAME) STATE PARENT …; the name may contain anything.
  const size_t end_of_name = text.rfind(") ");
  if (end_of_name == std::string::npos) return {};
  return absl::StrSplit(text.substr(end_of_name + 2), ' ');
}

SigchldNotIgnored::SigchldNotIgnored() {
  sigaction(SIGCHLD, nullptr, &before_);
  changed_ = before_.sa_handler == SIG_IGN || (before_.sa_flags & SA_NOCLDWAIT) != 0;
  if (!changed_) return;
  struct sigaction action = before_;
  if (action.sa_handler == SIG_IGN) action.sa_handler = SIG_DFL;
  action.sa_flags &= ~SA_NOCLDWAIT;
  sigaction(SIGCHLD, &action, nullptr);
}

SigchldNotIgnored::~SigchldNotIgnored() { Restore(); }

void SigchldNotIgnored::Restore() const {
  if (changed_) sigaction(SIGCHLD, &before_, nullptr);
}

std::string PathOfThisProgram() {
  std::string path(4096, '\0');
  const ssize_t size = readlink("/proc/self/exe", path.data(), path.size());
  if (size <= 0) return "";
  path.resize(static_cast<size_t>(size));
  return path;
}

std::string FindInPath(const std::string& name) {
  const char* const path = std::getenv("PATH");
  for (const absl::string_view folder : absl::StrSplit(path == nullptr ? "" : path, ':')) {
    std::string file = absl::StrCat(folder, "/", name);
    if (!folder.empty() && access(file.c_str(), X_OK) == 0) return file;
  }
  return "";
}

std::string MarkOfFile(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return "";
  return absl::StrCat(status.st_dev, ":", status.st_ino, ":", status.st_size, ":",
                      status.st_mtim.tv_sec, ".", status.st_mtim.tv_nsec);
}

std::vector<std::string> MappedFiles() {
  return FilesInMaps(ReadTextFile("/proc/self/maps").value_or(""));
}

std::vector<std::string> FilesInMaps(absl::string_view maps) {
  std::vector<std::string> files;
  for (const absl::string_view line : absl::StrSplit(maps, '\n')) {
    // ADDRESSES PERMISSIONS OFFSET DEVICE INODE PATH
    const std::vector<absl::string_view> words = absl::StrSplit(line, absl::MaxSplits(' ', 5));
    if (words.size() < 6 || words[1].size() < 3 || words[1][2] != 'x') continue;
    const absl::string_view path = absl::StripLeadingAsciiWhitespace(words[5]);
    if (!absl::StartsWith(path, "/") || absl::EndsWith(path, " (deleted)")) continue;
    files.emplace_back(path);
  }
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

absl::Status CheckMarks(const std::map<std::string, std::string>& marks) {
  for (const auto& [path, mark] : marks) {
    if (MarkOfFile(path) == mark) continue;
    return absl::AbortedError(
        absl::StrCat(path, " was changed while it was measured: its runs are of two builds"));
  }
  return absl::OkStatus();
}

}  // namespace duetbench
