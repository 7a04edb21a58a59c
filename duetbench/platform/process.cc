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
#include <sstream>

#include "absl/strings/str_cat.h"

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

bool ThreadLives(int id) {
  constexpr unsigned kExiting = 0x4;  // PF_EXITING of the kernel's flags
  std::ifstream file(absl::StrCat("/proc/self/task/", id, "/stat"));
  std::string line;
  std::getline(file, line);
  // NUMBER (NAME) STATE PARENT GROUP SESSION TERMINAL ITS_GROUP FLAGS …
  const size_t end_of_name = line.rfind(')');
  if (end_of_name == std::string::npos) return false;
  std::istringstream rest(line.substr(end_of_name + 1));
  std::string word;
  for (int i = 0; i < 6; ++i) rest >> word;
  unsigned flags = kExiting;
  rest >> flags;
  return (flags & kExiting) == 0;
}

}  // namespace duetbench
