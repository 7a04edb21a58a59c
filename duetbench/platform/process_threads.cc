#include "duetbench/platform/process_threads.h"

#include "duetbench/platform/fallback.h"

#if !DUETBENCH_FALLBACK

#include <dirent.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "absl/strings/str_cat.h"

namespace duetbench {

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

int ThisThreadId() { return static_cast<int>(syscall(SYS_gettid)); }

void NameThisThread(const char* name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

std::string NameOfThread(int id) {
  std::ifstream file(absl::StrCat("/proc/self/task/", id, "/comm"));
  std::string name;
  std::getline(file, name);
  return name;
}

}  // namespace duetbench

#else

namespace duetbench {

std::vector<int> ThreadIds() { return {}; }
int ThisThreadId() { return -1; }
void NameThisThread(const char*) {}
std::string NameOfThread(int) { return ""; }

}  // namespace duetbench

#endif
