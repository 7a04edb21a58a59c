#include "duetbench/platform/process.h"

#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "duetbench/platform/text_file.h"

namespace duetbench {

int OpenEndOfProcess(int pid) { return static_cast<int>(syscall(SYS_pidfd_open, pid, 0)); }

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

}  // namespace duetbench
