#include "duetbench/platform/reopen_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "duetbench/platform/spawn.h"
#include "duetbench/platform/text_file.h"

namespace duetbench {

void ReopenFiles() {
  constexpr char kFolder[] = "/proc/self/fd";
  for (const std::string& entry : ListFolder(kFolder)) {
    int fd = -1;
    struct stat status {};
    if (!absl::SimpleAtoi(entry, &fd) || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
      continue;
    }
    const int flags = fcntl(fd, F_GETFL);
    if ((flags & O_PATH) != 0 || (flags & O_ACCMODE) == O_WRONLY) continue;
    const int on_exec = fcntl(fd, F_GETFD) == FD_CLOEXEC ? O_CLOEXEC : 0;
    const int again_flags = (flags & ~O_TMPFILE) | O_CLOEXEC;
    const Descriptor again(open(absl::StrCat(kFolder, "/", fd).c_str(), again_flags));
    if (!again.open()) continue;
    lseek(again.get(), std::max<off_t>(lseek(fd, 0, SEEK_CUR), 0), SEEK_SET);
    dup3(again.get(), fd, on_exec);
  }
}

}  // namespace duetbench
