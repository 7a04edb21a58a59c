#include "duetbench/platform/process.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "duetbench/platform/text_file.h"

namespace duetbench {

int OpenPipeClosedOnExec(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int OpenEndOfProcess(int pid) {
#ifdef SYS_pidfd_open
  return static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
#else
  (void)pid;
  return -1;
#endif
}

void AskToDieWithParent() { prctl(PR_SET_PDEATHSIG, SIGKILL); }

namespace {
constexpr unsigned long kQuery = 0xffffffff;
}  // namespace

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

std::vector<int> ThreadIds() {
  std::vector<int> ids;
  DIR* const folder = opendir("/proc/self/task");
  if (folder == nullptr) return ids;
  while (const dirent* const entry = readdir(folder)) {
    if (const int id = std::atoi(entry->d_name); id > 0) ids.push_back(id);
  }
  closedir(folder);
  return ids;
}

int ThreadCount(int pid) {
  // The links of a folder: itself, its parent, and each folder in it.
  struct stat status {};
  if (stat(absl::StrCat("/proc/", pid, "/task").c_str(), &status) != 0) return 0;
  return std::max(0, static_cast<int>(status.st_nlink) - 2);
}

int ThisThreadId() { return static_cast<int>(syscall(SYS_gettid)); }

void NameThisThread(const char* name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

std::string NameOfThread(int id) {
  std::ifstream file(absl::StrCat("/proc/self/task/", id, "/comm"));
  std::string name;
  std::getline(file, name);
  return name;
}

std::vector<std::string> StatWords(const std::string& folder) {
  const std::string text = ReadTextFile(absl::StrCat(folder, "/stat")).value_or("");
  // NUMBER (NAME) STATE PARENT …; the name may contain anything.
  const size_t end_of_name = text.rfind(") ");
  if (end_of_name == std::string::npos) return {};
  return absl::StrSplit(text.substr(end_of_name + 2), ' ');
}

bool ThreadLives(int id) {
  constexpr unsigned kExiting = 0x4;  // PF_EXITING of the kernel's flags
  // STATE PARENT GROUP SESSION TERMINAL ITS_GROUP FLAGS …
  const std::vector<std::string> words = StatWords(absl::StrCat("/proc/self/task/", id));
  unsigned flags = kExiting;
  return words.size() > 6 && absl::SimpleAtoi(words[6], &flags) && (flags & kExiting) == 0;
}

}  // namespace duetbench
